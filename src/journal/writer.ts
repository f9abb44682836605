import type { DatabaseSync } from "node:sqlite";
import { type PaymentRow, ReferenceTaken } from "../engine/ports.ts";
import { chain, sealOfRow, type Tip } from "./chain.ts";
import type { Append, Commit } from "./group-commit.ts";
import { reasonOf } from "./refusal.ts";
import { isConstraintViolation, isUniqueViolation } from "./sqlite-error.ts";
import { transactionsOf } from "./transaction.ts";

export interface JournalWriter {
  readonly commit: Commit;
  tip(): Tip;
  /**
   * Writes PROBE_BYTES durably to test whether the disk takes an append. Throws JournalUnwritable, or JournalBroken if
   * the written state is unknown.
   */
  probe(): void;
  /** Runs other writes in one transaction; throws as `probe` does. */
  write(run: () => void): void;
}

/**
 * More than a usual append writes, so an accepted probe means an accepted append. Random, because SQLite does not
 * rewrite equal data.
 */
const PROBE_BYTES = 49_152;

/** The row is written only if register, reference and creation time are unchanged: a payment keeps them. */
const UPSERT = `
  INSERT INTO payments (payment, register, reference, terminal, order_key, type, currency, amount, state, outcome, open, created_at, last, seal)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (payment) DO UPDATE SET terminal = excluded.terminal, order_key = excluded.order_key, type = excluded.type, currency = excluded.currency,
    amount = excluded.amount, state = excluded.state, outcome = excluded.outcome, open = excluded.open, last = excluded.last, seal = excluded.seal
  WHERE register = excluded.register AND reference = excluded.reference AND created_at = excluded.created_at`;

/**
 * One append inside the open transaction. The row is written first, so that a refused append writes nothing. Returns
 * the new tip.
 */
type WriteAppend = (append: Append, tip: Tip) => Tip;

function prepareAppend(database: DatabaseSync): WriteAppend {
  const upsert = database.prepare(UPSERT);
  const insert = database.prepare(
    "INSERT INTO facts (number, payment, at, fact, previous, hash) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const writeRow = (row: PaymentRow, tip: Tip): void => {
    const { payment, register, reference, terminal, order, type, currency, amount, state, outcome, open, createdAt } =
      row;
    const columns = [
      payment,
      register,
      reference,
      terminal,
      order,
      type,
      currency,
      amount,
      state,
      outcome,
      open ? 1 : 0,
      createdAt,
    ];
    try {
      const { changes } = upsert.run(...columns, tip.number, sealOfRow(row, tip));
      if (changes !== 1) throw new RangeError(`payment ${payment} cannot change its register, reference or createdAt`);
    } catch (cause) {
      if (isUniqueViolation(cause)) throw new ReferenceTaken(register, reference, { cause });
      if (isConstraintViolation(cause))
        throw new RangeError(`the row of payment ${payment} is refused: ${reasonOf(cause)}`, { cause });
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

/** Writes batches after `from`, one transaction each. A failure leaves database and tip unchanged. */
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
