import type { Attempt } from "../attempt/attempt.ts";
import type { LinkSight, SearchResult } from "../fact/answer.ts";
import type { Operation } from "../fact/operation.ts";
import { AS_SHOWN, isTakenBack } from "../recovery/evidence.ts";

export interface Link {
  readonly id: string;
  readonly url: string;
  readonly at: number;
  readonly sight: LinkSight;
  readonly seenAt: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const HOURS_AT_MOST = 24;

/** Rounded up, or the link would expire before the register wants. */
export function validityOf(forMs: number): NonNullable<Operation["link"]> {
  const hours = Math.max(1, Math.ceil(forMs / HOUR));
  return hours <= HOURS_AT_MOST ? { validFor: hours, unit: "HOUR" } : { validFor: Math.ceil(forMs / DAY), unit: "DAY" };
}

export function closedAtGateway(link: Link, validity: NonNullable<Operation["link"]>): number {
  return link.sight.is === "expired" ? link.seenAt : link.at + msOf(validity);
}

function msOf({ validFor, unit }: NonNullable<Operation["link"]>): number {
  return validFor * (unit === "HOUR" ? HOUR : DAY);
}

/**
 * Limit of what restarts add to a link's validity: daily restarts would add to it for ever. Long while the gateway
 * calls it `open`, because it also reports the end; a day if it says nothing.
 */
const RESTARTS_ADD_AT_MOST_MS: Readonly<Record<LinkSight["is"], number>> = {
  open: 30 * DAY,
  "no-answer": DAY,
  throttled: DAY,
  paid: 0,
  expired: 0,
};

/**
 * A restart counts the validity anew, up to `RESTARTS_ADD_AT_MOST_MS`: the clock may be wrong, and a customer may
 * still pay (decision 3).
 */
export function surelyClosedAt(link: Link, validity: NonNullable<Operation["link"]>, interruptedAt = 0): number {
  const closed = closedAtGateway(link, validity);
  return Math.max(closed, Math.min(interruptedAt + msOf(validity), closed + RESTARTS_ADD_AT_MOST_MS[link.sight.is]));
}

export function mayBePaidYet(
  link: Link | undefined,
  { link: validity }: Operation,
  at: number,
  interruptedAt: number | undefined,
): boolean {
  if (link === undefined || validity === undefined) return false;
  return link.sight.is === "paid" || at < surelyClosedAt(link, validity, interruptedAt);
}

/**
 * Without reversed bookings, because a link can be paid again. If the paying one is reversed (its id unknown: after the
 * unknown window) and no other stands, all stay: the payment fails.
 */
export function ofLink(
  { sight, seenAt }: Link,
  { operation, standing }: Attempt,
  result: SearchResult,
  at: number,
  unknownWindowMs: number,
): SearchResult {
  if (standing === "settled") return result;
  if (result.is !== "found") return result;
  const { merchantTransactionId } = operation;
  const paidAs = sight.is === "paid" ? sight.transactionId : undefined;
  const bookings = result.bookings.map((one) =>
    one.id === paidAs && one.merchantTransactionId === undefined ? { ...one, merchantTransactionId } : one,
  );
  const gone = new Set(
    bookings.flatMap(({ id }) => (isTakenBack(bookings, { id, amount: operation.amount }, AS_SHOWN) ? [id] : [])),
  );
  const left = bookings.filter(({ id, referencedId = "" }) => !gone.has(id) && !gone.has(referencedId));
  const isPaidFor = left.some(
    (one) => one.merchantTransactionId === merchantTransactionId && one.paymentType === operation.paymentType,
  );
  const isPaymentGone =
    sight.is === "paid" && (paidAs === undefined ? at - seenAt >= unknownWindowMs : gone.has(paidAs));
  return { is: "found", bookings: isPaymentGone && !isPaidFor ? bookings : left };
}
