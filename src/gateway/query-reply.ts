import type { Found, SearchResult } from "../payment/exchange.ts";
import { SHOWN_AT_MOST } from "../payment/state.ts";
import type { HttpOutcome } from "./http-exchange.ts";
import { descriptionOf, type Entry, type Envelope, entrySchema, envelopeSchema, parseReply } from "./reply.ts";
import { answerOfReply } from "./verdict.ts";

/**
 * A query by merchantTransactionId (GET /v1/query), or by `id` for the whole tree of one payment (GET /v1/query/{id}).
 */
export interface Searched {
  readonly environment: "test" | "live";
  readonly id?: string;
  readonly merchantTransactionId?: string;
}

const QUERY_DONE = "000.000.100";
const NOTHING_FOUND = "700.400.580";
const THROTTLED = "800.120.100";

/**
 * The result of a query (gateway-facts 0 and 2.4). Its list must contain the payment that was queried; otherwise it
 * proves nothing. An unreadable entry makes the whole reply "no answer", because it may be the one that matters.
 */
export function searchResultOf(outcome: HttpOutcome, searched: Searched): SearchResult {
  if (outcome.is !== "answered") return { is: "no-answer", description: outcome.detail };
  const envelope = parseReply(outcome.body, envelopeSchema);
  if (!envelope.ok) {
    return outcome.status === 429
      ? { is: "throttled" }
      : { is: "no-answer", description: `HTTP ${outcome.status}: ${envelope.problem}` };
  }
  const { result, payments = [] } = envelope.value;
  if (result.code === THROTTLED) return { is: "throttled" };
  if (result.code === NOTHING_FOUND && payments.length === 0) return { is: "absent" };
  return result.code === QUERY_DONE && envelope.value.payments !== undefined
    ? listed(payments, searched)
    : noAnswer(envelope.value);
}

function listed(payments: readonly unknown[], searched: Searched): SearchResult {
  if (payments.length === 0) return { is: "absent" };
  const bookings = payments.map((payment) => {
    const parsed = entrySchema.safeParse(payment);
    return parsed.success ? bookingOf(parsed.data, searched) : undefined;
  });
  const readable = bookings.filter((booking) => booking !== undefined);
  if (readable.length !== bookings.length) {
    return {
      is: "no-answer",
      description: `${bookings.length - readable.length} of ${bookings.length} payments in the query's reply cannot be read`,
    };
  }
  if (!readable.some((booking) => isAskedFor(booking, searched))) {
    return { is: "no-answer", description: "the query's reply does not show the payment that was asked for" };
  }
  // A full list may have been cut off. Removing duplicates would make it look complete.
  return { is: "found", bookings: readable.length >= SHOWN_AT_MOST ? readable : once(readable) };
}

/** Removes repeated entries. Two copies of an entry would look like two bookings. */
function once(bookings: readonly Found[]): readonly Found[] {
  return [...new Map(bookings.map((booking) => [JSON.stringify(booking), booking])).values()];
}

/** An entry without a merchantTransactionId may be the one (payment/recovery/evidence.ts). */
function isAskedFor({ id, merchantTransactionId }: Found, searched: Searched): boolean {
  if (searched.id !== undefined) return id === searched.id;
  return (
    searched.merchantTransactionId === undefined ||
    merchantTransactionId === undefined ||
    merchantTransactionId === searched.merchantTransactionId
  );
}

/** The type and amount are the entry's own. The caller compares them with the request. */
function bookingOf(entry: Entry, { environment }: Searched): Found {
  const { id, paymentType, merchantTransactionId, referencedId } = entry;
  return {
    id,
    paymentType,
    ...(merchantTransactionId !== undefined && { merchantTransactionId }),
    ...(referencedId !== undefined && { referencedId }),
    answer: answerOfReply(entry, { environment, paymentType }),
  };
}

function noAnswer(envelope: Envelope): SearchResult {
  return { is: "no-answer", description: `${envelope.result.code} ${descriptionOf(envelope)}`.trim() };
}
