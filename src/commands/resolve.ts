import { Command, Option } from "commander";
import type { z } from "zod";
import type { KnownModel } from "../config/surroundings.ts";
import type { ControlHandlers, paymentsResolve } from "../control/methods.ts";
import { commandWord } from "../kit/shell-word.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import { type DataFolderOptions, foundDataFolderOf, withDataFolder } from "./data-folder-option.ts";
import { journalProblem } from "./journal-problem.ts";
import { operator } from "./operator.ts";
import { OperationFailed, type Output, UsageProblem } from "./terminal-output.ts";
import { MAX_REASON, requireText } from "./typed-text.ts";

const EXAMPLE = `
For a payment that is open past the unknown window and of which the gateway tells nothing: look in the gateway's back office
what became of it, then say so. The gateway is asked once more first, which can take a minute: by the daemon where one runs, else
by this command, which then needs the configuration. What it shows, or that it did not answer, is printed on stderr; what is said
counts all the same, unless that settles it. It is kept for ever, with who said it, when and why.

  reversed   nothing is booked, or it was reversed there: the payment ends FAILED
  declined   it was declined: the payment ends DECLINED
  approved   it is booked, under the id that --gateway-id names: the payment ends APPROVED (not a sale or reservation
             whose card has to agree, or that a stored card pays: reverse it there, then say reversed)

Of a void say approved (it was carried out, under the id of the reversal or refund) or declined (it was not); reversed is refused.

Of an approved sale whose capture is pending for days, has failed or took another amount the word is about the capture: approved, it
(or its rest) was captured under that id; reversed or declined, it was not. The sale stays APPROVED.

Example:
  posbridge payments list --open --config ./posbridge.yaml
  posbridge resolve 4711 --register till-1 --as reversed --reason "not in the back office, asked on 3 February" --config ./posbridge.yaml`;

const OUTCOMES = ["reversed", "approved", "declined"] as const;

const MAX_REFERENCE = 64;
const MAX_GATEWAY_ID = 64;

interface Options extends DataFolderOptions {
  readonly register?: string;
  readonly as: (typeof OUTCOMES)[number];
  readonly reason: string;
  readonly gatewayId?: string;
  readonly json?: true;
}

/**
 * `resolve REFERENCE`: an operator closes a payment that the gateway cannot decide (contract, section 1). `models`: all
 * known ones.
 */
export function resolveCommand(output: Output, models: readonly KnownModel[]): Command {
  return withDataFolder(new Command("resolve"))
    .description("close a payment that the gateway cannot tell anything about")
    .argument("<reference>", "the register's reference")
    .option("--register <name>", "the register, where several used the reference")
    .addOption(new Option("--as <outcome>", "what became of it").choices(OUTCOMES).makeOptionMandatory())
    .requiredOption("--reason <text>", `why you know, 1 to ${MAX_REASON} characters; kept with the payment`)
    .option("--gateway-id <id>", "the gateway's id of the booking; needed with --as approved")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action(async (reference: string, options: Options) => {
      await requireSense(reference, options);
      const done = await askToResolve(reference, options, output, models);
      if (options.json === true) return output.out(JSON.stringify(done, null, 2));
      const reason = done.reason === undefined ? "" : ` (${done.reason.code})`;
      const capture = done.capture === undefined ? "" : `, capture ${done.capture}`;
      output.out(
        `payment ${done.reference} of register ${done.register} is ${done.state} ${done.outcome ?? ""}${reason}${capture}`,
      );
      output.err(remark(done, options));
    });
}

const GATEWAY_SAYS: Readonly<Record<Resolved["gateway"], string>> = {
  booked: "shows it booked",
  "booked-otherwise": "shows it booked of another amount",
  undecided: "has not decided it",
  "taken-back": "shows it taken back",
  refused: "shows it refused",
  nothing: "shows nothing of it",
  "no-answer": "did not answer",
  "not-asked": "can tell nothing of it",
};

/** Reports the result of the final query. A result that contradicts the operator decision changes nothing. */
function remark({ gateway }: Resolved, { as }: Options): string {
  const borneOut: readonly Resolved["gateway"][] =
    as === "approved" ? ["booked"] : ["nothing", "taken-back", "refused"];
  return `the gateway was asked once more and ${GATEWAY_SAYS[gateway]}${borneOut.includes(gateway) ? "" : "; what was said counts all the same"}`;
}

async function requireSense(reference: string, { register, as, reason, gatewayId }: Options): Promise<void> {
  await requireText("reference", reference, MAX_REFERENCE);
  if (register !== undefined) await requireText("--register", register, MAX_REFERENCE);
  await requireText("--reason", reason, MAX_REASON);
  if (gatewayId !== undefined) await requireText("--gateway-id", gatewayId, MAX_GATEWAY_ID);
  if (as === "approved" && gatewayId === undefined)
    throw new UsageProblem("--as approved: name the booking by --gateway-id, as the gateway's back office shows it");
}

type Resolved = z.output<(typeof paymentsResolve)["result"]>;
type Order = z.output<(typeof paymentsResolve)["params"]>;

/** Asks the daemon if one runs, else works here. */
async function askToResolve(
  reference: string,
  options: Options,
  output: Output,
  models: readonly KnownModel[],
): Promise<Resolved> {
  const { data: _data, config, json: _json, ...said } = options;
  const [{ askDaemon }, { ControlFailed }, { paymentsResolve: method }, { systemClock }] = await Promise.all([
    import("../control/client.ts"),
    import("../control/address.ts"),
    import("../control/methods.ts"),
    import("../kit/system-clock.ts"),
  ]);
  const data = await foundDataFolderOf(options, output);
  if (output.tty) output.err("The gateway is asked once more; this can take a minute.");
  const order = { reference, ...said, by: await operator() };
  const asked = await askDaemon({ dataDir: data, clock: systemClock }, method, order).catch((cause: unknown) => {
    const look = `whether the word counts: posbridge payments show ${commandWord(reference, systemPlatform)} --data ${commandWord(data, systemPlatform)}`;
    throw cause instanceof ControlFailed ? new OperationFailed(`${cause.message}; ${look}`) : cause;
  });
  const reply = asked.is === "answered" ? asked.reply : await withoutDaemon(order, { data, config }, output, models);
  if (!reply.ok) throw new OperationFailed(reply.message);
  return reply.value;
}

interface Where {
  readonly data: string;
  readonly config: string | undefined;
}

/** Names a process that holds the folder but does not answer. */
async function withoutDaemon(
  order: Order,
  { data, config }: Where,
  output: Output,
  models: readonly KnownModel[],
): ReturnType<ControlHandlers["payments.resolve"]> {
  if (config === undefined) throw await configurationMissing(data);
  const [{ resolveAtRest }, { requireConfiguration }] = await Promise.all([
    import("../agent/resolve-without-daemon.ts"),
    import("./configuration-file.ts"),
  ]);
  const configuration = await requireConfiguration(config, models, output);
  // The command's output tells whether the gateway answered.
  const quiet = { debug: () => undefined, warn: () => undefined };
  return resolveAtRest(configuration, quiet, order).catch((cause: unknown) => {
    throw journalProblem(cause);
  });
}

async function configurationMissing(data: string): Promise<unknown> {
  const [{ findDataFolder }, { lockDataFolder }] = await Promise.all([
    import("../journal/data-folder.ts"),
    import("../journal/lock.ts"),
  ]);
  try {
    lockDataFolder(findDataFolder(data)).release();
  } catch (cause) {
    return journalProblem(cause);
  }
  return new UsageProblem(
    `no daemon runs on ${data}, and the gateway has to be asked first: name the bridge's configuration by --config FILE`,
  );
}
