import type { Listed, Lister, Listing } from "../engine/ports.ts";
import type { Secret } from "../kit/secret.ts";
import { gatewayBase } from "./base-url.ts";
import { encodeForm } from "./form.ts";
import type { HttpExchange, HttpOutcome } from "./http-exchange.ts";
import { meaningOf } from "./meaning.ts";
import { descriptionOf, envelopeSchema, type ListedEntry, listedSchema, parseReply } from "./reply.ts";
import { answerOfReply } from "./verdict.ts";

interface ListerOn {
  readonly http: Pick<HttpExchange, "exchange">;
  readonly baseUrl: string;
  readonly accessToken: Secret<string>;
  readonly environment: "test" | "live";
}

/** Specification, "Query parameters": limit, 100 to 500. A gateway that ignores it shows 100. */
const LIMIT = 500;
const DEFAULT_LIMIT = 100;
const DEADLINE_MS = 60_000;

const QUERY_DONE = "000.000.100";
const NOTHING_FOUND = "700.400.580";

/**
 * Lists the bookings of a time frame (specification, "Query parameters": date.from and date.to). Moves no money. No
 * call rejects.
 */
export function createLister({ http, baseUrl, accessToken, environment }: ListerOn): Lister {
  const base = gatewayBase(baseUrl);
  return {
    list: async (entityId, from, to) => {
      const query = encodeForm([
        ["entityId", entityId],
        ["date.from", dateOf(from)],
        ["date.to", dateOf(to)],
        ["limit", String(LIMIT)],
      ]);
      const headers = { authorization: `Bearer ${accessToken.reveal()}`, accept: "application/json" };
      const request = {
        method: "GET",
        url: `${base.href}v1/query?${query}`,
        headers,
        deadlineMs: DEADLINE_MS,
      } as const;
      const outcome = await http
        .exchange(request)
        .catch((): HttpOutcome => ({ is: "broken", detail: "the exchange failed" }));
      return listingOf(outcome, environment);
    },
  };
}

/** yyyy-MM-dd HH:mm:ss. */
function dateOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 19).replace("T", " ");
}

/** One unreadable entry makes the whole reply unusable, because it may be the one that matters. */
export function listingOf(outcome: HttpOutcome, environment: "test" | "live"): Listing {
  if (outcome.is !== "answered") return { is: "no-answer", description: outcome.detail };
  const envelope = parseReply(outcome.body, envelopeSchema);
  if (!envelope.ok)
    return outcome.status === 429
      ? { is: "throttled" }
      : { is: "no-answer", description: `HTTP ${outcome.status}: ${envelope.problem}` };
  const { result, payments } = envelope.value;
  if (result.code === NOTHING_FOUND && (payments ?? []).length === 0)
    return { is: "listed", bookings: [], isFull: false };
  if (result.code !== QUERY_DONE || payments === undefined)
    return refusalOf(result.code, `${result.code} ${descriptionOf(envelope.value)}`.trim());
  const entries = payments.map((payment) => listedSchema.safeParse(payment));
  const bookings = entries.flatMap((entry) => (entry.success ? [bookingOf(entry.data, environment)] : []));
  const unread = entries.length - bookings.length;
  if (unread > 0)
    return { is: "refused", description: `${unread} of ${entries.length} payments in the list cannot be read` };
  return { is: "listed", bookings, isFull: entries.length === DEFAULT_LIMIT || entries.length >= LIMIT };
}

function refusalOf(code: string, description: string): Listing {
  const meaning = meaningOf(code, "");
  if (meaning === "throttled") return { is: "throttled" };
  return { is: meaning === "gateway-down" ? "no-answer" : "refused", description };
}

function bookingOf(entry: ListedEntry, environment: "test" | "live"): Listed {
  const { id, paymentType, amount, currency, merchantTransactionId, referencedId, result, timestamp } = entry;
  const at = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  const answer = answerOfReply(entry, { environment, paymentType });
  const isUndecided = answer.is !== "approved" && answer.is !== "declined" && answer.is !== "not-booked";
  return {
    ...{ id, paymentType, amount, currency, merchantTransactionId, referencedId, resultCode: result.code },
    is: answer.is === "approved" ? "booked" : isUndecided ? "undecided" : "refused",
    ...(!Number.isNaN(at) && { at }),
  };
}
