import {
  type Attempt,
  givenBackBy,
  isKeptPending,
  isKnown,
  isPart,
  isRefused,
  isSelfReversed,
  isTakenBackBy,
  isUnsure,
  mayHoldMoney,
} from "../attempt/attempt.ts";
import { isReversalShown, lookedAt } from "../attempt/observation.ts";
import { type Purpose, type Role, RULES } from "../attempt/retry-by-role.ts";
import type { NextRequest } from "../fact/operation.ts";
import { bookingOf, type Payment } from "../state/payment.ts";
import { type Action, actionFor } from "./decision-table.ts";
import { isShownSince, undoneOf } from "./evidence.ts";
import { isRepeatable } from "./query-result.ts";
import { type Need, reverseAgainAt } from "./schedule.ts";

export interface Unwanted {
  readonly id: string;
  readonly entityId: string;
  readonly purpose: Purpose;
  readonly takenBackBy: "RV" | "DR";
  readonly booked?: number | undefined;
  readonly refundCurrency?: string | undefined;
  readonly since: number;
  readonly lookedAt: number;
  readonly tries: readonly Attempt[];
}

function unwantedOf(payment: Payment): Unwanted | undefined {
  const booking = bookingOf(payment);
  const id = booking?.answer?.id;
  if (payment.ending === undefined || booking === undefined || id === undefined || !mayHoldMoney(booking))
    return undefined;
  // The operator knew of this booking when deciding: the bridge leaves it as it is (decision 17).
  if (payment.resolved !== undefined && booking.since <= payment.resolved.at) return undefined;
  const { takenBackBy, elseBy, purpose } = RULES[booking.role];
  if (takenBackBy === undefined) return undefined;
  const seen = { since: payment.ending.at, lookedAt: lookedAt(booking) ?? 0 };
  // After 900.100.301 queries may miss the gateway's reversal for a day: a refund besides would pay the customer twice
  // (decision 10).
  const refundCurrency = isSelfReversed(booking, id) ? undefined : elseBy && currencyBookedIn(payment, booking);
  return {
    id,
    entityId: booking.operation.entityId,
    purpose,
    takenBackBy,
    booked: bookedIn(payment),
    refundCurrency,
    ...seen,
    tries: takeBacks(payment),
  };
}

export function nextTakeBack(payment: Payment): NextRequest | undefined {
  const unwanted = unwantedOf(payment);
  return unwanted && nextTry(payment, unwanted);
}

function actionOn(
  { accepted }: Payment,
  { purpose, booked, refundCurrency, lookedAt: seenAt, tries }: Unwanted,
): Action {
  const { unknownWindowMs } = accepted.rules;
  const undone = undoneOf({
    tries,
    amountToReverse: booked,
    lookedAt: seenAt,
    unknownWindowMs,
    waitsForEarlierReversal: refundCurrency !== undefined && booked !== undefined,
  });
  return actionFor({ purpose, wanted: false, heard: "approved", booking: "booked", undone, age: "young" });
}

/** Only captured money whose RV is refused is refunded. A reservation took none: its RV is repeated (decision 10). */
export function nextTry(payment: Payment, unwanted: Unwanted): NextRequest | undefined {
  const { id, entityId, takenBackBy, booked, refundCurrency, since, tries } = unwanted;
  const last = tries.at(-1);
  const at = last === undefined ? since : reverseAgainAt(last, tries.length, payment.accepted.rules.unknownWindowMs);
  switch (actionOn(payment, unwanted)) {
    case "reverse":
    // A refused RV may succeed later: it is repeated ever more seldom, and an alarm counts the tries
    // (engine/shell/alarms.ts).
    case "operator": {
      if (last !== undefined && !isRepeatable(last)) return undefined;
      const whole = takenBackBy === "RV" && booked !== undefined ? { reverses: booked } : {};
      return { operation: { paymentType: takenBackBy, entityId, referencedId: id, ...whole }, at };
    }
    case "refund": {
      if (booked === undefined || refundCurrency === undefined || last === undefined) return undefined;
      // A refund given up as absent may show up later: while it is undecided, another one could pay the customer twice.
      if (tries.some((one) => one.role === "give-back" && one !== last && mayHaveGiven(one))) return undefined;
      if (!isRepeatable(last) && !isRefused(last) && !isPart(last)) return undefined;
      const amount = Math.max(0, booked - givenBackBy(tries));
      return { operation: { paymentType: "RF", entityId, referencedId: id, amount, currency: refundCurrency }, at };
    }
    case "wait":
    case "adopt":
    case "post-again":
    case "close":
      return undefined;
  }
}

function currencyBookedIn({ accepted }: Payment, { answer }: Attempt): string {
  return (answer?.is === "approved" ? answer.currency : undefined) ?? accepted.currency;
}

function mayHaveGiven(attempt: Attempt): boolean {
  return attempt.standing === "open" || attempt.standing === "intended" || isUnsure(attempt);
}

const REVERSING: readonly Role[] = ["reversal", "give-back", "deregistration"];

export function takeBacks(payment: Payment): readonly Attempt[] {
  const id = bookingOf(payment)?.answer?.id;
  return payment.attempts.filter(({ role, operation }) => REVERSING.includes(role) && operation.referencedId === id);
}

export function needsOperator(payment: Payment, { role }: Attempt): boolean {
  return RULES[role].takenBackBy === undefined || takeBacks(payment).some(isDenied);
}

export function isDenied(attempt: Attempt): boolean {
  return isRefused(attempt) || attempt.answer?.is === "already-reversed";
}

/** The refund in place of an RV ended with 000.400.030: it may have paid, so another one could pay twice. */
export function isGivenBackPerhaps(payment: Payment): boolean {
  return takeBacks(payment).some((one) => one.role === "give-back" && isUnsure(one)) && !isBookingClear(payment);
}

/** The RV is refused, and no refund replaces it: it could pay the customer twice (decision 10). An operator is told. */
export function isRefundWithheld(payment: Payment): boolean {
  const unwanted = unwantedOf(payment);
  return unwanted !== undefined && unwanted.refundCurrency === undefined && actionOn(payment, unwanted) === "refund";
}

export function isReversed(payment: Payment): boolean {
  return isTakenBackBy(takeBacks(payment), bookedIn(payment));
}

function bookedIn(payment: Payment): number | undefined {
  const booking = bookingOf(payment);
  return (booking?.answer?.is === "approved" ? booking.answer.amount : undefined) ?? booking?.operation.amount;
}

export function isBookingClear(payment: Payment): boolean {
  const booking = bookingOf(payment);
  return (
    booking === undefined ||
    isReversalShown(booking) ||
    isReversed(payment) ||
    (isKnown(booking) && !mayHoldMoney(booking))
  );
}

export function reversalNeed(payment: Payment): Need | undefined {
  const booking = bookingOf(payment);
  if (booking === undefined || payment.ending === undefined || isBookingClear(payment)) return undefined;
  const seen = lookedAt(booking);
  // An operator corrects a wrong RF or CD in the back office: only an hourly query notices it.
  if (mayHoldMoney(booking) && RULES[booking.role].takenBackBy === undefined)
    return { is: "hourly", since: seen ?? booking.since };
  return outcomeNeed(seen ?? 0, takeBacks(payment).at(-1));
}

export function outcomeNeed(seenAt: number, last: Attempt | undefined): Need | undefined {
  if (last === undefined || last.standing === "intended") return undefined;
  if (isShownSince(last, seenAt) && !isKeptPending(last)) return { is: "hourly", since: seenAt };
  return { is: "soon", since: last.since };
}
