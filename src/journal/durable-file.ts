import fs from "node:fs";
import { dirname } from "node:path";
import { type HoldPorts, whileHeld } from "../kit/held-file.ts";
import { systemHold } from "../kit/system-held-file.ts";
import { syncFolder } from "./data-folder.ts";

/** What replacing a file stands on: this machine, where it is not said. */
export interface ReplaceOn extends HoldPorts {
  readonly rename: (from: string, to: string) => void;
}

const systemReplace: ReplaceOn = { ...systemHold, rename: fs.renameSync };

/** Writes a new file beside the old one, syncs it and renames it over the old one: a power cut leaves the one or the other. Mode 0600. */
export function writeDurably(path: string, content: string | Uint8Array, on: ReplaceOn = systemReplace): void {
  const fresh = `${path}.new`;
  const file = whileHeld(on, () => fs.openSync(fresh, "w", 0o600));
  try {
    fs.writeFileSync(file, content);
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
  whileHeld(on, () => on.rename(fresh, path));
  if (on.platform === "windows") whileHeld(on, () => syncFile(path));
  else syncFolder(dirname(path));
}

/** Renames a file or folder, also where another program holds it for a moment. The caller syncs the folder. */
export function moveFile(from: string, to: string, on: ReplaceOn = systemReplace): void {
  whileHeld(on, () => on.rename(from, to));
}

/** Windows syncs no folder. NTFS logs names in the order of their changes, and a synced file takes the log up to its own name to the disk. */
function syncFile(path: string): void {
  const file = fs.openSync(path, "r+");
  try {
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}
