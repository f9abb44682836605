import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { archiveReader } from "../archive.ts";
import { flawOf, type Stamp, type Tip } from "../chain.ts";
import { isOfJournal, JournalRefused, RESTORE, refusalOfReading } from "../refusal.ts";
import { readChained } from "../rows.ts";
import type { SegmentStore } from "../segment-files.ts";
import { hasArchive } from "../segment-rows.ts";
import { type Checkpoint, readCheckpoint } from "./checkpoint.ts";
import { provenIndices } from "./indices.ts";
import { type PaymentProof, paymentProof } from "./payment-proof.ts";

const factSchema = z.object({ hash: z.string(), at: z.string() });
const numberSchema = z.object({ number: z.int() });
const paymentSchema = z.object({ payment: z.string() });

export interface SinceOn {
  readonly database: DatabaseSync;
  /** The journal's name in messages. */
  readonly file: string;
  readonly stamp: Stamp;
  readonly store: SegmentStore;
  readonly witnessed: Tip;
}

/** What is proved since the checkpoint. */
export interface Since {
  readonly is: "proved";
  readonly tip: Tip;
  readonly at: string;
  readonly atWitness: string | undefined;
  readonly open: ReadonlyMap<string, string>;
  readonly sequenceNumber: number;
  readonly provedAt: string;
}

/**
 * Proves the facts that follow the checkpoint, every payment that they changed, and every open payment. Undefined
 * without a checkpoint to begin at. Unless proved, the caller proves the whole journal.
 */
export function proveSince(on: SinceOn): Since | { readonly is: "damaged"; readonly damage: Error } | undefined {
  try {
    return sinceCheckpoint(on);
  } catch (cause) {
    const damage = refusalOfReading(on.file, cause);
    if (damage instanceof JournalRefused && isOfJournal(damage.problem)) return { is: "damaged", damage };
    throw cause;
  }
}

function sinceCheckpoint(on: SinceOn): Since | undefined {
  const { database, stamp, witnessed } = on;
  const checkpoint = readCheckpoint(database, stamp);
  if (checkpoint === undefined || witnessed.number < checkpoint.tip.number) return undefined;
  const begin = factAt(database, checkpoint.tip.number);
  if (begin?.hash !== checkpoint.tip.hash || archivedTo(database) >= checkpoint.tip.number) return undefined;
  const tail = proveTail(on, checkpoint.tip, begin.at);
  return {
    is: "proved",
    ...{ tip: tail.tip, at: tail.at, atWitness: tail.atWitness, open: provePayments(on, checkpoint, tail.lastOf) },
    sequenceNumber: Math.max(checkpoint.sequenceNumber, sequenceNumberAfter(database, checkpoint.tip.number)),
    provedAt: checkpoint.provedAt,
  };
}

function broken({ file }: SinceOn, flaw: string): JournalRefused {
  return new JournalRefused("chain-broken", `${file}: ${flaw}; ${RESTORE}`);
}

function viewDamaged({ file }: SinceOn, flaw: string): JournalRefused {
  return new JournalRefused("view-damaged", `${file}: ${flaw}; ${RESTORE}`);
}

function factAt(database: DatabaseSync, number: number): z.infer<typeof factSchema> | undefined {
  return factSchema.optional().parse(database.prepare("SELECT hash, at FROM facts WHERE number = ?").get(number));
}

function archivedTo(database: DatabaseSync): number {
  if (!hasArchive(database)) return 0;
  return numberSchema.parse(database.prepare("SELECT coalesce(max(last), 0) AS number FROM segments").get()).number;
}

function sequenceNumberAfter(database: DatabaseSync, number: number): number {
  const highest = database.prepare(
    "SELECT coalesce(max(json_extract(fact, '$.operation.sequenceNumber')), 0) AS number FROM facts WHERE number > ?",
  );
  return numberSchema.parse(highest.get(number)).number;
}

interface Tail {
  readonly tip: Tip;
  readonly at: string;
  readonly atWitness: string | undefined;
  /** Each payment's last fact in the tail. */
  readonly lastOf: ReadonlyMap<string, number>;
}

function proveTail(on: SinceOn, from: Tip, begun: string): Tail {
  const facts = on.database.prepare(
    "SELECT number, payment, at, fact, previous, hash FROM facts WHERE number > ? ORDER BY number",
  );
  const lastOf = new Map<string, number>();
  let tip = from;
  let at = begun;
  let atWitness = from.number === on.witnessed.number ? from.hash : undefined;
  for (const columns of facts.iterate(from.number)) {
    const link = readChained(columns);
    const flaw = flawOf(tip, link);
    if (flaw !== undefined) throw broken(on, flaw);
    tip = { number: link.number, hash: link.hash };
    at = link.at;
    if (tip.number === on.witnessed.number) atWitness = tip.hash;
    lastOf.set(link.payment, link.number);
  }
  return { tip, at, atWitness, lastOf };
}

/** Proves the payments that were open at the checkpoint or changed since, and returns those that are open now. */
function provePayments(
  on: SinceOn,
  checkpoint: Checkpoint,
  lastOf: ReadonlyMap<string, number>,
): ReadonlyMap<string, string> {
  const { database } = on;
  const proof = paymentProof(database);
  const indices = provenIndices(database);
  const open = new Map<string, string>();
  for (const payment of new Set([...checkpoint.open.keys(), ...lastOf.keys()])) {
    const sealed = proof.sealed(payment);
    const last = lastOf.get(payment);
    if (sealed === undefined) throw viewDamaged(on, `payment ${payment} has facts and no row`);
    const isAsWritten = last === undefined ? sealed.seal === checkpoint.open.get(payment) : sealed.last === last;
    if (!isAsWritten) throw viewDamaged(on, `the row of payment ${payment} was changed`);
    const unfound = indices.ofRow(sealed.row);
    if (unfound !== undefined) throw viewDamaged(on, unfound);
    if (!sealed.row.open) continue;
    requireFacts(on, proof, payment);
    open.set(payment, sealed.seal);
  }
  requireListed(on, open);
  return open;
}

/** Every fact of an open payment is there: recovery decides by them. */
function requireFacts({ database, store }: SinceOn, proof: PaymentProof, payment: string): void {
  const sealed = proof.sealed(payment);
  if (sealed === undefined) return;
  const here = proof.facts(sealed);
  const first = here[0]?.number ?? Number.POSITIVE_INFINITY;
  const before = archiveReader(database, store)
    .factsOf(payment)
    .filter(({ number }) => number < first);
  proof.requireAll(sealed, [...before, ...here]);
}

/** Recovery reads the open payments by their index. */
function requireListed(on: SinceOn, open: ReadonlyMap<string, string>): void {
  const listed = on.database
    .prepare("SELECT payment FROM payments INDEXED BY payments_open WHERE open = 1")
    .all()
    .map((columns) => paymentSchema.parse(columns).payment);
  const isSame = listed.length === open.size && listed.every((payment) => open.has(payment));
  if (!isSame) throw viewDamaged(on, "the index payments_open does not list the open payments");
}
