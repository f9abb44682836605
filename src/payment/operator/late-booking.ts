import { type Attempt, isRefundOrVoidDone, mayHoldMoney } from "../attempt/attempt.ts";
import { isBooked } from "../attempt/definite-answer.ts";
import { isReversalShown } from "../attempt/observation.ts";
import { RULES } from "../attempt/retry-by-role.ts";
import { isBookingClear, isReversed } from "../recovery/reversal.ts";
import type { Need } from "../recovery/schedule.ts";
import { areSecondsGone, isSecondGone, isSecondHeld, queriedWith } from "../recovery/surplus-reversal.ts";
import type { Payment } from "../state/payment.ts";
import { isOrphanLeft, isOrphanLeftAfterDecision, isStoredCardUnknown } from "../stored-card/registration.ts";

/** How long queries go on after an operator decision or a refused void: a lost request may still be booked. */
const LOOKED_FOR_MS = 72 * 3_600_000;

/** After an operator decision, or a void's refusal, a request proved to be booked: an operator must decide again. */
export function isBookedAfterClosing(payment: Payment): boolean {
  const closedAt = closedAtOf(payment);
  if (closedAt === undefined) return false;
  return payment.attempts.some((attempt) => {
    if (attempt.since <= closedAt || !isNews(payment, attempt)) return false;
    // A refund that the bridge sent after the decision is expected; the outcome of one sent before was unknown to the
    // operator.
    return attempt.role === "give-back"
      ? attempt.intendedAt <= closedAt
      : !(RULES[attempt.role].isBooking && isReversed(payment));
  });
}

/** The register was told that nothing is booked: it reads `lateBooking` for ever, even after the reversal. */
export function wasBookedAfterEnd({ ending, concluded, attempts }: Payment): boolean {
  if (ending === undefined || concluded === undefined) return false;
  return attempts.some((attempt) => isMoney(attempt) && attempt.since > concluded.at && isBooked(attempt.answer));
}

function closedAtOf({ accepted, resolved, ending, concluded }: Payment): number | undefined {
  return resolved?.at ?? (accepted.type === "VOID" && ending !== undefined ? concluded?.at : undefined);
}

/**
 * An operator decision ends all work but late queries, unless a stored card must be deleted or a booking shows up that
 * the operator could not know of.
 */
export function isClosedByOperator(payment: Payment): boolean {
  const { resolved } = payment;
  return (
    resolved !== undefined &&
    !isBookedAfterClosing(payment) &&
    !isSecondHeld(payment) &&
    !isOrphanLeftAfterDecision(payment)
  );
}

function isNews({ resolved }: Payment, attempt: Attempt): boolean {
  const isNamed = resolved?.as === "approved" && attempt.answer?.id === resolved.gatewayId;
  return isMoney(attempt) && attempt.standing === "settled" && mayHoldMoney(attempt) && !isNamed;
}

/** The bridge's own RV and DR only undo a booking: their late success is no news. */
function isMoney({ role }: Attempt): boolean {
  return RULES[role].isBooking || role === "own-capture" || role === "give-back" || role === "void";
}

export function closedNeed(payment: Payment, attempt: Attempt): Need | undefined {
  const closedAt = closedAtOf(payment);
  if (closedAt === undefined || undecidedOf(payment) !== attempt) return undefined;
  return {
    is: "late",
    since: closedAt,
    after: payment.accepted.rules.unknownWindowMs,
    until: closedAt + LOOKED_FOR_MS,
  };
}

function undecidedOf(payment: Payment): Attempt | undefined {
  const second = payment.seconds.find((one) => one.isPending && !isSecondGone(payment, one));
  return (
    payment.attempts.findLast((one) => isUndecided(payment, one)) ?? (second && queriedWith(payment, second.request))
  );
}

function isUndecided({ attempts }: Payment, attempt: Attempt): boolean {
  const { standing, operation } = attempt;
  const isDoneByOther = attempts.some(
    (one) => isRefundOrVoidDone(one) && one.operation.referencedId === operation.referencedId,
  );
  return (
    isMoney(attempt) && !isReversalShown(attempt) && !isDoneByOther && (standing === "open" || standing === "absent")
  );
}

export function isClear(payment: Payment): boolean {
  return (
    isClosedByOperator(payment) ||
    (isBookingClear(payment) && areSecondsGone(payment) && !isOrphanLeft(payment) && !isStoredCardUnknown(payment))
  );
}
