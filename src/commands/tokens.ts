import { Command } from "commander";
import type { z } from "zod";
import type { ControlHandlers, ControlMethod, ControlReply, TokenListing } from "../control/methods.ts";
import { type DataFolderOptions, dataFolderOf, withDataFolder } from "./data-folder-option.ts";
import { journalProblem } from "./journal-problem.ts";
import { tableLines } from "./table.ts";
import { OperationFailed, type Output, UsageProblem } from "./terminal-output.ts";

const EXAMPLE = `
A register that shows its token may do what the scopes say: payments (its own), refunds, unlinked-refunds, stored-cards
(charging and deleting them), foreign-bookings (what this bridge did not book, by the gateway's id), payments:all (every
register's), technician. Without --scope it may do payments and refunds. All of it works while the daemon runs.

Example:
  posbridge tokens create --register till-1 --config ./posbridge.yaml
  posbridge tokens create --register office --scope payments --scope payments:all --config ./posbridge.yaml
  posbridge tokens list --data /var/lib/posbridge
  posbridge tokens revoke till-1 --data /var/lib/posbridge`;

type TokenHandlers = Pick<ControlHandlers, "tokens.create" | "tokens.list" | "tokens.revoke">;

interface Where extends DataFolderOptions {
  readonly json?: true;
}

/** `tokens create | list | revoke`: the tokens that registers open their sessions with. */
export function tokensCommand(output: Output): Command {
  const command = new Command("tokens").description("make, list and revoke the tokens of registers").addHelpText("after", EXAMPLE);
  withDataFolder(command.command("create"))
    .description("make a token for a register and print it, this one time")
    .requiredOption("--register <name>", "the register, 1 to 64 printable characters; payments belong to this name")
    .option("--scope <scope...>", "what the token may do (default: payments refunds)")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action(({ register, scope, ...where }: Where & { register: string; scope?: readonly string[] }) => createToken(register, scope ?? [], where, output));
  withDataFolder(command.command("list"))
    .description("list the tokens by register; the tokens themselves are not kept anywhere")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action((where: Where) => listTokens(where, output));
  withDataFolder(command.command("revoke"))
    .description("take away every token of a register")
    .argument("<name>", "the register")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action((name: string, where: Where) => revokeTokens(name, where, output));
  return command;
}

async function createToken(register: string, scopes: readonly string[], { json, ...where }: Where, output: Output): Promise<void> {
  const { tokensCreate } = await import("../control/methods.ts");
  const { findDataFolder, prepareDataFolder } = await import("../journal/data-folder.ts");
  const data = await dataFolderOf(where, output);
  // A token may be made before the daemon ever ran. A folder that no configuration asks for may be a slip of the hand.
  await inFolder(() => (where.config === undefined ? findDataFolder(data) : prepareDataFolder(data)));
  const reply = await change(data, tokensCreate, { register, scopes }, (handlers) => handlers["tokens.create"]);
  if (!reply.ok) throw new UsageProblem(reply.message);
  if (json === true) return output.out(JSON.stringify(reply.value, null, 2));
  output.out(reply.value.token);
  if (output.tty) output.err(`This is the only time it is shown: give it to register ${reply.value.register} now (${reply.value.scopes.join(", ")}).`);
}

async function revokeTokens(register: string, { json, ...where }: Where, output: Output): Promise<void> {
  const { tokensRevoke } = await import("../control/methods.ts");
  const { findDataFolder } = await import("../journal/data-folder.ts");
  const data = await dataFolderOf(where, output);
  await inFolder(() => findDataFolder(data));
  const reply = await change(data, tokensRevoke, { register }, (handlers) => handlers["tokens.revoke"]);
  if (!reply.ok) throw new OperationFailed(reply.message);
  const { revoked } = reply.value;
  output.out(
    json === true ? JSON.stringify({ register, revoked }, null, 2) : `revoked ${revoked === 1 ? "the token" : `${revoked} tokens`} of register ${register}`,
  );
}

async function listTokens({ json, ...where }: Where, output: Output): Promise<void> {
  const { findDataFolder } = await import("../journal/data-folder.ts");
  const data = await dataFolderOf(where, output);
  await inFolder(() => findDataFolder(data));
  const tokens = await readTokens(data);
  if (json === true) return output.out(JSON.stringify({ tokens }, null, 2));
  const rows = tokens.map(({ register, scopes, createdAt, lastUsedAt }) => [register, scopes.join(" "), createdAt, lastUsedAt ?? "never"]);
  for (const line of tableLines(["REGISTER", "SCOPES", "CREATED", "LAST USED"], rows)) output.out(line);
}

/** Reading needs neither the daemon nor the lock. */
async function readTokens(dataDir: string): Promise<readonly TokenListing[]> {
  const { existsSync } = await import("node:fs");
  const { tokensFile } = await import("../register/token-database.ts");
  if (!existsSync(tokensFile(dataDir))) return [];
  const tokens = await openStore(dataDir);
  try {
    return await inTokens(() => tokens.list());
  } finally {
    tokens.close();
  }
}

/** In a folder that was looked at before: through the daemon when one runs; else here, holding the folder's lock for as long as it takes, so that two processes never write. */
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
    import("../register/token-database.ts"),
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

async function openStore(dataDir: string): Promise<import("../register/tokens.ts").TokenStore> {
  const [{ openTokens }, { isDamage, mendOf }, { systemClock }, { systemRandom }] = await Promise.all([
    import("../register/tokens.ts"),
    import("../journal/sqlite-error.ts"),
    import("../kit/system-clock.ts"),
    import("../kit/system-random.ts"),
  ]);
  return inTokens(() => openTokens({ dataDir, clock: systemClock, random: systemRandom, disk: { isDamage, mendOf } }));
}

async function inTokens<T>(run: () => T): Promise<T> {
  const { tokensProblem } = await import("../register/token-database.ts");
  try {
    return run();
  } catch (cause) {
    const problem = tokensProblem(cause);
    throw problem === undefined ? cause : new OperationFailed(problem);
  }
}

/** A disk that does not let the folder be locked ends the command as one that does not let the tokens be written: it failed, and was not wrongly used. */
async function inFolder<T>(run: () => T): Promise<T> {
  const { JournalRefused } = await import("../journal/refusal.ts");
  try {
    return run();
  } catch (cause) {
    throw cause instanceof JournalRefused && cause.problem === "unreadable" ? new OperationFailed(cause.message) : journalProblem(cause);
  }
}
