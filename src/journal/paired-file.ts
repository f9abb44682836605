import fs from "node:fs";
import { join } from "node:path";
import { writeDurably } from "./durable-file.ts";

/** Terminals that were paired, or that took the place of configured ones: part of the data folder, and of its backup. */
const FILE = "paired-terminals.json";

export function pairedFile(dataDir: string): string {
  return join(dataDir, FILE);
}

/** Undefined where nothing was ever paired. Throws where the file cannot be read. */
export function readPairedFile(dataDir: string): string | undefined {
  const path = pairedFile(dataDir);
  return fs.existsSync(path) ? fs.readFileSync(path, "utf8") : undefined;
}

/** Durable when it returns; where it throws, the file is as it was. */
export function writePairedFile(dataDir: string, text: string): void {
  writeDurably(pairedFile(dataDir), text);
}
