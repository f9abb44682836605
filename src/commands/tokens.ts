import { Command } from "commander";
import type { z } from "zod";
import type { ControlMethod } from "../control/method.ts";
import type { ControlReply, TokenListing } from "../control/methods.ts";
import type { TokenHandlers } from "../control/tokens.ts";
import { commandWord } from "../kit/shell-word.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import { type DataFolderOptions, dataFolderOf, withDataFolder } from "./data-folder-option.ts";
import { journalProblem } from "./journal-problem.ts";
import { operator } from "./operator.ts";
import { tableLines } from "./table.ts";
import { OperationFailed, type Output, UsageProblem } from "./terminal-output.ts";
import { pairingCommands } from "./tokens-pairing.ts";

const EXAMPLE = `
A register that shows its token may do what the scopes say: payments (its own), refunds, unlinked-refunds, stored-cards
(charging and deleting them), foreign-bookings (what this bridge did not book, by the gateway's id), payments:all (every
register's), technician. Without --scope it may do payments and refunds. All of it works while the daemon runs.

--refund-limit says how much may be given back in a day (refunds, unlinked refunds and voids together) by the register that
the token names, from midnight to midnight of this machine's local time; --refund-limit-per-payment, how much by one of
them. A limit counts units of whatever currency: 200.00 is 200 EUR, or 200 JPY, or 150 EUR and 50 USD. Without them: no limit.

Example:
  posbridge tokens create --register till-1 --config ./posbridge.yaml
  posbridge tokens create --register till-2 --refund-limit 200.00 --refund-limit-per-payment 50.00 --config ./posbridge.yaml
  posbridge tokens create --register office --scope payments --scope payments:all --config ./posbridge.yaml
  posbridge tokens list --data /var/lib/posbridge
  posbridge tokens revoke till-1 --data /var/lib/posbridge
  posbridge tokens revoke --damaged --data /var/lib/posbridge`;

interface Where extends DataFolderOptions {
  readonly json?: true;
}

interface CreateOptions extends Where {
  readonly register: string;
  readonly scope?: readonly string[];
  readonly refundLimit?: string;
  readonly refundLimitPerPayment?: string;
}

interface RevokeOptions extends Where {
  readonly damaged?: true;
}

/** `tokens create | list | revoke`, and pairing: the tokens and keys by which registers open their sessions. */
export function tokensCommand(output: Output): Command {
  const command = new Command("tokens")
    .description("make, list and revoke the tokens of registers, and pair registers")
    .addHelpText("after", EXAMPLE);
  withDataFolder(command.command("create"))
    .description("make a token for a register and print it, this one time")
    .requiredOption("--register <name>", "the register, 1 to 64 printable characters; payments belong to this name")
    .option("--scope <scope...>", "what the token may do (default: payments refunds)")
    .option("--refund-limit <amount>", "how much the register may give back in a day (default: no limit)")
    .option(
      "--refund-limit-per-payment <amount>",
      "how much it may give back by one refund or void (default: no limit)",
    )
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action((options: CreateOptions) => createToken(options, output));
  withDataFolder(command.command("list"))
    .description("list the tokens and paired keys by register; the tokens themselves are not kept anywhere")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action((where: Where) => listTokens(where, output));
  withDataFolder(command.command("revoke"))
    .description("take away every token and key of a register, or every token whose row is not what was written")
    .argument("[name]", "the register")
    .option("--damaged", "those that are damaged, in place of a register's")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action((name: string | undefined, options: RevokeOptions) => revokeTokens(name, options, output));
  for (const each of pairingCommands(output)) command.addCommand(each);
  return command;
}

async function createToken(
  { json, register, scope: scopes = [], refundLimit: day, refundLimitPerPayment: payment, ...where }: CreateOptions,
  output: Output,
): Promise<void> {
  const { tokensCreate } = await import("../control/methods.ts");
  const { findDataFolder, prepareDataFolder } = await import("../journal/data-folder.ts");
  const data = await dataFolderOf(where, output);
  // A token may be created before the daemon's first start. A folder without a configuration may be mistyped.
  await inFolder(() => (where.config === undefined ? findDataFolder(data) : prepareDataFolder(data)));
  const refundLimits = { ...(payment !== undefined && { payment }), ...(day !== undefined && { day }) };
  const by = await operator();
  const wanted = { register, scopes, by, ...(Object.keys(refundLimits).length > 0 && { refundLimits }) };
  const reply = await change(data, tokensCreate, wanted, (handlers) => handlers["tokens.create"]);
  if (!reply.ok) throw new UsageProblem(reply.message);
  if (json === true) return output.out(JSON.stringify(reply.value, null, 2));
  output.out(reply.value.token);
  if (output.tty)
    output.err(
      `This is the only time it is shown: give it to register ${reply.value.register} now (${reply.value.scopes.join(", ")}).`,
    );
}

async function revokeTokens(
  register: string | undefined,
  { json, damaged, ...where }: RevokeOptions,
  output: Output,
): Promise<void> {
  if ((register === undefined) !== (damaged === true))
    throw new UsageProblem("name a register, or say --damaged: one of the two");
  const { tokensRevoke, tokensRevokeDamaged } = await import("../control/methods.ts");
  const { findDataFolder } = await import("../journal/data-folder.ts");
  const data = await dataFolderOf(where, output);
  await inFolder(() => findDataFolder(data));
  const by = await operator();
  const reply =
    register === undefined
      ? await change(data, tokensRevokeDamaged, { by }, (handlers) => handlers["tokens.revokeDamaged"])
      : await change(data, tokensRevoke, { register, by }, (handlers) => handlers["tokens.revoke"]);
  if (!reply.ok) throw new OperationFailed(reply.message);
  const { revoked } = reply.value;
  const which = register === undefined ? { damaged: true, revoked } : { register, revoked };
  const tokens = register === undefined ? "damaged token" : "token";
  const what = revoked === 1 ? `the ${tokens}` : `${revoked} ${tokens}s`;
  output.out(
    json === true
      ? JSON.stringify(which, null, 2)
      : `revoked ${what}${register === undefined ? "" : ` of register ${register}`}`,
  );
}

async function listTokens({ json, ...where }: Where, output: Output): Promise<void> {
  const { findDataFolder } = await import("../journal/data-folder.ts");
  const data = await dataFolderOf(where, output);
  await inFolder(() => findDataFolder(data));
  const tokens = await readTokens(data);
  if (json === true) return output.out(JSON.stringify({ tokens }, null, 2));
  for (const line of tableLines(["REGISTER", "SCOPES", "CREATED", "LAST USED"], tokens.map(rowOf))) output.out(line);
  const damaged = tokens.filter((token) => "damaged" in token).length;
  if (damaged > 0)
    output.err(
      `${damaged} of them cannot be used any more: posbridge tokens revoke --damaged --data ${commandWord(data, systemPlatform)}, then make new ones`,
    );
}

function rowOf(token: TokenListing): readonly string[] {
  if ("damaged" in token) return [token.register, "none: damaged", "", ""];
  const { register, scopes, refundLimits: { payment, day } = {}, origin, createdAt, lastUsedAt } = token;
  const limits = [
    ...(payment === undefined ? [] : [`${payment} a payment`]),
    ...(day === undefined ? [] : [`${day} a day`]),
  ];
  const atMost = limits.length === 0 ? "" : ` (gives back at most ${limits.join(", ")})`;
  return [register, `${scopes.join(" ")}${atMost}${pairedWords(origin)}`, createdAt, lastUsedAt ?? "never"];
}

function pairedWords(origin: string | undefined): string {
  if (origin === undefined) return "";
  return origin === "none" ? " (a paired program)" : ` (paired: ${origin})`;
}

/** Reading needs neither the daemon nor the lock. */
async function readTokens(dataDir: string): Promise<readonly TokenListing[]> {
  const { existsSync } = await import("node:fs");
  const { tokensFile } = await import("../register/tokens/token-database.ts");
  if (!existsSync(tokensFile(dataDir))) return [];
  const [{ listTokens: list }, { isDamage, mendOf }] = await Promise.all([
    import("../register/tokens/tokens.ts"),
    import("../journal/sqlite-error.ts"),
  ]);
  return inTokens(() => list({ dataDir, disk: { isDamage, mendOf } }));
}

/**
 * Through the daemon if one runs; else here under the folder's lock, so that two processes never write. The folder is
 * already checked.
 */
async function change<P extends z.ZodType, R extends z.ZodType>(
  dataDir: string,
  method: ControlMethod<string, P, R>,
  params: z.output<P> & z.input<P>,
  handlerOf: (handlers: TokenHandlers) => (params: z.output<P>) => Promise<ControlReply<z.output<R>>>,
): Promise<ControlReply<z.output<R>>> {
  const [{ askDaemon }, { ControlFailed }, { systemClock }] = await Promise.all([
    import("../control/client.ts"),
    import("../control/address.ts"),
    import("../kit/system-clock.ts"),
  ]);
  const failed = (cause: unknown): never => {
    throw cause instanceof ControlFailed ? new OperationFailed(cause.message) : cause;
  };
  const asked = await askDaemon({ dataDir, clock: systemClock }, method, params).catch(failed);
  if (asked.is === "answered") return asked.reply;
  const [{ prepareDataFolder }, { lockDataFolder }, { tokenHandlers }, { tokensProblem }] = await Promise.all([
    import("../journal/data-folder.ts"),
    import("../journal/lock.ts"),
    import("../control/tokens.ts"),
    import("../register/tokens/token-database.ts"),
  ]);
  const lock = await inFolder(() => lockDataFolder(prepareDataFolder(dataDir)));
  try {
    const tokens = await openStore(dataDir);
    try {
      return await handlerOf(tokenHandlers(tokens, tokensProblem))(params).catch(failed);
    } finally {
      tokens.close();
    }
  } finally {
    lock.release();
  }
}

async function openStore(dataDir: string): Promise<import("../register/tokens/tokens.ts").TokenStore> {
  const [{ openTokens }, { isDamage, mendOf }, { systemClock }, { systemRandom }] = await Promise.all([
    import("../register/tokens/tokens.ts"),
    import("../journal/sqlite-error.ts"),
    import("../kit/system-clock.ts"),
    import("../kit/system-random.ts"),
  ]);
  return inTokens(() => openTokens({ dataDir, clock: systemClock, random: systemRandom, disk: { isDamage, mendOf } }));
}

async function inTokens<T>(run: () => T): Promise<T> {
  const { tokensProblem } = await import("../register/tokens/token-database.ts");
  try {
    return run();
  } catch (cause) {
    const problem = tokensProblem(cause);
    throw problem === undefined ? cause : new OperationFailed(problem);
  }
}

/** A disk that prevents locking is a failed command, not a wrong usage, like one that prevents writing tokens. */
async function inFolder<T>(run: () => T): Promise<T> {
  const { JournalRefused } = await import("../journal/refusal.ts");
  try {
    return run();
  } catch (cause) {
    throw cause instanceof JournalRefused && cause.problem === "unreadable"
      ? new OperationFailed(cause.message)
      : journalProblem(cause);
  }
}
