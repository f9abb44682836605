import { Command } from "commander";
import type { z } from "zod";
import type { ControlMethod } from "../control/method.ts";
import type { PendingListing } from "../control/methods.ts";
import { type DataFolderOptions, foundDataFolderOf, withDataFolder } from "./data-folder-option.ts";
import { operator } from "./operator.ts";
import { tableLines } from "./table.ts";
import { OperationFailed, type Output } from "./terminal-output.ts";

const EXAMPLE = `
A register without a token, such as a browser's page, shows a code and waits for a technician, at most five minutes. Compare the code with the
one on its screen before you approve it: whoever is approved may do what the scopes say, under that name. Only the running bridge knows the code.

Example:
  posbridge tokens pending --data /var/lib/posbridge
  posbridge tokens approve K7M2QX --data /var/lib/posbridge
  posbridge tokens approve K7M2QX --scope payments --config ./posbridge.yaml
  posbridge tokens refuse K7M2QX --data /var/lib/posbridge`;

interface Where extends DataFolderOptions {
  readonly json?: true;
}

interface ApproveOptions extends Where {
  readonly scope?: readonly string[];
  readonly refundLimit?: string;
  readonly refundLimitPerPayment?: string;
}

/** `tokens pending | approve | refuse`: registers that wait for being paired. */
export function pairingCommands(output: Output): readonly Command[] {
  const described = (command: Command, description: string): Command =>
    withDataFolder(command)
      .description(description)
      .option("--json", "print the result as JSON")
      .addHelpText("after", EXAMPLE);
  const pending = described(new Command("pending"), "show the register that waits for being paired");
  const approve = described(new Command("approve"), "pair the register that shows this code");
  const refuse = described(new Command("refuse"), "refuse the register that shows this code");
  return [
    pending.action((where: Where) => showPending(where, output)),
    approve
      .argument("<code>", "the six characters on the register's screen")
      .option("--scope <scope...>", "what the register may do (default: payments refunds)")
      .option("--refund-limit <amount>", "how much the register may give back in a day (default: no limit)")
      .option(
        "--refund-limit-per-payment <amount>",
        "how much it may give back by one refund or void (default: no limit)",
      )
      .action((code: string, options: ApproveOptions) => approveRegister(code, options, output)),
    refuse
      .argument("<code>", "the six characters on the register's screen")
      .action((code: string, where: Where) => refuseRegister(code, where, output)),
  ];
}

async function showPending({ json, ...where }: Where, output: Output): Promise<void> {
  const { registersPending } = await import("../control/methods.ts");
  const { systemClock } = await import("../kit/system-clock.ts");
  const { pending } = await askBridge(where, output, registersPending, {});
  if (json === true) return output.out(JSON.stringify({ pending }, null, 2));
  const rows = pending.map((each) => rowOf(each, systemClock.now()));
  for (const line of tableLines(["CODE", "NAME", "ORIGIN", "FROM", "COUNTS FOR"], rows)) output.out(line);
  for (const { name, known } of pending)
    if (known) output.err(`${name} has a token or key already: approved, this one gets the payments of that register`);
}

function rowOf({ code, name, origin, from, expiresAt }: PendingListing, now: number): readonly string[] {
  const seconds = Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / 1000));
  return [code, name, origin, from, `${Math.floor(seconds / 60)} min ${seconds % 60} s`];
}

async function approveRegister(
  code: string,
  { json, scope: scopes = [], refundLimit: day, refundLimitPerPayment: payment, ...where }: ApproveOptions,
  output: Output,
): Promise<void> {
  const { registersApprove } = await import("../control/methods.ts");
  const refundLimits = { ...(payment !== undefined && { payment }), ...(day !== undefined && { day }) };
  const by = await operator();
  const order = { code, scopes, by, ...(Object.keys(refundLimits).length > 0 && { refundLimits }) };
  const paired = await askBridge(where, output, registersApprove, order);
  if (json === true) return output.out(JSON.stringify(paired, null, 2));
  output.out(`paired register ${paired.register} of ${originWords(paired.origin)} (${paired.scopes.join(", ")})`);
}

async function refuseRegister(code: string, { json, ...where }: Where, output: Output): Promise<void> {
  const { registersRefuse } = await import("../control/methods.ts");
  const refused = await askBridge(where, output, registersRefuse, { code, by: await operator() });
  if (json === true) return output.out(JSON.stringify(refused, null, 2));
  output.out(`refused register ${refused.name} of ${originWords(refused.origin)}`);
}

function originWords(origin: string): string {
  return origin === "none" ? "a program of this machine" : origin;
}

/** Only a running bridge knows who waits. */
async function askBridge<P extends z.ZodType, R extends z.ZodType>(
  where: DataFolderOptions,
  output: Output,
  method: ControlMethod<string, P, R>,
  params: z.input<P>,
): Promise<z.output<R>> {
  const [{ askDaemon }, { ControlFailed }, { systemClock }] = await Promise.all([
    import("../control/client.ts"),
    import("../control/address.ts"),
    import("../kit/system-clock.ts"),
  ]);
  const dataDir = await foundDataFolderOf(where, output);
  const asked = await askDaemon({ dataDir, clock: systemClock }, method, params).catch((cause: unknown) => {
    throw cause instanceof ControlFailed ? new OperationFailed(cause.message) : cause;
  });
  if (asked.is === "no-daemon")
    throw new OperationFailed(
      `no bridge runs on ${dataDir}, and only a running one knows who waits: start it, and ask for a new code at the register`,
    );
  if (!asked.reply.ok) throw new OperationFailed(asked.reply.message);
  return asked.reply.value;
}
