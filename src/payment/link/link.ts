import { type Attempt, mayHoldMoney } from "../attempt/attempt.ts";
import { isBooked } from "../attempt/heard.ts";
import { askedAt, isReversalShown, lookedAt } from "../attempt/observation.ts";
import { isReversed } from "../recovery/reversal.ts";
import { type Need, queryAt } from "../recovery/schedule.ts";
import { closedAtGateway, surelyClosedAt } from "../state/link-sight.ts";
import { bookingOf, type Payment } from "../state/payment.ts";

/*
 * A sale by a link that the customer pays on his own phone (gateway-facts 5). It is a payment like a sale by a stored
 * card, and not a machine of its own beside it: what must
 * hold of its money is the same, and so are its reversal, its late looks and what may follow it. What is different is
 * what its answers mean:
 * - The request makes a link and moves no money. Only whoever has its address can pay it, so that one whose reply was
 * lost can be paid by nobody: it is not sent again, it
 *   ends at once, and it is looked for all the same as an absent booking is.
 * - The money comes later, or not at all. A declined card is no end, because the customer may take another; the end is
 * what a query shows as booked, or that time is over.
 * - The gateway has no call that takes a link back. One that is not wanted any more is decided at once and watched on,
 * until it cannot be paid any longer and the window in
 *   which the gateway may still be at work is over; what is paid by it after all is given back.
 * - A restart changes nothing: the customer's phone did not notice. This machine's clock may have been set meanwhile,
 * so that what ends by time ends later then, or at the
 *   gateway's word.
 */

/** The link can be there, and nothing is known for good of what was booked by it. */
function isOpen(payment: Payment): boolean {
  return payment.link !== undefined && bookingOf(payment)?.standing === "open";
}

/** The customer has paid, says the gateway: what was booked is still to be seen. */
export function isPaid({ link }: Payment): boolean {
  return link?.sight.is === "paid";
}

/** Nothing that anybody may have paid by it is known. */
export function isUnpaid(payment: Payment): boolean {
  const booking = bookingOf(payment);
  return isOpen(payment) && !isPaid(payment) && booking !== undefined && !mayHoldMoney(booking);
}

/**
 * Money came by it after it was decided that none is wanted any more. Of what the gateway was never sure of, that is
 * known once it has been given back.
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

/** A day after its end by this machine's clock people may have looked at the gateway themselves. */
const PEOPLE_WAIT_MS = 86_400_000;

/**
 * Until when people leave it to the bridge: as long as it can be paid for certain, whatever became of this machine's
 * clock between two processes, and not for ever.
 */
export function leftAloneUntil(payment: Payment): number | undefined {
  const validity = bookingOf(payment)?.operation.link;
  if (payment.link === undefined || validity === undefined) return undefined;
  return Math.min(
    surelyClosedAt(payment.link, validity, payment.interruptedAt),
    closedAtGateway(payment.link, validity) + PEOPLE_WAIT_MS,
  );
}

/**
 * When it is not wanted any more, or cannot be paid any more, whichever comes first; undefined where there is no link.
 */
function closedAt(payment: Payment): number | undefined {
  const gateway = closedByGateway(payment);
  const { link: wanted } = payment.accepted;
  return gateway === undefined || wanted === undefined ? undefined : Math.min(gateway, wanted.until);
}

/** Whether the customer may pay by it at that moment, wanted or not, so that no operator closes it. */
export function isPayable(payment: Payment, at: number): boolean {
  return isOpen(payment) && at < (leftAloneUntil(payment) ?? 0);
}

/** Time is over, and a query that was answered after that has shown nothing that was booked. */
export function isExpired(payment: Payment): boolean {
  const booking = bookingOf(payment);
  const closed = closedAt(payment);
  return closed !== undefined && isUnpaid(payment) && ((booking && lookedAt(booking)) ?? 0) >= closed;
}

/**
 * Until when nobody has to worry that a payment is open: a link is meant to be open for as long as it may be paid, and
 * no other payment is meant to be open at all.
 */
export function openUntil(payment: Payment): number {
  const { accepted, ending } = payment;
  const closed = ending === undefined ? closedAt(payment) : leftAloneUntil(payment);
  if (closed === undefined || !isUnpaid(payment)) return accepted.at;
  return ending === undefined ? closed : closed + accepted.rules.unknownWindowMs;
}

/**
 * How a link is watched: `eager`: somebody has it on his screen; `steady`: it waits for that; `patient`: nobody waits
 * for it any more.
 */
export type Watching = "eager" | "steady" | "patient";

/** How it is to be watched now; undefined where there is nothing to watch. */
export function watchingOf(payment: Payment): Watching | undefined {
  // Final and yet open is what was taken back before the gateway was sure of it.
  if (!isOpen(payment) || isPaid(payment) || payment.concluded !== undefined) return undefined;
  if (payment.ending !== undefined) return "patient";
  return payment.link?.sight.is === "open" && payment.link.sight.opened ? "eager" : "steady";
}

/** A link whose state the gateway has not told for so long is looked for by queries besides. */
const UNTOLD_MS = 60_000;
const UNTOLD_EVERY_MS = 300_000;

/**
 * When to ask by a query what was booked: as soon as it is paid, or something is; when time is over; and now and then
 * where the link itself says nothing, which grows ever more
 * seldom once nobody waits for it.
 */
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

/**
 * The customer may have begun to pay in another browser as well: looked for past the unknown window, and then with the
 * late looks.
 */
export function linkNeeds(payment: Payment, attempt: Attempt): readonly Need[] {
  if (!isPaidByLink(payment, attempt)) return [];
  return [{ is: "late", since: attempt.since, after: payment.accepted.rules.unknownWindowMs }];
}

/** Nobody has looked for that yet. */
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
