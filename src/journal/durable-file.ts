import fs from "node:fs";
import { dirname } from "node:path";
import { type HoldPorts, whileHeld } from "../kit/held-file.ts";
import { systemHold } from "../kit/system-held-file.ts";
import { syncFolder } from "./data-folder.ts";

/** Ports for replacing a file; by default those of this machine. */
export interface ReplaceOn extends HoldPorts {
  readonly rename: (from: string, to: string) => void;
}

const systemReplace: ReplaceOn = { ...systemHold, rename: fs.renameSync };

/** Syncs a new file and renames it over the old one: a power cut leaves either the old or the new file. Mode 0600. */
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

/** Renames a file or folder; waits if another program briefly holds it. The caller syncs the folder. */
export function moveFile(from: string, to: string, on: ReplaceOn = systemReplace): void {
  whileHeld(on, () => on.rename(from, to));
}

/** Windows cannot sync a folder. NTFS logs name changes in order, so syncing a file also makes its own name durable. */
function syncFile(path: string): void {
  const file = fs.openSync(path, "r+");
  try {
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}
