import type { Answer } from "../fact/answer.ts";
import { type Role, RULES } from "./retry-by-role.ts";

/**
 * `nothing`: no definite answer, or a duplicate, whose first copy may be booked (decision 5). `nothing-left`: refused,
 * perhaps because an earlier try took all. `unsure`: perhaps half reversed (000.400.030). `unsent`: nothing reached the
 * acquirer. `unavailable`: 900.100.600 and its like.
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
      // The gateway refused the bridge's credentials, so it booked nothing. A sale's own capture, or a refund in place
      // of a reversal, is still owed and sent again.
      return answer.why === "not-sent" || (answer.lacks === "access" && RULES[role].again === "when-absent")
        ? "unsent"
        : "refused";
    case "half-reversed":
      // Without an id this counts as no answer: only a query tells the id that a further reversal needs.
      return answer.id === undefined ? "nothing" : "unsure";
    case "already-reversed":
      if (role === "deletion" || role === "deregistration") return "approved";
      // The gateway may say "already reversed" although nothing is reversed: to a reversal, it counts once a query
      // shows the reversal (decision 9).
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

/**
 * A sale's own capture, or a refund in place of a reversal: refused, perhaps because an earlier unanswered try took
 * all.
 */
function isRefusedForOriginal(role: Role, answer: Answer | undefined): boolean {
  if (RULES[role].again !== "when-absent") return false;
  return (
    answer?.is === "already-reversed" ||
    answer?.is === "not-reversible" ||
    (answer?.is === "not-booked" && answer.lacks === "original")
  );
}

export function isExplicitRefusal(answer: Answer | undefined): boolean {
  return (
    answer?.is === "declined" ||
    answer?.is === "soft-declined" ||
    (answer?.is === "not-booked" && answer.resultCode !== "")
  );
}

export function isBooked(answer: Answer | undefined): answer is Extract<Answer, { is: "approved" | "half-reversed" }> {
  return answer?.is === "approved" || answer?.is === "half-reversed";
}
