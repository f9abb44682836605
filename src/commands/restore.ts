import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Command } from "commander";
import type { RestoredReport } from "../agent/restored.ts";
import type { Configuration } from "../config/configuration.ts";
import type { KnownModel } from "../config/surroundings.ts";
import type { ControlReply } from "../control/methods.ts";
import type { Platform } from "../kit/platform.ts";
import { commandWord } from "../kit/shell-word.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import { summary } from "./backup.ts";
import { backupProblem } from "./backup-problem.ts";
import { dataFolderOf } from "./data-folder-option.ts";
import { journalProblem } from "./journal-problem.ts";
import { printReport } from "./lost-bookings.ts";
import { checkedTokenLines, validTokensLine } from "./restored-tokens.ts";
import { OperationFailed, type Output, UsageProblem } from "./terminal-output.ts";

const EXAMPLE = `
Puts a backup into an empty data folder, or with --replace in the place of what is there, which is put aside inside the folder. The bridge
must not run. Every byte is checked first, and then the gateway is asked what it has booked since the backup: a list is printed. With
--replace a token that the folder no longer has is not restored, because it was revoked.

Nothing is sold from a restored folder until a technician has read that list and confirmed. Where the gateway does not answer,
posbridge rollbacks read --config FILE asks it later. What was not decided when the backup was made needs a word each (posbridge resolve).

--check proves a file, and needs nothing else.

Example:
  posbridge restore /mnt/usb/posbridge-2026-11-23.tar.gz --check
  posbridge restore /mnt/usb/posbridge-2026-11-23.tar.gz --config /etc/posbridge/posbridge.yaml
  posbridge rollbacks confirm --reason "disk exchanged, 4 sales of 3 February checked in the back office" --config /etc/posbridge/posbridge.yaml`;

interface Options {
  readonly data?: string;
  readonly config?: string;
  readonly replace?: true;
  readonly check?: true;
  readonly json?: true;
}

/** `restore FILE`: a data folder from its backup (contract, section 1). `models`: all known ones. */
export function restoreCommand(output: Output, models: readonly KnownModel[]): Command {
  return new Command("restore")
    .description("put a backup into a data folder; nothing is sold from it before that is confirmed")
    .argument("<file>", "the file that posbridge backup made")
    .option(
      "--config <file>",
      "the bridge's configuration, which names the data folder and the gateway (default: the usual place)",
    )
    .option("--data <dir>", "the data folder; it has to be that of the configuration")
    .option("--replace", "put aside what is in the data folder")
    .option("--check", "prove the file, and restore nothing")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action(async (file: string, options: Options) => {
      if (options.check === true) return check(file, options, output);
      await restore(file, options, output, models);
    });
}

/** Unpacked in a private folder, which is removed afterwards. */
async function check(file: string, { json }: Options, output: Output): Promise<void> {
  const [{ checkBackup }, { systemFolderAccess }] = await Promise.all([
    import("../journal/restore.ts"),
    import("../journal/folder-access.ts"),
  ]);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-check-"));
  systemFolderAccess.closeNew(folder);
  try {
    const manifest = await checkBackup(file, folder);
    output.out(
      json === true ? JSON.stringify({ file, ...manifest }, null, 2) : `${file} is whole: ${summary(manifest)}`,
    );
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause)) throw backupProblem(cause);
    throw new OperationFailed(`${file} cannot be unpacked: ${cause.message}; name a folder with more room by TMPDIR`);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function restore(
  file: string,
  { data, replace, json, ...given }: Options,
  output: Output,
  models: readonly KnownModel[],
): Promise<void> {
  const [{ requireConfiguration }, { foundConfiguration }] = await Promise.all([
    import("./configuration-file.ts"),
    import("./default-configuration.ts"),
  ]);
  const config = given.config ?? foundConfiguration();
  if (config === undefined)
    throw new UsageProblem(
      "name the bridge's configuration by --config FILE: the gateway is asked what it has booked since the backup",
    );
  const configuration = await requireConfiguration(config, models, output);
  if (data !== undefined && path.resolve(data) !== configuration.dataDir) await dataFolderOf({ data, config }, output);
  const [{ restoreBackup }, { dropRevoked }, { systemClock }, { systemRandom }] = await Promise.all([
    import("../journal/restore.ts"),
    import("../agent/restored-tokens.ts"),
    import("../kit/system-clock.ts"),
    import("../kit/system-random.ts"),
  ]);
  const { dataDir, environment } = configuration;
  const order = { file, dataDir, environment, replace: replace === true, dropRevoked };
  const { manifest, replaced, tokens } = await restoreBackup({
    ...order,
    clock: systemClock,
    random: systemRandom,
  }).catch((cause: unknown) => {
    throw backupProblem(cause);
  });
  output.err(`${dataDir} is restored: ${summary(manifest)}`);
  if (replaced !== undefined) output.err(`what was in it is in ${replaced}`);
  for (const line of checkedTokenLines(tokens, dataDir)) output.err(line);
  await readAndPrint(configuration, { json, config }, output);
}

/**
 * Queries the gateway and prints the facts for the confirmation. Throws an OperationFailed if the gateway cannot
 * answer.
 */
export async function readAndPrint(
  configuration: Configuration,
  { json, config }: { json?: true | undefined; config: string },
  output: Output,
): Promise<void> {
  const { readRestored } = await import("../agent/restored.ts");
  const told = output.tty
    ? (entityId: string, part: number) =>
        output.err(`asking the gateway about ${entityId}: ${Math.round(part * 100)} %`)
    : () => undefined;
  const reply: ControlReply<RestoredReport> = await readRestored(configuration, told).catch((cause: unknown) => {
    throw journalProblem(cause);
  });
  if (!reply.ok)
    throw new OperationFailed(
      `${reply.message}; not open: nothing is sold. When it answers: ${rollbacksLine("read", config)}`,
    );
  const { validTokens } = await import("../agent/restored-tokens.ts");
  const tokens = validTokens(configuration.dataDir);
  if (json === true) return output.out(JSON.stringify({ ...reply.value, tokens }, null, 2));
  printReport(reply.value, output);
  output.out(validTokensLine(tokens, configuration.dataDir));
  output.out(`Not open yet. Read it, then: ${rollbacksLine("confirm --reason TEXT", config)}`);
}

/** For pasting on this system. */
export function rollbacksLine(
  verb: "read" | "confirm --reason TEXT",
  config: string,
  platform: Platform = systemPlatform,
): string {
  return `posbridge rollbacks ${verb} --config ${commandWord(config, platform)}`;
}
