import os from "node:os";
import { Command } from "commander";
import type { Manifest } from "../journal/backup-file.ts";
import { backupProblem } from "./backup-problem.ts";
import { type DataFolderOptions, foundDataFolderOf, withDataFolder } from "./data-folder-option.ts";
import { warnIfOpen } from "./new-file.ts";
import type { Output } from "./terminal-output.ts";

const EXAMPLE = `
One file with everything that the data folder must not lose: the journal, its witness, the tokens (as hashes), the deletions of stored
cards, and the terminals that are known or were paired. It is made while the bridge runs, of one moment, and checked before it gets its
name. The configuration file, and the secrets that it names, are not in it: keep copies of those too.

Whoever has the file can read what was sold. It holds no card number, no token in clear and no password.

Example:
  posbridge backup /mnt/usb/posbridge-2026-11-23.tar.gz --data /var/lib/posbridge
  posbridge restore /mnt/usb/posbridge-2026-11-23.tar.gz --check`;

interface Options extends DataFolderOptions {
  readonly json?: true;
}

/** `backup FILE`: a consistent copy of the data folder (contract, section 1). */
export function backupCommand(output: Output): Command {
  return withDataFolder(new Command("backup"))
    .description("write everything of the data folder into one file, also while the bridge runs")
    .argument("<file>", "the file to write (.tar.gz); one that exists is left alone")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action(async (file: string, { json, ...where }: Options) => {
      const dataDir = await foundDataFolderOf(where, output);
      const manifest = await made(file, dataDir, output);
      warnIfOpen(file, output);
      if (json === true) return output.out(JSON.stringify({ file, ...manifest }, null, 2));
      output.out(`${file} is written: ${summary(manifest)}`);
    });
}

/** A backup's content in one line. */
export function summary({ bridge, environment, madeAt, journal: { lastFact } }: Manifest): string {
  const last = lastFact.at === undefined ? "" : `, the last of ${lastFact.at}`;
  return `bridge ${bridge} (${environment}), made at ${madeAt}, ${lastFact.number} facts${last}`;
}

async function made(file: string, dataDir: string, output: Output): Promise<Manifest> {
  const [{ makeBackup }, { systemClock }, { default: program }] = await Promise.all([
    import("../journal/backup.ts"),
    import("../kit/system-clock.ts"),
    import("../../package.json", { with: { type: "json" } }),
  ]);
  // Sales come first on a small machine.
  os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
  let isStopped = false;
  output.stopped.then(
    () => {
      isStopped = true;
    },
    () => undefined,
  );
  const order = { dataDir, file, posbridge: program.version, clock: systemClock, isStopped: () => isStopped };
  const progress = output.tty ? tenths((part) => output.err(`copying the journal: ${part} %`)) : undefined;
  try {
    return await makeBackup({ ...order, ...(progress && { progress }) });
  } catch (cause) {
    throw backupProblem(cause);
  }
}

/** Reports each tenth once. */
function tenths(tell: (percent: number) => void): (part: number) => void {
  let told = 0;
  return (part) => {
    const percent = Math.floor(part * 10) * 10;
    if (percent <= told) return;
    told = percent;
    tell(percent);
  };
}
