import { hash } from "node:crypto";
import type { PaymentRow } from "../engine/ports.ts";

/** End of a chain: number and hash of its last fact. Number 0 has the hash of the stamp. */
export interface Tip {
  readonly number: number;
  /** SHA-256, 64 lower-case hexadecimal digits. */
  readonly hash: string;
}

/** Identity of a data folder, made once together with the journal. */
export interface Stamp {
  readonly bridge: string;
  readonly environment: "test" | "live";
  readonly createdAt: string;
}

/** A row of the table `facts`; `fact` is JSON text. */
export interface ChainedFact {
  readonly number: number;
  readonly payment: string;
  readonly at: string;
  readonly fact: string;
  readonly previous: string;
  readonly hash: string;
}

const sha256 = (text: string): string => hash("sha256", text, "hex");

/** The chain starts at the stamp, so facts of one data folder cannot continue in another. */
export function tipOfStamp(stamp: Stamp): Tip {
  return { number: 0, hash: sha256(`posbridge journal 1\n${stamp.bridge}\n${stamp.environment}\n${stamp.createdAt}`) };
}

/**
 * SHA-256 over number, payment, at, fact and previous hash, one line each. No field contains a line break (JSON
 * escapes, table check).
 */
export function hashOfFact(fact: Omit<ChainedFact, "hash">): string {
  return sha256(`${fact.number}\n${fact.payment}\n${fact.at}\n${fact.fact}\n${fact.previous}`);
}

export function chain(tip: Tip, payment: string, at: string, fact: string): ChainedFact {
  const link = { number: tip.number + 1, payment, at, fact, previous: tip.hash };
  return { ...link, hash: hashOfFact(link) };
}

/** Describes the break between `tip` and the next fact; undefined if they connect. */
export function flawOf(tip: Tip, next: ChainedFact): string | undefined {
  const wanted = tip.number + 1;
  if (next.number !== wanted)
    return wanted + 1 === next.number
      ? `fact ${wanted} is missing`
      : `facts ${wanted} to ${next.number - 1} are missing`;
  if (next.previous !== tip.hash) return `fact ${next.number} does not follow fact ${tip.number}`;
  return next.hash === hashOfFact(next) ? undefined : `fact ${next.number} was changed`;
}

/**
 * Binds a list row to its payment's last fact and to the number of its facts (null: unknown). A flipped bit in `open`
 * would hide a payment from recovery; in `reference`, allow a second sale.
 */
export function sealOfRow(row: PaymentRow, last: Tip, facts: number | null): string {
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
    open,
    createdAt,
    ...(facts === null ? [] : [facts]),
  ];
  return sha256(`${JSON.stringify(columns)}\n${last.number}\n${last.hash}`);
}
