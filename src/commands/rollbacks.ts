import { Command } from "commander";
import type { KnownModel } from "../config/surroundings.ts";
import type { ControlReply, RollbackListing } from "../control/methods.ts";
import type { Rollback } from "../engine/ports.ts";
import {
  type DataFolderOptions,
  dataFolderOf,
  foundDataFolderOf,
  withConfiguration,
  withDataFolder,
} from "./data-folder-option.ts";
import { journalProblem } from "./journal-problem.ts";
import { operator } from "./operator.ts";
import { tableLines } from "./table.ts";
import { OperationFailed, type Output } from "./terminal-output.ts";
import { MAX_REASON, requireText } from "./typed-text.ts";

const EXAMPLE = `
For a data folder that was put back to an earlier moment: a register has shown a cursor that proves it, and nothing that moves money
is accepted until a technician confirms. Before that, stop the registers, find out what was sold since that moment (in the registers,
and in the gateway's back office), and see to it that no register asks for any of it again. What is missing here stays missing: it is
refunded by the gateway's id. The word is kept for ever, with who gave it, when and why. It works while the daemon runs.

A folder that posbridge restore has put back is the same case, without any register having to notice. The bridge does not start from it
before it is confirmed; read asks the gateway what it has booked since the backup, where restore could not.

Example:
  posbridge rollbacks list --data /var/lib/posbridge
  posbridge rollbacks confirm --reason "disk exchanged, 4 sales of 3 February checked in the back office" --data /var/lib/posbridge`;

interface Where extends DataFolderOptions {
  readonly json?: true;
}

interface Confirmation extends Where {
  readonly reason: string;
  readonly unread?: true;
}

/** `rollbacks list | read | confirm`: every rollback of the data folder. `models`: all known ones. */
export function rollbacksCommand(output: Output, models: readonly KnownModel[]): Command {
  const command = new Command("rollbacks")
    .description("a data folder that was put back to an earlier moment: list, read, confirm")
    .addHelpText("after", EXAMPLE);
  withDataFolder(command.command("list"))
    .description("list each time that it was seen to be put back, and whether that is confirmed")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action((where: Where) => listRollbacks(where, output));
  withConfiguration(command.command("read"))
    .description("of a restored folder: ask the gateway what it has booked since the backup")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action(async ({ config, json }: { readonly config: string; readonly json?: true }) => {
      const [{ requireConfiguration }, { readAndPrint }] = await Promise.all([
        import("./configuration-file.ts"),
        import("./restore.ts"),
      ]);
      await readAndPrint(await requireConfiguration(config, models, output), { config, json }, output);
    });
  withDataFolder(command.command("confirm"))
    .description("say that nothing of what is missing is sold again: payments are accepted from then on")
    .requiredOption("--reason <text>", `what happened and what was done, 1 to ${MAX_REASON} characters; kept for ever`)
    .option(
      "--unread",
      "of a restored folder: the gateway cannot tell what it has booked; its back office was looked at instead",
    )
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action((options: Confirmation) => confirmRollback(options, output));
  return command;
}

async function listRollbacks({ json, ...where }: Where, output: Output): Promise<void> {
  const { openReadOnly } = await import("../journal/read-only.ts");
  const data = await dataFolderOf(where, output);
  const journal = await told(async () => openReadOnly(data));
  const kept = [...journal.rollbacks];
  const rollbacks = kept.map(listed);
  journal.close();
  if (json === true)
    return output.out(JSON.stringify({ rollbacks: kept.map((one) => ({ ...listed(one), ...lostOf(one) })) }, null, 2));
  for (const line of tableLines(
    ["NOTICED", "LAST FACT", "HEARD OF MORE", "CONFIRMED", "BY", "REASON"],
    rollbacks.map(rowOf),
  ))
    output.out(line);
}

function listed({ number, noticedAt, last, shown, restored, confirmed }: Rollback): RollbackListing {
  return {
    number,
    noticedAt,
    last,
    shown: [...shown],
    ...(restored && { backup: restored.madeAt }),
    ...(confirmed !== undefined && { confirmed }),
  };
}

/** The gateway's bookings since the backup, once queried. */
function lostOf({ restored }: Rollback): object {
  return restored?.read === undefined ? {} : { lost: restored.read };
}

function rowOf({ noticedAt, last, shown, backup, confirmed }: RollbackListing): readonly string[] {
  const restored = backup === undefined ? [] : [`restored from the backup of ${backup}`];
  const registers = shown.map(({ register, number }) => `${register} (fact ${number})`);
  return [
    noticedAt,
    String(last),
    [...restored, ...registers].join(", "),
    confirmed?.at ?? "no",
    confirmed?.by ?? "",
    confirmed?.reason ?? "",
  ];
}

/** Through the daemon if one runs, else here. */
async function confirmRollback({ json, reason, unread, ...where }: Confirmation, output: Output): Promise<void> {
  await requireText("--reason", reason, MAX_REASON);
  const [{ askDaemon }, { ControlFailed }, { rollbacksConfirm: method }, { systemClock }] = await Promise.all([
    import("../control/client.ts"),
    import("../control/address.ts"),
    import("../control/methods.ts"),
    import("../kit/system-clock.ts"),
  ]);
  const data = await foundDataFolderOf(where, output);
  const word = { by: await operator(), reason };
  const asked = await askDaemon({ dataDir: data, clock: systemClock }, method, word).catch((cause: unknown) => {
    throw cause instanceof ControlFailed ? new OperationFailed(cause.message) : cause;
  });
  const reply = asked.is === "answered" ? asked.reply : await withoutDaemon(data, { ...word, unread });
  if (!reply.ok) throw new OperationFailed(reply.message);
  const { last, shown, backup } = reply.value;
  if (backup !== undefined) return tellRestored(reply.value, backup, { data, json }, output);
  if (json === true) return output.out(JSON.stringify(reply.value, null, 2));
  const registers = shown.map(({ register }) => register).join(", ");
  output.out(
    `confirmed: what came after fact ${last}, of which ${registers} had heard, is let go of; payments are accepted again`,
  );
}

/** A restored folder also has the tokens of its backup. */
async function tellRestored(
  confirmed: RollbackListing,
  backup: string,
  { data, json }: { data: string; json?: true | undefined },
  output: Output,
): Promise<void> {
  const [{ validTokens }, { validTokensLine }] = await Promise.all([
    import("../agent/restored-tokens.ts"),
    import("./restored-tokens.ts"),
  ]);
  const tokens = validTokens(data);
  if (json === true) return output.out(JSON.stringify({ ...confirmed, tokens }, null, 2));
  output.out(
    `confirmed: what came after the backup of ${backup} is let go of; payments are accepted again, once the bridge runs`,
  );
  output.out(validTokensLine(tokens, data));
}

async function withoutDaemon(
  data: string,
  word: { readonly by: string; readonly reason: string; readonly unread?: true | undefined },
): Promise<ControlReply<RollbackListing>> {
  const { confirmRollbackAtRest } = await import("../agent/resolve-without-daemon.ts");
  return told(() => confirmRollbackAtRest(data, word));
}

async function told<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    throw journalProblem(cause);
  }
}
