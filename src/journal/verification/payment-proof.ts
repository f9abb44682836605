import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import type { PaymentRow } from "../../engine/ports.ts";
import { type ChainedFact, hashOfFact, sealOfRow } from "../chain.ts";
import { JournalRefused, RESTORE } from "../refusal.ts";
import { readChained, readSealedRow, type SealedRow } from "../rows.ts";
import { hasArchive } from "../segment-rows.ts";

const hashSchema = z.object({ hash: z.string() }).optional();

/** Proves rows and facts when they are read. Each function throws JournalRefused if they are not as they were written. */
export interface PaymentProof {
  /** A row of `payments` with all of its columns. */
  row(columns: unknown): PaymentRow;
  /** The row by its key; undefined if there is none. */
  sealed(payment: string): SealedRow | undefined;
  /** Facts in `facts` of this row, oldest first, without archived ones. */
  facts(sealed: SealedRow): readonly ChainedFact[];
  /** All facts, the archived ones first: none is missing between them. */
  requireAll(sealed: SealedRow, facts: readonly Pick<ChainedFact, "number">[]): void;
}

export function paymentProof(database: DatabaseSync): PaymentProof {
  const rowOf = database.prepare("SELECT * FROM payments WHERE payment = ?");
  const hashOf = database.prepare("SELECT hash FROM facts WHERE number = ? AND payment = ?");
  const factsTo = database.prepare(
    "SELECT number, payment, at, fact, previous, hash FROM facts WHERE payment = ? AND number <= ? ORDER BY number",
  );
  const archivedHash = archivedHashIn(database);
  const refused = (problem: "view-damaged" | "chain-broken", flaw: string): JournalRefused =>
    new JournalRefused(problem, `${database.location() ?? "the journal"}: ${flaw}; ${RESTORE}`);

  const proven = (columns: unknown): SealedRow => {
    const sealed = readSealedRow(columns);
    const { row, last, seal, facts } = sealed;
    const hash = hashSchema.parse(hashOf.get(last, row.payment))?.hash ?? archivedHash(row.payment, last);
    if (hash === undefined || sealOfRow(row, { number: last, hash }, facts) !== seal)
      throw refused("view-damaged", `the row of payment ${row.payment} was changed`);
    return sealed;
  };
  return {
    row: (columns) => proven(columns).row,
    sealed: (payment) => {
      const columns = rowOf.get(payment);
      return columns === undefined ? undefined : proven(columns);
    },
    facts: ({ row, last }) => {
      const facts = factsTo.all(row.payment, last).map(readChained);
      const changed = facts.find((fact) => fact.hash !== hashOfFact(fact));
      if (changed !== undefined) throw refused("chain-broken", `fact ${changed.number} was changed`);
      return facts;
    },
    requireAll: ({ row, last, facts: count }, facts) => {
      const isWhole = facts.at(-1)?.number === last && (count === null || facts.length === count);
      if (!isWhole) throw refused("chain-broken", `facts of payment ${row.payment} are missing`);
    },
  };
}

/** Asks for the tables again until they exist: a daemon may upgrade the journal while a command reads it. */
function archivedHashIn(database: DatabaseSync): (payment: string, last: number) => string | undefined {
  let statement: ReturnType<DatabaseSync["prepare"]> | undefined;
  return (payment, last) => {
    if (statement === undefined && hasArchive(database))
      statement = database.prepare("SELECT hash FROM archived_payments WHERE payment = ? AND last = ?");
    return hashSchema.parse(statement?.get(payment, last))?.hash;
  };
}
