import type { DatabaseSync, StatementSync } from "node:sqlite";
import { z } from "zod";
import type { Journal, PaymentRow, StoredFact } from "../engine/ports.ts";
import { afterOthers } from "../kit/system-turn.ts";
import type { ArchiveReader } from "./archive.ts";
import { type Place, pageQueries, parsePlace, placeAfter, type Query } from "./page.ts";
import { paymentColumnNames, readFact, readRow } from "./rows.ts";

/** Maximum rows of a page, and of facts read by one call. */
export const MAX_ROWS = 1000;
/** Facts of one slice: some milliseconds. */
export const SLICE_FACTS = 2000;

const paymentSchema = z.object({ payment: z.string() });
const maybePaymentSchema = paymentSchema.optional();
const placeRow = z
  .object({ created_at: z.string(), payment: z.string() })
  .transform(({ created_at, payment }): Place => [created_at, payment])
  .optional();
const numberSchema = z.object({ number: z.int() });
const channelColumns = z.object({ gateway: z.string().nullable(), entityId: z.string() });

/** Worded like the index `facts_operation`; otherwise SQLite reads every fact. */
export const PAYMENT_OF_OPERATION =
  "SELECT payment FROM facts WHERE json_extract(fact, '$.operation.merchantTransactionId') = ? AND json_extract(fact, '$.operation.merchantTransactionId') IS NOT NULL";

const GATEWAY_ID =
  "coalesce(json_extract(fact, '$.answer.id'), json_extract(fact, '$.gatewayId'), json_extract(fact, '$.sight.transactionId'))";
/** Worded like the index `facts_gateway_id`. */
export const PAYMENTS_OF_GATEWAY_ID = `SELECT DISTINCT payment FROM facts WHERE ${GATEWAY_ID} = ? AND ${GATEWAY_ID} IS NOT NULL ORDER BY payment`;

/** Only facts of gateway requests, which the index `facts_operation` covers. */
const LAST_SEQUENCE_NUMBER = `SELECT coalesce(max(json_extract(fact, '$.operation.sequenceNumber')), 0) AS number FROM facts
  WHERE json_extract(fact, '$.operation.merchantTransactionId') IS NOT NULL`;

const CHANNELS = `SELECT DISTINCT json_extract(fact, '$.channel.gateway') AS gateway, json_extract(fact, '$.channel.entityId') AS entityId FROM facts
  WHERE json_extract(fact, '$.fact') = 'accepted' AND json_extract(fact, '$.channel.entityId') IS NOT NULL ORDER BY entityId, gateway`;

/** The journal's queries, for the engine's port and for commands that read while the daemon runs. */
export type JournalReader = Omit<Journal, "append" | "cursors">;

/**
 * Statements run synchronously, so each is short: an index finds its rows, or it reads one slice and others come first.
 */
export function journalReader(database: DatabaseSync, archive: ArchiveReader): JournalReader {
  const factsOf = database.prepare("SELECT number, payment, at, fact FROM facts WHERE payment = ? ORDER BY number");
  const factsAfter = database.prepare(
    "SELECT number, payment, at, fact FROM facts WHERE number > ? ORDER BY number LIMIT ?",
  );
  const open = database.prepare("SELECT payment FROM payments WHERE open = 1 ORDER BY created_at, payment");
  const reference = database.prepare("SELECT payment FROM payments WHERE register = ? AND reference = ?");
  const anyReference = database.prepare(
    `SELECT ${paymentColumnNames} FROM payments WHERE reference = ? ORDER BY register`,
  );
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

  const factsOfPayment = (payment: string): readonly StoredFact[] => {
    // Read the journal first: facts that a daemon archives meanwhile are then found twice, never missed.
    const here = factsOf.all(payment).map(readFact);
    const first = here[0]?.number ?? Number.POSITIVE_INFINITY;
    const before = archive.factsOf(payment).filter(({ number }) => number < first);
    return [...before.map(readFact), ...here];
  };

  return {
    facts: async (payment) => factsOfPayment(payment),
    openPayments: async () => open.all().map((columns) => paymentSchema.parse(columns).payment),
    byReference: async (register, wanted) => maybePaymentSchema.parse(reference.get(register, wanted))?.payment,
    byMerchantTransactionId: async (wanted) =>
      maybePaymentSchema.parse(operation.get(wanted))?.payment ?? archive.named("operation", wanted)[0],
    byGatewayId: async (wanted) => together(paymentsIn(gatewayId.all(wanted)), archive.named("gateway", wanted)),
    naming: async (text) => together(await paymentsNaming(text), await archive.naming(text)),
    byReferenceOfAny: async (wanted) => anyReference.all(wanted).map(readRow),
    list: pageReader(database),
    after: async (after, limit) => {
      requireLimit(limit);
      return factsAfter.all(after, limit).map(readFact);
    },
    lastNumber: async () => lastNumber(),
    channels: async () => distinctChannels([...channels.all(), ...archive.channels()]),
    lastSequenceNumber: async () =>
      Math.max(numberSchema.parse(lastSequenceNumber.get()).number, archive.lastSequenceNumber()),
    archivedTo: async () => archive.to(),
  };
}

function pageReader(database: DatabaseSync): Journal["list"] {
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
      found.push(...ask(queries.rows({ after, until }, wanted - found.length)).map(readRow));
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
