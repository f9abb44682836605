import type { Answer } from "../fact/answer.ts";
import { type Role, RULES } from "./role.ts";

/**
 * A refusal that names a duplicate or replay is `nothing`: the other copy may be booked.
 * - `nothing-left`: an earlier try may have taken the rest; - `unsure`: 000.400.030;
 * - `unsent`: nothing reached the acquirer; - `unavailable`: it cannot work.
 */
export type Heard = "nothing" | "nothing-left" | "unsure" | "approved" | "refused" | "unsent" | "unavailable";

export function heardOf(role: Role, answer: Answer | undefined): Heard {
  if (answer === undefined) return "nothing";
  if (isNoOfOriginal(role, answer)) return "nothing-left";
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
      // The gateway did not look at the request: a repeat cannot book twice.
      return answer.why === "not-sent" || (answer.lacks === "access" && RULES[role].again === "when-absent")
        ? "unsent"
        : "refused";
    case "half-reversed":
      // Without an id nothing can be reversed: a query must find it.
      return answer.id === undefined ? "nothing" : "unsure";
    case "already-reversed":
      if (role === "deletion" || role === "deregistration") return "approved";
      // A query must confirm it for a reversal.
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

/** Queries check every indefinite answer. */
export function settles(role: Role, answer: Answer): boolean {
  return !OPEN.includes(heardOf(role, answer));
}

const OPEN: readonly Heard[] = ["nothing", "nothing-left", "unavailable"];

/** After silence an earlier try may have taken the rest of the original. */
function isNoOfOriginal(role: Role, answer: Answer | undefined): boolean {
  if (RULES[role].again !== "when-absent") return false;
  return (
    answer?.is === "already-reversed" ||
    answer?.is === "not-reversible" ||
    (answer?.is === "not-booked" && answer.lacks === "original")
  );
}

/** A request that was never sent has no code. */
export function isHeardNo(answer: Answer | undefined): boolean {
  return (
    answer?.is === "declined" ||
    answer?.is === "soft-declined" ||
    (answer?.is === "not-booked" && answer.resultCode !== "")
  );
}

/** After 000.400.030 the gateway still holds the booking. */
export function isBooked(answer: Answer | undefined): answer is Extract<Answer, { is: "approved" | "half-reversed" }> {
  return answer?.is === "approved" || answer?.is === "half-reversed";
}
