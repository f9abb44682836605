import type { Found, SearchResult } from "../../payment/exchange.ts";
import {
  type Attempt,
  attemptsAs,
  isBookedAfterClosing,
  isBookingClear,
  isCaptured,
  isCapturedOtherwise,
  isCapturedTwice,
  isSecondGone,
  isTakenBack,
  type Payment,
  RULES,
  takenBy,
} from "../../payment/state.ts";

/**
 * The gateway's view before an operator resolves; the decision stands regardless. `booked-otherwise`: another amount
 * than requested. `not-asked`: no query shows it (stored card).
 */
export type GatewaySays =
  | "booked"
  | "booked-otherwise"
  | "undecided"
  | "taken-back"
  | "refused"
  | "nothing"
  | "no-answer"
  | "not-asked";

/** The first of several findings in this order is reported: bookings that move money come first. */
const FIRST_TOLD = ["booked", "booked-otherwise", "no-answer", "undecided", "taken-back", "refused"] as const;

/**
 * `payment`: its state after the queries. `answers`: one for each query. `gatewayId`: the booking the operator names;
 * then only this one counts.
 */
export function gatewaySays(
  payment: Payment,
  answers: readonly SearchResult[],
  gatewayId: string | undefined,
): GatewaySays {
  const requests = requestsInQuestion(payment);
  const seconds = payment.seconds.filter((second) => !isSecondGone(payment, second)).map(({ id }) => id);
  if (answers.length === 0 || (requests.length === 0 && seconds.length === 0 && gatewayId === undefined))
    return "not-asked";
  const shown = bookingsIn(answers);
  // One of the two captures is the sale's own.
  const own = isCapturedTwice(payment) ? takenBy(payment).map(({ id }) => id) : [];
  const told = shown.flatMap((booking): readonly GatewaySays[] => {
    const request = requests.find(
      ({ operation, answer }) =>
        operation.merchantTransactionId === booking.merchantTransactionId || answer?.id === booking.id,
    );
    const isMeant =
      gatewayId === undefined ? request !== undefined || seconds.includes(booking.id) : booking.id === gatewayId;
    return isMeant && !own.includes(booking.id) ? [standingOf(booking, request, shown)] : [];
  });
  const isUnheard = answers.some(({ is }) => is !== "found" && is !== "absent");
  const all = isUnheard ? [...told, "no-answer"] : told;
  return FIRST_TOLD.find((one) => all.includes(one)) ?? "nothing";
}

export function bookingsIn(answers: readonly SearchResult[]): readonly Found[] {
  return answers.flatMap((answer) => (answer.is === "found" ? answer.bookings : []));
}

/**
 * Requests the decision is about: the capture of an approved payment, otherwise its booking. None if only a stored card
 * is left.
 */
function requestsInQuestion(payment: Payment): readonly Attempt[] {
  const { attempts, concluded, ending, resolved } = payment;
  const captures = attemptsAs(payment, "own-capture");
  const bookings = attempts.filter(({ role }) => RULES[role].isBooking || role === "void");
  if (isBookedAfterClosing(payment)) return [...bookings, ...captures];
  if (resolved !== undefined || (ending !== undefined && isBookingClear(payment))) return [];
  if (concluded === undefined || ending !== undefined) return bookings;
  return isCaptured(payment) && !isCapturedOtherwise(payment) && !isCapturedTwice(payment) ? [] : captures;
}

function standingOf({ id, answer }: Found, request: Attempt | undefined, shown: readonly Found[]): GatewaySays {
  switch (answer.is) {
    case "approved": {
      // The operator may have refunded it in the back office.
      if (isTakenBack(shown, { id, amount: answer.amount }, { claimed: false, byRefund: true })) return "taken-back";
      const { amount = answer.amount, reverses = amount } = request?.operation ?? {};
      return answer.amount === undefined || answer.amount === reverses ? "booked" : "booked-otherwise";
    }
    case "half-reversed":
      // A booking whose reversal failed stands. A reversal with this answer is undecided.
      return request?.role === "void" ? "undecided" : "booked";
    case "declined":
    case "soft-declined":
    case "not-booked":
    case "already-reversed":
    case "not-reversible":
      return "refused";
    case "link":
    case "pending":
    case "throttled":
    case "duplicate":
    case "still-pending":
    case "auto-reversed":
    case "unknown":
      return "undecided";
  }
}
