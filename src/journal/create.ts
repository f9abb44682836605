import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { type Clock, isoTime } from "../kit/clock.ts";
import { toHex } from "../kit/hex.ts";
import type { Random } from "../kit/random.ts";
import type { Stamp } from "./chain.ts";
import { migrate, SCHEMA_VERSION, versionOf } from "./schema.ts";
import { transactionsOf } from "./transaction.ts";

/** "posb" in ASCII, in the header of the database file (sqlite.org/fileformat2, 1.3.10). */
const MARK = 0x706f7362;

const checkpointSchema = z.object({ busy: z.literal(0) });

/** A new bridge's own name: `brg_` and 24 hexadecimal digits (96 random bits). */
export function newStamp(environment: Stamp["environment"], on: { readonly clock: Clock; readonly random: Random }): Stamp {
  return { bridge: `brg_${toHex(on.random.bytes(12)).toLowerCase()}`, environment, createdAt: isoTime(on.clock.now()) };
}

/** Makes the tables and stamps them, in one transaction. A database in memory hears here that free pages can be given back. */
export function createSchema(database: DatabaseSync, stamp: Stamp): void {
  database.exec("PRAGMA auto_vacuum = INCREMENTAL");
  database.exec("BEGIN IMMEDIATE");
  migrate(database, 0);
  const insert = database.prepare("INSERT INTO stamp (only, bridge, environment, created_at) VALUES (1, ?, ?, ?)");
  insert.run(stamp.bridge, stamp.environment, stamp.createdAt);
  database.exec("COMMIT");
}

/**
 * Takes a journal that an older program made to this one's version, in one transaction: whatever ends it before the commit leaves the older version, whole. It brings no
 * fact, so that the witness stays as it is. Throws JournalUnwritable where the disk does not take it.
 */
export function upgradeSchema(database: DatabaseSync): void {
  const found = versionOf(database);
  if (found < SCHEMA_VERSION) transactionsOf(database)(() => migrate(database, found));
}

/** Moves the log into the database itself, so that a log that is lost later cannot take the stamp along. */
export function settle(database: DatabaseSync): void {
  checkpointSchema.parse(database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get());
}

/**
 * Notes in the database itself that its witness was made, before any fact is taken: from here on a journal without a witness, however empty it looks, has lost
 * something. Made in an older journal too, which a command may be reading: then the log keeps the note until the next checkpoint.
 */
export function markWitnessed(database: DatabaseSync): void {
  database.exec(`PRAGMA application_id = ${MARK}; PRAGMA wal_checkpoint(TRUNCATE)`);
}
