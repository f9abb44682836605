import fs from "node:fs";
import type { Configuration } from "../config/configuration.ts";
import { loadConfiguration } from "../config/load.ts";
import type { KnownModel } from "../config/surroundings.ts";
import { requireConfiguration } from "./configuration-file.ts";
import { DEFAULT_PLACES, foundConfiguration } from "./default-configuration.ts";
import type { ManagerTold } from "./system-notify.ts";
import type { Output } from "./terminal-output.ts";

/** The log before there is a configuration: stdout only. */
const USUAL_LOG = { level: "info", maxBytes: 10_485_760, keep: 9 } as const;

interface FirstOn {
  /** The named file, if any. */
  readonly config: string | undefined;
  /** Also waits for a named file until it exists and is valid. */
  readonly waits: boolean;
  readonly models: readonly KnownModel[];
  readonly output: Output;
  readonly stopped: Promise<void>;
  /** From the command line. */
  readonly logLevel: string | undefined;
  /** The page's port; the bridge's usual one. */
  readonly port: number;
  readonly manager: Pick<ManagerTold, "ready">;
}

/**
 * The configuration for the start. Without a file, or on request, a page gives instructions until a valid one exists. A
 * wrong name is most likely mistyped and ends the command. Undefined: the process was asked to stop.
 */
export async function firstConfiguration({
  config,
  waits,
  models,
  output,
  stopped,
  logLevel,
  port,
  manager,
}: FirstOn): Promise<Configuration | undefined> {
  const [place = ""] = DEFAULT_PLACES;
  const file = config ?? foundConfiguration();
  if (file !== undefined && !waits) return requireConfiguration(file, models, output);
  const reading = file === undefined || !fs.existsSync(file) ? undefined : loadConfiguration(file, models, process.env);
  if (reading?.ok === true) return reading.configuration;
  const [{ awaitConfiguration }, { systemClock }, { systemLog }] = await Promise.all([
    import("./await-configuration.ts"),
    import("../kit/system-clock.ts"),
    import("./system-log.ts"),
  ]);
  const { log } = await systemLog(USUAL_LOG, logLevel);
  const find = (): string | undefined =>
    config === undefined ? foundConfiguration() : fs.existsSync(config) ? config : undefined;
  const served = (address: string): void =>
    void manager.ready(
      async () => [
        `${reading === undefined ? "there is no configuration yet" : "the configuration cannot be used yet"}: ${address} says what to do`,
      ],
      log,
    );
  return awaitConfiguration({
    models,
    env: process.env,
    clock: systemClock,
    log,
    place: config ?? place,
    find,
    stopped,
    port,
    served,
  });
}
