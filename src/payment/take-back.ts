import { type Attempt, isDone, isKnown, isRepeatable, lookDelayMs, mayHoldMoney, repeatAt } from "./attempt.ts";
import type { Operation } from "./operation.ts";
import { attemptsAs, bookingOf, type Payment } from "./payment.ts";
import { RULES } from "./role.ts";

/** What takes a booking back that must not stand, and when: a reversal, and where the gateway reverses it no more, a refund of what was captured. */
export interface TakeBack {
  readonly operation: Omit<Operation, "merchantTransactionId">;
  /** Earliest moment. */
  readonly at: number;
}

/** The next try, or undefined while nothing is to be taken back, or the last try has no answer yet that allows another. */
export function nextTakeBack(payment: Payment): TakeBack | undefined {
  const booking = bookingOf(payment);
  const id = booking?.answer?.id;
  if (payment.ending === undefined || booking === undefined || id === undefined || !mayHoldMoney(booking) || isReversed(payment)) return undefined;
  const { takenBackBy, elseBy } = RULES[booking.role];
  if (takenBackBy === undefined) return undefined;
  const { entityId } = booking.operation;
  const tries = takeBacks(payment);
  const last = tries.at(-1);
  if (last === undefined) return { operation: { paymentType: takenBackBy, entityId, referencedId: id }, at: payment.ending.at };
  const refund = elseBy !== undefined && tries.some(({ answer }) => answer?.is === "not-reversible");
  // A reversal without a clear answer may have gone through: money is given back a second way only when queries past the unknown window have shown that it did not.
  if (refund && tries.some(isUnclear) && !isLongShown(payment, booking, last)) return undefined;
  // One that was not found for so long and then shown after all may have given the money back.
  if (refund && tries.some((one) => one.role === "give-back" && one !== last && mayHaveGiven(one))) return undefined;
  if (!isRepeatable(last) && !(refund && isRefused(last))) return undefined;
  const operation = refund
    ? { paymentType: elseBy, entityId, referencedId: id, ...amountOf(payment, booking) }
    : { paymentType: takenBackBy, entityId, referencedId: id };
  return { operation, at: repeatAt(last, tries.length) };
}

function amountOf({ accepted }: Payment, { answer }: Attempt): Pick<Operation, "amount" | "currency"> {
  return { amount: answer?.is === "approved" ? (answer.amount ?? accepted.amount) : accepted.amount, currency: accepted.currency };
}

/** A clear no; the next try follows ever more seldom, and people are told. */
function isRefused({ standing, answer }: Attempt): boolean {
  return standing === "settled" && answer?.is !== "approved" && answer?.is !== "half-reversed";
}

/** A query that was answered has shown the booking since that try. */
function isLookedAt(booking: Attempt, last: Attempt): boolean {
  return (booking.lookedAt ?? 0) > last.since;
}

/** Nothing was heard of it, or the gateway itself is unsure (000.400.030). */
function isUnclear({ standing, answer }: Attempt): boolean {
  return standing === "open" || answer?.is === "half-reversed";
}

function mayHaveGiven({ standing, answer }: Attempt): boolean {
  return standing === "open" || standing === "intended" || (standing === "settled" && answer?.is === "half-reversed");
}

/** For the whole unknown window since that try queries have shown the booking, and never a reversal of it. */
function isLongShown({ accepted }: Payment, booking: Attempt, last: Attempt): boolean {
  return (booking.lookedAt ?? 0) - last.since >= accepted.rules.unknownWindowMs;
}

/** Reversals, refunds and deletions by which this payment takes its own booking back. */
export function takeBacks(payment: Payment): readonly Attempt[] {
  const roles = ["reversal", "give-back", "deregistration"] as const;
  return roles.flatMap((role) => attemptsAs(payment, role)).sort((a, b) => a.intendedAt - b.intendedAt);
}

export function isReversed(payment: Payment): boolean {
  return takeBacks(payment).some(isDone);
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
  if (last === undefined || last.standing === "intended") return undefined;
  if (isLookedAt(booking, last)) return (booking.lookedAt ?? 0) + KEEP_IN_SIGHT_MS;
  return booking.searchedAt === undefined ? last.since : Math.max(last.since, booking.searchedAt + lookDelayMs(booking));
}
