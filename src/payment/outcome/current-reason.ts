import { isBooked } from "../attempt/definite-answer.ts";
import { isLate, isReversalShown, queriesOf } from "../attempt/observation.ts";
import { RULES } from "../attempt/retry-by-role.ts";
import { isPaid, isPaidLate, isUnpaid } from "../link/link.ts";
import { isClear, wasBookedAfterEnd } from "../operator/late-booking.ts";
import { isGiven, type SecondBooking } from "../recovery/surplus.ts";
import { secondStanding } from "../recovery/surplus-reversal.ts";
import { isCardPresent } from "../state/card-present.ts";
import { bookingOf, type Payment } from "../state/payment.ts";
import type { Reason } from "../view-schema.ts";
import { advised } from "./advised.ts";
import { isReasonCode, reasonOf } from "./reason.ts";

/** While the gateway may hold money the advice is `wait`: a retry could charge the customer twice. */
export function reasonNow(payment: Payment): Reason | undefined {
  const { ending, concluded } = payment;
  if (ending === undefined) return concluded === undefined ? doubtOf(payment) : undefined;
  const plain = isReasonCode(ending.reason)
    ? reasonOf(ending.reason)
    : ({ code: ending.reason, message: ending.reason, advice: "call-support" } as const);
  const reason = presentedOtherwise(payment, advised(payment, plain));
  // If the customer still pays an unwanted link, the bridge reverses that: the register need not wait.
  if (concluded === undefined)
    return isClear(payment) || isUnpaid(payment) ? reason : { ...openReason(payment, reason), advice: "wait" };
  return finalReason(payment, reason.advice === "wait" ? { ...reason, advice: "retry" } : reason);
}

/** The usual `outcome-unknown` text promises a reversal, but a refund or credit is never reversed (decision 13). */
function openReason(payment: Payment, reason: Reason): Reason {
  const booking = bookingOf(payment);
  if (reason.code !== "outcome-unknown" || booking === undefined || RULES[booking.role].takenBackBy !== undefined)
    return reason;
  return {
    ...reason,
    message: "The gateway itself is not sure whether the money was given back; the shop's people look at it there.",
  };
}

/** The usual texts ask to insert the card: impossible with a stored card, a link, or a terminal without chip slot. */
function presentedOtherwise(payment: Payment, reason: Reason): Reason {
  if (reason.code === "soft-declined" && !(isOtherThanChip(payment) && mayInsert(payment))) {
    return {
      ...reason,
      message: "The card's bank wants the cardholder to identify, which this way of paying does not allow.",
      advice: "other-card",
    };
  }
  if (reason.code === "chip-required" && !mayInsert(payment)) {
    return {
      ...reason,
      message: "This card has to be inserted, and this terminal takes none that way.",
      advice: "other-card",
    };
  }
  return reason;
}

/** The usual texts advise to retry. A refund may be booked late: the customer would get it twice. */
function finalReason(payment: Payment, reason: Reason): Reason {
  const booking = bookingOf(payment);
  if (booking === undefined || RULES[booking.role].takenBackBy !== undefined) return reason;
  if (isBookedLate(payment)) {
    return {
      ...reason,
      message: "The money was given back after all: do not ask for it again, and settle it with the customer.",
      advice: "call-support",
    };
  }
  const isUnknown =
    secondStanding(payment) === "pending" ||
    booking.standing === "absent" ||
    (booking.standing === "open" && !isReversalShown(booking));
  if (!isUnknown) return reason;
  const message =
    "The gateway knows nothing of the refund, which may show up yet: look in its back office before it is asked for again.";
  return { ...reason, message, advice: "call-support" };
}

function isOtherThanChip({ card }: Payment): boolean {
  return card !== undefined && card.entryMode !== "ICC" && card.entryMode !== "MANUAL";
}

/** A chip that only the register's `entryModes` excluded counts too: its next payment can allow it. */
function mayInsert({ accepted: { interfaces, entryModes } }: Payment): boolean {
  return interfaces?.includes("chip") === true || entryModes?.includes("chip") === false;
}

/** The register reads `lateBooking`: money was booked after the payment was closed without it (decision 7). */
export function isBookedLate(payment: Payment): boolean {
  const booking = bookingOf(payment);
  const isShown = booking !== undefined && isLate(booking) && isBooked(booking.answer);
  return (
    payment.ending !== undefined &&
    (isShown || isPaidLate(payment) || isSecondLate(payment) || wasBookedAfterEnd(payment))
  );
}

/**
 * A surplus booking first seen after FINAL; a link's already after the ending, because the customer can still pay it.
 */
function isSecondLate(payment: Payment): boolean {
  const over = payment.link === undefined ? payment.concluded : payment.ending;
  if (over === undefined) return false;
  // A surplus booking that gateway or operator reversed does not count.
  const isMeant = (second: SecondBooking): boolean =>
    !second.isTakenBack || payment.attempts.some(({ operation }) => operation.referencedId === second.id);
  // A surplus refund or credit counts whenever it was seen: it is never reversed, so the shop must know.
  return payment.seconds.some(
    (second) => !second.isPending && (isGiven(second) || second.seenAt > over.at) && isMeant(second),
  );
}

/** An open payment has a reason only while it waits for the gateway alone: awaiting a card or customer is no fault. */
function doubtOf(payment: Payment): Reason | undefined {
  const { accepted, terminal, attempts } = payment;
  const isAlone = !isCardPresent(accepted) || (terminal.at === "over" && terminal.how.is === "read");
  const last = attempts.at(-1);
  if (
    !isAlone ||
    isUnpaid(payment) ||
    (isPaid(payment) && last !== undefined && queriesOf(last) === 0) ||
    last === undefined ||
    (last.standing === "intended" && attempts.length === 1)
  )
    return undefined;
  if (last.standing === "settled" && last.answer?.is === "not-booked") {
    return {
      code: "gateway-unreached",
      message: "The payment gateway could not be reached; it is asked again.",
      advice: "wait",
    };
  }
  return {
    code: "outcome-unknown",
    message: "The gateway has given no clear answer yet; the bridge goes on asking.",
    advice: "wait",
  };
}
