import {
  type Attempt,
  givenBackBy,
  isKeptPending,
  isKnown,
  isPart,
  isRefused,
  isTakenBackBy,
  isUnsure,
  mayHoldMoney,
} from "../attempt/attempt.ts";
import { isReversalShown, lookedAt } from "../attempt/observation.ts";
import { type Purpose, type Role, RULES } from "../attempt/role.ts";
import type { NextRequest } from "../fact/operation.ts";
import { bookingOf, type Payment } from "../state/payment.ts";
import { isShownSince, undoneOf } from "./evidence.ts";
import { isRepeatable } from "./recover.ts";
import { type Need, reverseAgainAt } from "./schedule.ts";
import { type Action, actionFor } from "./table.ts";

/** A booking that must not stand, and what was done against it. */
export interface Unwanted {
  readonly id: string;
  readonly entityId: string;
  readonly purpose: Purpose;
  readonly takenBackBy: "RV" | "DR";
  /** What was booked, minor units, or was to be where the gateway did not say it. */
  readonly booked?: number | undefined;
  /** The currency of a refund in place of a reversal; absent where there is none. */
  readonly elseIn?: string | undefined;
  /** Since when it is not wanted. */
  readonly since: number;
  /** When a query last showed that it stands. */
  readonly lookedAt: number;
  readonly tries: readonly Attempt[];
}

/** The payment's own booking where it must not stand; undefined where nothing is to be reversed. */
function unwantedOf(payment: Payment): Unwanted | undefined {
  const booking = bookingOf(payment);
  const id = booking?.answer?.id;
  if (payment.ending === undefined || booking === undefined || id === undefined || !mayHoldMoney(booking))
    return undefined;
  // What an operator knew of is his.
  if (payment.resolved !== undefined && booking.since <= payment.resolved.at) return undefined;
  const { takenBackBy, elseBy, purpose } = RULES[booking.role];
  if (takenBackBy === undefined) return undefined;
  const seen = { since: payment.ending.at, lookedAt: lookedAt(booking) ?? 0 };
  const elseIn = elseBy && currencyBookedIn(payment, booking);
  return {
    id,
    entityId: booking.operation.entityId,
    purpose,
    takenBackBy,
    booked: bookedIn(payment),
    elseIn,
    ...seen,
    tries: takeBacks(payment),
  };
}

/**
 * The next try, or undefined while nothing is to be reversed, or the last try has no answer yet that allows another.
 */
export function nextTakeBack(payment: Payment): NextRequest | undefined {
  const unwanted = unwantedOf(payment);
  return unwanted && nextTry(payment, unwanted);
}

/**
 * What the table says of a booking that must not stand. Nobody answers for one whose worth or currency is not known: it
 * is not refunded.
 */
function actionOn({ accepted }: Payment, { purpose, booked, elseIn, lookedAt: seenAt, tries }: Unwanted): Action {
  const { unknownWindowMs } = accepted.rules;
  const undone = undoneOf({
    tries,
    whole: booked,
    lookedAt: seenAt,
    unknownWindowMs,
    refund: elseIn !== undefined && booked !== undefined,
  });
  return actionFor({ purpose, wanted: false, heard: "approved", booking: "booked", undone, age: "young" });
}

/** A reversal, and where the gateway reverses it no more, a refund of what was captured. */
export function nextTry(payment: Payment, unwanted: Unwanted): NextRequest | undefined {
  const { id, entityId, takenBackBy, booked, elseIn, since, tries } = unwanted;
  const last = tries.at(-1);
  const at = last === undefined ? since : reverseAgainAt(last, tries.length, payment.accepted.rules.unknownWindowMs);
  switch (actionOn(payment, unwanted)) {
    case "reverse":
    // The gateway refuses, and an operator is told: the bridge goes on asking, ever more seldom.
    case "operator": {
      if (last !== undefined && !isRepeatable(last)) return undefined;
      const whole = takenBackBy === "RV" && booked !== undefined ? { reverses: booked } : {};
      return { operation: { paymentType: takenBackBy, entityId, referencedId: id, ...whole }, at };
    }
    case "refund": {
      if (booked === undefined || elseIn === undefined || last === undefined) return undefined;
      // One that was not found for so long and then shown after all may have given the money back.
      if (tries.some((one) => one.role === "give-back" && one !== last && mayHaveGiven(one))) return undefined;
      if (!isRepeatable(last) && !isRefused(last) && !isPart(last)) return undefined;
      const amount = Math.max(0, booked - givenBackBy(tries));
      return { operation: { paymentType: "RF", entityId, referencedId: id, amount, currency: elseIn }, at };
    }
    case "wait":
    case "adopt":
    case "post-again":
    case "close":
      return undefined;
  }
}

/** The currency in which it was booked, which need not be the one that was asked for. */
function currencyBookedIn({ accepted }: Payment, { answer }: Attempt): string {
  return (answer?.is === "approved" ? answer.currency : undefined) ?? accepted.currency;
}

function mayHaveGiven(attempt: Attempt): boolean {
  return attempt.standing === "open" || attempt.standing === "intended" || isUnsure(attempt);
}

const REVERSING: readonly Role[] = ["reversal", "give-back", "deregistration"];

/** Reversals, refunds and deletions of the payment's own booking, the oldest first. */
export function takeBacks(payment: Payment): readonly Attempt[] {
  const id = bookingOf(payment)?.answer?.id;
  return payment.attempts.filter(({ role, operation }) => REVERSING.includes(role) && operation.referencedId === id);
}

/** The gateway has refused a reversal, or money went to a customer: an operator may say what became of it. */
export function isLeftToPeople(payment: Payment): boolean {
  const booking = bookingOf(payment);
  if (payment.ending === undefined || booking === undefined || !mayHoldMoney(booking) || isBookingClear(payment))
    return false;
  return RULES[booking.role].takenBackBy === undefined || takeBacks(payment).some(isDenied);
}

export function isDenied(attempt: Attempt): boolean {
  return isRefused(attempt) || attempt.answer?.is === "already-reversed";
}

/** The gateway is unsure whether it refunded the money (000.400.030): the bridge does not refund it once more. */
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
  return (
    booking === undefined ||
    isReversalShown(booking) ||
    isReversed(payment) ||
    (isKnown(booking) && !mayHoldMoney(booking))
  );
}

/** Why to query for a booking that must not stand. */
export function reversalNeed(payment: Payment): Need | undefined {
  const booking = bookingOf(payment);
  if (booking === undefined || payment.ending === undefined || isBookingClear(payment)) return undefined;
  const seen = lookedAt(booking);
  // Money that was given back wrongly is for people to set right; what they do in the back office shows here.
  if (mayHoldMoney(booking) && RULES[booking.role].takenBackBy === undefined)
    return { is: "hourly", since: seen ?? booking.since };
  return outcomeNeed(seen ?? 0, takeBacks(payment).at(-1));
}

/**
 * One answered query for each try, more of what the gateway has not decided, and then hourly. `seenAt`: when a query
 * last showed the booking.
 */
export function outcomeNeed(seenAt: number, last: Attempt | undefined): Need | undefined {
  if (last === undefined || last.standing === "intended") return undefined;
  if (isShownSince(last, seenAt) && !isKeptPending(last)) return { is: "hourly", since: seenAt };
  return { is: "soon", since: last.since };
}
