import { type Attempt, mayHoldMoney } from "../attempt/attempt.ts";
import { isBooked } from "../attempt/definite-answer.ts";
import { askedAt, isReversalShown, lookedAt } from "../attempt/observation.ts";
import { isReversed } from "../recovery/reversal.ts";
import { type Need, queryAt } from "../recovery/schedule.ts";
import { closedAtGateway, surelyClosedAt } from "../state/link-sight.ts";
import { bookingOf, type Payment } from "../state/payment.ts";

/* A sale by a payment link. The rules of any payment hold (decision 19). */

function isOpen(payment: Payment): boolean {
  return payment.link !== undefined && bookingOf(payment)?.standing === "open";
}

export function isPaid({ link }: Payment): boolean {
  return link?.sight.is === "paid";
}

export function isUnpaid(payment: Payment): boolean {
  const booking = bookingOf(payment);
  return isOpen(payment) && !isPaid(payment) && booking !== undefined && !mayHoldMoney(booking);
}

/** The customer paid after the payment had ended. If the booking stayed undecided, its reversal is the proof. */
export function isPaidLate(payment: Payment): boolean {
  const booking = bookingOf(payment);
  const { ending } = payment;
  if (booking?.operation.link === undefined || ending === undefined) return false;
  if (booking.standing === "open") return isReversed(payment);
  return booking.since > ending.at && isBooked(booking.answer);
}

function closedByGateway(payment: Payment): number | undefined {
  const validity = bookingOf(payment)?.operation.link;
  return payment.link === undefined || validity === undefined ? undefined : closedAtGateway(payment.link, validity);
}

/** After this an operator may close a link whose expiry the gateway never reported. */
const OPERATOR_WAIT_MS = 86_400_000;

/**
 * Until then no operator may close it. A restart counts the validity anew (decision 3), here for at most a day more.
 */
export function leftAloneUntil(payment: Payment): number | undefined {
  const validity = bookingOf(payment)?.operation.link;
  if (payment.link === undefined || validity === undefined) return undefined;
  return Math.min(
    surelyClosedAt(payment.link, validity, payment.interruptedAt),
    closedAtGateway(payment.link, validity) + OPERATOR_WAIT_MS,
  );
}

function closedAt(payment: Payment): number | undefined {
  const gateway = closedByGateway(payment);
  const { link: wanted } = payment.accepted;
  return gateway === undefined || wanted === undefined ? undefined : Math.min(gateway, wanted.until);
}

/** Also if the payment has ended: no operator may close it yet. */
export function isPayable(payment: Payment, at: number): boolean {
  return isOpen(payment) && at < (leftAloneUntil(payment) ?? 0);
}

/** Only a query after the expiry proves that nothing was booked. */
export function isExpired(payment: Payment): boolean {
  const booking = bookingOf(payment);
  const closed = closedAt(payment);
  return closed !== undefined && isUnpaid(payment) && ((booking && lookedAt(booking)) ?? 0) >= closed;
}

/** From then its age counts for the overdue alarm: a link may wait for days to be paid. */
export function openFrom(payment: Payment): number {
  const { accepted, ending, link } = payment;
  const closed = ending === undefined ? closedAt(payment) : leftAloneUntil(payment);
  const booking = bookingOf(payment);
  if (closed === undefined || link === undefined || booking === undefined) return accepted.at;
  if (isPaid(payment)) return link.seenAt;
  if (!isUnpaid(payment)) return booking.since;
  return ending === undefined ? closed : closed + accepted.rules.unknownWindowMs;
}

/**
 * Pace of the link's polls. `eager`: the customer has its page open; `steady`: not yet; `patient`: the payment has
 * ended.
 */
export type Watching = "eager" | "steady" | "patient";

export function watchingOf(payment: Payment): Watching | undefined {
  // A payment that was reversed first can be final while its attempt is open.
  if (!isOpen(payment) || isPaid(payment) || payment.concluded !== undefined) return undefined;
  if (payment.ending !== undefined) return "patient";
  return payment.link?.sight.is === "open" && payment.link.sight.opened ? "eager" : "steady";
}

/** After this long without the link's state, queries look for its booking. */
const UNTOLD_MS = 60_000;
const UNTOLD_EVERY_MS = 300_000;

export function linkSearchAt(payment: Payment, attempt: Attempt): number | undefined {
  const { link, ending } = payment;
  const closed = ending === undefined ? closedAt(payment) : closedByGateway(payment);
  if (link === undefined || closed === undefined) return undefined;
  const asked = askedAt(attempt);
  const next = queryAt(attempt, { is: "soon", since: 0 }) ?? 0;
  const from = (start: number): number => (asked === undefined || asked < start ? start : next);
  if (!isUnpaid(payment)) return from(link.seenAt);
  const atEnd = from(closed);
  const untold = Math.max((asked ?? 0) + UNTOLD_EVERY_MS, ending === undefined ? 0 : next);
  return link.sight.is === "no-answer" ? Math.min(atEnd, Math.max(link.seenAt + UNTOLD_MS, untold)) : atEnd;
}

/** The customer may have paid in two browsers: query again after the unknown window. */
export function linkNeeds(payment: Payment, attempt: Attempt): readonly Need[] {
  if (!isPaidByLink(payment, attempt)) return [];
  return [{ is: "late", since: attempt.since, after: payment.accepted.rules.unknownWindowMs }];
}

export function mayBePaidTwice(payment: Payment): boolean {
  const booking = bookingOf(payment);
  if (booking === undefined || !isPaidByLink(payment, booking)) return false;
  return (lookedAt(booking) ?? 0) - booking.since < payment.accepted.rules.unknownWindowMs;
}

function isPaidByLink(payment: Payment, attempt: Attempt): boolean {
  const isOver = payment.ending !== undefined || payment.concluded !== undefined;
  const isKnown = attempt.standing === "settled" || isReversalShown(attempt) || isReversed(payment);
  return attempt.operation.link !== undefined && isOver && isKnown && isBooked(attempt.answer);
}
