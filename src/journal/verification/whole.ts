import type { DatabaseSync, StatementSync } from "node:sqlite";
import { z } from "zod";
import { requireFile } from "../archive.ts";
import { flawOf, type Stamp, type Tip, tipOfStamp } from "../chain.ts";
import { JournalRefused, RESTORE } from "../refusal.ts";
import { readChained, readSealedRow } from "../rows.ts";
import type { Run } from "../segment.ts";
import type { SegmentStore } from "../segment-files.ts";
import { hasArchive, readSegments, type SegmentRow } from "../segment-rows.ts";
import { provenIndices } from "./indices.ts";
import { paymentProof } from "./payment-proof.ts";

/** Facts or rows of one step: a few milliseconds. */
const STEP_ROWS = 250;

const latestSchema = z.object({ number: z.int().nullable() });
const archivedSchema = z.object({ place: z.int(), payment: z.string(), segment: z.int(), last: z.int() });
const countSchema = z.object({ count: z.int() });

export interface WholeOn {
  readonly database: DatabaseSync;
  /** The journal's name in messages. */
  readonly file: string;
  readonly stamp: Stamp;
  readonly store: SegmentStore;
  /** The fact whose hash is wanted. */
  readonly witnessed: number | undefined;
  /** Called with the end of the chain, before anything else is looked at. */
  ended?(chain: Pick<Whole, "tip" | "at" | "atWitness">): void;
  /** Every fact and row is looked up in each index. Not needed after SQLite's own check of the whole file. */
  readonly withIndices: boolean;
}

export interface Whole {
  readonly tip: Tip;
  /** Time of the last fact. */
  readonly at: string | undefined;
  /** Hash of the witnessed fact. */
  readonly atWitness: string | undefined;
  readonly open: ReadonlyMap<string, string>;
  readonly payments: number;
  readonly segments: readonly SegmentRow[];
}

/**
 * Proves the whole journal in short steps: chain, rows, archive. Facts that are added meanwhile are not its business;
 * the archive must not grow meanwhile. Throws JournalRefused.
 */
export function* proveWhole(on: WholeOn): Generator<undefined, Whole> {
  const { database, stamp } = on;
  const segments = readSegments(database, stamp, (flaw) => viewDamaged(on, flaw));
  const runs = segments.flatMap((segment) => segment.runs).toSorted((a, b) => a.first - b.first);
  const chain = yield* proveChain(on, runs);
  on.ended?.(chain);
  const rows = yield* proveRows(on);
  yield* proveArchive(on, segments);
  return { ...chain, ...rows, segments };
}

function broken({ file }: WholeOn, flaw: string): JournalRefused {
  return new JournalRefused("chain-broken", `${file}: ${flaw}; ${RESTORE}`);
}

function viewDamaged({ file }: WholeOn, flaw: string): JournalRefused {
  return new JournalRefused("view-damaged", `${file}: ${flaw}; ${RESTORE}`);
}

function* proveChain(
  on: WholeOn,
  archived: readonly Run[],
): Generator<undefined, Pick<Whole, "tip" | "at" | "atWitness">> {
  const { database, stamp, witnessed } = on;
  const next = database.prepare(
    `SELECT number, payment, at, fact, previous, hash FROM facts WHERE number > ? ORDER BY number LIMIT ${STEP_ROWS}`,
  );
  const rowOf = database.prepare("SELECT 1 FROM payments WHERE payment = ?");
  const indices = on.withIndices ? provenIndices(database) : undefined;
  const runs = archived.values();
  let run = runs.next().value;
  let tip = tipOfStamp(stamp);
  let at: string | undefined;
  let atWitness = witnessed === 0 ? tip.hash : undefined;
  const { number: end } = latestSchema.parse(database.prepare("SELECT max(number) AS number FROM facts").get());
  while (tip.number < (end ?? 0)) {
    const links = next.all(tip.number).map(readChained);
    if (links.length === 0) break;
    const rowless = [...new Set(links.map(({ payment }) => payment))].find((one) => rowOf.get(one) === undefined);
    for (const link of links) {
      for (; run !== undefined && run.first < link.number; run = runs.next().value) {
        const flaw = flawOfRun(tip, run);
        if (flaw !== undefined) throw broken(on, flaw);
        tip = { number: run.last, hash: run.hash };
        if (tip.number === witnessed) atWitness = tip.hash;
      }
      const flaw = link.number <= tip.number ? `fact ${link.number} is in the archive too` : flawOf(tip, link);
      if (flaw !== undefined) throw broken(on, flaw);
      tip = { number: link.number, hash: link.hash };
      at = link.at;
      if (tip.number === witnessed) atWitness = tip.hash;
    }
    if (rowless !== undefined) throw viewDamaged(on, `payment ${rowless} has facts and no row`);
    const unfound = indices?.ofFacts(links);
    if (unfound !== undefined) throw viewDamaged(on, unfound);
    yield;
  }
  // The last fact is never archived.
  if (run !== undefined) throw broken(on, `fact ${run.last + 1} is missing`);
  return { tip, at, atWitness };
}

/** Each archived run is connected to the chain by the hashes at both ends. */
function flawOfRun(tip: Tip, { first, last, previous }: Run): string | undefined {
  if (first !== tip.number + 1) return `facts ${tip.number + 1} to ${first - 1} are missing`;
  return previous === tip.hash ? undefined : `the archived facts ${first} to ${last} do not follow fact ${tip.number}`;
}

function* proveRows(on: WholeOn): Generator<undefined, Pick<Whole, "open" | "payments">> {
  const { database } = on;
  const next = database.prepare(`SELECT * FROM payments WHERE payment > ? ORDER BY payment LIMIT ${STEP_ROWS}`);
  const latest = database.prepare("SELECT max(number) AS number FROM facts WHERE payment = ?");
  const counted = countingOf(database);
  const proof = paymentProof(database);
  const indices = on.withIndices ? provenIndices(database) : undefined;
  const open = new Map<string, string>();
  let payments = 0;
  for (let place = ""; ; ) {
    const found = next.all(place);
    for (const columns of found) {
      const row = proof.row(columns);
      const { last, seal, facts } = readSealedRow(columns);
      const { number } = latestSchema.parse(latest.get(row.payment));
      if (number !== null && number !== last) throw viewDamaged(on, `the row of payment ${row.payment} was changed`);
      if (facts !== null && (counted(row.payment) ?? facts) !== facts)
        throw broken(on, `facts of payment ${row.payment} are missing`);
      const unfound = indices?.ofRow(row);
      if (unfound !== undefined) throw viewDamaged(on, unfound);
      if (row.open) open.set(row.payment, seal);
      place = row.payment;
    }
    payments += found.length;
    if (found.length < STEP_ROWS) break;
    yield;
  }
  return { open, payments };
}

/** How many facts a payment has; undefined if some are archived. */
function countingOf(database: DatabaseSync): (payment: string) => number | undefined {
  const facts = database.prepare("SELECT count(*) AS count FROM facts WHERE payment = ?");
  const archived: StatementSync | undefined = hasArchive(database)
    ? database.prepare("SELECT 1 FROM archived_payments WHERE payment = ?")
    : undefined;
  return (payment) => (archived?.get(payment) === undefined ? countSchema.parse(facts.get(payment)).count : undefined);
}

function* proveArchive(on: WholeOn, segments: readonly SegmentRow[]): Generator<undefined, void> {
  const { database, store } = on;
  if (!hasArchive(database)) return;
  const next = database.prepare(
    `SELECT rowid AS place, payment, segment, last FROM archived_payments WHERE rowid > ? ORDER BY rowid LIMIT ${STEP_ROWS}`,
  );
  const counts = new Map<number, number>();
  for (let place = 0; ; ) {
    const found = next.all(place).map((columns) => archivedSchema.parse(columns));
    for (const { segment } of found) counts.set(segment, (counts.get(segment) ?? 0) + 1);
    place = found.at(-1)?.place ?? place;
    if (found.length < STEP_ROWS) break;
    yield;
  }
  const uncounted = segments.find(({ number, payments }) => counts.get(number) !== payments);
  if (uncounted !== undefined || counts.size !== segments.length)
    throw viewDamaged(on, `the payments of segment ${uncounted?.number ?? "?"} were changed`);
  const names = countSchema.parse(database.prepare("SELECT count(*) AS count FROM archived_names").get()).count;
  if (names !== segments.reduce((sum, segment) => sum + segment.names, 0))
    throw viewDamaged(on, "the names of archived payments were changed");
  for (const segment of segments) {
    requireFile(segment, store);
    yield;
  }
}
