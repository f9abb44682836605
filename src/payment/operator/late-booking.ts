import { type Attempt, hasGoneThrough, mayHoldMoney } from "../attempt/attempt.ts";
import { isBooked } from "../attempt/heard.ts";
import { isReversalShown } from "../attempt/observation.ts";
import { RULES } from "../attempt/role.ts";
import { isBookingClear, isReversed } from "../recovery/reversal.ts";
import type { Need } from "../recovery/schedule.ts";
import { areSecondsGone, isSecondGone, isSecondHeld, queriedWith } from "../recovery/surplus-reversal.ts";
import type { Payment } from "../state/payment.ts";
import { isOrphanLeft, isOrphanLeftAfterWord, isStoredCardUnknown } from "../stored-card/registration.ts";

/** The longest that it is looked for after an operator's decision, or a void's refusal. */
const LOOKED_FOR_MS = 72 * 3_600_000;

/**
 * Booked after an operator's decision, or a void carried out after its refusal. What can be reversed is; the rest waits
 * for another decision.
 */
export function isBookedAfterClosing(payment: Payment): boolean {
  const closedAt = closedAtOf(payment);
  if (closedAt === undefined) return false;
  return payment.attempts.some((attempt) => {
    if (attempt.since <= closedAt || !isNews(payment, attempt)) return false;
    // A refund of such a booking by the bridge is no news; one that was on its way at the decision is.
    return attempt.role === "give-back"
      ? attempt.intendedAt <= closedAt
      : !(RULES[attempt.role].isBooking && isReversed(payment));
  });
}

/** The same although it was reversed since: what the register is told for good. */
export function wasBookedAfterEnd({ ending, concluded, attempts }: Payment): boolean {
  if (ending === undefined || concluded === undefined) return false;
  return attempts.some((attempt) => isMoney(attempt) && attempt.since > concluded.at && isBooked(attempt.answer));
}

/** Since when nothing more is expected of what is not decided. */
function closedAtOf({ accepted, resolved, ending, concluded }: Payment): number | undefined {
  return resolved?.at ?? (accepted.type === "VOID" && ending !== undefined ? concluded?.at : undefined);
}

/** An operator has closed it, and nothing that he cannot have known has shown up since. */
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

/** Reversals and deletions are what an operator's decision leaves no need of. */
function isMoney({ role }: Attempt): boolean {
  return RULES[role].isBooking || role === "own-capture" || role === "give-back" || role === "void";
}

/**
 * Why to query for what was not decided when the payment was closed. One query tells of all tries: it is asked for the
 * newest.
 */
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
  // Once one try has reversed a booking, the others have nothing left to reverse.
  const isDoneByOther = attempts.some(
    (one) => hasGoneThrough(one) && one.operation.referencedId === operation.referencedId,
  );
  return (
    isMoney(attempt) && !isReversalShown(attempt) && !isDoneByOther && (standing === "open" || standing === "absent")
  );
}

/**
 * Nothing of this payment is left at the gateway, as far as it can be known: no money, and no stored card. An
 * operator's decision ends all doubt.
 */
export function isClear(payment: Payment): boolean {
  return (
    isClosedByPerson(payment) ||
    (isBookingClear(payment) && areSecondsGone(payment) && !isOrphanLeft(payment) && !isStoredCardUnknown(payment))
  );
}
