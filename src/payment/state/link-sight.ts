import type { Attempt } from "../attempt/attempt.ts";
import type { LinkSight, SearchResult } from "../fact/answer.ts";
import type { Operation } from "../fact/operation.ts";
import { AS_SHOWN, isTakenBack } from "../recovery/evidence.ts";

/**
 * A link by which the customer may pay: since when it is there, and the last that the gateway told of it, with the
 * moment at which that changed. Epoch milliseconds.
 */
export interface Link {
  readonly id: string;
  readonly url: string;
  readonly at: number;
  readonly sight: LinkSight;
  readonly seenAt: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Longest validity that is said in hours. */
const HOURS_AT_MOST = 24;

/**
 * How long the gateway is to take payments by a link: in its own units, which are coarse, so that it is never shorter
 * than what the register wants.
 */
export function validityOf(forMs: number): NonNullable<Operation["link"]> {
  const hours = Math.max(1, Math.ceil(forMs / HOUR));
  return hours <= HOURS_AT_MOST ? { validFor: hours, unit: "HOUR" } : { validFor: Math.ceil(forMs / DAY), unit: "DAY" };
}

/** From when on the gateway takes no payment by it, by the payment's own time. */
export function closedAtGateway(link: Link, validity: NonNullable<Operation["link"]>): number {
  return link.sight.is === "expired" ? link.seenAt : link.at + msOf(validity);
}

function msOf({ validFor, unit }: NonNullable<Operation["link"]>): number {
  return validFor * (unit === "HOUR" ? HOUR : DAY);
}

/**
 * How far this machine's clock may be ahead of the gateway's, by what the gateway last told of the link. Whoever says
 * "open" will say "expired" too; what is told nothing of, or
 * called open for ever, has to come to an end all the same. One that was paid, or is over, waits for no clock.
 */
const CLOCKS_APART_MS: Readonly<Record<LinkSight["is"], number>> = {
  open: 30 * DAY,
  "no-answer": DAY,
  throttled: DAY,
  paid: 0,
  expired: 0,
};

/**
 * From when on the gateway takes no payment by it for certain. Between two processes the clock may have been set, so
 * that only the time of this one is known to have gone by:
 * after a restart the whole validity is counted anew, unless the gateway says that it is over.
 */
export function surelyClosedAt(link: Link, validity: NonNullable<Operation["link"]>, interruptedAt = 0): number {
  const closed = closedAtGateway(link, validity);
  return Math.max(closed, Math.min(interruptedAt + msOf(validity), closed + CLOCKS_APART_MS[link.sight.is]));
}

/** Whether what a query does not show at that moment may still come. */
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
 * What a query said, as it counts for a link of which nothing is known yet. What the gateway names as paid by it is
 * ours, and that it is not there is no answer then. A
 * booking that was taken back before it counted for anything is no end: the customer may pay once more. That the one is
 * gone by which the link is paid is the end; where the link
 * does not name it, that is believed once no other has shown up for the whole window since.
 */
export function ofLink(
  { sight, seenAt }: Link,
  { operation, standing }: Attempt,
  result: SearchResult,
  at: number,
  unknownWindowMs: number,
): SearchResult {
  if (standing === "settled") return result;
  if (result.is === "absent" && sight.is === "paid")
    return { is: "no-answer", description: "the link is paid, and the query knows nothing of it" };
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
