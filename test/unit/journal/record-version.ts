/*
 * Prints, as SQL, the journal that this program makes of some payments: node test/unit/journal/record-version.ts >
 * test/vectors/journal-VERSION.sql. Run it once for each
 * version of the schema, with the program that brings it: versions.test.ts opens every one of them with the program of
 * the day.
 */

import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { rowOf } from "../../../src/engine/shell/payment-row.ts";
import { type OpenJournal, openJournal } from "../../../src/journal/sqlite-journal.ts";
import { isoTime } from "../../../src/kit/clock.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { fold } from "../../../src/payment/state/payment.ts";
import { approved, sale } from "../../support/sale.ts";

const BORN = Date.UTC(2026, 10, 20, 10);
const PAYMENTS = 6;

/** A sale under names of its own; every third one was cut short when its reservation was on its way. */
async function sell(n: number, append: OpenJournal["append"]): Promise<void> {
  const { facts } = approved({
    ...sale,
    at: BORN + n * 60_000,
    id: `pay_${String(n).padStart(24, "0")}`,
    reference: `R-${n}`,
  });
  const own = facts.map((fact) =>
    JSON.stringify(fact)
      .replaceAll(/mtid-([0-9]+)/g, `name-${n}-$1`)
      .replaceAll("booking-1", `booking-${n}`),
  );
  const kept = facts.slice(0, n % 3 === 0 ? facts.findIndex(({ fact }) => fact === "attempt-intended") + 1 : undefined);
  for (const [at, fact] of kept.entries()) {
    const payment = fold(facts.slice(0, at + 1));
    if (payment !== undefined)
      await append([z.json().parse(JSON.parse(own[at] ?? ""))], isoTime(fact.at), rowOf(payment));
  }
}

function literal(value: unknown): string {
  if (value instanceof Uint8Array) return `randomblob(${value.length})`;
  return typeof value === "string"
    ? `'${value.replaceAll("'", "''")}'`
    : String(z.union([z.int(), z.null()]).parse(value));
}

function dump(database: DatabaseSync): readonly string[] {
  const objects = database.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid").all();
  const inserts = [
    "stamp",
    "payments",
    "facts",
    "cursor_key",
    "rollbacks",
    "segments",
    "archived_payments",
    "archived_names",
    "checkpoint",
  ].flatMap((table) =>
    database
      .prepare(`SELECT * FROM ${table} ORDER BY 1`)
      .all()
      .map((columns) => `INSERT INTO ${table} VALUES (${Object.values(columns).map(literal).join(", ")});`),
  );
  const pragmas = ["user_version", "application_id"].map(
    (name) => `PRAGMA ${name} = ${Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {}).join("")};`,
  );
  return ["BEGIN;", ...objects.map(({ sql }) => `${String(sql)};`), ...inserts, ...pragmas, "COMMIT;"];
}

const folder = fs.mkdtempSync(path.join(tmpdir(), "posbridge-record-"));
const journal = await openJournal({ dataDir: folder, environment: "test", clock: systemClock, random: systemRandom });
for (let n = 1; n <= PAYMENTS; n += 1) await sell(n, journal.append);
// Two rollbacks: one that was confirmed, and one that waits.
const proof = { register: "till", at: isoTime(BORN), last: 44, number: 50, generation: 0 };
await journal.cursors.notice(proof);
await journal.cursors.confirm({ at: isoTime(BORN), by: "anna", reason: "compared with the gateway" });
await journal.cursors.notice({ ...proof, number: 60, generation: 1 });
await journal.close();
const database = new DatabaseSync(path.join(folder, "journal.db"), { readOnly: true });
for (const line of dump(database)) fs.writeSync(1, `${line}\n`);
database.close();
fs.rmSync(folder, { recursive: true });
