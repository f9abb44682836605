import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { type PaymentRow, ReferenceTaken } from "../engine/ports.ts";
import { chain, type Stamp, sealOfRow, type Tip, tipOfStamp } from "./chain.ts";
import type { Append, Commit } from "./group-commit.ts";
import { reasonOf } from "./refusal.ts";
import { isConstraintViolation, isUniqueViolation } from "./sqlite-error.ts";
import { transactionsOf } from "./transaction.ts";

/** What a writer knows of the journal, and a checkpoint keeps. */
export interface WriterState {
  readonly tip: Tip;
  /** Open payments, each with the seal of its row. */
  readonly open: ReadonlyMap<string, string>;
  /** The highest sequence number of a gateway request, or 0. */
  readonly sequenceNumber: number;
}

/** A journal without a fact. */
export function emptyJournal(stamp: Stamp): WriterState {
  return { tip: tipOfStamp(stamp), open: new Map(), sequenceNumber: 0 };
}

export interface JournalWriter {
  readonly commit: Commit;
  tip(): Tip;
  sequenceNumber(): number;
  /**
   * Writes PROBE_BYTES durably to test whether the disk takes an append. Throws JournalUnwritable, or JournalBroken if
   * the written state is unknown.
   */
  probe(): void;
  /** Runs other writes in one transaction; throws as `probe` does. */
  write(run: () => void): void;
  /** Keeps a checkpoint at the last fact; throws as `probe` does. */
  checkpoint(): void;
}

/**
 * More than a usual append writes, so an accepted probe means an accepted append. Random, because SQLite does not
 * rewrite equal data.
 */
const PROBE_BYTES = 49_152;
/** Facts between two checkpoints, some 180 sales: a start proves them within some 50 ms. */
const CHECKPOINT_FACTS = 2000;

const INSERT = `
  INSERT INTO payments (payment, register, reference, terminal, order_key, type, currency, amount, state, outcome, open, created_at, last, seal, facts)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
/** Register, reference and creation time stay: a payment keeps them. */
const UPDATE = `
  UPDATE payments SET terminal = ?, order_key = ?, type = ?, currency = ?, amount = ?, state = ?, outcome = ?, last = ?, seal = ?, facts = ?
  WHERE payment = ? AND register = ? AND reference = ? AND created_at = ?`;
/** Apart from the rest: it writes the index of open payments too. */
const OPEN_OR_CLOSE = "UPDATE payments SET open = ? WHERE payment = ?";

const knownSchema = z.object({ facts: z.int().nullable(), open: z.int() });
const countSchema = z.object({ count: z.int() });

/** The payment's row before an append. */
interface Known {
  /** The number of its facts; null if some are archived and an older version wrote the row. */
  readonly facts: number | null;
  readonly open: boolean;
}

/**
 * One append inside the open transaction. The row is written first, so that a refused append writes nothing. Returns
 * the new tip, and the row's seal.
 */
type WriteAppend = (append: Append, tip: Tip) => { readonly end: Tip; readonly seal: string };

function prepareAppend(database: DatabaseSync): WriteAppend {
  const known = knownIn(database);
  const writeRow = rowWriter(database);
  const insert = database.prepare(
    "INSERT INTO facts (number, payment, at, fact, previous, hash) VALUES (?, ?, ?, ?, ?, ?)",
  );
  return ({ facts, at, row }, tip) => {
    const links = [];
    let end = tip;
    for (const fact of facts) {
      const link = chain(end, row.payment, at, fact);
      links.push(link);
      end = { number: link.number, hash: link.hash };
    }
    if (links.length === 0) throw new RangeError(`an append to payment ${row.payment} without a fact`);
    const before = known(row.payment);
    const count = before === undefined ? links.length : before.facts === null ? null : before.facts + links.length;
    const seal = sealOfRow(row, end, count);
    writeRow(row, before, { last: end.number, seal, facts: count });
    for (const link of links) insert.run(link.number, link.payment, link.at, link.fact, link.previous, link.hash);
    return { end, seal };
  };
}

function knownIn(database: DatabaseSync): (payment: string) => Known | undefined {
  const find = database.prepare("SELECT facts, open FROM payments WHERE payment = ?");
  const count = database.prepare("SELECT count(*) AS count FROM facts WHERE payment = ?");
  const archived = database.prepare("SELECT 1 FROM archived_payments WHERE payment = ?");
  return (payment) => {
    const found = find.get(payment);
    if (found === undefined) return undefined;
    const { facts, open } = knownSchema.parse(found);
    const counted = facts ?? (archived.get(payment) === undefined ? countSchema.parse(count.get(payment)).count : null);
    return { facts: counted, open: open === 1 };
  };
}

interface Sealing {
  readonly last: number;
  readonly seal: string;
  readonly facts: number | null;
}

function rowWriter(database: DatabaseSync): (row: PaymentRow, before: Known | undefined, sealing: Sealing) => void {
  const insert = database.prepare(INSERT);
  const update = database.prepare(UPDATE);
  const openOrClose = database.prepare(OPEN_OR_CLOSE);
  const sameReference = database.prepare(
    "SELECT 1 FROM payments INDEXED BY payments_any_register WHERE reference = ? AND register = ?",
  );
  const add = (row: PaymentRow, { last, seal, facts }: Sealing): void => {
    const { payment, register, reference, terminal, order, type, currency, amount } = row;
    const { state, outcome, open, createdAt } = row;
    // The unique index does not find a reference where it is damaged; this one does.
    if (sameReference.get(reference, register) !== undefined) throw new ReferenceTaken(register, reference);
    const named = [payment, register, reference, terminal, order, type, currency, amount];
    insert.run(...named, state, outcome, open ? 1 : 0, createdAt, last, seal, facts);
  };
  const change = (row: PaymentRow, before: Known, { last, seal, facts }: Sealing): void => {
    const { payment, register, reference, terminal, order, type, currency, amount } = row;
    const { state, outcome, open, createdAt } = row;
    const values = [terminal, order, type, currency, amount, state, outcome, last, seal, facts];
    const { changes } = update.run(...values, payment, register, reference, createdAt);
    if (changes !== 1) throw new RangeError(`payment ${payment} cannot change its register, reference or createdAt`);
    if (open !== before.open) openOrClose.run(open ? 1 : 0, payment);
  };
  return (row, before, sealing) => {
    try {
      if (before === undefined) add(row, sealing);
      else change(row, before, sealing);
    } catch (cause) {
      if (isUniqueViolation(cause)) throw new ReferenceTaken(row.register, row.reference, { cause });
      if (isConstraintViolation(cause))
        throw new RangeError(`the row of payment ${row.payment} is refused: ${reasonOf(cause)}`, { cause });
      throw cause;
    }
  };
}

/**
 * Writes batches after `from`, one transaction each. A failure leaves database and tip unchanged. `keep` writes a
 * checkpoint, inside a transaction.
 */
export function journalWriter(
  database: DatabaseSync,
  from: WriterState,
  keep: (checkpoint: WriterState) => void = () => undefined,
): JournalWriter {
  const write = prepareAppend(database);
  const touch = database.prepare(`UPDATE stamp SET probe = randomblob(${PROBE_BYTES})`);
  const transaction = transactionsOf(database);
  const open = new Map(from.open);
  let { tip, sequenceNumber } = from;
  let checkpointAt = tip.number;
  const known = (): WriterState => ({ tip, open, sequenceNumber });

  return {
    commit: (batch) => {
      let after = tip;
      let written: ReturnType<Commit> = [];
      const changed: { readonly append: Append; readonly seal: string }[] = [];
      const isDue = tip.number - checkpointAt >= CHECKPOINT_FACTS;
      transaction(() => {
        // At the last fact that the witness has named: this batch is not acknowledged yet.
        if (isDue) keep(known());
        written = batch.map((append) => {
          try {
            const { end, seal } = write(append, after);
            changed.push({ append, seal });
            after = end;
            return { last: after.number };
          } catch (thrown) {
            if (thrown instanceof ReferenceTaken || thrown instanceof RangeError) return { error: thrown };
            throw thrown;
          }
        });
      });
      if (isDue) checkpointAt = tip.number;
      for (const { append, seal } of changed) {
        if (append.row.open) open.set(append.row.payment, seal);
        else open.delete(append.row.payment);
        sequenceNumber = Math.max(sequenceNumber, append.sequenceNumber);
      }
      tip = after;
      return written;
    },
    tip: () => tip,
    sequenceNumber: () => sequenceNumber,
    probe: () => transaction(() => touch.run()),
    write: transaction,
    checkpoint: () => {
      transaction(() => keep(known()));
      checkpointAt = tip.number;
    },
  };
}
