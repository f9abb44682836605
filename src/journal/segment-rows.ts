import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import type { Stamp } from "./chain.ts";
import { versionOf } from "./schema.ts";
import type { Run } from "./segment.ts";

/** The schema version that added the archive. */
const SINCE = 5;

export interface SegmentRow {
  readonly number: number;
  readonly sealedAt: string;
  /** Size of the file. */
  readonly bytes: number;
  readonly sha256: string;
  readonly payments: number;
  /** Number of its rows in `archived_names`. */
  readonly names: number;
  readonly runs: readonly Run[];
  /** The highest sequence number of its gateway requests. */
  readonly sequenceNumber: number;
}

const columnsSchema = z.object({
  ...{ number: z.int(), sealed_at: z.string(), bytes: z.int(), sha256: z.string(), payments: z.int(), names: z.int() },
  ...{ first: z.int(), last: z.int(), runs: z.string(), sequence_number: z.int(), seal: z.string() },
});
type Columns = z.infer<typeof columnsSchema>;
const runSchema = z.tuple([z.int(), z.int(), z.string(), z.string()]);
const lastSchema = z.object({ number: z.int() });

export const hasArchive = (database: DatabaseSync): boolean => versionOf(database) >= SINCE;

/** Binds the row to its folder, and through the checksum also the file. */
function sealOf(
  { bridge }: Stamp,
  { number, sealed_at, bytes, sha256, payments, names, first, last, runs, sequence_number }: Omit<Columns, "seal">,
): string {
  const text = JSON.stringify([number, sealed_at, bytes, sha256, payments, names, first, last, runs, sequence_number]);
  return hash("sha256", `posbridge segment\n${bridge}\n${text}`, "hex");
}

export function readSegmentRow(found: unknown): SegmentRow {
  const { number, sealed_at, bytes, sha256, payments, names, runs, sequence_number } = columnsSchema.parse(found);
  const parsed = z.array(runSchema).parse(JSON.parse(runs));
  const known = parsed.map(([first, last, previous, own]): Run => ({ first, last, previous, hash: own }));
  return { number, sealedAt: sealed_at, bytes, sha256, payments, names, runs: known, sequenceNumber: sequence_number };
}

export function insertSegment(database: DatabaseSync, stamp: Stamp, row: SegmentRow): void {
  const runs = JSON.stringify(row.runs.map(({ first, last, previous, hash: own }) => [first, last, previous, own]));
  const [first, last] = [Math.min(...row.runs.map((run) => run.first)), Math.max(...row.runs.map((run) => run.last))];
  const { number, sealedAt: sealed_at, bytes, sha256, payments, names, sequenceNumber: sequence_number } = row;
  const columns = { number, sealed_at, bytes, sha256, payments, names, first, last, runs, sequence_number };
  const values = [
    number,
    sealed_at,
    bytes,
    sha256,
    payments,
    names,
    first,
    last,
    runs,
    sequence_number,
    sealOf(stamp, columns),
  ];
  database.prepare("INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(...values);
}

/** Rows of the segments by number. Throws for a row that was changed, through `refuse`. */
export function readSegments(
  database: DatabaseSync,
  stamp: Stamp,
  refuse: (flaw: string) => Error,
): readonly SegmentRow[] {
  if (!hasArchive(database)) return [];
  const segments: SegmentRow[] = [];
  for (const found of database.prepare("SELECT * FROM segments ORDER BY number").iterate()) {
    const columns = columnsSchema.parse(found);
    if (columns.number !== segments.length + 1) throw refuse(`the row of segment ${segments.length + 1} is missing`);
    if (columns.seal !== sealOf(stamp, columns)) throw refuse(`the row of segment ${columns.number} was changed`);
    segments.push(readSegmentRow(found));
  }
  return segments;
}

/** The number of the last segment, or 0. */
export function lastSegment(database: DatabaseSync): number {
  if (!hasArchive(database)) return 0;
  return lastSchema.parse(database.prepare("SELECT coalesce(max(number), 0) AS number FROM segments").get()).number;
}
