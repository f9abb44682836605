import type { Sent } from "../../gateway/parameters/chapter.ts";
import type { Context } from "../context.ts";
import { jsonReply, type Reply } from "../exchange.ts";
import type { Booking } from "../ledger/booking.ts";
import type { Prepared } from "../prepared.ts";
import { bareReply, closingFields, resultOf, type Stamp, stampOf, throttledReply } from "../replies.ts";
import { queryEntry, readingOf } from "./payment-bodies.ts";

const NOTHING_FOUND = "700.400.580";
const QUERY_DONE = "000.000.100";
/** Specification, "Query parameters". */
const DEFAULT_LIMIT = 100;

/** GET /v1/payments/{id} and GET /v1/query/{id}: the payment itself, or with its linked transactions the envelope of a query. */
export function prepareReading(context: Context, sent: Sent, id: string, throttleKey: string): Prepared {
  return {
    is: "prepared",
    outcome: {},
    run(bend) {
      const stamp = stampOf(context, sent);
      if (!context.throttle.admit(throttleKey, stamp.now)) return throttledReply(stamp);
      if (bend.result) return bareReply(context.rules.declineStatus, bend.result.code, stamp);
      const booking = context.store.byId(id);
      if (booking === undefined || !isVisible(booking, stamp)) return bareReply(404, NOTHING_FOUND, stamp);
      return sent.get("includeLinkedTransactions") === "true" ? listOf(linked(context, [booking]), sent, stamp) : readingOf(booking, stamp, context.rules);
    },
  };
}

/** GET /v1/query by merchantTransactionId or by a time frame. It sees its own entity only, and does not forget. */
export function prepareQuery(context: Context, sent: Sent): Prepared {
  return {
    is: "prepared",
    outcome: {},
    run(bend) {
      const stamp = stampOf(context, sent);
      if (!context.throttle.admit(`query:${stamp.entityId}`, stamp.now)) return throttledReply(stamp);
      if (bend.result) return bareReply(context.rules.declineStatus, bend.result.code, stamp);
      const merchantTransactionId = sent.get("merchantTransactionId");
      const found = merchantTransactionId === undefined ? inTimeFrame(context, sent) : context.store.byMerchantTransactionId(merchantTransactionId);
      const all = sent.get("includeLinkedTransactions") === "true" ? linked(context, found) : found;
      return listOf(all, sent, stamp);
    },
  };
}

/** Of the entity that asks, and not hidden. */
export function isVisible(booking: Booking, { entityId, now }: Pick<Stamp, "entityId" | "now">): boolean {
  return booking.entityId === entityId && (booking.hiddenUntil === undefined || now >= booking.hiddenUntil);
}

function listOf(bookings: readonly Booking[], sent: Sent, stamp: Stamp): Reply {
  const types = sent.get("paymentTypes")?.split(",");
  const cards = sent.get("paymentMethods")?.split(",").includes("CC") ?? true;
  // This gateway gives no short ids, so that none is found by one.
  const fits = (booking: Booking): boolean => cards && !sent.has("shortId") && (types?.includes(booking.paymentType) ?? true) && isVisible(booking, stamp);
  const found = bookings.filter(fits).slice(0, Number(sent.get("limit") ?? DEFAULT_LIMIT));
  if (found.length === 0) return bareReply(404, NOTHING_FOUND, stamp);
  const payments = found.map((booking) => queryEntry(booking, stamp));
  return jsonReply(200, { result: resultOf(QUERY_DONE), ...closingFields(stamp), payments });
}

/** Everything in the same trees: what these refer to, and what refers to them, stored cards included, oldest first. */
function linked({ store }: Context, found: readonly Booking[]): readonly Booking[] {
  const seen = new Map<string, Booking>();
  const visit = (booking: Booking): void => {
    if (seen.has(booking.id)) return;
    seen.set(booking.id, booking);
    const { referencedId, registrationId } = booking;
    const parent = referencedId === undefined ? undefined : (store.byId(referencedId) ?? store.byRegistration(referencedId));
    if (parent !== undefined) visit(parent);
    for (const child of store.referringTo(booking.id)) visit(child);
    for (const deletion of registrationId === undefined ? [] : store.referringTo(registrationId)) visit(deletion);
  };
  for (const booking of found) visit(booking);
  return [...seen.values()].toSorted((a, b) => a.receivedAt - b.receivedAt);
}

/** Specification, "Query parameters": yyyy-MM-dd HH:mm:ss, read as UTC, both ends included. */
function inTimeFrame({ store }: Context, sent: Sent): readonly Booking[] {
  const from = timeOf(sent.get("date.from"));
  const to = timeOf(sent.get("date.to")) + 999;
  return store.all().filter((booking) => booking.receivedAt >= from && booking.receivedAt <= to);
}

function timeOf(text = ""): number {
  return Date.parse(`${text.replace(" ", "T")}Z`);
}
