import type { DatabaseSync } from "node:sqlite";
import { type PaymentRow, ReferenceTaken } from "../engine/ports.ts";
import { chain, sealOfRow, type Tip } from "./chain.ts";
import type { Append, Commit } from "./group-commit.ts";
import { reasonOf } from "./refusal.ts";
import { isConstraintViolation, isUniqueViolation } from "./sqlite-error.ts";
import { transactionsOf } from "./transaction.ts";

export interface JournalWriter {
  readonly commit: Commit;
  /** The last fact that was committed. */
  tip(): Tip;
  /** Writes PROBE_BYTES durably, to learn whether the disk takes an append; throws JournalUnwritable, and JournalBroken where nobody knows what was written. */
  probe(): void;
  /** Runs what writes beside the facts, all of it or nothing; throws as `probe` does. */
  write(run: () => void): void;
}

/**
 * More than an append usually writes (its pages and those of the indexes), so that a disk that takes this takes that. Random, because SQLite does not
 * rewrite what is the same.
 */
const PROBE_BYTES = 49_152;

/** A payment keeps its register, its reference and its time of birth, and only where they stay is the row written. */
const UPSERT = `
  INSERT INTO payments (payment, register, reference, terminal, order_key, type, currency, amount, state, outcome, open, created_at, last, seal)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (payment) DO UPDATE SET terminal = excluded.terminal, order_key = excluded.order_key, type = excluded.type, currency = excluded.currency,
    amount = excluded.amount, state = excluded.state, outcome = excluded.outcome, open = excluded.open, last = excluded.last, seal = excluded.seal
  WHERE register = excluded.register AND reference = excluded.reference AND created_at = excluded.created_at`;

/** One append inside the open transaction: the row first, so that a refused one has written nothing. Gives the new tip. */
type WriteAppend = (append: Append, tip: Tip) => Tip;

function prepareAppend(database: DatabaseSync): WriteAppend {
  const upsert = database.prepare(UPSERT);
  const insert = database.prepare("INSERT INTO facts (number, payment, at, fact, previous, hash) VALUES (?, ?, ?, ?, ?, ?)");
  const writeRow = (row: PaymentRow, tip: Tip): void => {
    const { payment, register, reference, terminal, order, type, currency, amount, state, outcome, open, createdAt } = row;
    const columns = [payment, register, reference, terminal, order, type, currency, amount, state, outcome, open ? 1 : 0, createdAt];
    try {
      const { changes } = upsert.run(...columns, tip.number, sealOfRow(row, tip));
      if (changes !== 1) throw new RangeError(`payment ${payment} cannot change its register, reference or createdAt`);
    } catch (cause) {
      if (isUniqueViolation(cause)) throw new ReferenceTaken(register, reference, { cause });
      if (isConstraintViolation(cause)) throw new RangeError(`the row of payment ${payment} is refused: ${reasonOf(cause)}`, { cause });
      throw cause;
    }
  };
  return ({ facts, at, row }, tip) => {
    const links = [];
    let end = tip;
    for (const fact of facts) {
      const link = chain(end, row.payment, at, fact);
      links.push(link);
      end = { number: link.number, hash: link.hash };
    }
    if (links.length === 0) throw new RangeError(`an append to payment ${row.payment} without a fact`);
    writeRow(row, end);
    for (const link of links) insert.run(link.number, link.payment, link.at, link.fact, link.previous, link.hash);
    return end;
  };
}

/** Writes batches after `from`, one transaction each. After a failure the database stands where it stood before, and so does the tip. */
export function journalWriter(database: DatabaseSync, from: Tip): JournalWriter {
  const write = prepareAppend(database);
  const touch = database.prepare(`UPDATE stamp SET probe = randomblob(${PROBE_BYTES})`);
  const transaction = transactionsOf(database);
  let tip = from;

  return {
    commit: (batch) => {
      let after = tip;
      let written: ReturnType<Commit> = [];
      transaction(() => {
        written = batch.map((append) => {
          try {
            after = write(append, after);
            return { last: after.number };
          } catch (thrown) {
            if (thrown instanceof ReferenceTaken || thrown instanceof RangeError) return { error: thrown };
            throw thrown;
          }
        });
      });
      tip = after;
      return written;
    },
    tip: () => tip,
    probe: () => transaction(() => touch.run()),
    write: transaction,
  };
}
