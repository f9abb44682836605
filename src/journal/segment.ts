import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gunzipSync, gzip } from "node:zlib";
import { z } from "zod";
import { type ChainedFact, hashOfFact } from "./chain.ts";

/*
 * A segment of the archive: facts as JSON lines in the order of their numbers, compressed by gzip. Each line contains
 * the fact's links, so a segment proves its own part of the chain.
 */

/** Maximum payments in a segment: one write moves this many without delaying a sale. */
export const MAX_SEGMENT_PAYMENTS = 50;
/** Maximum text of a segment, held in memory while read. A payment with longer facts stays in the journal. */
export const MAX_SEGMENT_BYTES = 1_048_576;

const compress = promisify(gzip);
const expand = promisify(gunzip);

const lineSchema = z.object({
  number: z.int(),
  payment: z.string(),
  at: z.string(),
  previous: z.string(),
  hash: z.string(),
  fact: z.json(),
});

/** Facts without a gap: `previous` belongs to the first one, `hash` to the last. */
export interface Run {
  readonly first: number;
  readonly last: number;
  readonly previous: string;
  readonly hash: string;
}

export class SegmentDamaged extends Error {
  constructor(problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.name = "SegmentDamaged";
  }
}

/** Undefined if reading the line back would not give the exact text that was hashed. */
export function lineOf({ number, payment, at, fact, previous, hash: own }: ChainedFact): string | undefined {
  const line = `${JSON.stringify({ number, payment, at, previous, hash: own }).slice(0, -1)},"fact":${fact}}\n`;
  return readLine(line).fact === fact ? line : undefined;
}

export function readLine(line: string): ChainedFact {
  const { fact, ...links } = lineSchema.parse(JSON.parse(line));
  return { ...links, fact: JSON.stringify(fact) };
}

export async function packSegment(lines: readonly string[]): Promise<Uint8Array> {
  return compress(lines.join(""));
}

export function sumOf(packed: Uint8Array): string {
  return hash("sha256", packed, "hex");
}

/** The lines of a file whose checksum was verified. */
export function unpackSegment(packed: Uint8Array): readonly string[] {
  return linesIn(gunzipSync(packed, { maxOutputLength: MAX_SEGMENT_BYTES }));
}

/** As `unpackSegment`, without blocking the event loop. */
export async function unpackAside(packed: Uint8Array): Promise<readonly string[]> {
  return linesIn(await expand(packed, { maxOutputLength: MAX_SEGMENT_BYTES }));
}

function linesIn(text: Buffer): readonly string[] {
  return text.toString("utf8").split("\n").slice(0, -1);
}

/** The fact of a line, verified by its own hash. */
export function provenFact(line: string): ChainedFact {
  const fact = readLine(line);
  if (fact.hash !== hashOfFact(fact)) throw new SegmentDamaged(`fact ${fact.number} was changed`);
  return fact;
}

/** Groups facts, ordered by number, into runs. */
export function runsOf(facts: readonly ChainedFact[]): readonly Run[] {
  const runs: Run[] = [];
  for (const { number, previous, hash: own } of facts) {
    const before = runs.at(-1);
    if (before?.last === number - 1) runs.splice(-1, 1, { ...before, last: number, hash: own });
    else runs.push({ first: number, last: number, previous, hash: own });
  }
  return runs;
}
