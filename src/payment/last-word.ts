import type { Answer } from "./answer.ts";
import { type Role, RULES } from "./role.ts";

/** A no because of what is left of the original. Where a request arrived twice, the second one meets what the first has taken, so that it is looked into (role.ts). */
export function isNoOfOriginal(role: Role, answer: Answer | undefined): boolean {
  if (RULES[role].noIsLookedInto === undefined) return false;
  return answer?.is === "already-reversed" || answer?.is === "not-reversible" || (answer?.is === "not-booked" && answer.lacks === "original");
}

/** The gateway has said that nothing came of it. What was never sent from here has no code. */
export function isHeardNo(answer: Answer | undefined): boolean {
  return answer?.is === "declined" || answer?.is === "soft-declined" || (answer?.is === "not-booked" && answer.resultCode !== "");
}

/** The gateway has booked it, and holds it: also what it tried to take back by itself and could not (000.400.030). */
export function isBooked(answer: Answer | undefined): answer is Extract<Answer, { is: "approved" | "half-reversed" }> {
  return answer?.is === "approved" || answer?.is === "half-reversed";
}

/** An answer settles an attempt, or leaves it open: what must be searched for is everything that is neither a clear yes nor a clear no. */
export function settles(role: Role, answer: Answer): boolean {
  if (isNoOfOriginal(role, answer)) return false;
  switch (answer.is) {
    case "approved":
    case "declined":
    case "soft-declined":
    case "not-reversible":
    case "still-pending":
      return true;
    case "not-booked":
      return !isLookedIntoFirst(role, answer);
    case "half-reversed":
      // Without an id there is nothing to reverse yet: a query has to find it.
      return answer.id !== undefined;
    case "already-reversed":
      // Of a registration it says that the gateway has none of that id any more; of a reversal it is believed once a query shows it (take-back.ts, void.ts).
      return role === "deletion" || role === "deregistration";
    // A link that was made moves no money.
    case "link":
    case "auto-reversed":
    case "duplicate":
    case "pending":
    case "throttled":
    case "unknown":
      return false;
  }
}

/**
 * "The system is not available" is believed once a query knows nothing of it (gateway-facts 1.3); so is "nothing was sent to the acquirer" (900.100.310) before a second request
 * could be a second booking: it may be the answer to the second of two arrivals.
 */
export function isLookedIntoFirst(role: Role, answer: Answer | undefined): boolean {
  if (answer?.is !== "not-booked") return false;
  return answer.why === "gateway-down" || (RULES[role].again === "when-not-booked" && answer.why === "not-sent" && answer.resultCode !== "");
}
