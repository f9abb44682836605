import fs from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

/**
 * How long a statement waits for another connection's lock, in milliseconds. Readers never block the writer (WAL); only a checkpoint's end may have to wait.
 */
const BUSY_MS = 2000;

/**
 * WAL and synchronous=FULL: a commit returns after the log is on the disk (sqlite.org/wal). fullfsync is macOS's way to a disk's own cache; cell_size_check
 * finds damaged pages earlier. What a statement lays by stays in memory: an index made over many facts would else need room and rights on the disk of /var/tmp too, of which no
 * message of the journal speaks. What the archive frees can be given back to the disk, which has to be said of an empty file.
 */
export function openForWriting(file: string): DatabaseSync {
  const durable = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON";
  const isNew = fs.statSync(file, { throwIfNoEntry: false })?.size === 0;
  return set(
    new DatabaseSync(file, { timeout: BUSY_MS, enableForeignKeyConstraints: true }),
    `${isNew ? "PRAGMA auto_vacuum = INCREMENTAL; " : ""}${durable}; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY`,
  );
}

/** A connection that cannot write, and that leaves a damaged log as it is (a writing one would tidy it away when it closes). */
export function openForReading(file: string): DatabaseSync {
  return set(new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS }), "PRAGMA cell_size_check = ON");
}

/**
 * The same, and nothing is written beside the file either. A log beside it is somebody's who has the journal open, or was killed: then it is opened as usual, because what
 * stands in the log counts.
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
