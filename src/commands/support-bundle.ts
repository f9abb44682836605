import fs from "node:fs";
import { Command } from "commander";
import type { z } from "zod";
import manifest from "../../package.json" with { type: "json" };
import { knownModels } from "../agent/models.ts";
import type { bridgeSupportBundle } from "../control/methods.ts";
import type { DriverModel } from "../terminal/driver.ts";
import { type DataFolderOptions, foundDataFolderOf, withDataFolder } from "./data-folder-option.ts";
import { warnIfOpen } from "./new-file.ts";
import { operator } from "./operator.ts";
import { OperationFailed, type Output } from "./terminal-output.ts";

const EXAMPLE = `
One JSON file for whoever helps from afar: version, configuration without secrets, terminals, checks, open payments with what
happened to them, the last log lines and the metrics. Of the bridge that runs; where none runs, of what lies on the disk: without
metrics, and with the log's lines where the configuration names log.file. None is made where anything in it reads like a card number.
Look through it before you send it.

Example:
  posbridge support-bundle ./posbridge-support.json --config /etc/posbridge/posbridge.yaml`;

/** `support-bundle FILE`: diagnostic data for remote support. */
export function supportBundleCommand(output: Output, models: readonly DriverModel[]): Command {
  return withDataFolder(new Command("support-bundle"))
    .description("write what support needs to know of the bridge into a file")
    .argument("<file>", "the file to write; one that exists is left alone")
    .addHelpText("after", EXAMPLE)
    .action(async (file: string, options: DataFolderOptions) => {
      const dataDir = await foundDataFolderOf(options, output);
      const bundle = (await bundleOf(dataDir)) ?? (await bundleWithoutBridge(dataDir, options, output, models));
      try {
        fs.writeFileSync(file, bundle, { flag: "wx", mode: 0o600 });
      } catch (cause) {
        throw new OperationFailed(
          `${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}; name a new file in a folder of yours`,
        );
      }
      warnIfOpen(file, output);
      output.out(`${file} is written; look through it before you send it`);
    });
}

type Asking = z.input<(typeof bridgeSupportBundle)["params"]>;

/** Reads the bundle in parts from the daemon; undefined: none runs. */
async function bundleOf(dataDir: string): Promise<string | undefined> {
  const [{ askDaemon }, { ControlFailed }, { bridgeSupportBundle: method }, { systemClock }] = await Promise.all([
    import("../control/client.ts"),
    import("../control/address.ts"),
    import("../control/methods.ts"),
    import("../kit/system-clock.ts"),
  ]);
  const ask = async (params: Asking) => {
    const asked = await askDaemon({ dataDir, clock: systemClock }, method, params).catch((cause: unknown) => {
      throw cause instanceof ControlFailed ? new OperationFailed(cause.message) : cause;
    });
    if (asked.is === "no-daemon") return undefined;
    if (!asked.reply.ok) throw new OperationFailed(asked.reply.message);
    return asked.reply.value;
  };
  const first = await ask({ do: "make", by: await operator() });
  if (first === undefined) return undefined;
  let text = first.part;
  while (text.length < first.length) {
    const part = (await ask({ do: "read", from: text.length }))?.part;
    if (part === undefined) throw new OperationFailed("the bridge ended meanwhile: try again");
    if (part === "") throw new OperationFailed("somebody else has made a support bundle meanwhile: try again");
    text += part;
  }
  return text;
}

async function bundleWithoutBridge(
  dataDir: string,
  { config }: DataFolderOptions,
  output: Output,
  models: readonly DriverModel[],
): Promise<string> {
  output.err(`no bridge runs on ${dataDir}: the bundle tells of what lies on the disk`);
  const [{ bundleAtRest }, { checksOf }, { loadConfiguration }, { problemLines }, { systemClock }] = await Promise.all([
    import("../agent/bundle-at-rest.ts"),
    import("./doctor.ts"),
    import("../config/load.ts"),
    import("../config/problem.ts"),
    import("../kit/system-clock.ts"),
  ]);
  const reading = config === undefined ? undefined : loadConfiguration(config, knownModels(models), process.env);
  const problems =
    config === undefined || reading?.ok !== false
      ? ["none was named: --config FILE"]
      : problemLines(config, reading.problems);
  const configuration = reading?.ok === true ? reading.configuration : { problems };
  const checks = await checksOf(config, models, { places: ["none was named"], env: process.env });
  const made = await bundleAtRest({
    version: manifest.version,
    clock: systemClock,
    dataDir,
    models,
    configuration,
    checks,
  });
  if (made.ok) return made.text;
  throw new OperationFailed(
    `${made.where} holds what looks like a card number: no bundle is made; look at it on this machine`,
  );
}
