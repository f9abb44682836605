import fs from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

/**
 * Wait for another connection's lock, in milliseconds. Readers never block the writer (WAL); only the end of a
 * checkpoint may wait.
 */
const BUSY_MS = 2000;

/**
 * A commit returns once the log is on the disk (WAL and synchronous=FULL, sqlite.org/wal). auto_vacuum can only be set
 * on an empty file.
 */
export function openForWriting(file: string): DatabaseSync {
  // fullfsync makes macOS flush the disk's own cache.
  const durable =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON";
  const isNew = fs.statSync(file, { throwIfNoEntry: false })?.size === 0;
  return set(
    new DatabaseSync(file, { timeout: BUSY_MS, enableForeignKeyConstraints: true }),
    // cell_size_check finds damaged pages earlier. temp_store in memory: building an index would else need space and
    // rights in /var/tmp.
    `${isNew ? "PRAGMA auto_vacuum = INCREMENTAL; " : ""}${durable}; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY`,
  );
}

/** A read-only connection. It leaves a damaged log in place; a writing connection would remove it on close. */
export function openForReading(file: string): DatabaseSync {
  return set(new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS }), "PRAGMA cell_size_check = ON");
}

/**
 * Also writes no file beside the database. A log is from an open journal or a killed process: its content counts, so
 * open normally.
 */
export function openUntouched(file: string): DatabaseSync {
  if (fs.existsSync(`${file}-wal`)) return openForReading(file);
  const address = pathToFileURL(file);
  address.searchParams.set("immutable", "1");
  return set(new DatabaseSync(address, { readOnly: true, timeout: BUSY_MS }), "PRAGMA cell_size_check = ON");
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
