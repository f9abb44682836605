import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { getRawAsset, isSea } from "node:sea";
import { tamperProblem } from "../kit/path-access.ts";
import { type AccessLists, systemAccessLists } from "../kit/system-access-list.ts";
import { systemClock } from "../kit/system-clock.ts";
import { systemAccess, systemUser } from "../kit/system-path-access.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import { PACKED_FOLDER } from "./packed-folder.ts";
import { OperationFailed } from "./terminal-output.ts";
import { type Load, windowsAddonLoader } from "./windows-addons.ts";

/*
 * Native code of the packaged program. The operating system loads native code from files alone, so each addon is written into a fresh private folder, loaded, and
 * removed. Nothing is kept that somebody could replace, and no home folder is needed.
 */

interface LoadingOn {
  /** Loads native code from a file of the real file system. */
  readonly load: Load;
  /** Gives the content of a packed file. */
  readonly read: (name: string) => Uint8Array;
  /** Tried in this order. */
  readonly folders: readonly string[];
}

/** The packaged program loads its addons by way of these folders from now on. Nothing changes when it runs from its sources. */
export function loadAddonsBy(folders: readonly string[]): void {
  if (!isSea()) return;
  const on = { load: unpackedLoad, read: (name: string) => new Uint8Array(getRawAsset(name)), folders };
  process.dlopen = systemPlatform === "windows" ? windowsAddonLoader({ ...on, close: closeToOthers, now: systemClock.now }) : addonLoader(on);
}

/**
 * Says why it could not, or how others could change the folder all the same. A disk without access lists (FAT) closes nothing: there the user's own profile will do,
 * because Windows makes it for that user alone.
 */
export function closeToOthers(folder: string, lists: AccessLists = systemAccessLists, profile = os.homedir()): string | undefined {
  const problem = lists.close(folder, "folder");
  if (problem === undefined) return tamperProblem(systemAccess(folder), 0);
  const isOwn = !path.relative(profile, folder).startsWith("..") && !path.isAbsolute(path.relative(profile, folder));
  return isOwn && lists.read(folder).is === "untold" ? undefined : problem;
}

const unpackedLoad: Load = process.dlopen.bind(process);

/** Folders in which any process may make one of its own: for temporary files, those that systemd gives a service, and memory; on Windows the user's own. */
export function usualFolders(env: Readonly<Record<string, string | undefined>>, platform = systemPlatform): readonly string[] {
  if (platform === "windows") return [os.tmpdir(), env["LOCALAPPDATA"] ?? ""].filter((folder) => folder !== "");
  const given = ["RUNTIME_DIRECTORY", "CACHE_DIRECTORY", "STATE_DIRECTORY", "XDG_RUNTIME_DIR"].flatMap((name) => (env[name] ?? "").split(":"));
  return [os.tmpdir(), ...given, "/dev/shm"].filter((folder) => path.isAbsolute(folder));
}

/** Loads packed files by way of the first folder that allows it, and all others as `load` does. */
export function addonLoader({ load, read, folders }: LoadingOn): Load {
  return (module, file, ...flags) => {
    if (!file.startsWith(PACKED_FOLDER)) return load(module, file, ...flags);
    const name = file.slice(PACKED_FOLDER.length);
    const content = read(name);
    const problems: string[] = [];
    for (const folder of folders) {
      const problem = problemOf(() => withFile(folder, name, content, (unpacked) => load(module, unpacked, ...flags)));
      if (problem === undefined) return;
      problems.push(`${folder}: ${problem}`);
    }
    const mend = "set TMPDIR to a folder that this user may write in, on a disk that is not mounted noexec";
    throw new OperationFailed(`native code (${name}) can be loaded by way of no folder (${problems.join("; ")}); ${mend}`);
  };
}

/** Hands out a file of this content in a fresh folder that nobody else can enter or move, and removes both. */
function withFile(parent: string, name: string, content: Uint8Array, use: (file: string) => void): void {
  fs.mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = fs.mkdtempSync(path.join(parent, "posbridge-"));
  try {
    const problem = tamperProblem(systemAccess(folder), systemUser() ?? 0);
    if (problem !== undefined) throw new Error(problem);
    const file = path.join(folder, name);
    fs.writeFileSync(file, content, { flag: "wx", mode: 0o600 });
    use(file);
  } finally {
    remove(folder);
  }
}

function remove(folder: string): void {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch {
    // A network disk keeps a file that is in use. It is private, and never loaded again.
  }
}

function problemOf(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}
