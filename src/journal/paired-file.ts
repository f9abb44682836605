import fs from "node:fs";
import { join } from "node:path";
import { writeDurably } from "./durable-file.ts";

/** Terminals that were paired or that replaced configured ones. Part of the data folder and of its backup. */
const FILE = "paired-terminals.json";

export function pairedFile(dataDir: string): string {
  return join(dataDir, FILE);
}

/** Undefined if no terminal was ever paired. Throws if the file cannot be read. */
export function readPairedFile(dataDir: string): string | undefined {
  const path = pairedFile(dataDir);
  return fs.existsSync(path) ? fs.readFileSync(path, "utf8") : undefined;
}

/** Durable on return; on a throw the file is unchanged. */
export function writePairedFile(dataDir: string, text: string): void {
  writeDurably(pairedFile(dataDir), text);
}
