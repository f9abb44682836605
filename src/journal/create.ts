import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { type Clock, isoTime } from "../kit/clock.ts";
import { toHex } from "../kit/hex.ts";
import type { Random } from "../kit/random.ts";
import { type Stamp, sealOfRow } from "./chain.ts";
import { readSealedRow } from "./rows.ts";
import { migrate, SCHEMA_VERSION, versionOf } from "./schema.ts";
import { transactionsOf } from "./transaction.ts";

/** "posb" in ASCII, in the header of the database file (sqlite.org/fileformat2, 1.3.10). */
const MARK = 0x706f7362;

const checkpointSchema = z.object({ busy: z.literal(0) });

/** The name of a new bridge: `brg_` and 24 hexadecimal digits (96 random bits). */
export function newStamp(
  environment: Stamp["environment"],
  on: { readonly clock: Clock; readonly random: Random },
): Stamp {
  return { bridge: `brg_${toHex(on.random.bytes(12)).toLowerCase()}`, environment, createdAt: isoTime(on.clock.now()) };
}

/** Creates the tables and the stamp in one transaction. auto_vacuum is repeated here for databases in memory. */
export function createSchema(database: DatabaseSync, stamp: Stamp): void {
  database.exec("PRAGMA auto_vacuum = INCREMENTAL");
  database.exec("BEGIN IMMEDIATE");
  migrate(database, 0);
  const insert = database.prepare("INSERT INTO stamp (only, bridge, environment, created_at) VALUES (1, ?, ?, ?)");
  insert.run(stamp.bridge, stamp.environment, stamp.createdAt);
  database.exec("COMMIT");
}

/**
 * Upgrades an older journal in one transaction: all or nothing. Adds no fact, so the witness stays valid. Throws
 * JournalUnwritable if the disk refuses.
 */
export function upgradeSchema(database: DatabaseSync): void {
  const found = versionOf(database);
  if (found < SCHEMA_VERSION) transactionsOf(database)(() => migrate(database, found));
}

const hashSchema = z.object({ hash: z.string() });
const countSchema = z.object({ count: z.int() });

/**
 * Writes the number of its facts into each open row of an older version: a start proves by it that none is missing.
 * Returns the seals of the open rows.
 */
export function countFacts(database: DatabaseSync, open: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const rowOf = database.prepare("SELECT * FROM payments WHERE payment = ?");
  const hashOf = database.prepare("SELECT hash FROM facts WHERE number = ?");
  const archived = database.prepare("SELECT 1 FROM archived_payments WHERE payment = ?");
  const count = database.prepare("SELECT count(*) AS count FROM facts WHERE payment = ?");
  const update = database.prepare("UPDATE payments SET facts = ?, seal = ? WHERE payment = ?");
  const seals = new Map(open);
  transactionsOf(database)(() => {
    for (const payment of open.keys()) {
      const { row, last, facts } = readSealedRow(rowOf.get(payment));
      if (facts !== null || archived.get(payment) !== undefined) continue;
      const counted = countSchema.parse(count.get(payment)).count;
      const seal = sealOfRow(row, { number: last, ...hashSchema.parse(hashOf.get(last)) }, counted);
      update.run(counted, seal, payment);
      seals.set(payment, seal);
    }
  });
  return seals;
}

/** Moves the log into the database, so that losing the log later cannot lose the stamp. */
export function settle(database: DatabaseSync): void {
  checkpointSchema.parse(database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get());
}

/**
 * Records that a witness exists, before any fact is accepted. A journal without its witness has then lost something,
 * even if it looks empty.
 */
export function markWitnessed(database: DatabaseSync): void {
  // In an older journal, a reading command may block the checkpoint; the log then keeps the mark until the next one.
  database.exec(`PRAGMA application_id = ${MARK}; PRAGMA wal_checkpoint(TRUNCATE)`);
}
