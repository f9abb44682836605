import { type Attempt, hasGoneThrough, mayHoldMoney } from "../attempt/attempt.ts";
import { isBooked } from "../attempt/heard.ts";
import { isReversalShown } from "../attempt/observation.ts";
import { RULES } from "../attempt/role.ts";
import { isBookingClear, isReversed } from "../recovery/reversal.ts";
import type { Need } from "../recovery/schedule.ts";
import { areSecondsGone, isSecondGone, isSecondHeld, queriedWith } from "../recovery/surplus-reversal.ts";
import type { Payment } from "../state/payment.ts";
import { isOrphanLeft, isOrphanLeftAfterWord, isStoredCardUnknown } from "../stored-card/registration.ts";

/** Limits the search after an operator's decision, or after a void's refusal. */
const LOOKED_FOR_MS = 72 * 3_600_000;

/**
 * Also a void carried out after its refusal. The bridge reverses the booking if it can; otherwise an operator decides
 * again.
 */
export function isBookedAfterClosing(payment: Payment): boolean {
  const closedAt = closedAtOf(payment);
  if (closedAt === undefined) return false;
  return payment.attempts.some((attempt) => {
    if (attempt.since <= closedAt || !isNews(payment, attempt)) return false;
    // The bridge's own refund of such a booking is expected; one already on its way at the decision is not.
    return attempt.role === "give-back"
      ? attempt.intendedAt <= closedAt
      : !(RULES[attempt.role].isBooking && isReversed(payment));
  });
}

/** The register is told so for good, even after a reversal. */
export function wasBookedAfterEnd({ ending, concluded, attempts }: Payment): boolean {
  if (ending === undefined || concluded === undefined) return false;
  return attempts.some((attempt) => isMoney(attempt) && attempt.since > concluded.at && isBooked(attempt.answer));
}

/** Nothing more is expected of an undecided payment from then on. */
function closedAtOf({ accepted, resolved, ending, concluded }: Payment): number | undefined {
  return resolved?.at ?? (accepted.type === "VOID" && ending !== undefined ? concluded?.at : undefined);
}

/** A booking that the operator could not know of reopens it. */
export function isClosedByPerson(payment: Payment): boolean {
  const { resolved } = payment;
  return (
    resolved !== undefined &&
    !isBookedAfterClosing(payment) &&
    !isSecondHeld(payment) &&
    !isOrphanLeftAfterWord(payment)
  );
}

function isNews({ resolved }: Payment, attempt: Attempt): boolean {
  const isNamed = resolved?.as === "approved" && attempt.answer?.id === resolved.gatewayId;
  return isMoney(attempt) && attempt.standing === "settled" && mayHoldMoney(attempt) && !isNamed;
}

/** An operator's decision makes reversals and deletions unnecessary. */
function isMoney({ role }: Attempt): boolean {
  return RULES[role].isBooking || role === "own-capture" || role === "give-back" || role === "void";
}

/** One query tells of all tries, so only the newest try needs it. */
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
  // One reversal is enough: the other tries have nothing left to reverse.
  const isDoneByOther = attempts.some(
    (one) => hasGoneThrough(one) && one.operation.referencedId === operation.referencedId,
  );
  return (
    isMoney(attempt) && !isReversalShown(attempt) && !isDoneByOther && (standing === "open" || standing === "absent")
  );
}

/** Neither money nor a stored card is known to be left. An operator's decision ends all doubt. */
export function isClear(payment: Payment): boolean {
  return (
    isClosedByPerson(payment) ||
    (isBookingClear(payment) && areSecondsGone(payment) && !isOrphanLeft(payment) && !isStoredCardUnknown(payment))
  );
}
