import { mayHoldMoney } from "./attempt.ts";
import { captureFailed } from "./capture.ts";
import { isCardPresent } from "./card-present.ts";
import { isPayable } from "./link.ts";
import { bookingOf, type Payment } from "./payment.ts";
import { RULES } from "./role.ts";
import { isBookingClear, takeBacks } from "./take-back.ts";

/** As what an operator closes a payment that the gateway could not tell anything about (contract, section 1, `resolve`). */
export type Resolution = "reversed" | "approved" | "declined";

/** Only what is still open, and only past the unknown window; what a register was told is never contradicted. */
export function isResolvable(payment: Payment, now: number, as: Resolution): boolean {
  return resolutionProblem(payment, now, as) === undefined;
}

/** Why it may not be closed so, in words for the operator; undefined where it may. */
export function resolutionProblem(payment: Payment, now: number, as: Resolution): string | undefined {
  const { accepted, concluded, ending, resolved, attempts, terminal } = payment;
  if (resolved !== undefined) return "an operator has closed it already";
  if (concluded !== undefined && isLateForPeople(payment)) {
    return as === "approved" ? "its register was told that it is not approved: close it as reversed or declined" : undefined;
  }
  if (concluded !== undefined) {
    return captureFailed(payment) ? undefined : `it is final (${concluded.outcome}), and what is left of it the bridge does by itself`;
  }
  if (terminal.at !== "none" && terminal.at !== "over") return "its terminal is still at work on it";
  if (isPayable(payment, now)) return "the customer may still pay by its link, which the bridge watches: cancel it, and wait until the link has expired";
  if (accepted.type === "VOID" && as === "reversed") return "of a void say approved (it was carried out) or declined (it was not)";
  if (as !== "approved" && isBeingTakenBack(payment)) return "the gateway shows it booked, and the bridge is taking that back";
  const since = bookingOf(payment)?.intendedAt ?? attempts[0]?.intendedAt;
  if (since === undefined) return "nothing of it was ever sent to the gateway: cancel it";
  const left = since + accepted.rules.unknownWindowMs - now;
  if (left > 0) return `the gateway may still be at work on it: try again in ${Math.ceil(left / 60_000)} minutes`;
  if (as === "approved" && ending !== undefined) return "its register was told that it is not approved: close it as reversed or declined";
  return as === "approved" ? approvalProblem(accepted) : undefined;
}

/** A sale is more than one booking: its card has to agree, or its capture follows, which the bridge makes of what it sees at the gateway and of nothing else. */
function approvalProblem(accepted: Payment["accepted"]): string | undefined {
  if (accepted.of !== undefined || accepted.link !== undefined || accepted.type === "REFUND") return undefined;
  if (isCardPresent(accepted)) return "its card has not agreed: a sale is approved by its card too";
  return "the bridge approves it by what it sees at the gateway alone: reverse it in the gateway's back office, then close it as reversed";
}

/** Money given to a customer that showed up after the end: nothing takes it back but people. */
function isLateForPeople(payment: Payment): boolean {
  return payment.ending !== undefined && !isBookingClear(payment) && takenBackBy(payment) === undefined;
}

/** The gateway tells plainly that it holds money, and has not refused to give it back. */
function isBeingTakenBack(payment: Payment): boolean {
  const booking = bookingOf(payment);
  if (payment.ending === undefined || booking === undefined || !mayHoldMoney(booking) || isBookingClear(payment) || takenBackBy(payment) === undefined)
    return false;
  return !takeBacks(payment).some(
    ({ answer }) => answer?.is === "not-reversible" || answer?.is === "declined" || (answer?.is === "not-booked" && answer.why === "refused"),
  );
}

function takenBackBy(payment: Payment): "RV" | "DR" | undefined {
  const booking = bookingOf(payment);
  return booking && RULES[booking.role].takenBackBy;
}
