import { hash } from "node:crypto";
import type { PaymentRow } from "../engine/ports.ts";

/** Where a chain stands: the number of its last fact and that fact's hash. Number 0 carries the hash of the stamp. */
export interface Tip {
  readonly number: number;
  /** SHA-256, 64 lower-case hexadecimal digits. */
  readonly hash: string;
}

/** What a data folder is and stays: made once, together with the journal. */
export interface Stamp {
  readonly bridge: string;
  readonly environment: "test" | "live";
  readonly createdAt: string;
}

/** A fact as its table keeps it; `fact` is JSON text. */
export interface ChainedFact {
  readonly number: number;
  readonly payment: string;
  readonly at: string;
  readonly fact: string;
  readonly previous: string;
  readonly hash: string;
}

/** The hash of every text this journal chains. */
const sha256 = (text: string): string => hash("sha256", text, "hex");

/** The chain begins at the stamp, so that facts of one data folder never continue in another. */
export function tipOfStamp(stamp: Stamp): Tip {
  return { number: 0, hash: sha256(`posbridge journal 1\n${stamp.bridge}\n${stamp.environment}\n${stamp.createdAt}`) };
}

/** SHA-256 over number, payment, at, fact and previous hash, a line each: JSON text has no raw line break, and the table admits none in the other fields. */
export function hashOfFact(fact: Omit<ChainedFact, "hash">): string {
  return sha256(`${fact.number}\n${fact.payment}\n${fact.at}\n${fact.fact}\n${fact.previous}`);
}

/** The fact that follows `tip`. */
export function chain(tip: Tip, payment: string, at: string, fact: string): ChainedFact {
  const link = { number: tip.number + 1, payment, at, fact, previous: tip.hash };
  return { ...link, hash: hashOfFact(link) };
}

/** What breaks the chain between `tip` and the fact read after it, or undefined. */
export function flawOf(tip: Tip, next: ChainedFact): string | undefined {
  const wanted = tip.number + 1;
  if (next.number !== wanted) return wanted + 1 === next.number ? `fact ${wanted} is missing` : `facts ${wanted} to ${next.number - 1} are missing`;
  if (next.previous !== tip.hash) return `fact ${next.number} does not follow fact ${tip.number}`;
  return next.hash === hashOfFact(next) ? undefined : `fact ${next.number} was changed`;
}

/**
 * Binds a row of the list view to the last fact of its payment: a row that was changed, or that is older than the facts, no longer has this seal. Without it a
 * flipped bit in `open` would hide a payment from recovery and one in `reference` would let a sale be made twice.
 */
export function sealOfRow(row: PaymentRow, last: Tip): string {
  const { payment, register, reference, terminal, order, type, currency, amount, state, outcome, open, createdAt } = row;
  const columns = [payment, register, reference, terminal, order, type, currency, amount, state, outcome, open, createdAt];
  return sha256(`${JSON.stringify(columns)}\n${last.number}\n${last.hash}`);
}
