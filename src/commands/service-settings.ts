import fs from "node:fs";
import { loadDataDir } from "../config/load.ts";
import type { ServicePlatform } from "../service/plan.ts";
import { refuseConfiguration } from "./configuration-file.ts";
import type { Output } from "./terminal-output.ts";

/** The data folder that the configuration names; undefined where there is no configuration yet. */
export async function dataDirNamedIn(config: string, output: Output): Promise<string | undefined> {
  if (!fs.existsSync(config)) return undefined;
  const reading = loadDataDir(config);
  if (!reading.ok) throw await refuseConfiguration(config, reading.problems, output);
  return reading.dataDir;
}

/** The file of this program; undefined where it runs from a checkout. */
export function packagedProgram(): string | undefined {
  return "pkg" in process ? process.execPath : undefined;
}

/** A program that lies among the system's own stays there; any other is copied to where it belongs. */
export function programPlace({ program }: ServicePlatform): string {
  const own = packagedProgram();
  return own !== undefined && /^(\/(usr|opt)\/|[A-Z]:\\Program Files)/i.test(own) ? own : program;
}
