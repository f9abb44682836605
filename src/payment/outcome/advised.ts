import type { SchemeAdvice } from "../fact/answer.ts";
import { bookingOf, type Payment } from "../state/payment.ts";
import type { Reason } from "../view-schema.ts";

/**
 * The card scheme's advice replaces the bridge's own. At a terminal only "never again" counts, because the customer can
 * present another card.
 */
export function advised(payment: Payment, reason: Reason): Reason {
  const answer = bookingOf(payment)?.answer;
  if (answer?.is !== "declined" || answer.schemeAdvice === undefined || answer.why !== reason.code) return reason;
  if (answer.why === "retry-blocked") return reason;
  if (payment.accepted.registration === undefined && answer.schemeAdvice.is !== "never-again") return reason;
  const { advice, message } = adviceOf(answer.schemeAdvice);
  return { ...reason, advice, message: `${reason.message} ${message}` };
}

function adviceOf(advice: SchemeAdvice): Pick<Reason, "advice" | "message"> {
  switch (advice.is) {
    case "never-again":
      return { advice: "do-not-retry", message: "The card's scheme forbids to try it again." };
    case "agreement-ended":
      return { advice: "do-not-retry", message: "Its holder has ended the agreement." };
    case "new-card-data":
      return {
        advice: "other-card",
        message: "The card has a new number or expiry date: have it presented, and store it anew.",
      };
    case "later":
      return {
        advice: "retry-later",
        message:
          advice.hours === undefined
            ? "It may be tried again later."
            : `It may be tried again after ${hoursText(advice.hours)}.`,
      };
  }
}

function hoursText(hours: number): string {
  if (hours === 1) return "an hour";
  return hours % 24 === 0 && hours > 24 ? `${hours / 24} days` : `${hours} hours`;
}
