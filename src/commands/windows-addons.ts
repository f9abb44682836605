import fs from "node:fs";
import path from "node:path";
import { PACKED_FOLDER } from "./packed-folder.ts";
import { OperationFailed } from "./terminal-output.ts";

/** Loads native code, as process.dlopen does. */
export type Load = (module: object, file: string, flags?: number) => void;

/*
 * Native code on Windows, which cannot remove a loaded file. Each packaged process unpacks into a private folder, and
 * removes those of ended processes.
 */

const OWN = "posbridge-addons-";
/** A starting process may have unpacked a file, but not loaded it yet. */
const FRESH_MS = 60_000;

interface WindowsLoadingOn {
  /** Loads native code from a real file. */
  readonly load: Load;
  /** Returns the content of a packed file. */
  readonly read: (name: string) => Uint8Array;
  /** Tried in this order. */
  readonly folders: readonly string[];
  /** Closes a new folder to others; returns how they could still change it, or undefined. */
  readonly close: (folder: string) => string | undefined;
  readonly now: () => number;
}

/** Loads packed files from a private folder, and all others like `load`. */
export function windowsAddonLoader(on: WindowsLoadingOn): Load {
  let own: string | undefined;
  const unpacked = (name: string): string => {
    own ??= privateFolder(on);
    if (own === undefined) throw new OperationFailed(nowhere(name, on.folders));
    const place = path.join(own, name);
    if (!fs.existsSync(place)) fs.writeFileSync(place, on.read(name), { flag: "wx" });
    return place;
  };
  return (module, file, ...flags) => {
    const isPacked = file.startsWith(PACKED_FOLDER);
    on.load(module, isPacked ? unpacked(file.slice(PACKED_FOLDER.length)) : file, ...flags);
  };
}

function nowhere(name: string, folders: readonly string[]): string {
  const mend = "set TEMP to a folder that this user may write in and that others may not change";
  return `native code (${name}) can be loaded by way of no folder (${folders.join("; ")}); ${mend}`;
}

/** Undefined: no folder can be made and closed. */
function privateFolder({ folders, close, now }: WindowsLoadingOn): string | undefined {
  for (const parent of folders) {
    removeStale(parent, now());
    const made = attempt(() => fs.mkdtempSync(path.join(parent, OWN)));
    if (made === undefined) continue;
    if (close(made) === undefined) return made;
    attempt(() => fs.rmSync(made, { recursive: true }));
  }
  return undefined;
}

/** Removes folders of ended processes. A folder with loaded files cannot be removed and stays. */
function removeStale(parent: string, now: number): void {
  for (const name of attempt(() => fs.readdirSync(parent)) ?? []) {
    const folder = path.join(parent, name);
    if (!name.startsWith(OWN)) continue;
    attempt(() => {
      if (now - fs.statSync(folder).mtimeMs > FRESH_MS) fs.rmSync(folder, { recursive: true });
    });
  }
}

/** Undefined: the step failed; the next folder or the next start tries again. */
function attempt<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}
