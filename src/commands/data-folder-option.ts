import type { Command } from "commander";
import { refuseConfiguration } from "./configuration-file.ts";
import { type Output, UsageProblem } from "./terminal-output.ts";

/** Options that name a command's data folder. */
export interface DataFolderOptions {
  readonly data?: string;
  readonly config?: string;
}

/** `places`: searched for a configuration without either option, as in `run`. */
export function withDataFolder(command: Command, places?: readonly string[]): Command {
  return command
    .option("--data <dir>", "the data folder (relative to the working folder)")
    .option("--config <file>", `or the bridge's configuration, which names it (relative to that file; ${USUAL})`)
    .hook("preAction", async (self) => {
      if (self.opts<DataFolderOptions>().data === undefined)
        await takeUsual(self, ", or the data folder by --data DIR", places);
    });
}

/** For a command that needs the whole configuration. */
export function withConfiguration(command: Command, places?: readonly string[]): Command {
  return command
    .option("--config <file>", `the bridge's configuration (${USUAL})`)
    .hook("preAction", (self) => takeUsual(self, "", places));
}

const USUAL = "default: /etc/posbridge/posbridge.yaml, else ./posbridge.yaml";

async function takeUsual(command: Command, or: string, given: readonly string[] | undefined): Promise<void> {
  if (command.opts<DataFolderOptions>().config !== undefined) return;
  const { DEFAULT_PLACES, foundConfiguration } = await import("./default-configuration.ts");
  const places = given ?? DEFAULT_PLACES;
  const found = foundConfiguration(places);
  if (found === undefined)
    throw new UsageProblem(`no configuration is at ${places.join(" or ")}: name one by --config FILE${or}`);
  command.setOptionValueWithSource("config", found, "default");
}

/** The path of the data folder. Both options may be given if they name the same folder. */
export async function dataFolderOf({ data, config }: DataFolderOptions, output: Output): Promise<string> {
  if (config !== undefined) {
    const dataDir = await dataDirOf(config, output);
    if (data !== undefined) await requireSameFolder(data, config, dataDir);
    return dataDir;
  }
  if (data === undefined)
    throw new UsageProblem("name the data folder by --data DIR, or the bridge's configuration by --config FILE");
  return data;
}

/** The same for an existing data folder. */
export async function foundDataFolderOf(options: DataFolderOptions, output: Output): Promise<string> {
  const dataDir = await dataFolderOf(options, output);
  const [{ findDataFolder }, { journalProblem }] = await Promise.all([
    import("../journal/data-folder.ts"),
    import("./journal-problem.ts"),
  ]);
  try {
    findDataFolder(dataDir);
  } catch (cause) {
    throw journalProblem(cause);
  }
  return dataDir;
}

async function dataDirOf(config: string, output: Output): Promise<string> {
  const { loadDataDir } = await import("../config/load.ts");
  const reading = loadDataDir(config);
  if (!reading.ok) throw await refuseConfiguration(config, reading.problems, output);
  return reading.dataDir;
}

async function requireSameFolder(data: string, config: string, dataDir: string): Promise<void> {
  const { existsSync, realpathSync } = await import("node:fs");
  const isSame = existsSync(data) && existsSync(dataDir) && realpathSync(dataDir) === realpathSync(data);
  if (!isSame)
    throw new UsageProblem(
      `--data ${data} is not the dataDir of ${config} (${dataDir}); name the configuration of that data folder`,
    );
}
