import fs from "node:fs";
import path from "node:path";
import { PACKED_FOLDER } from "./packed-folder.ts";
import { OperationFailed } from "./terminal-output.ts";

/** Loads native code, as process.dlopen does. */
export type Load = (module: object, file: string, flags?: number) => void;

/*
 * Native code of the packaged program on Windows, where a loaded file cannot be removed before its process ends. Each process unpacks into a private folder of its own, and
 * removes those of processes that have ended.
 */

const OWN = "posbridge-addons-";
/** A process that starts at this moment has unpacked a file, and not loaded it yet. */
const FRESH_MS = 60_000;

interface WindowsLoadingOn {
  /** Loads native code from a file of the real file system. */
  readonly load: Load;
  /** Gives the content of a packed file. */
  readonly read: (name: string) => Uint8Array;
  /** Tried in this order. */
  readonly folders: readonly string[];
  /** Closes a folder that was just made to everybody else; why others could still change it, undefined where they could not. */
  readonly close: (folder: string) => string | undefined;
  readonly now: () => number;
}

/** Loads packed files by way of a private folder, and all others as `load` does. */
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

/** Undefined where no folder can be made, or closed to others. */
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

/** Folders of processes that have ended. One whose files are loaded cannot be removed, and stays as it is. */
function removeStale(parent: string, now: number): void {
  for (const name of attempt(() => fs.readdirSync(parent)) ?? []) {
    const folder = path.join(parent, name);
    if (!name.startsWith(OWN)) continue;
    attempt(() => {
      if (now - fs.statSync(folder).mtimeMs > FRESH_MS) fs.rmSync(folder, { recursive: true });
    });
  }
}

/** Undefined where the step failed: the next folder or the next start takes its turn. */
function attempt<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}
