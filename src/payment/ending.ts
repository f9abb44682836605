import type { Answer } from "./answer.ts";
import { answerToCardBy } from "./limits.ts";
import { bookingOf, type Payment, type TerminalEnd } from "./payment.ts";
import type { ReasonCode } from "./reason.ts";

/** Why a payment can no longer be approved. */
export interface Ending {
  readonly outcome: "DECLINED" | "CANCELLED" | "FAILED";
  readonly reason: ReasonCode;
}

const declined = (reason: ReasonCode): Ending => ({ outcome: "DECLINED", reason });
const cancelled = (reason: ReasonCode): Ending => ({ outcome: "CANCELLED", reason });
const failed = (reason: ReasonCode): Ending => ({ outcome: "FAILED", reason });

/** Before a card was read. */
export function collectingEnding(payment: Payment, now: number): Ending | undefined {
  if (payment.cancelAskedAt !== undefined) return cancelled("register-cancelled");
  const { expiresAt } = payment.accepted;
  const waiting = payment.terminal.at !== "collecting";
  return waiting && expiresAt !== undefined && now >= expiresAt ? failed("request-expired") : undefined;
}

/** With a card that waits for the host: what the gateway said, or did not say in time. */
export function bookingEnding(payment: Payment, now: number): Ending | undefined {
  if (payment.cancelAskedAt !== undefined) return cancelled("register-cancelled");
  const booking = bookingOf(payment);
  if (booking === undefined || booking.standing === "intended" || payment.terminal.at !== "holding") return undefined;
  const tooLate = now >= answerToCardBy(payment, payment.terminal.since) ? failed("outcome-unknown") : undefined;
  if (booking.standing === "absent") return failed("gateway-unreached");
  if (booking.takenBack) return failed("outcome-unknown");
  const answer = booking.standing === "settled" ? booking.answer : undefined;
  if (answer === undefined) return tooLate;
  switch (answer.is) {
    case "approved":
      return approvalEnding(payment, answer, booking.searches > 0);
    case "declined":
      return declined(answer.why);
    case "soft-declined":
      return declined("soft-declined");
    case "not-booked":
      return failed(answer.why === "refused" ? "gateway-refused" : "gateway-unreached");
    case "half-reversed":
      return failed("outcome-unknown");
    // These settle no reservation or debit (attempt.ts), or answer only to what refers to one.
    case "not-reversible":
    case "still-pending":
    case "already-reversed":
    case "auto-reversed":
    case "duplicate":
    case "pending":
    case "throttled":
    case "unknown":
      return tooLate;
  }
}

/**
 * An approval that cannot be used: it came by a query without the issuer's data, which a chip needs (architecture, the clock of a lost reply); or its amount or currency is
 * not what was asked (gateway-facts 1.3).
 */
function approvalEnding({ accepted }: Payment, answer: Extract<Answer, { is: "approved" }>, adopted: boolean): Ending | undefined {
  if (adopted && answer.issuer.iccDataResponse === undefined) return failed("outcome-unknown");
  const amount = answer.amount ?? 0;
  if (amount > accepted.amount || amount === 0 || answer.currency !== accepted.currency) return failed("amount-mismatch");
  return amount < accepted.amount && !accepted.allowPartialApproval ? declined("partial-refused") : undefined;
}

/** Once the terminal is done: everything but "the host approved and the card agreed". */
export function terminalEnding(payment: Payment, how: TerminalEnd): Ending | undefined {
  switch (how.is) {
    case "unused":
      return bookingOf(payment) === undefined ? cancelled("bridge-restarted") : failed("bridge-restarted");
    case "verdict":
      return how.verdict === "approved" && how.issuer.verdict === "approved" ? undefined : declined("card-declined");
    case "lost":
      return failed("completion-lost");
    case "no-card":
      return noCardEnding(how.why);
    case "cancelled":
      return cancelled(how.by === "customer" ? "customer-cancelled" : "register-cancelled");
    case "failed":
      return failed(failureReason(how.code));
    case "offline":
      return how.decision === "approved-offline" ? failed("offline-approved") : declined("card-declined");
  }
}

function noCardEnding(why: Extract<TerminalEnd, { is: "no-card" }>["why"]): Ending {
  switch (why) {
    case "timeout":
      return cancelled("card-timeout");
    case "pin-timeout":
      return cancelled("pin-timeout");
    case "removed":
      return cancelled("card-removed");
    case "chip-unreadable":
      return failed("chip-unreadable");
    case "use-chip":
    case "not-supported":
      return failed("card-not-supported");
    case "blocked":
      return declined("blocked-card");
  }
}

/** Not a fault of the device: somebody's card stayed in the slot. */
export const CARD_LEFT_IN = "card-left-in";

/** Codes of a terminal's fault notice (card/notice), as the register API names them. */
function failureReason(code: string): ReasonCode {
  if (code === "tampered") return "terminal-tampered";
  if (code === CARD_LEFT_IN) return "card-left-in";
  if (code === "keys-missing" || code === "ksn-not-rising" || code === "clear-card-data") return "keys-missing";
  return "terminal-lost";
}
