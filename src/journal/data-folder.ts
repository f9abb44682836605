import fs from "node:fs";
import path from "node:path";
import { systemPlatform } from "../kit/system-platform.ts";
import { type FolderAccess, systemFolderAccess } from "./folder-access.ts";
import { JournalRefused, reasonOf } from "./refusal.ts";

export interface DataFolder {
  /** Absolute path. */
  readonly path: string;
  readonly journal: string;
  /** SQLite's write-ahead log of the journal. */
  readonly log: string;
  readonly witness: string;
  readonly lock: string;
  readonly lockHolder: string;
  /** Folder that a restore unpacks into. It exists only during a restore, or after an interrupted one. */
  readonly restoring: string;
  /** Folder that a restore moves the old files into; renamed once complete. */
  readonly replacing: string;
}

export function dataFolderFiles(folder: string): DataFolder {
  const file = (name: string): string => path.join(folder, name);
  return {
    path: folder,
    journal: file("journal.db"),
    log: file("journal.db-wal"),
    witness: file("journal.witness"),
    lock: file("lock.db"),
    lockHolder: file("lock.pid"),
    restoring: file("restoring"),
    replacing: file("replacing"),
  };
}

/** Makes names durable: a created or renamed file is safe only after its folder is synced (fsync(2)). */
export function syncFolder(folder: string): void {
  if (systemPlatform === "windows") return;
  const handle = fs.openSync(folder, "r");
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

function requireSafe(folder: string, access: FolderAccess): void {
  if (!fs.statSync(folder).isDirectory())
    throw new JournalRefused("folder-unsafe", `${folder} is not a folder; name the folder of the journal`);
  const look = access.look(folder);
  switch (look.is) {
    case "closed":
    case "untold":
      return;
    case "foreign":
      throw new JournalRefused("folder-unsafe", `${folder} ${look.why}`);
    case "open":
      // Suggest no command to close a folder that is not ours, such as /etc: the user might run it.
      if (isForeign(fs.readdirSync(folder)))
        throw new JournalRefused(
          "folder-foreign",
          `${folder} is not a data folder, and it is open to ${look.to}; ${RIGHT_FOLDER}`,
        );
      throw new JournalRefused("folder-unsafe", `${folder} is open to ${look.to}; close it: ${look.fix}`);
  }
}

/** Files present in a data folder from the start. Any one of them identifies it. */
const OWN_FILES = ["journal.db", "journal.witness", "tokens.db", "lock.db", "control.sock"];
const RIGHT_FOLDER = "name the dataDir of the configuration, or the configuration itself by --config FILE";

/** The folder is not empty and holds no file of a data folder. */
function isForeign(names: readonly string[]): boolean {
  return names.length > 0 && !names.some((name) => OWN_FILES.includes(name));
}

/**
 * Finds the data folder at `where`: an existing one or an empty folder. Refuses it if anyone but the owner may enter.
 */
export function findDataFolder(where: string, access = systemFolderAccess): DataFolder {
  const folder = path.resolve(where);
  if (!fs.existsSync(folder)) throw new JournalRefused("folder-missing", `${folder} does not exist; ${RIGHT_FOLDER}`);
  requireSafe(folder, access);
  if (isForeign(fs.readdirSync(folder)))
    throw new JournalRefused(
      "folder-foreign",
      `${folder} is not a data folder, it holds neither a journal nor tokens; ${RIGHT_FOLDER}`,
    );
  return dataFolderFiles(folder);
}

/**
 * Finds or makes the data folder at `where`, with mode 0700 or a closed access list. Refuses it if others may enter.
 */
export function prepareDataFolder(where: string, access = systemFolderAccess): DataFolder {
  const folder = path.resolve(where);
  if (!fs.existsSync(folder)) {
    try {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      access.closeNew(folder);
      syncFolder(path.dirname(folder));
    } catch (cause) {
      throw new JournalRefused(
        "folder-unsafe",
        `${folder} cannot be made: ${reasonOf(cause)}; make its parent one that this user may write in`,
        { cause },
      );
    }
  }
  requireSafe(folder, access);
  return dataFolderFiles(folder);
}

/** Makes an empty file of mode 0600 if it is missing; SQLite gives its -wal and -shm files the same mode. */
export function makePrivateFile(file: string): void {
  // Never open an existing file: closing any handle of it drops the locks SQLite holds on it (POSIX advisory locks,
  // sqlite.org/howtocorrupt, 2.2).
  if (fs.existsSync(file)) return;
  try {
    fs.closeSync(fs.openSync(file, "wx", 0o600));
  } catch (cause) {
    // Another process may have made the file first, which is enough.
    if (!fs.existsSync(file)) throw cause;
  }
}
