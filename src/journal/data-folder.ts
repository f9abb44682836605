import fs from "node:fs";
import path from "node:path";
import { systemPlatform } from "../kit/system-platform.ts";
import { type FolderAccess, systemFolderAccess } from "./folder-access.ts";
import { JournalRefused, reasonOf } from "./refusal.ts";

export interface DataFolder {
  /** Absolute. */
  readonly path: string;
  readonly journal: string;
  /** SQLite's write-ahead log of it. */
  readonly log: string;
  readonly witness: string;
  readonly lock: string;
  readonly lockHolder: string;
  /** Where a restore unpacks; it is there only while one is under way, or after one was broken off. */
  readonly restoring: string;
  /** Where a restore puts aside what was there; once all of it is in, it is renamed. */
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

/** Makes the names in a folder durable: a file that was created or renamed is only safe once its folder is synced (fsync(2)). */
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
  if (!fs.statSync(folder).isDirectory()) throw new JournalRefused("folder-unsafe", `${folder} is not a folder; name the folder of the journal`);
  const look = access.look(folder);
  switch (look.is) {
    case "closed":
    case "untold":
      return;
    case "foreign":
      throw new JournalRefused("folder-unsafe", `${folder} ${look.why}`);
    case "open":
      // Whoever is told to close a folder of somebody else's may do so: /etc, for example.
      if (isForeign(fs.readdirSync(folder)))
        throw new JournalRefused("folder-foreign", `${folder} is not a data folder, and it is open to ${look.to}; ${RIGHT_FOLDER}`);
      throw new JournalRefused("folder-unsafe", `${folder} is open to ${look.to}; close it: ${look.fix}`);
  }
}

/** Files that stand in a data folder from its first minute on: one of them is enough to know it by. */
const OWN_FILES = ["journal.db", "journal.witness", "tokens.db", "lock.db", "control.sock"];
const RIGHT_FOLDER = "name the dataDir of the configuration, or the configuration itself by --config FILE";

/** Holds something, and nothing of a data folder's. */
function isForeign(names: readonly string[]): boolean {
  return names.length > 0 && !names.some((name) => OWN_FILES.includes(name));
}

/** The data folder at `where`, which has to be one already, or be empty. Refused where anybody but its owner may enter. */
export function findDataFolder(where: string, access = systemFolderAccess): DataFolder {
  const folder = path.resolve(where);
  if (!fs.existsSync(folder)) throw new JournalRefused("folder-missing", `${folder} does not exist; ${RIGHT_FOLDER}`);
  requireSafe(folder, access);
  if (isForeign(fs.readdirSync(folder)))
    throw new JournalRefused("folder-foreign", `${folder} is not a data folder, it holds neither a journal nor tokens; ${RIGHT_FOLDER}`);
  return dataFolderFiles(folder);
}

/** The data folder at `where`, made when it is missing, with mode 0700 or a closed access list. Refused where anybody but its owner may enter. */
export function prepareDataFolder(where: string, access = systemFolderAccess): DataFolder {
  const folder = path.resolve(where);
  if (!fs.existsSync(folder)) {
    try {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      access.closeNew(folder);
      syncFolder(path.dirname(folder));
    } catch (cause) {
      throw new JournalRefused("folder-unsafe", `${folder} cannot be made: ${reasonOf(cause)}; make its parent one that this user may write in`, { cause });
    }
  }
  requireSafe(folder, access);
  return dataFolderFiles(folder);
}

/**
 * Makes an empty file of mode 0600 where there is none; SQLite then gives its companions (-wal, -shm) the same mode. A file that exists is never opened here:
 * closing any handle of it would drop the locks that SQLite holds on it in this process (POSIX advisory locks, sqlite.org/howtocorrupt, 2.2).
 */
export function makePrivateFile(file: string): void {
  if (fs.existsSync(file)) return;
  try {
    fs.closeSync(fs.openSync(file, "wx", 0o600));
  } catch (cause) {
    // Another process was quicker: then the file is there, and that is all that was wanted.
    if (!fs.existsSync(file)) throw cause;
  }
}
