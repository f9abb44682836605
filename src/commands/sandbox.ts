import { Command, Option } from "commander";
import type { SandboxEntity } from "../../packages/sandbox/gateway/context.ts";
import type { SandboxRules } from "../../packages/sandbox/gateway/rules.ts";
import { testDataLines } from "../../packages/sandbox/gateway/test-data.ts";
import { portOf, portProblem } from "./port.ts";
import { sandboxWebhooksCommand } from "./sandbox-webhooks.ts";
import { type Output, UsageProblem } from "./terminal-output.ts";

/** The channel and token shared by all parts of a demo (contract, section 4). */
const DEFAULT_ENTITY: SandboxEntity = { entityId: "8a8294174b7ecb28014b9699220015ca", token: "sandbox-token" };

interface Options {
  readonly port: string;
  readonly data?: string;
  readonly entity: readonly string[];
  readonly token: readonly string[];
  readonly bdk?: string;
  readonly declineStatus: "400" | "200";
  readonly reverseDebit: SandboxRules["reverseDebit"];
  readonly reverseCapture: SandboxRules["reverseCapture"];
  readonly captures: "several" | "one";
  readonly duplicates: SandboxRules["duplicates"];
  readonly throttling: boolean;
  readonly webhookOrder: "real" | "kept";
}

/** `sandbox`: the gateway of the specification as a local server, until the process is asked to stop. */
export function sandboxCommand(output: Output): Command {
  const again = (value: string, before: readonly string[]): readonly string[] => [...before, value];
  return new Command("sandbox")
    .description("the payment gateway as a local server that moves no money")
    .option("--port <number>", "port on 127.0.0.1", "7718")
    .option("--data <dir>", "keep ledger and issuer in this folder; without it they end with the process")
    .option(
      "--entity <id>",
      `one more channel beside ${DEFAULT_ENTITY.entityId}, with the --token that follows (repeatable)`,
      again,
      [],
    )
    .option("--token <token>", "access token of the channel named last (repeatable)", again, [])
    .option("--bdk <hex>", "base derivation key of the terminals; any but the published X9.24 test key is refused")
    .addOption(
      new Option("--decline-status <status>", "HTTP status of a payment that failed")
        .choices(["400", "200"])
        .default("400"),
    )
    .addOption(
      new Option("--reverse-debit <rule>", "RV on a DB")
        .choices(["allowed", "700.400.530", "700.300.700"])
        .default("allowed"),
    )
    .addOption(
      new Option("--reverse-capture <rule>", "RV on a CP")
        .choices(["allowed", "700.400.530", "700.300.700"])
        .default("allowed"),
    )
    .addOption(
      new Option("--captures <rule>", "captures of one reservation").choices(["several", "one"]).default("several"),
    )
    .addOption(
      new Option("--duplicates <rule>", "a merchantTransactionId that comes twice")
        .choices(["accept", "reject"])
        .default("accept"),
    )
    .option("--no-throttling", "answer more than two reads a minute")
    .addOption(
      new Option(
        "--webhook-order <order>",
        "real: some notifications are repeated or overtaken; kept: each once, in order",
      )
        .choices(["real", "kept"])
        .default("real"),
    )
    .addCommand(sandboxWebhooksCommand(output))
    .addHelpText("after", helpText)
    .action((options: Options) => runSandbox(options, output));
}

function helpText(): string {
  return ["", ...testDataLines(), "", "Example:", "  posbridge sandbox --port 7718 --data ./sandbox-data"].join("\n");
}

async function runSandbox(options: Options, output: Output): Promise<void> {
  const port = portOf("--port", options.port);
  const entities = [DEFAULT_ENTITY, ...entitiesOf(options)];
  const bdk = options.bdk === undefined ? undefined : await bdkOf(options.bdk);
  const [{ createSandbox }, { openSandboxStore }, { serveSandbox }, { sendOut }, { systemClock }, { systemRandom }] =
    await Promise.all([
      import("../../packages/sandbox/gateway/sandbox.ts"),
      import("../../packages/sandbox/gateway/ledger/store.ts"),
      import("../../packages/sandbox/gateway/server.ts"),
      import("../../packages/sandbox/gateway/system-outgoing.ts"),
      import("../kit/system-clock.ts"),
      import("../kit/system-random.ts"),
    ]);
  const store = await storePath(options.data)
    .then(openSandboxStore)
    .catch((error: unknown) => {
      throw new UsageProblem(`--data ${options.data}: ${error instanceof Error ? error.message : String(error)}`);
    });
  const sandbox = createSandbox({
    clock: systemClock,
    random: systemRandom,
    store,
    entities,
    rules: rulesOf(options),
    throttling: options.throttling,
    send: sendOut,
    orderlyWebhooks: options.webhookOrder === "kept",
    ...(bdk && { bdk }),
  });
  try {
    const server = await serveSandbox(sandbox, port, (problem) => output.err(`sandbox: ${problem}`)).catch(
      (error: unknown) => {
        throw portProblem(error, "--port", port);
      },
    );
    // From here on the sandbox stays, even if nobody reads its output.
    const { stopped } = output;
    output.out(`sandbox gateway at ${server.url} (no money moves here)`);
    for (const { entityId, token } of entities) output.out(`  entity ${entityId}  token ${token}`);
    output.out(`  ledger ${server.url}sandbox/v1/ledger`);
    await stopped;
    await server.close();
  } finally {
    store.close();
  }
}

function rulesOf({ declineStatus, reverseDebit, reverseCapture, captures, duplicates }: Options): SandboxRules {
  return {
    declineStatus: declineStatus === "200" ? 200 : 400,
    reverseDebit,
    reverseCapture,
    severalCaptures: captures === "several",
    duplicates,
  };
}

function entitiesOf({ entity, token }: Options): readonly SandboxEntity[] {
  if (entity.length !== token.length)
    throw new UsageProblem(
      `--entity is given ${entity.length} times and --token ${token.length} times: give each entity its token`,
    );
  return entity.map((entityId, at) => {
    if (!/^[0-9a-f]{32}$/.test(entityId))
      throw new UsageProblem(`--entity ${entityId}: must be 32 lower-case hexadecimal digits`);
    const own = token[at] ?? "";
    if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(own))
      throw new UsageProblem(`--token of entity ${entityId}: must be letters, digits and - . _ ~ + / (RFC 6750)`);
    return { entityId, token: own };
  });
}

async function bdkOf(text: string): Promise<Uint8Array> {
  const [{ fromHex, isHex }, { equal }, { PUBLISHED_TEST_BDK }] = await Promise.all([
    import("../kit/hex.ts"),
    import("../kit/bytes.ts"),
    import("../../packages/sandbox/testbed/test-keys.ts"),
  ]);
  if (isHex(text) && equal(fromHex(text), PUBLISHED_TEST_BDK)) return PUBLISHED_TEST_BDK;
  throw new UsageProblem(
    "--bdk: only the published X9.24 test key is taken here; take real keys nowhere near a sandbox",
  );
}

async function storePath(directory: string | undefined): Promise<string> {
  if (directory === undefined) return ":memory:";
  const [{ mkdirSync }, { join }] = await Promise.all([import("node:fs"), import("node:path")]);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return join(directory, "sandbox.db");
}
