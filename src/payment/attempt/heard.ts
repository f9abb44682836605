import type { Answer } from "../fact/answer.ts";
import { type Role, RULES } from "./role.ts";

/**
 * What the answer to a request says of it. A refusal that names a duplicate or a replay is `nothing`: the booking may
 * be the other copy's.
 * - `nothing-left`: too little is left of the original, which an earlier try of ours may have taken;
 * - `unsure`: the gateway itself does not know whether it stands (000.400.030);
 * - `unsent`: nothing of it went to the acquirer, or not yet; - `unavailable`: the gateway says that it cannot work.
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
      // The gateway did not look at the request: what takes all there is may be sent again.
      return answer.why === "not-sent" || (answer.lacks === "access" && RULES[role].again === "when-absent")
        ? "unsent"
        : "refused";
    case "half-reversed":
      // Without an id there is nothing to reverse yet: a query has to find it.
      return answer.id === undefined ? "nothing" : "unsure";
    case "already-reversed":
      if (role === "deletion" || role === "deregistration") return "approved";
      // Of a reversal it is believed once a query shows one.
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

/** A definite answer is believed; everything else is looked into by queries. */
export function settles(role: Role, answer: Answer): boolean {
  return !OPEN.includes(heardOf(role, answer));
}

const OPEN: readonly Heard[] = ["nothing", "nothing-left", "unavailable"];

/** Too little is left of the original. After silence an earlier try of ours may have taken it. */
function isNoOfOriginal(role: Role, answer: Answer | undefined): boolean {
  if (RULES[role].again !== "when-absent") return false;
  return (
    answer?.is === "already-reversed" ||
    answer?.is === "not-reversible" ||
    (answer?.is === "not-booked" && answer.lacks === "original")
  );
}

/** The gateway has said that nothing came of it. A request that was never sent has no code. */
export function isHeardNo(answer: Answer | undefined): boolean {
  return (
    answer?.is === "declined" ||
    answer?.is === "soft-declined" ||
    (answer?.is === "not-booked" && answer.resultCode !== "")
  );
}

/** The gateway holds it, also where it tried to reverse it by itself and could not (000.400.030). */
export function isBooked(answer: Answer | undefined): answer is Extract<Answer, { is: "approved" | "half-reversed" }> {
  return answer?.is === "approved" || answer?.is === "half-reversed";
}
