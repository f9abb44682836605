import { Command } from "commander";
import { type DataFolderOptions, foundDataFolderOf, withDataFolder } from "./data-folder-option.ts";
import { operator } from "./operator.ts";
import { OperationFailed, type Output } from "./terminal-output.ts";

const EXAMPLE = `
The bridge reads and checks its configuration file anew, as with SIGHUP, and takes up what can change while it runs. Payments that
run keep what they began with. What needs a restart is named; a file with a problem changes nothing. A new dataDir is one of the
things that need a restart: name the folder in use by --data then.

Example:
  posbridge reload --config /etc/posbridge/posbridge.yaml
  posbridge reload --dry-run --data /var/lib/posbridge`;

interface ReloadOptions extends DataFolderOptions {
  readonly dryRun?: true;
}

/** `reload`: SIGHUP on every system, with an answer. */
export function reloadCommand(output: Output): Command {
  return withDataFolder(new Command("reload"))
    .description("have the running bridge read its configuration anew")
    .option("--dry-run", "only say what would be applied, and what needs a restart")
    .addHelpText("after", EXAMPLE)
    .action((options: ReloadOptions) => reload(options, output));
}

async function reload({ dryRun, ...where }: ReloadOptions, output: Output): Promise<void> {
  const [{ askDaemon }, { ControlFailed }, { bridgeReload }, { systemClock }] = await Promise.all([
    import("../control/client.ts"),
    import("../control/address.ts"),
    import("../control/methods.ts"),
    import("../kit/system-clock.ts"),
  ]);
  const dataDir = await foundDataFolderOf(where, output);
  const asked = await askDaemon({ dataDir, clock: systemClock }, bridgeReload, {
    dryRun: dryRun === true,
    by: await operator(),
  }).catch((cause: unknown) => {
    throw cause instanceof ControlFailed ? new OperationFailed(cause.message) : cause;
  });
  if (asked.is === "no-daemon")
    throw new OperationFailed(`no bridge runs on ${dataDir}: the next start reads the configuration anyway`);
  if (!asked.reply.ok) throw new OperationFailed(asked.reply.message);
  const { ok, lines } = asked.reply.value;
  if (!ok) {
    for (const line of lines.slice(0, -1)) output.err(line);
    throw new OperationFailed(lines.at(-1) ?? "nothing was changed");
  }
  for (const line of lines) output.out(line);
}
