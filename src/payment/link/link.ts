import { type Attempt, mayHoldMoney } from "../attempt/attempt.ts";
import { isBooked } from "../attempt/definite-answer.ts";
import { askedAt, isReversalShown, lookedAt } from "../attempt/observation.ts";
import { isReversed } from "../recovery/reversal.ts";
import { type Need, queryAt } from "../recovery/schedule.ts";
import { closedAtGateway, surelyClosedAt } from "../state/link-sight.ts";
import { bookingOf, type Payment } from "../state/payment.ts";

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

/**
 * The customer paid after the payment had ended. While the link's DB is undecided, only a successful RV proves that.
 */
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

const OPERATOR_WAIT_MS = 86_400_000;

/**
 * Until then the customer may pay: no operator may close the payment. A restart counts the validity anew (decision 3),
 * at most a day longer.
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

export function isPayable(payment: Payment, at: number): boolean {
  return isOpen(payment) && at < (leftAloneUntil(payment) ?? 0);
}

/** The customer may pay at the last moment: only a query after the expiry proves that nothing was booked. */
export function isExpired(payment: Payment): boolean {
  const booking = bookingOf(payment);
  const closed = closedAt(payment);
  return closed !== undefined && isUnpaid(payment) && ((booking && lookedAt(booking)) ?? 0) >= closed;
}

/** The overdue alarm counts a link's age from here: a link may wait unpaid for days without a fault. */
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
 * How often the link's state is polled. `eager`: the customer opened its page; `steady`: not yet; `patient`: the
 * payment has ended, nobody waits.
 */
export type Watching = "eager" | "steady" | "patient";

export function watchingOf(payment: Payment): Watching | undefined {
  if (!isOpen(payment) || isPaid(payment) || payment.concluded !== undefined) return undefined;
  if (payment.ending !== undefined) return "patient";
  return payment.link?.sight.is === "open" && payment.link.sight.opened ? "eager" : "steady";
}

/** If the gateway tells no link state for this long, queries look for the booking: the customer may have paid. */
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

/** A customer may pay one link in two browsers: late queries find the second booking, which is reversed. */
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
