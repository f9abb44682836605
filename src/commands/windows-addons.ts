import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

/** Loads native code, as process.dlopen does. */
export type Load = (module: object, file: string, flags?: number) => void;

/*
 * Native code of the packaged program on Windows, where a loaded file cannot be removed before its process ends. Each process unpacks into a private folder of its own, and
 * removes those of processes that have ended.
 */

/** The packed file system: C:\snapshot\..., also with a slash or as a long path. */
const PACKED = /^(?:\\\\\?\\)?(?:[A-Za-z]:)?[\\/]snapshot[\\/]/;
const OWN = "posbridge-addons-";
/** A process that starts at this moment has unpacked a file, and not loaded it yet. */
const FRESH_MS = 60_000;

interface WindowsLoadingOn {
  /** The way of the packaging tool, which keeps its own copies in the home folder: the last resort. */
  readonly load: Load;
  readonly read: (file: string) => Uint8Array;
  /** Tried in this order. */
  readonly folders: readonly string[];
  /** Closes a folder that was just made to everybody else; why others could still change it, undefined where they could not. */
  readonly close: (folder: string) => string | undefined;
  readonly now: () => number;
}

/** Loads packed files by way of a private folder, where that can be done, and all others as `load` does. */
export function windowsAddonLoader(on: WindowsLoadingOn): Load {
  let own: string | undefined;
  const unpacked = (file: string): string | undefined => {
    own ??= privateFolder(on);
    if (own === undefined) return undefined;
    const content = on.read(file);
    // Two packages may have files of one name.
    const place = path.join(own, `${createHash("sha256").update(content).digest("hex").slice(0, 16)}-${path.win32.basename(file)}`);
    if (!fs.existsSync(place)) fs.writeFileSync(place, content, { flag: "wx" });
    return place;
  };
  return (module, file, ...flags) => {
    const place = PACKED.test(file) ? attempt(() => unpacked(file)) : undefined;
    const isLoaded = place !== undefined && attempt(() => on.load(module, place, ...flags) ?? true) === true;
    // Its error is told: a rule of the machine may forbid both places.
    if (!isLoaded) on.load(module, file, ...flags);
  };
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

/** Undefined where the step failed: the next folder, the next start or the last resort takes its turn. */
function attempt<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}
