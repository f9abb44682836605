import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import type { StoredFact } from "../engine/ports.ts";
import { type Clock, isoTime } from "../kit/clock.ts";
import { linesOfSegment } from "./archive.ts";
import type { ChainedFact, Stamp, Tip } from "./chain.ts";
import { readChained } from "./rows.ts";
import { lineOf, MAX_SEGMENT_BYTES, MAX_SEGMENT_PAYMENTS, packSegment, runsOf, sumOf } from "./segment.ts";
import type { SegmentStore } from "./segment-files.ts";
import { insertSegment, type SegmentRow } from "./segment-rows.ts";

/** Rows of the list read in one slice, and payments judged in one slice. */
const ROWS_A_SLICE = 500;
const PAYMENTS_A_SLICE = 10;
/** Pages of 4 KiB returned to the disk in one slice, and free pages kept for later writes. */
const PAGES_A_SLICE = 64;
const PAGES_KEPT = 256;

const rowSchema = z.object({ payment: z.string(), created_at: z.string() });
const numberSchema = z.object({ number: z.int() });
const stateSchema = z.object({ open: z.int(), last: z.int() });
const freeSchema = z.object({ freelist_count: z.int() });

/** Selects the payments to archive, and the moments for the work. */
export interface ArchiveOrder {
  /** Only payments whose facts are all older than this, ISO 8601 UTC. */
  readonly before: string;
  /** Decides by the payment's facts whether it may be archived. */
  mayGo(facts: readonly StoredFact[]): boolean;
  /** True while the payment or a follow-up of it is in memory. */
  isInUse(payment: string): boolean;
  /** Resolves when a slice of work delays nobody; false stops the run. */
  pause(): Promise<boolean>;
}

export interface Archived {
  readonly payments: number;
  readonly segments: number;
  /** Pages returned to the disk. */
  readonly pages: number;
}

export interface ArchiverOn {
  readonly database: DatabaseSync;
  readonly stamp: Stamp;
  readonly store: SegmentStore;
  readonly clock: Pick<Clock, "now">;
  facts(payment: string): Promise<readonly StoredFact[]>;
  tip(): Tip;
  /** Runs the writes in one transaction. */
  write(run: () => void): void;
  /** Announces that the database file may now be shorter. */
  shrunk(): void;
}

interface Candidate {
  readonly payment: string;
  readonly facts: readonly ChainedFact[];
  readonly lines: readonly string[];
  readonly bytes: number;
}

type Place = z.infer<typeof rowSchema>;

/** The payment changed after it was judged, or is in use. */
class Changed extends Error {}

/**
 * Moves facts of old payments into segments. The file is made durable first; one transaction then adds its row and
 * deletes the facts.
 */
export function createArchiver(on: ArchiverOn): (order: ArchiveOrder) => Promise<Archived> {
  const candidates = chooser(on);
  const seal = sealer(on);
  const shrink = shrinker(on);
  return async (order) => {
    let chosen: Candidate[] = [];
    let [payments, segments] = [0, 0];
    const close = async (): Promise<void> => {
      const moved = chosen.length === 0 ? 0 : await seal(chosen, order);
      chosen = [];
      payments += moved;
      segments += moved > 0 ? 1 : 0;
    };
    for await (const one of candidates(order)) {
      const bytes = chosen.reduce((sum, other) => sum + other.bytes, one.bytes);
      if (bytes > MAX_SEGMENT_BYTES || chosen.length === MAX_SEGMENT_PAYMENTS) await close();
      chosen.push(one);
    }
    await close();
    return { payments, segments, pages: await shrink(order) };
  };
}

/** Payments that may be archived, oldest first. */
function chooser({ database, facts: wholeFacts, tip }: ArchiverOn): (order: ArchiveOrder) => AsyncGenerator<Candidate> {
  const listed = database.prepare(
    `SELECT payment, created_at FROM payments WHERE open = 0 AND created_at < ? AND (created_at, payment) > (?, ?)
     ORDER BY created_at, payment LIMIT ${ROWS_A_SLICE}`,
  );
  const factsOf = database.prepare(
    "SELECT number, payment, at, fact, previous, hash FROM facts WHERE payment = ? ORDER BY number",
  );
  const judge = async ({ payment }: Place, order: ArchiveOrder): Promise<Candidate | undefined> => {
    const facts = factsOf.all(payment).map(readChained);
    const last = facts.at(-1);
    if (last === undefined || last.at >= order.before || last.number === tip().number) return undefined;
    if (order.isInUse(payment) || !order.mayGo(await wholeFacts(payment))) return undefined;
    const lines = facts.map(lineOf).filter((line) => line !== undefined);
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
    return lines.length === facts.length && bytes <= MAX_SEGMENT_BYTES ? { payment, facts, lines, bytes } : undefined;
  };
  return async function* (order) {
    let place: Place | undefined = { created_at: "", payment: "" };
    while (place !== undefined && (await order.pause())) {
      const rows: readonly Place[] = listed
        .all(order.before, place.created_at, place.payment)
        .map((found) => rowSchema.parse(found));
      const waiting = rows.filter(({ payment }) => factsOf.get(payment) !== undefined);
      for (const [at, row] of waiting.entries()) {
        if (at % PAYMENTS_A_SLICE === 0 && !(await order.pause())) return;
        const one = await judge(row, order);
        if (one !== undefined) yield one;
      }
      place = rows.at(-1);
    }
  };
}

/** Returns the number of payments moved: all of them, or none if one changed meanwhile. */
function sealer(on: ArchiverOn): (chosen: readonly Candidate[], order: ArchiveOrder) => Promise<number> {
  const { database, store, clock } = on;
  const next = database.prepare("SELECT count(*) + 1 AS number FROM segments");
  const move = mover(on);
  return async (chosen, order) => {
    if (!(await order.pause())) return 0;
    const paired = chosen.flatMap(({ facts, lines }) => facts.map((fact, at) => ({ fact, line: lines[at] ?? "" })));
    const ordered = paired.toSorted((a, b) => a.fact.number - b.fact.number);
    const { number } = numberSchema.parse(next.get());
    const packed = await packSegment(ordered.map(({ line }) => line));
    await store.write(number, packed);
    if (!(await order.pause())) return 0;
    const base = {
      number,
      sealedAt: isoTime(clock.now()),
      bytes: packed.length,
      sha256: sumOf(packed),
      payments: chosen.length,
    };
    const row: SegmentRow = { ...base, names: 0, sequenceNumber: 0, runs: runsOf(ordered.map(({ fact }) => fact)) };
    // Read the segment back before any fact is deleted.
    const kept = linesOfSegment(row, store);
    if (kept.join("\n") !== ordered.map(({ line }) => line.slice(0, -1)).join("\n"))
      throw new RangeError(`${store.nameOf(number)} is not what was written`);
    if (!(await order.pause())) return 0;
    try {
      move(row, chosen, order);
      return chosen.length;
    } catch (cause) {
      if (cause instanceof Changed) return 0;
      throw cause;
    }
  };
}

/** Returns free pages to the disk, and gives their number. */
function shrinker({ database, write, shrunk }: ArchiverOn): (order: ArchiveOrder) => Promise<number> {
  const free = database.prepare("PRAGMA freelist_count");
  const pages = (): number => freeSchema.parse(free.get()).freelist_count;
  return async (order) => {
    const before = pages();
    while (pages() > PAGES_KEPT && (await order.pause())) {
      const left = pages();
      write(() => database.exec(`PRAGMA incremental_vacuum(${PAGES_A_SLICE})`));
      shrunk();
      // A journal made before auto_vacuum was set keeps its free pages and reuses them.
      if (pages() >= left) break;
    }
    return Math.max(0, before - pages());
  };
}

const OPERATION = "json_extract(fact, '$.operation.merchantTransactionId')";
const GATEWAY_ID =
  "coalesce(json_extract(fact, '$.answer.id'), json_extract(fact, '$.gatewayId'), json_extract(fact, '$.sight.transactionId'))";

const CHANNEL = "json_array(json_extract(fact, '$.channel.gateway'), json_extract(fact, '$.channel.entityId'))";
const IS_ACCEPTED =
  "json_extract(fact, '$.fact') = 'accepted' AND json_extract(fact, '$.channel.entityId') IS NOT NULL";

/** Archived payments must still be found by operation, gateway id and channel, so these names stay in the journal. */
function naming(kind: string, name: string, condition: string): string {
  return `INSERT INTO archived_names SELECT DISTINCT '${kind}', ${name}, payment FROM facts WHERE payment = ? AND ${condition}`;
}

function mover({
  database,
  stamp,
  tip,
  write,
}: ArchiverOn): (row: SegmentRow, chosen: readonly Candidate[], order: ArchiveOrder) => void {
  const state = database.prepare("SELECT open, last FROM payments WHERE payment = ?");
  const sequence = database.prepare(
    "SELECT coalesce(max(json_extract(fact, '$.operation.sequenceNumber')), 0) AS number FROM facts WHERE payment = ?",
  );
  const names = [
    naming("operation", OPERATION, `${OPERATION} IS NOT NULL`),
    naming("gateway", GATEWAY_ID, `${GATEWAY_ID} IS NOT NULL`),
    naming(
      "channel",
      CHANNEL,
      `${CHANNEL} NOT IN (SELECT name FROM archived_names WHERE kind = 'channel') AND ${IS_ACCEPTED}`,
    ),
  ].map((sql) => database.prepare(sql));
  const archive = database.prepare("INSERT INTO archived_payments VALUES (?, ?, ?, ?)");
  const remove = database.prepare("DELETE FROM facts WHERE payment = ?");
  const requireSame = ({ payment, facts }: Candidate, order: ArchiveOrder): void => {
    const { open, last } = stateSchema.parse(state.get(payment));
    const isSame = open === 0 && last === facts.at(-1)?.number && last !== tip().number;
    if (!isSame || order.isInUse(payment)) throw new Changed();
  };
  return (row, chosen, order) =>
    write(() => {
      for (const one of chosen) requireSame(one, order);
      const named = chosen.flatMap(({ payment }) => names.map((insert) => Number(insert.run(payment).changes)));
      const sequenceNumber = Math.max(...chosen.map(({ payment }) => numberSchema.parse(sequence.get(payment)).number));
      insertSegment(database, stamp, { ...row, sequenceNumber, names: named.reduce((sum, count) => sum + count, 0) });
      for (const { payment, facts } of chosen) {
        const last = facts.at(-1);
        archive.run(payment, row.number, last?.number ?? 0, last?.hash ?? "");
        if (Number(remove.run(payment).changes) !== facts.length) throw new Changed();
      }
    });
}
