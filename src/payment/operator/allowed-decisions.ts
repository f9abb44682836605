import { mayHoldMoney } from "../attempt/attempt.ts";
import { lookedAt } from "../attempt/observation.ts";
import { RULES } from "../attempt/retry-by-role.ts";
import { captureFailed, isCaptured, isCapturedTwice } from "../follow-up/capture.ts";
import { bookedAmount, capturedAmount, isCapturedOtherwise } from "../follow-up/totals.ts";
import { isBegun } from "../follow-up/void.ts";
import { isPayable } from "../link/link.ts";
import { isBookingClear, needsOperator, takeBacks } from "../recovery/reversal.ts";
import { isSecondHeld, secondNeedsOperator, secondStanding } from "../recovery/surplus-reversal.ts";
import { isCardPresent } from "../state/card-present.ts";
import { attemptsAs, bookingOf, type Payment } from "../state/payment.ts";
import { isOrphanLeftAfterDecision, isOrphanRefused } from "../stored-card/registration.ts";
import { isBookedAfterClosing } from "./late-booking.ts";

export type Resolution = "reversed" | "approved" | "declined";

export function isResolvable(payment: Payment, now: number, as: Resolution): boolean {
  return resolutionProblem(payment, now, as) === undefined;
}

export function resolutionProblem(payment: Payment, now: number, as: Resolution): string | undefined {
  const { concluded, resolved } = payment;
  if (isBookedAfterClosing(payment) || (resolved !== undefined && isSecondHeld(payment)))
    return secondDecisionProblem(payment, now, as);
  if (resolved !== undefined)
    return isOrphanLeftAfterDecision(payment) ? contradiction(payment, as) : "an operator has closed it already";
  return concluded === undefined ? openProblem(payment, now, as) : finalProblem(payment, concluded, now, as);
}

/** A register told "not approved" may have charged again: an operator cannot approve that payment. */
function contradiction({ ending }: Payment, as: Resolution): string | undefined {
  return as === "approved" && ending !== undefined ? NOT_APPROVED : undefined;
}

/**
 * A FINAL payment needs an operator only for what the bridge cannot settle: a late or surplus booking, a failed CP, a
 * stored card.
 */
function finalProblem(
  payment: Payment,
  { outcome }: NonNullable<Payment["concluded"]>,
  now: number,
  as: Resolution,
): string | undefined {
  const isApproval = as === "approved";
  if (isSecondHeld(payment) && !secondNeedsOperator(payment, now)) return secondProblem(payment);
  if (lateNeedsOperator(payment, now)) return contradiction(payment, as);
  if (payment.ending === undefined && isCaptureOpen(payment))
    return captureProblem(payment, now) ?? besideSecond(payment, as);
  if (isCapturedTwice(payment)) return isApproval ? ONE_BOOKING : undefined;
  if (isCapturedOtherwise(payment)) return isApproval ? (restProblem(payment) ?? besideSecond(payment, as)) : undefined;
  if (isSecondHeld(payment)) return isApproval ? ONE_BOOKING : undefined;
  if (isOrphanRefused(payment)) return isApproval ? CARD_LEFT : undefined;
  return `it is final (${outcome}), and what is left of it the bridge does by itself`;
}

/**
 * An operator waits while the payment can change: a card in the terminal, a payable link, an RV, a request within the
 * unknown window.
 */
function openProblem(payment: Payment, now: number, as: Resolution): string | undefined {
  const { accepted, ending, attempts, terminal } = payment;
  if (terminal.at !== "none" && terminal.at !== "queued" && terminal.at !== "over")
    return "its terminal is still at work on it";
  if (isPayable(payment, now))
    return `the customer may still pay by its link, which the bridge watches: ${ending === undefined ? "cancel it, and " : ""}wait until the link has expired`;
  if (accepted.type === "VOID" && as === "reversed")
    return "of a void say approved (it was carried out) or declined (it was not)";
  if (accepted.type === "VOID" && as === "declined" && isBegun(payment))
    return "a part of it is carried out: have the rest reversed there, then close it as approved";
  if (as !== "approved" && isBeingTakenBack(payment, now)) return BEING_TAKEN_BACK;
  if (isSecondHeld(payment) && !secondNeedsOperator(payment, now)) return secondProblem(payment);
  const since = bookingOf(payment)?.intendedAt ?? attempts[0]?.intendedAt;
  if (since === undefined) return "nothing of it was ever sent to the gateway: cancel it";
  return (
    tooSoon(payment, since, now) ??
    contradiction(payment, as) ??
    (as === "approved" ? approvalProblem(accepted) : undefined)
  );
}

function secondDecisionProblem(payment: Payment, now: number, as: Resolution): string | undefined {
  if (isBeingTakenBack(payment, now)) return BEING_TAKEN_BACK;
  if (isSecondHeld(payment) && !secondNeedsOperator(payment, now)) return secondProblem(payment);
  return contradiction(payment, as);
}

function secondProblem(payment: Payment): string {
  return secondStanding(payment) === "pending" ? SECOND_UNDECIDED : SECOND_BEING_TAKEN_BACK;
}

/**
 * Of open payments an operator approves only follow-ups, links and refunds. A card sale needs its TC or signature; the
 * booking of a stored card must show up in a query.
 */
function approvalProblem(accepted: Payment["accepted"]): string | undefined {
  if (accepted.of !== undefined || accepted.link !== undefined || accepted.type === "REFUND") return undefined;
  if (isCardPresent(accepted))
    return "only its card, and its signature where one is due, approve a payment at the terminal";
  return "the bridge approves it by what it sees at the gateway alone: reverse it in the gateway's back office, then close it as reversed";
}

/** One decision covers the missing CP and a surplus booking or stored card: it must be true of both (decision 17). */
function besideSecond(payment: Payment, as: Resolution): string | undefined {
  if (!isSecondHeld(payment) && !isOrphanRefused(payment)) return undefined;
  if (as !== "approved")
    return captureFailed(payment)
      ? undefined
      : "its capture is still being asked for: wait until that is through, or refused";
  // The surplus booking may be the only one: then the CP that the operator names belongs to it.
  if (secondStanding(payment) === "instead") return undefined;
  if (isSecondHeld(payment))
    return "the gateway holds a second booking of it: have that one given back in the gateway's back office first";
  return "the gateway holds a stored card of it: delete that one in the gateway's back office first";
}

const BEING_TAKEN_BACK = "the gateway shows it booked, and the bridge is taking that back";
const SECOND_BEING_TAKEN_BACK = "the gateway shows a second booking of it, and the bridge is taking that back";
const SECOND_UNDECIDED =
  "the gateway has not decided a second booking of it yet: wait for that, or until the unknown window has passed";
const ONE_BOOKING =
  "it is worth one booking: have the second one given back in the gateway's back office, then close it as reversed";
const CARD_LEFT =
  "what is left of it is a stored card: delete it in the gateway's back office, then close it as reversed";
const NOT_APPROVED = "its register was told that it is not approved: close it as reversed or declined";

function tooSoon({ accepted }: Payment, since: number, now: number): string | undefined {
  const left = since + accepted.rules.unknownWindowMs - now;
  if (left <= 0) return undefined;
  const minutes = Math.ceil(left / 60_000);
  const when = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return `the gateway may still be at work on it: try again in ${when}`;
}

function isCaptureOpen(payment: Payment): boolean {
  return (
    attemptsAs(payment, "own-capture").length > 0 && !isCaptured(payment) && payment.captureWithdrawnBy === undefined
  );
}

function captureProblem(payment: Payment, now: number): string | undefined {
  const [first, ...others] = attemptsAs(payment, "own-capture");
  const last = others.at(-1) ?? first;
  if (first === undefined || last === undefined || captureFailed(payment)) return undefined;
  if (last.standing === "intended") return "the gateway is being asked for its capture just now: try again in a minute";
  return tooSoon(payment, last.standing === "open" ? last.intendedAt : first.intendedAt, now);
}

function restProblem(payment: Payment): string | undefined {
  const isMore = (capturedAmount(payment) ?? 0) > (bookedAmount(payment) ?? 0);
  return isMore
    ? "more was captured than was approved: give the difference back in the gateway's back office, then close it as reversed"
    : undefined;
}

/**
 * The bridge cannot undo the late booking: it gave money to the customer, its RV failed, or it stayed undecided for the
 * unknown window.
 */
function lateNeedsOperator(payment: Payment, now: number): boolean {
  const booking = bookingOf(payment);
  if (payment.ending === undefined || booking === undefined || isBookingClear(payment)) return false;
  const isUndecided = booking.standing === "open" && now - booking.since >= payment.accepted.rules.unknownWindowMs;
  return (
    RULES[booking.role].takenBackBy === undefined ||
    isUndecided ||
    (mayHoldMoney(booking) && !isBeingTakenBack(payment, now))
  );
}

function isBeingTakenBack(payment: Payment, now: number): boolean {
  const { accepted, ending } = payment;
  const booking = bookingOf(payment);
  if (
    ending === undefined ||
    booking === undefined ||
    !mayHoldMoney(booking) ||
    isBookingClear(payment) ||
    needsOperator(payment, booking)
  )
    return false;
  const told = takeBacks(payment).flatMap(({ standing, since }) => (standing === "settled" ? [since] : []));
  return now - Math.max(ending.at, lookedAt(booking) ?? 0, ...told) < accepted.rules.unknownWindowMs;
}
