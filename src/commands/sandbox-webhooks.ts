import { Command, Option } from "commander";
import { z } from "zod";
import { portOf } from "./port.ts";
import { tableLines } from "./table.ts";
import { OperationFailed, type Output, UsageProblem } from "./terminal-output.ts";

const EXAMPLE = `
These talk to a sandbox that runs (--port, 7718 unless said); with its --data the webhooks and what they have not taken yet survive it.

Example:
  openssl rand -hex 32 > webhook-key && chmod 600 webhook-key
  posbridge sandbox webhooks add http://127.0.0.1:7719/webhooks --key-file ./webhook-key
  posbridge sandbox webhooks list
  posbridge sandbox webhooks test 0123456789abcdef0123456789abcdef
  posbridge sandbox webhooks remove 0123456789abcdef0123456789abcdef`;

/** Options of the sandbox command that its subcommands share. */
interface Where {
  readonly port: string;
  readonly json?: true;
}

interface NewWebhook {
  readonly key?: string;
  readonly keyFile?: string;
  readonly wrapper: "none" | "json";
  readonly fields: "all" | "non-customer-data";
  readonly events?: string;
}

const rowSchema = z.looseObject({
  id: z.string(),
  url: z.string(),
  wrapper: z.string(),
  fields: z.string(),
  events: z.array(z.string()),
  active: z.boolean(),
  waiting: z.int(),
});
const listSchema = z.looseObject({ webhooks: z.array(rowSchema) });
const testedSchema = rowSchema.extend({
  test: z.union([z.strictObject({ status: z.int() }), z.strictObject({ problem: z.string() })]),
});
const removedSchema = z.looseObject({ removed: z.literal(true) });
const problemSchema = z.looseObject({ error: z.string() });

/** `sandbox webhooks add | list | remove | test`: the functions of the gateway's back office (gateway-facts 3). */
export function sandboxWebhooksCommand(output: Output): Command {
  const command = new Command("webhooks")
    .description("who is notified by a sandbox that runs")
    .addHelpText("after", EXAMPLE);
  command
    .command("add")
    .description("set a webhook up and send it the test delivery; it is active once that was answered with 2xx")
    .argument("<url>", "where the notifications are posted")
    .option(
      "--key <hex>",
      "what they are encrypted with: 64 hexadecimal digits; everybody on this machine sees it in the list of processes",
    )
    .option("--key-file <file>", "a file with the key alone, in place of --key")
    .addOption(
      new Option("--wrapper <wrapper>", "the body: bare digits, or a JSON object with them")
        .choices(["none", "json"])
        .default("none"),
    )
    .addOption(new Option("--fields <fields>", "what is told").choices(["all", "non-customer-data"]).default("all"))
    .option("--events <list>", "comma-separated: PAYMENT, REGISTRATION, SCHEDULE, RISK (default: all)")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action((url: string, _: unknown, self: Command) => add(url, self.optsWithGlobals<Where & NewWebhook>(), output));
  command
    .command("list")
    .description("list the webhooks; their keys are not shown")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action((_: unknown, self: Command) => list(self.optsWithGlobals<Where>(), output));
  command
    .command("remove")
    .description("take a webhook away, and what it has not taken yet")
    .argument("<id>", "as list shows it")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action((id: string, _: unknown, self: Command) => remove(id, self.optsWithGlobals<Where>(), output));
  command
    .command("test")
    .description("send a webhook the test delivery")
    .argument("<id>", "as list shows it")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action((id: string, _: unknown, self: Command) => test(id, self.optsWithGlobals<Where>(), output));
  return command;
}

async function add(
  url: string,
  { key, keyFile, wrapper, fields, events, ...where }: Where & NewWebhook,
  output: Output,
): Promise<void> {
  const told = { url, key: await keyOf(key, keyFile), wrapper, fields: fields === "all" ? "ALL" : "NON_CUSTOMER_DATA" };
  const body = { ...told, ...(events !== undefined && { events: events.split(",").map((one) => one.trim()) }) };
  const { id } = await ask(where, "POST", "webhooks", rowSchema, body);
  await test(id, where, output);
}

/** The sandbox checks a key from a file like a typed one. */
async function keyOf(key: string | undefined, file: string | undefined): Promise<string> {
  if (key !== undefined && file !== undefined) throw new UsageProblem("--key and --key-file: give one of them");
  if (key !== undefined) return key;
  if (file === undefined)
    throw new UsageProblem("no key is given: add --key-file FILE (openssl rand -hex 32 > FILE), or --key HEX");
  const { readFile } = await import("node:fs/promises");
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageProblem(`--key-file ${file}: cannot be read (${code}); check the path and who may read it`);
  });
  return text.trim();
}

async function list(where: Where, output: Output): Promise<void> {
  const { webhooks } = await ask(where, "GET", "webhooks", listSchema);
  if (where.json === true) return output.out(JSON.stringify({ webhooks }, null, 2));
  const header = ["ID", "ACTIVE", "WAITING", "WRAPPER", "FIELDS", "EVENTS", "URL"];
  const rows = webhooks.map(({ id, active, waiting, wrapper, fields, events, url }) => [
    ...[id, active ? "yes" : "no", String(waiting), wrapper],
    ...[fields, events.join(","), url],
  ]);
  for (const line of tableLines(header, rows)) output.out(line);
}

async function remove(id: string, where: Where, output: Output): Promise<void> {
  await ask(where, "DELETE", `webhooks/${idOf(id)}`, removedSchema);
  output.out(where.json === true ? JSON.stringify({ id, removed: true }, null, 2) : `removed webhook ${id}`);
}

async function test(id: string, where: Where, output: Output): Promise<void> {
  const tested = await ask(where, "POST", `webhooks/${idOf(id)}/test`, testedSchema, {});
  if (where.json === true) output.out(JSON.stringify(tested, null, 2));
  else output.out(`webhook ${id} is ${tested.active ? "active" : "not active"}`);
  const came = "status" in tested.test ? `was answered with ${tested.test.status}` : `failed: ${tested.test.problem}`;
  if ("problem" in tested.test || tested.test.status < 200 || tested.test.status > 299)
    throw new OperationFailed(
      `the test delivery to ${tested.url} ${came}; mend the receiver, then run: posbridge sandbox webhooks test ${id}`,
    );
}

function idOf(id: string): string {
  if (/^[0-9a-f]{1,64}$/.test(id)) return id;
  throw new UsageProblem(`${id} is not the id of a webhook: posbridge sandbox webhooks list shows them`);
}

/** One test call of the sandbox at that port. */
async function ask<T>(
  { port: given }: Where,
  method: "GET" | "POST" | "DELETE",
  path: string,
  schema: z.ZodType<T>,
  body?: object,
): Promise<T> {
  const port = portOf("--port", given);
  const [{ request }, { json }] = await Promise.all([import("node:http"), import("node:stream/consumers")]);
  const answer = await new Promise<{ readonly status: number; readonly content: unknown }>((resolve, reject) => {
    const failed = (): void =>
      reject(
        new OperationFailed(
          `no sandbox answers at port ${port}: start it with posbridge sandbox --port ${port}, or say --port`,
        ),
      );
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const asking = request({ host: "127.0.0.1", port, method, path: `/sandbox/v1/${path}`, headers }, (incoming) => {
      json(incoming).then((content) => resolve({ status: incoming.statusCode ?? 0, content }), failed);
    });
    asking.once("error", failed);
    asking.end(body === undefined ? undefined : JSON.stringify(body));
  });
  const expected = answer.status < 300 ? schema.safeParse(answer.content) : undefined;
  if (expected?.success === true) return expected.data;
  const problem =
    problemSchema.safeParse(answer.content).data?.error ?? `the program at port ${port} is no sandbox of this version`;
  throw answer.status === 400 ? new UsageProblem(problem) : new OperationFailed(problem);
}
