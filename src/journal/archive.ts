import type { DatabaseSync, StatementSync } from "node:sqlite";
import { z } from "zod";
import type { ChainedFact } from "./chain.ts";
import { JournalRefused, reasonOf } from "./refusal.ts";
import { provenFact, SegmentDamaged, sumOf, unpackAside, unpackSegment } from "./segment.ts";
import type { SegmentStore } from "./segment-files.ts";
import { hasArchive, readSegmentRow, type SegmentRow } from "./segment-rows.ts";

/** Segments kept in memory, at most 1 MB of text each. A list is read in the order in which payments were archived. */
const KEPT_SEGMENTS = 3;

const placeSchema = z.object({ segment: z.int(), last: z.int() });
const paymentSchema = z.object({ payment: z.string() });
const numberSchema = z.object({ number: z.int() });

/** Questions about archived facts. Each throws JournalRefused if a file is not as it was written. */
export interface ArchiveReader {
  /** Ordered by number. */
  factsOf(payment: string): readonly ChainedFact[];
  /** Undefined if no archived fact has this number. */
  hashOf(number: number): string | undefined;
  /** The highest number of an archived fact, or 0. */
  to(): number;
  lastSequenceNumber(): number;
  named(kind: "operation" | "gateway", name: string): readonly string[];
  /** Channels of archived payments, as rows with the columns of the journal's query. */
  channels(): readonly unknown[];
  /** Payments with a fact that contains the text. Reads every file, one at a time. */
  naming(text: string): Promise<readonly string[]>;
}

interface Statements {
  readonly places: StatementSync;
  readonly segment: StatementSync;
  readonly around: StatementSync;
  readonly named: StatementSync;
  readonly last: StatementSync;
  readonly sequence: StatementSync;
  readonly numbers: StatementSync;
  readonly channels: StatementSync;
}

function prepare(database: DatabaseSync): Statements {
  return {
    places: database.prepare("SELECT segment, last FROM archived_payments WHERE payment = ? ORDER BY segment"),
    segment: database.prepare("SELECT * FROM segments WHERE number = ?"),
    around: database.prepare("SELECT * FROM segments WHERE first <= ? AND last >= ?"),
    named: database.prepare("SELECT DISTINCT payment FROM archived_names WHERE kind = ? AND name = ? ORDER BY payment"),
    last: database.prepare("SELECT coalesce(max(last), 0) AS number FROM segments"),
    sequence: database.prepare("SELECT coalesce(max(sequence_number), 0) AS number FROM segments"),
    numbers: database.prepare("SELECT number FROM segments ORDER BY number"),
    channels: database.prepare(
      "SELECT json_extract(name, '$[0]') AS gateway, json_extract(name, '$[1]') AS entityId FROM archived_names WHERE kind = 'channel'",
    ),
  };
}

export function archiveReader(database: DatabaseSync, store: SegmentStore): ArchiveReader {
  let prepared: Statements | undefined;
  // Tried again until the tables exist: a daemon may upgrade the journal while a command reads it.
  const statements = (): Statements | undefined => {
    if (prepared === undefined && hasArchive(database)) prepared = prepare(database);
    return prepared;
  };
  const kept = new Map<number, readonly string[]>();
  const linesOf = (row: SegmentRow): readonly string[] => {
    const known = kept.get(row.number);
    if (known !== undefined) return known;
    const lines = linesOfSegment(row, store);
    const [oldest] = kept.keys();
    if (kept.size >= KEPT_SEGMENTS && oldest !== undefined) kept.delete(oldest);
    kept.set(row.number, lines);
    return lines;
  };
  const factsIn = (row: SegmentRow, isWanted: (line: string) => boolean): readonly ChainedFact[] =>
    guarded(row, store, () => linesOf(row).filter(isWanted).map(provenFact));
  const numberOf = (statement: StatementSync | undefined): number =>
    statement === undefined ? 0 : numberSchema.parse(statement.get()).number;
  return {
    factsOf: (payment) => {
      const asked = statements();
      const places = asked?.places.all(payment).map((found) => placeSchema.parse(found)) ?? [];
      return places.flatMap(({ segment, last }) => {
        const row = readSegmentRow(asked?.segment.get(segment));
        const facts = factsIn(row, (line) => line.includes(JSON.stringify(payment))).filter(
          (fact) => fact.payment === payment,
        );
        if (facts.at(-1)?.number !== last) throw damaged(row, store, `does not hold the facts of payment ${payment}`);
        return facts;
      });
    },
    hashOf: (number) => {
      const rows = statements()?.around.all(number, number).map(readSegmentRow) ?? [];
      const row = rows.find(({ runs }) => runs.some(({ first, last }) => first <= number && number <= last));
      return row && factsIn(row, (line) => line.startsWith(`{"number":${number},`))[0]?.hash;
    },
    to: () => numberOf(statements()?.last),
    lastSequenceNumber: () => numberOf(statements()?.sequence),
    named: (kind, name) =>
      statements()
        ?.named.all(kind, name)
        .map((found) => paymentSchema.parse(found).payment) ?? [],
    channels: () => statements()?.channels.all() ?? [],
    naming: async (text) => {
      const asked = statements();
      const found = new Set<string>();
      for (const { number } of asked?.numbers.all().map((one) => numberSchema.parse(one)) ?? []) {
        const row = readSegmentRow(asked?.segment.get(number));
        const lines = await unpackAside(requireFile(row, store));
        const facts = guarded(row, store, () => lines.filter((line) => line.includes(text)).map(provenFact));
        for (const { fact, payment } of facts) if (fact.includes(text)) found.add(payment);
      }
      return [...found];
    },
  };
}

/** The lines of a segment whose file matches its row. */
export function linesOfSegment(row: SegmentRow, store: SegmentStore): readonly string[] {
  const packed = requireFile(row, store);
  return guarded(row, store, () => unpackSegment(packed));
}

/** Throws JournalRefused if the file is missing or does not match its row. */
export function requireFile(row: SegmentRow, store: SegmentStore): Uint8Array {
  const packed = store.read(row.number);
  if (packed === undefined) throw damaged(row, store, "is missing");
  if (packed.length !== row.bytes) throw damaged(row, store, `has ${packed.length} bytes, and had ${row.bytes}`);
  if (sumOf(packed) !== row.sha256) throw damaged(row, store, "was changed");
  return packed;
}

function guarded<T>(row: SegmentRow, store: SegmentStore, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const isOfFile =
      cause instanceof SegmentDamaged ||
      cause instanceof z.ZodError ||
      cause instanceof SyntaxError ||
      cause instanceof RangeError;
    if (!isOfFile) throw cause;
    throw damaged(row, store, `cannot be read (${reasonOf(cause)})`);
  }
}

function damaged(row: SegmentRow, store: SegmentStore, problem: string): JournalRefused {
  const mend = `put it back as it was: every backup made since ${row.sealedAt} has it (docs/journal.md)`;
  return new JournalRefused(
    "archive-damaged",
    `${store.nameOf(row.number)} ${problem}; it holds the facts of ${row.payments} payments; ${mend}`,
  );
}
