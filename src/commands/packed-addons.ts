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
 * Native code of the packaged program. Operating systems load native code only from files, so each addon is written
 * into a new private folder, loaded, and removed. Nobody can replace a leftover file, and no home folder is needed.
 */

interface LoadingOn {
  /** Loads native code from a real file. */
  readonly load: Load;
  /** Returns the content of a packed file. */
  readonly read: (name: string) => Uint8Array;
  /** Tried in this order. */
  readonly folders: readonly string[];
}

/** From now on the packaged program loads its addons through these folders. No effect when running from sources. */
export function loadAddonsBy(folders: readonly string[]): void {
  if (!isSea()) return;
  const on = { load: unpackedLoad, read: (name: string) => new Uint8Array(getRawAsset(name)), folders };
  process.dlopen =
    systemPlatform === "windows"
      ? windowsAddonLoader({ ...on, close: closeToOthers, now: systemClock.now })
      : addonLoader(on);
}

/**
 * Returns the problem, or how others could still change the folder. On a disk without access lists (FAT) the user's own
 * profile is accepted, because Windows reserves it for that user.
 */
export function closeToOthers(
  folder: string,
  lists: AccessLists = systemAccessLists,
  profile = os.homedir(),
): string | undefined {
  const problem = lists.close(folder, "folder");
  if (problem === undefined) return tamperProblem(systemAccess(folder), 0);
  const isOwn = !path.relative(profile, folder).startsWith("..") && !path.isAbsolute(path.relative(profile, folder));
  return isOwn && lists.read(folder).is === "untold" ? undefined : problem;
}

const unpackedLoad: Load = process.dlopen.bind(process);

/**
 * Folders in which any process may create its own: temporary folders, a systemd service's folders, and memory; on
 * Windows the user's own.
 */
export function usualFolders(
  env: Readonly<Record<string, string | undefined>>,
  platform = systemPlatform,
): readonly string[] {
  if (platform === "windows") return [os.tmpdir(), env["LOCALAPPDATA"] ?? ""].filter((folder) => folder !== "");
  const given = ["RUNTIME_DIRECTORY", "CACHE_DIRECTORY", "STATE_DIRECTORY", "XDG_RUNTIME_DIR"].flatMap((name) =>
    (env[name] ?? "").split(":"),
  );
  return [os.tmpdir(), ...given, "/dev/shm"].filter((folder) => path.isAbsolute(folder));
}

/** Loads packed files through the first folder that allows it, and all others like `load`. */
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
    throw new OperationFailed(
      `native code (${name}) can be loaded by way of no folder (${problems.join("; ")}); ${mend}`,
    );
  };
}

/** Provides the file in a new folder that nobody else can enter or move, and removes both. */
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
    // A network disk keeps a file in use. It is private and never loaded again.
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
