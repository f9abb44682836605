import { type Attempt, isRefused, lookDelayMs, lookOnceStood } from "./attempt.ts";
import { captureFailed } from "./capture.ts";
import { isBooked, isHeardNo } from "./last-word.ts";
import { bookingOf, type Payment, targetsOf } from "./payment.ts";
import { isCertainNo } from "./refused-reversal.ts";
import { LATEST_SIGHT_MS, LOOKED_FOR_MS } from "./searched.ts";
import { typesBeside } from "./second-booking.ts";
import { isReversed } from "./take-back.ts";

/* A request may have arrived twice, and the answer that was heard be that to the second one: what is looked at once more although it is decided, and when. */

/**
 * Whose query shows what goes by the name of that request. Tries of what refers to a booking are all shown together, and asked for with the newest; each card, and each PIN for
 * one, has a request that only its own name finds.
 */
export function lookedForWith(payment: Payment, request: string): Attempt | undefined {
  if (targetsOf(payment).length > 0) return bookingOf(payment) ?? payment.attempts.at(-1);
  return payment.attempts.find(({ operation }) => operation.merchantTransactionId === request);
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
  const isHeld = isBooked(answer);
  if (operation.link !== undefined) return isHeld;
  if (standing === "open" || searches > 0) return true;
  return isHeld ? !isCountedByChip(payment, attempt) : isHeardNo(answer);
}

/** A chip counts its cryptograms (9F36), so that an issuer who looks at that approves none twice. A refund's (AAC) is none that he looks at. */
function isCountedByChip({ card }: Payment, { role }: Attempt): boolean {
  return role !== "credit" && card?.chip.cryptogram !== undefined;
}
