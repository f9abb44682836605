import fs from "node:fs";
import { isSea } from "node:sea";
import { loadDataDir, loadNamedFiles } from "../config/load.ts";
import type { NamedFile } from "../config/named-files.ts";
import type { ServicePlatform } from "../service/plan.ts";
import { refuseConfiguration } from "./configuration-file.ts";
import type { Output } from "./terminal-output.ts";

/** The part of a configuration that a service depends on. */
interface NamedByConfiguration {
  readonly dataDir: string;
  readonly files: readonly NamedFile[];
}

/** Undefined: there is no configuration yet. */
export async function namedBy(config: string, output: Output): Promise<NamedByConfiguration | undefined> {
  if (!fs.existsSync(config)) return undefined;
  const reading = loadDataDir(config);
  if (!reading.ok) throw await refuseConfiguration(config, reading.problems, output);
  return { dataDir: reading.dataDir, files: loadNamedFiles(config) };
}

/** The file of this program; undefined if it runs from a checkout. */
export function packagedProgram(): string | undefined {
  return isSea() ? process.execPath : undefined;
}

/** A program among the system's own stays there; any other is copied to its place. */
export function programPlace({ program }: Pick<ServicePlatform, "program">, own = packagedProgram()): string {
  return own !== undefined && /^(\/(usr|opt)\/|[A-Z]:\\Program Files(?: \(x86\))?\\)/i.test(own) ? own : program;
}
