export { cardWaitMs, isTooLateToAsk, isTooLateToSend } from "./admission/limits.ts";
export { type Attempt, isDone, mayHoldMoney } from "./attempt/attempt.ts";
export { isBooked } from "./attempt/definite-answer.ts";
export { askedAt, isLate, isReversalShown, lookedAt } from "./attempt/observation.ts";
export { type Role, RULES, roleOf } from "./attempt/retry-by-role.ts";
export { isFallback } from "./card/card-retry.ts";
export { captureFailed, isCaptured, isCapturedTwice } from "./follow-up/capture.ts";
export { givenBack, givesBack } from "./follow-up/given-back.ts";
export { standingOf } from "./follow-up/remaining.ts";
export { foreignStandingOf, idsIn } from "./follow-up/remaining-of-foreign.ts";
export {
  bookedAmount,
  capturedAmount,
  followUpOf,
  isApproved,
  isCapturedOtherwise,
  reservedAmount,
  takenBy,
  voidedBy,
  voidTargetsOf,
} from "./follow-up/totals.ts";
export { isRestRefused } from "./follow-up/void.ts";
export { leftAloneUntil, mayBePaidTwice, openFrom, type Watching } from "./link/link.ts";
export { isBookedAfterClosing, isClear } from "./operator/late-booking.ts";
export { AS_SHOWN, isTakenBack, isUndecidedForADay, SHOWN_AT_MOST } from "./recovery/evidence.ts";
export { isBookingClear, isGivenBackPerhaps, isRefundWithheld, takeBacks } from "./recovery/reversal.ts";
export { isGiven } from "./recovery/surplus.ts";
export { isSecondGone, isSecondHeld, secondStanding } from "./recovery/surplus-reversal.ts";
export { isCardPresent, NO_TERMINAL } from "./state/card-present.ts";
export { attemptsAs, bookingOf, hasToPost, type Payment, targetsOf } from "./state/payment.ts";
export { idByOperator } from "./state/resolved.ts";
export { isOrphanLeft, isStoredCardLost } from "./stored-card/registration.ts";
