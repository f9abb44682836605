import { Command } from "commander";
import { type DataFolderOptions, foundDataFolderOf, withDataFolder } from "./data-folder-option.ts";
import { operator } from "./operator.ts";
import { OperationFailed, type Output } from "./terminal-output.ts";

const EXAMPLE = `
Asks the bridge of a data folder to stop, as SIGTERM does: it takes no new payment, and running ones finish or are safely parked. Returns once it has ended.
A bridge that a service manager started is stopped by that: sudo systemctl stop posbridge, or sc.exe stop posbridge on Windows.

Example:
  posbridge stop --config ./posbridge.yaml`;

/** A bridge always ends within a minute (agent/agent.ts). */
const MOST_MS = 90_000;

/** `stop`: the orderly end on every system; the only one on Windows without a console, because SIGTERM is missing. */
export function stopCommand(output: Output): Command {
  return withDataFolder(new Command("stop"))
    .description("stop the bridge of a data folder in an orderly way, and wait for its end")
    .addHelpText("after", EXAMPLE)
    .action((where: DataFolderOptions) => stopBridge(where, output));
}

async function stopBridge(where: DataFolderOptions, output: Output): Promise<void> {
  const [{ askDaemon }, { ControlFailed }, { bridgeStop }, { systemClock }] = await Promise.all([
    import("../control/client.ts"),
    import("../control/address.ts"),
    import("../control/methods.ts"),
    import("../kit/system-clock.ts"),
  ]);
  const dataDir = await foundDataFolderOf(where, output);
  const asked = await askDaemon({ dataDir, clock: systemClock }, bridgeStop, { by: await operator() }).catch(
    (cause: unknown) => {
      throw cause instanceof ControlFailed ? new OperationFailed(cause.message) : cause;
    },
  );
  if (asked.is === "no-daemon") throw new OperationFailed(`no bridge runs on ${dataDir}; nothing to stop`);
  if (!asked.reply.ok) throw new OperationFailed(asked.reply.message);
  const { pid } = asked.reply.value;
  const until = systemClock.monotonic() + MOST_MS;
  while (await isHeld(dataDir)) {
    if (systemClock.monotonic() > until)
      throw new OperationFailed(`the bridge (pid ${pid}) has not ended within ${MOST_MS / 1000} s; see its log`);
  }
  output.out(`stopped: the bridge of ${dataDir} (pid ${pid}) has ended`);
}

/** Whether a process still holds the data folder. Each check waits up to a second. */
async function isHeld(dataDir: string): Promise<boolean> {
  const [{ findDataFolder }, { lockDataFolder }, { JournalRefused }, { journalProblem }] = await Promise.all([
    import("../journal/data-folder.ts"),
    import("../journal/lock.ts"),
    import("../journal/refusal.ts"),
    import("./journal-problem.ts"),
  ]);
  try {
    lockDataFolder(findDataFolder(dataDir)).release();
    return false;
  } catch (cause) {
    if (cause instanceof JournalRefused && cause.problem === "in-use") return true;
    throw journalProblem(cause);
  }
}
