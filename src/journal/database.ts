import { DatabaseSync } from "node:sqlite";

/**
 * How long a statement waits for another connection's lock, in milliseconds. Readers never block the writer (WAL); only a checkpoint's end may have to wait.
 */
const BUSY_MS = 2000;

/**
 * WAL and synchronous=FULL: a commit returns after the log is on the disk (sqlite.org/wal). fullfsync is macOS's way to a disk's own cache; cell_size_check
 * finds damaged pages earlier.
 */
export function openForWriting(file: string): DatabaseSync {
  const settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON; PRAGMA cell_size_check = ON";
  return set(new DatabaseSync(file, { timeout: BUSY_MS, enableForeignKeyConstraints: true }), settings);
}

/** A connection that cannot write, and that leaves a damaged log as it is (a writing one would tidy it away when it closes). */
export function openForReading(file: string): DatabaseSync {
  return set(new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS }), "PRAGMA cell_size_check = ON");
}

function set(database: DatabaseSync, settings: string): DatabaseSync {
  try {
    database.exec(settings);
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
}
