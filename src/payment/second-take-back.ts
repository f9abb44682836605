import { earliest } from "../kit/earliest.ts";
import { type Attempt, isDone, isRefused, lookDelayMs, lookOnceStood } from "./attempt.ts";
import { captureFailed } from "./capture.ts";
import { isHeardNo } from "./last-word.ts";
import { type NextRequest, soonest } from "./operation.ts";
import { bookingOf, type Payment, targetsOf } from "./payment.ts";
import { isCertainNo } from "./refused-reversal.ts";
import { LATEST_SIGHT_MS, LOOKED_FOR_MS } from "./searched.ts";
import { isGiven, type SecondBooking, typesBeside } from "./second-booking.ts";
import { isReversed, nextTry, outcomeSearchAt } from "./take-back.ts";

/** What the gateway has not decided, or people are to settle, is looked at this often. */
const LEFT_ALONE_EVERY_MS = 3_600_000;

/** The next try to take a second booking back, however the payment itself stands; undefined while there is none, or its last try has no answer yet that allows another. */
export function nextSecondTakeBack(payment: Payment): NextRequest | undefined {
  // A request of its own that is on the wire may be answered with that very booking.
  if (payment.attempts.some(({ standing }) => standing === "intended")) return undefined;
  return soonest(payment.seconds.map((second) => nextOf(payment, second)));
}

function nextOf(payment: Payment, second: SecondBooking): NextRequest | undefined {
  const { id, paymentType, amount, currency, isPending, seenAt: since, shownAt: lookedAt } = second;
  const tries = triesOn(payment, second);
  const isKnown = payment.resolved !== undefined && since <= payment.resolved.at;
  if (isPending || isGiven(second) || isKnown || isSecondGone(payment, second) || isPerhapsOwn(payment, second)) return undefined;
  const isRefundable = (paymentType === "DB" || paymentType === "CP") && amount !== undefined && currency !== undefined;
  const by = {
    takenBackBy: paymentType === "RG" ? "DR" : "RV",
    elseBy: isRefundable ? "RF" : undefined,
    booked: amount ?? payment.accepted.amount,
    money: isRefundable ? { amount, currency } : {},
  } as const;
  return nextTry(payment, { id, entityId: payment.accepted.channel.entityId, ...by, since, lookedAt, tries });
}

/** Under what the payment was approved as no query shows anything, and this instead: people find out which of them stands before one is taken back. */
function isPerhapsOwn({ ending }: Payment, { isOnlyOne }: SecondBooking): boolean {
  return ending === undefined && isOnlyOne;
}

function triesOn({ attempts }: Payment, { id }: SecondBooking): readonly Attempt[] {
  return attempts.filter(({ operation }) => operation.referencedId === id);
}

/** No second booking of this payment is left at the gateway, as far as it is known. */
export function areSecondsGone(payment: Payment): boolean {
  return payment.seconds.every((second) => isSecondGone(payment, second));
}

export function isSecondGone(payment: Payment, second: SecondBooking): boolean {
  return second.isTakenBack || (!second.isPending && triesOn(payment, second).some(isDone));
}

/** The gateway holds a second booking, and no person has said since it was seen what became of it. */
export function isSecondHeld(payment: Payment): boolean {
  return secondStanding(payment) !== undefined;
}

/** How it stands with what is held so: `pending` where the gateway has decided none of it. */
export function secondStanding(payment: Payment): "booked" | "pending" | undefined {
  const { seconds, resolved } = payment;
  const held = seconds.filter((second) => !isSecondGone(payment, second) && (resolved === undefined || second.seenAt > resolved.at));
  if (held.length === 0) return undefined;
  return held.every(({ isPending }) => isPending) ? "pending" : "booked";
}

/** One of which nothing more will come by itself, or not for certain, as far as that can be told by now (isLeftToPeople in take-back.ts). */
export function isSecondLeftToPeople(payment: Payment, now: number): boolean {
  return payment.seconds.some((second) => {
    if (isSecondGone(payment, second)) return false;
    if ((isGiven(second) || isPerhapsOwn(payment, second)) && !second.isPending) return true;
    const tries = triesOn(payment, second);
    if (tries.some((one) => isRefused(one) || one.answer?.is === "already-reversed" || isPerhapsGiven(one))) return true;
    const told = second.isPending ? [second.seenAt] : [second.shownAt, ...tries.flatMap(({ standing, since }) => (standing === "settled" ? [since] : []))];
    return now - Math.max(...told) >= payment.accepted.rules.unknownWindowMs;
  });
}

function isPerhapsGiven({ role, standing, answer }: Attempt): boolean {
  return role === "give-back" && standing === "settled" && answer?.is === "half-reversed";
}

/**
 * When to look for one: of what a query has told, once more when the gateway shows whatever it booked, and of a link that was paid also what was begun in another browser
 * meanwhile; of what is not decided, now and then; of what is being taken back, as of any booking. Undefined where there is nothing to look for.
 */
export function secondSearchAt(payment: Payment, attempt: Attempt): number | undefined {
  const seconds = payment.seconds.filter(({ request }) => lookedForWith(payment, request) === attempt);
  return earliest([...seconds.map((second) => lookAt(payment, attempt, second)), twinSearchAt(payment, attempt)]);
}

/**
 * Whose query shows what goes by the name of that request. Tries of what refers to a booking are all shown together, and asked for with the newest; each card, and each PIN for
 * one, has a request that only its own name finds.
 */
export function lookedForWith(payment: Payment, request: string): Attempt | undefined {
  if (targetsOf(payment).length > 0) return bookingOf(payment) ?? payment.attempts.at(-1);
  return payment.attempts.find(({ operation }) => operation.merchantTransactionId === request);
}

function lookAt(payment: Payment, attempt: Attempt, second: SecondBooking): number | undefined {
  if (isSecondGone(payment, second)) return undefined;
  if (second.isPending || isGiven(second)) return (attempt.searchedAt ?? 0) + LEFT_ALONE_EVERY_MS;
  return outcomeSearchAt(attempt, second.shownAt, triesOn(payment, second).at(-1));
}

/** Where a bridge runs for a few hours a day, no day ever passes for certain (stoodFor): so many looks, one for each of its starts, will do. */
const LOOKS_AT_MOST = 12;

/**
 * Past the unknown window, and once more when whatever was booked has to show; whatever a person has said meanwhile. Not before the end: a card that is to be tried once more is
 * not kept from it by what the try before it may have come to.
 */
export function twinSearchAt(payment: Payment, attempt: Attempt): number | undefined {
  if (payment.ending === undefined && payment.concluded === undefined) return undefined;
  if (lookedForWith(payment, attempt.operation.merchantTransactionId) !== attempt) return undefined;
  const { searchedAt = 0, lookedAt = 0, lookedAfter, looks, stoodSince, leftUnlooked } = attempt;
  const { unknownWindowMs } = payment.accepted.rules;
  if (leftUnlooked || !mayHaveTwin(payment, attempt) || lookedAfter >= LATEST_SIGHT_MS || looks >= LOOKS_AT_MOST) return undefined;
  const due = lookedAfter < unknownWindowMs ? stoodSince + unknownWindowMs : lookOnceStood(attempt, LATEST_SIGHT_MS, lookedAt);
  return searchedAt < due ? due : searchedAt + lookDelayMs(attempt);
}

/**
 * Until when its turn is waited for, in running processes, where nobody waits for it: the gateway answers few queries, and what is never served must not pile up for years. What
 * was asked and not answered is asked again, however long that takes.
 */
export function turnWaitedForUntil({ stoodSince, searchedAt, lookedAt }: Attempt): number | undefined {
  return searchedAt === lookedAt ? stoodSince + LOOKED_FOR_MS : undefined;
}

/** The customer may have begun to pay in another browser as well, which nobody has looked for yet past the unknown window. */
export function mayBePaidTwice(payment: Payment): boolean {
  const booking = bookingOf(payment);
  if (payment.link === undefined || booking === undefined || !mayHaveTwin(payment, booking)) return false;
  return booking.lookedAfter < payment.accepted.rules.unknownWindowMs;
}

/**
 * What may have been booked twice, and was not shown to be. What a query told need not have been all of it yet. Of an answer that was heard nobody knows which of two arrivals it
 * was for: a decline may be the second one's, and beside an approval another one may stand; nothing else would tell.
 */
function mayHaveTwin(payment: Payment, attempt: Attempt): boolean {
  const { role, operation, standing, answer, searches, takenBack } = attempt;
  // A try of a void that is not decided is looked for after its end in any case (after-closing.ts).
  if (role === "void") return isRefused(attempt) && !isCertainNo(attempt) && payment.attempts.every((one) => one.standing === "settled");
  // As long as a capture is asked for again, a second try would be the one that counts.
  if (role === "own-capture") return standing === "settled" && isHeardNo(answer) && (captureFailed(payment) || payment.captureWithdrawnBy !== undefined);
  const isOver = standing === "settled" || takenBack || isReversed(payment);
  if (!isOver || typesBeside(role).length === 0) return false;
  const isHeld = answer?.is === "approved" || answer?.is === "half-reversed";
  if (operation.link !== undefined) return isHeld;
  if (standing === "open" || searches > 0) return true;
  return isHeld ? !isCountedByChip(payment, attempt) : isHeardNo(answer);
}

/** A chip counts its cryptograms (9F36), so that an issuer who looks at that approves none twice. A refund's (AAC) is none that he looks at. */
function isCountedByChip({ card }: Payment, { role }: Attempt): boolean {
  return role !== "credit" && card?.chip.cryptogram !== undefined;
}
