import type { Answer } from "../fact/answer.ts";
import { type Role, RULES } from "./retry-by-role.ts";

/**
 * `nothing`: no definite answer, also a refusal as duplicate (decision 5). `nothing-left`: refused, but perhaps because
 * an earlier try used up the original. `unsure`: 000.400.030. `unsent`: the acquirer got nothing. `unavailable`:
 * 900.100.600 and its like.
 */
export type Heard = "nothing" | "nothing-left" | "unsure" | "approved" | "refused" | "unsent" | "unavailable";

export function heardOf(role: Role, answer: Answer | undefined): Heard {
  if (answer === undefined) return "nothing";
  if (isRefusedForOriginal(role, answer)) return "nothing-left";
  switch (answer.is) {
    case "approved":
      return "approved";
    case "declined":
    case "soft-declined":
    case "not-reversible":
      return "refused";
    case "still-pending":
      return "unsent";
    case "not-booked":
      if (answer.why === "gateway-down") return "unavailable";
      // Without access the gateway processed nothing: a request that is owed may be repeated.
      return answer.why === "not-sent" || (answer.lacks === "access" && RULES[role].again === "when-absent")
        ? "unsent"
        : "refused";
    case "half-reversed":
      // Only a query tells the id that a reversal needs.
      return answer.id === undefined ? "nothing" : "unsure";
    case "already-reversed":
      if (role === "deletion" || role === "deregistration") return "approved";
      // For a reversal, a query must confirm this (decision 9).
      return RULES[role].again === "freely" ? "nothing" : "refused";
    case "link":
    case "auto-reversed":
    case "duplicate":
    case "pending":
    case "throttled":
    case "unknown":
      return "nothing";
  }
}

export function settles(role: Role, answer: Answer): boolean {
  return !OPEN.includes(heardOf(role, answer));
}

const OPEN: readonly Heard[] = ["nothing", "nothing-left", "unavailable"];

/** No definite refusal: an unanswered earlier try may have used up the original. */
function isRefusedForOriginal(role: Role, answer: Answer | undefined): boolean {
  if (RULES[role].again !== "when-absent") return false;
  return (
    answer?.is === "already-reversed" ||
    answer?.is === "not-reversible" ||
    (answer?.is === "not-booked" && answer.lacks === "original")
  );
}

/** A request that was never sent has no result code. */
export function isExplicitRefusal(answer: Answer | undefined): boolean {
  return (
    answer?.is === "declined" ||
    answer?.is === "soft-declined" ||
    (answer?.is === "not-booked" && answer.resultCode !== "")
  );
}

/** `half-reversed`: the booking, or a part of it, still stands. */
export function isBooked(answer: Answer | undefined): answer is Extract<Answer, { is: "approved" | "half-reversed" }> {
  return answer?.is === "approved" || answer?.is === "half-reversed";
}
