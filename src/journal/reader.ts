import type { DatabaseSync, StatementSync } from "node:sqlite";
import { z } from "zod";
import type { Journal, PaymentRow, StoredFact } from "../engine/ports.ts";
import { afterOthers } from "../kit/system-turn.ts";
import type { ArchiveReader } from "./archive.ts";
import { type ChainedFact, hashOfFact } from "./chain.ts";
import { gatewayIdIn, LAST_SEQUENCE_NUMBER, operationIn } from "./fact-columns.ts";
import { type Place, pageQueries, parsePlace, placeAfter, type Query } from "./page.ts";
import { JournalRefused, RESTORE } from "./refusal.ts";
import { readChained, readFact } from "./rows.ts";
import { type PaymentProof, paymentProof } from "./verification/payment-proof.ts";

/** Maximum rows of a page, and of facts read by one call. */
export const MAX_ROWS = 1000;
/** Facts of one slice: some milliseconds. */
export const SLICE_FACTS = 2000;

const paymentSchema = z.object({ payment: z.string() });
const maybePaymentSchema = paymentSchema.optional();
const bothSchema = z.object({ own: z.string().nullable(), any: z.string().nullable() });
const placeRow = z
  .object({ created_at: z.string(), payment: z.string() })
  .transform(({ created_at, payment }): Place => [created_at, payment])
  .optional();
const numberSchema = z.object({ number: z.int() });
const channelColumns = z.object({ gateway: z.string().nullable(), entityId: z.string() });

export const PAYMENT_OF_OPERATION = `SELECT payment FROM facts WHERE ${operationIn()} = ? AND ${operationIn()} IS NOT NULL`;

export const PAYMENTS_OF_GATEWAY_ID = `SELECT DISTINCT payment FROM facts WHERE ${gatewayIdIn()} = ? AND ${gatewayIdIn()} IS NOT NULL ORDER BY payment`;

const CHANNELS = `SELECT DISTINCT json_extract(fact, '$.channel.gateway') AS gateway, json_extract(fact, '$.channel.entityId') AS entityId FROM facts
  WHERE json_extract(fact, '$.fact') = 'accepted' AND json_extract(fact, '$.channel.entityId') IS NOT NULL ORDER BY entityId, gateway`;

/** The journal's queries, for the engine's port and for commands that read while the daemon runs. */
export type JournalReader = Omit<Journal, "append" | "cursors">;

/**
 * Statements are short: an index finds the rows, or one slice is read and others come first. A row is proved by its
 * seal, facts by their hashes and number. Throws JournalRefused.
 */
export function journalReader(database: DatabaseSync, archive: ArchiveReader): JournalReader {
  const proof = paymentProof(database);
  const factsAfter = database.prepare(
    "SELECT number, payment, at, fact, previous, hash FROM facts WHERE number > ? ORDER BY number LIMIT ?",
  );
  const open = database.prepare("SELECT payment FROM payments WHERE open = 1 ORDER BY created_at, payment");
  const byReference = referenceReader(database);
  const anyReference = database.prepare("SELECT * FROM payments WHERE reference = ? ORDER BY register");
  const operation = database.prepare(PAYMENT_OF_OPERATION);
  const gatewayId = database.prepare(PAYMENTS_OF_GATEWAY_ID);
  const naming = database.prepare(
    "SELECT DISTINCT payment FROM facts WHERE number >= ? AND number < ? AND instr(fact, ?) > 0",
  );
  const last = database.prepare("SELECT coalesce(max(number), 0) AS number FROM facts");
  const lastSequenceNumber = database.prepare(LAST_SEQUENCE_NUMBER);
  const channels = database.prepare(CHANNELS);
  const lastNumber = (): number => numberSchema.parse(last.get()).number;

  const paymentsNaming = async (text: string): Promise<readonly string[]> => {
    const found = new Set<string>();
    const end = lastNumber();
    for (let first = 1; first <= end; first += SLICE_FACTS) {
      if (first > 1) await afterOthers();
      for (const payment of paymentsIn(naming.all(first, first + SLICE_FACTS, text))) found.add(payment);
    }
    return [...found].toSorted();
  };

  const hasFacts = database.prepare("SELECT 1 FROM facts WHERE payment = ?");
  const factsOfPayment = (payment: string): readonly StoredFact[] => {
    // Read the row first, then the journal: facts that a daemon adds meanwhile follow the row's last one, and facts
    // that it archives meanwhile are found twice, never missed.
    const sealed = proof.sealed(payment);
    if (sealed === undefined) {
      if (hasFacts.get(payment) === undefined && archive.factsOf(payment).length === 0) return [];
      throw new JournalRefused(
        "view-damaged",
        `${nameOf(database)}: payment ${payment} has facts and no row; ${RESTORE}`,
      );
    }
    const here = proof.facts(sealed);
    const first = here[0]?.number ?? Number.POSITIVE_INFINITY;
    const before = archive.factsOf(payment).filter(({ number }) => number < first);
    const facts = [...before, ...here];
    proof.requireAll(sealed, facts);
    return facts.map(readFact);
  };

  return {
    facts: async (payment) => factsOfPayment(payment),
    openPayments: async () => open.all().map((columns) => paymentSchema.parse(columns).payment),
    byReference: async (register, wanted) => byReference(register, wanted),
    byMerchantTransactionId: async (wanted) =>
      maybePaymentSchema.parse(operation.get(wanted))?.payment ?? archive.named("operation", wanted)[0],
    byGatewayId: async (wanted) => together(paymentsIn(gatewayId.all(wanted)), archive.named("gateway", wanted)),
    naming: async (text) => together(await paymentsNaming(text), await archive.naming(text)),
    byReferenceOfAny: async (wanted) => anyReference.all(wanted).map(proof.row),
    list: pageReader(database, proof),
    after: async (after, limit) => {
      requireLimit(limit);
      return factsAfter.all(after, limit).map(readChained).map(unchanged(database)).map(readFact);
    },
    lastNumber: async () => lastNumber(),
    channels: async () => distinctChannels([...channels.all(), ...archive.channels()]),
    lastSequenceNumber: async () =>
      Math.max(numberSchema.parse(lastSequenceNumber.get()).number, archive.lastSequenceNumber()),
    archivedTo: async () => archive.to(),
  };
}

function unchanged(database: DatabaseSync): (fact: ChainedFact) => ChainedFact {
  return (fact) => {
    if (fact.hash === hashOfFact(fact)) return fact;
    throw new JournalRefused("chain-broken", `${nameOf(database)}: fact ${fact.number} was changed; ${RESTORE}`);
  };
}

const nameOf = (database: DatabaseSync): string => database.location() ?? "the journal";

/**
 * A reference that one index does not find would be sold a second time. So it is looked up in both indices that have
 * it, and damage to one of them is noticed.
 */
function referenceReader(database: DatabaseSync): (register: string, reference: string) => string | undefined {
  // One statement, so that a daemon beside a command writes nothing between the two.
  const both = database.prepare(`SELECT
    (SELECT payment FROM payments INDEXED BY payments_reference WHERE register = ?1 AND reference = ?2) AS own,
    (SELECT payment FROM payments INDEXED BY payments_any_register WHERE register = ?1 AND reference = ?2) AS any`);
  return (register, reference) => {
    const found = bothSchema.parse(both.get(register, reference));
    if (found.own === found.any) return found.own ?? undefined;
    const flaw = "the indices of references do not agree";
    throw new JournalRefused("view-damaged", `${nameOf(database)}: ${flaw}; ${RESTORE}`);
  };
}

function pageReader(database: DatabaseSync, proof: PaymentProof): Journal["list"] {
  const statements = new Map<string, StatementSync>();
  const ask = ({ sql, values }: Query): readonly unknown[] => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement.all(...values);
  };

  return async (filter) => {
    requireLimit(filter.limit);
    const queries = pageQueries(filter);
    // One more row tells whether another page follows.
    const wanted = filter.limit + 1;
    const found: PaymentRow[] = [];
    let after = filter.after === undefined ? undefined : parsePlace(filter.after);
    let until: Place | undefined;
    do {
      if (until !== undefined) await afterOthers();
      after = until ?? after;
      until = queries.isSparse ? placeRow.parse(ask(queries.sliceEnd(after))[0]) : undefined;
      found.push(...ask(queries.rows({ after, until }, wanted - found.length)).map(proof.row));
    } while (until !== undefined && found.length < wanted);
    const rows = found.slice(0, filter.limit);
    const end = rows.at(-1);
    return found.length > rows.length && end !== undefined ? { rows, next: placeAfter(end) } : { rows };
  };
}

function distinctChannels(found: readonly unknown[]): Awaited<ReturnType<Journal["channels"]>> {
  const known = new Map(
    found
      .map((columns) => channelColumns.parse(columns))
      .map((one) => [JSON.stringify([one.entityId, one.gateway ?? ""]), one]),
  );
  const sorted = [...known].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([, { gateway, entityId }]) => ({ entityId, ...(gateway !== null && { gateway }) }));
}

function paymentsIn(found: readonly unknown[]): readonly string[] {
  return found.map((columns) => paymentSchema.parse(columns).payment);
}

function together(here: readonly string[], archived: readonly string[]): readonly string[] {
  return archived.length === 0 ? here : [...new Set([...here, ...archived])].toSorted();
}

function requireLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_ROWS)
    throw new RangeError(`limit ${limit} is not from 1 to ${MAX_ROWS}`);
}
