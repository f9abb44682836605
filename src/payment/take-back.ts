import {
  type Attempt,
  givenBackBy,
  isKeptPending,
  isKnown,
  isPart,
  isRefused,
  isRepeatable,
  isTakenBackBy,
  isUnsure,
  lookDelayMs,
  mayHoldMoney,
} from "./attempt.ts";
import type { NextRequest } from "./operation.ts";
import { bookingOf, type Payment } from "./payment.ts";
import { isShownSince, mayGoThroughYet, reverseAgainAt } from "./refused-reversal.ts";
import { type Role, RULES } from "./role.ts";

/** A booking that must not stand, and what was done against it. */
export interface Unwanted {
  readonly id: string;
  readonly entityId: string;
  readonly takenBackBy: "RV" | "DR";
  /** What was booked, minor units, or was to be where the gateway did not say it. */
  readonly booked?: number | undefined;
  /** In which currency a refund gives it back where the gateway reverses it no more; absent where none may. */
  readonly elseIn?: string | undefined;
  /** Since when it is not wanted. */
  readonly since: number;
  /** When a query last showed that it stands. */
  readonly lookedAt: number;
  readonly tries: readonly Attempt[];
}

/** The next try, or undefined while nothing is to be taken back, or the last try has no answer yet that allows another. */
export function nextTakeBack(payment: Payment): NextRequest | undefined {
  const booking = bookingOf(payment);
  const id = booking?.answer?.id;
  if (payment.ending === undefined || booking === undefined || id === undefined || !mayHoldMoney(booking) || isReversed(payment)) return undefined;
  // What a person knew of is his.
  if (payment.resolved !== undefined && booking.since <= payment.resolved.at) return undefined;
  const { takenBackBy, elseBy } = RULES[booking.role];
  if (takenBackBy === undefined) return undefined;
  const { entityId } = booking.operation;
  const seen = { since: payment.ending.at, lookedAt: booking.lookedAt ?? 0 };
  const elseIn = elseBy && currencyBookedIn(payment, booking);
  return nextTry(payment, { id, entityId, takenBackBy, booked: bookedIn(payment), elseIn, ...seen, tries: takeBacks(payment) });
}

/** A reversal, and where the gateway reverses it no more, a refund of what was captured. */
export function nextTry({ accepted }: Payment, unwanted: Unwanted): NextRequest | undefined {
  const { id, entityId, takenBackBy, booked, elseIn, since, lookedAt, tries } = unwanted;
  const last = tries.at(-1);
  const reversal = { paymentType: takenBackBy, entityId, referencedId: id, ...(takenBackBy === "RV" && booked !== undefined && { reverses: booked }) };
  if (last === undefined) return { operation: reversal, at: since };
  const refund = elseIn !== undefined && booked !== undefined && tries.some(isReversedNoMore);
  // Money is given back a second way only where the first one came to nothing for certain.
  if (refund && mayGoThroughYet(tries, lookedAt, accepted.rules.unknownWindowMs)) return undefined;
  // One that was not found for so long and then shown after all may have given the money back.
  if (refund && tries.some((one) => one.role === "give-back" && one !== last && mayHaveGiven(one))) return undefined;
  // After a clear no the next try follows ever more seldom, and people are told.
  if (!isRepeatable(last) && !(refund && (isRefused(last) || isPart(last)))) return undefined;
  // Without what others gave back that were none of the whole: a refund never gives back more than is left.
  const rest = refund ? { amount: Math.max(0, booked - givenBackBy(tries)), currency: elseIn } : undefined;
  const operation = rest === undefined ? reversal : { paymentType: "RF" as const, entityId, referencedId: id, ...rest };
  return { operation, at: reverseAgainAt(last, tries.length, accepted.rules.unknownWindowMs) };
}

/** That in which it was booked, which need not be what was asked for. */
function currencyBookedIn({ accepted }: Payment, { answer }: Attempt): string {
  return (answer?.is === "approved" ? answer.currency : undefined) ?? accepted.currency;
}

/** The gateway or the acquirer will not reverse this booking. One that was refused as a request (a token that is not valid any more, say) tells nothing about the booking. */
function isReversedNoMore(attempt: Attempt): boolean {
  return attempt.role === "reversal" && isRefused(attempt) && attempt.answer?.is !== "not-booked";
}

function mayHaveGiven(attempt: Attempt): boolean {
  return attempt.standing === "open" || attempt.standing === "intended" || isUnsure(attempt);
}

const TAKING_BACK: readonly Role[] = ["reversal", "give-back", "deregistration"];

/** Reversals, refunds and deletions by which this payment takes the booking back that it stands or falls with, the oldest first. */
export function takeBacks(payment: Payment): readonly Attempt[] {
  const id = bookingOf(payment)?.answer?.id;
  return payment.attempts.filter(({ role, operation }) => TAKING_BACK.includes(role) && operation.referencedId === id);
}

/**
 * Nothing more will come of it by itself, or not for certain: the gateway has clearly refused to take the booking back, calls it taken back already and no query shows that, or
 * is unsure whether it gave the money back another way. People look, and what they find they say (resolution.ts).
 */
export function isLeftToPeople(payment: Payment): boolean {
  const booking = bookingOf(payment);
  if (payment.ending === undefined || booking === undefined || !mayHoldMoney(booking) || isBookingClear(payment)) return false;
  return RULES[booking.role].takenBackBy === undefined || takeBacks(payment).some((one) => isRefused(one) || one.answer?.is === "already-reversed");
}

/** The gateway itself is unsure whether it gave the money back (000.400.030): giving it once more could give it twice, so that nobody does. */
export function isGivenBackPerhaps(payment: Payment): boolean {
  return takeBacks(payment).some((one) => one.role === "give-back" && isUnsure(one)) && !isBookingClear(payment);
}

export function isReversed(payment: Payment): boolean {
  return isTakenBackBy(takeBacks(payment), bookedIn(payment));
}

/** What was booked, minor units, or was to be where the gateway did not say it. */
function bookedIn(payment: Payment): number | undefined {
  const booking = bookingOf(payment);
  return (booking?.answer?.is === "approved" ? booking.answer.amount : undefined) ?? booking?.operation.amount;
}

/** No money of this payment is left on the gateway's ledger, as far as it can be known. */
export function isBookingClear(payment: Payment): boolean {
  const booking = bookingOf(payment);
  return booking === undefined || booking.takenBack || isReversed(payment) || (isKnown(booking) && !mayHoldMoney(booking));
}

/** As long as a booking is not clear it is kept in sight, whatever else can or cannot be done. */
const KEEP_IN_SIGHT_MS = 3_600_000;

/**
 * What a try that was not plainly approved came to is believed by what a linked query of the original shows (gateway-facts 1.3), one answered query for each try.
 * Undefined where there is nothing to look for.
 */
export function originalSearchAt(payment: Payment): number | undefined {
  const booking = bookingOf(payment);
  const last = takeBacks(payment).at(-1);
  if (booking === undefined || payment.ending === undefined || isBookingClear(payment)) return undefined;
  // Money that was given back wrongly is for people to set right; what they do in the back office shows here.
  if (mayHoldMoney(booking) && RULES[booking.role].takenBackBy === undefined) return (booking.lookedAt ?? booking.since) + KEEP_IN_SIGHT_MS;
  return outcomeSearchAt(booking, booking.lookedAt ?? 0, last);
}

/** One answered query for each try, more of what the gateway has not decided yet, and then now and then; `lookedAt`: when a query last showed what was to be taken back. */
export function outcomeSearchAt(booking: Attempt, lookedAt: number, last: Attempt | undefined): number | undefined {
  if (last === undefined || last.standing === "intended") return undefined;
  if (isShownSince(last, lookedAt) && !isKeptPending(last)) return lookedAt + KEEP_IN_SIGHT_MS;
  return booking.searchedAt === undefined ? last.since : Math.max(last.since, booking.searchedAt + lookDelayMs(booking));
}
