import { DatabaseSync } from "node:sqlite";

/**
 * How long a statement waits for another connection's lock, in milliseconds. Readers never block the writer (WAL); only a checkpoint's end may have to wait.
 */
const BUSY_MS = 2000;

/**
 * WAL and synchronous=FULL: a commit returns after the log is on the disk (sqlite.org/wal). fullfsync is macOS's way to a disk's own cache; cell_size_check
 * finds damaged pages earlier. What a statement lays by stays in memory: an index made over many facts would else need room and rights on the disk of /var/tmp too, of which no
 * message of the journal speaks.
 */
export function openForWriting(file: string): DatabaseSync {
  const durable = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON";
  return set(
    new DatabaseSync(file, { timeout: BUSY_MS, enableForeignKeyConstraints: true }),
    `${durable}; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY`,
  );
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
