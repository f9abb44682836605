import fs from "node:fs";
import { dirname } from "node:path";
import { syncFolder } from "./data-folder.ts";

/** Writes a new file beside the old one, syncs it and renames it over the old one: a power cut leaves the one or the other. Mode 0600. */
export function writeDurably(path: string, text: string): void {
  const fresh = `${path}.new`;
  const file = fs.openSync(fresh, "w", 0o600);
  try {
    fs.writeFileSync(file, text);
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
  fs.renameSync(fresh, path);
  syncFolder(dirname(path));
}
