import { answerToCardBy, isTooOld } from "../admission/limits.ts";
import { type Attempt, isSelfReversed } from "../attempt/attempt.ts";
import { isReversalShown, queriesOf } from "../attempt/observation.ts";
import { RULES } from "../attempt/retry-by-role.ts";
import { isSoftDecline, isSoftDeclinedTap, maySucceedYet } from "../card/card-retry.ts";
import { isSignatureRefused } from "../card/signature.ts";
import type { Answer } from "../fact/answer.ts";
import type { TerminalEnd } from "../fact/terminal-side.ts";
import { isCancellable } from "../follow-up/follow-up.ts";
import { voidRefusal } from "../follow-up/void.ts";
import { isExpired } from "../link/link.ts";
import { attemptsAs, bookingOf, hasToPost, type Payment } from "../state/payment.ts";
import type { ReasonCode } from "./reason.ts";

export interface Ending {
  readonly outcome: "DECLINED" | "CANCELLED" | "FAILED";
  readonly reason: ReasonCode;
}

const declined = (reason: ReasonCode): Ending => ({ outcome: "DECLINED", reason });
const cancelled = (reason: ReasonCode): Ending => ({ outcome: "CANCELLED", reason });
const failed = (reason: ReasonCode): Ending => ({ outcome: "FAILED", reason });

export function collectingEnding(payment: Payment, now: number): Ending | undefined {
  if (payment.cancelAskedAt !== undefined) return cancelled("register-cancelled");
  const waiting = payment.terminal.at === "none" || payment.terminal.at === "queued";
  return waiting && isTooOld(payment.accepted, now) ? failed("request-expired") : undefined;
}

export function bookingEnding(payment: Payment, since: number, now: number): Ending | undefined {
  if (payment.cancelAskedAt !== undefined) return cancelled("register-cancelled");
  const booking = bookingOf(payment);
  if (booking === undefined || hasToPost(payment) || maySucceedYet(payment)) return undefined;
  return (
    answerEnding(payment, booking) ??
    (booking.standing === "open" && now >= answerToCardBy(payment, since) ? failed("outcome-unknown") : undefined)
  );
}

function answerEnding(payment: Payment, booking: Attempt): Ending | undefined {
  if (booking.standing === "absent") return failed("gateway-unreached");
  if (isReversalShown(booking)) return failed("outcome-unknown");
  const answer = booking.standing === "settled" ? booking.answer : undefined;
  if (answer === undefined) return undefined;
  switch (answer.is) {
    case "approved":
      // 900.100.301: the gateway's own reversal may stay hidden for a day. The payment fails, and the bridge reverses
      // the booking once more (decision 11).
      if (isSelfReversed(booking, answer.id) && RULES[booking.role].takenBackBy !== undefined)
        return failed("outcome-unknown");
      return approvalEnding(payment, answer, queriesOf(booking) > 0);
    case "declined":
      return declined(isSoftDecline(payment, answer) ? "soft-declined" : answer.why);
    case "soft-declined":
      return declined("soft-declined");
    case "not-booked":
      return failed(answer.why === "refused" ? requestRefusal(answer) : "gateway-unreached");
    case "not-reversible":
    case "still-pending":
    case "already-reversed":
      return failed("gateway-refused");
    case "half-reversed":
      return failed("outcome-unknown");
    case "link":
    case "auto-reversed":
    case "duplicate":
    case "pending":
    case "throttled":
    case "unknown":
      return undefined;
  }
}

function requestRefusal({ lacks }: Extract<Answer, { is: "not-booked" }>): ReasonCode {
  return lacks === "setup" ? "channel-not-set-up" : "gateway-refused";
}

/** An approval found by a query may lack the issuer data that an inserted chip needs: the payment fails. */
function approvalEnding(
  { accepted, card }: Payment,
  answer: Extract<Answer, { is: "approved" }>,
  adopted: boolean,
): Ending | undefined {
  const needsIcc = card?.entryMode === "ICC" && accepted.type !== "REFUND";
  if (adopted && needsIcc && answer.issuer.iccDataResponse === undefined) return failed("outcome-unknown");
  if (accepted.type === "REGISTRATION") return undefined;
  const amount = answer.amount ?? 0;
  if (amount > accepted.amount || amount === 0 || answer.currency !== accepted.currency)
    return failed("amount-mismatch");
  return amount < accepted.amount && !accepted.allowPartialApproval ? declined("partial-refused") : undefined;
}

export function terminalEnding(payment: Payment, how: TerminalEnd, now: number): Ending | undefined {
  switch (how.is) {
    case "unused":
      return payment.attempts.every(isDeclined) ? cancelled("bridge-restarted") : failed("bridge-restarted");
    case "read":
      return creditEnding(payment);
    case "verdict":
      if (how.issuer.verdict !== "approved") return issuerEnding(payment);
      if (!isAgreed(payment, how.verdict)) return how.removed ? cancelled("card-removed") : declined("card-declined");
      if (isGone(payment)) return failed("outcome-unknown");
      return isSignatureRefused(payment, now) ? cancelled("signature-refused") : undefined;
    case "lost":
      return how.issuer.verdict === "approved" ? failed("completion-lost") : issuerEnding(payment);
    case "no-card":
      return payment.cancelAskedAt === undefined ? noCardEnding(payment, how.why) : cancelled("register-cancelled");
    case "cancelled":
      return cancelled(how.by === "customer" ? "customer-cancelled" : "register-cancelled");
    case "failed":
      return failed(failureReason(how.code));
    case "offline":
      return how.decision === "approved-offline" ? failed("offline-approved") : declined("card-declined");
  }
}

function isGone(payment: Payment): boolean {
  const booking = bookingOf(payment);
  return booking !== undefined && isReversalShown(booking);
}

function isDeclined({ standing, answer }: Attempt): boolean {
  return standing === "settled" && (answer?.is === "declined" || answer?.is === "soft-declined");
}

/**
 * An inserted chip agrees by a TC (`approved`). After a tap, swipe or keyed entry the terminal only acknowledges:
 * `read` is enough.
 */
function isAgreed({ card }: Payment, verdict: "approved" | "declined" | "read"): boolean {
  return verdict === "approved" || (verdict === "read" && card?.entryMode !== "ICC");
}

function issuerEnding(payment: Payment): Ending {
  if (payment.cancelAskedAt !== undefined) return cancelled("register-cancelled");
  const booking = bookingOf(payment);
  return (booking && answerEnding(payment, booking)) ?? failed("outcome-unknown");
}

/** A credit (CD) is never reversed (decision 13): no deadline ends the payment while its outcome is unknown. */
function creditEnding(payment: Payment): Ending | undefined {
  const booking = bookingOf(payment);
  return booking === undefined || hasToPost(payment) ? undefined : answerEnding(payment, booking);
}

/**
 * No card waits, so a late answer counts. A request that is too old, or not yet intended at a restart, is never sent.
 */
export function cardNotPresentEnding(payment: Payment, now: number): Ending | undefined {
  if (payment.cancelAskedAt !== undefined) return cancelled("register-cancelled");
  const booking = bookingOf(payment);
  if (booking !== undefined && isTooOldUnsent(booking)) return failed("request-expired");
  if (booking !== undefined)
    return answerEnding(payment, booking) ?? (isExpired(payment) ? failed("link-expired") : undefined);
  if (payment.interruptedAt !== undefined) return cancelled("bridge-restarted");
  return isTooOld(payment.accepted, now) ? failed("request-expired") : undefined;
}

function isTooOldUnsent({ standing, answer }: Attempt): boolean {
  return standing === "settled" && answer?.is === "not-booked" && answer.tooLate === true;
}

export function followUpEnding(payment: Payment): Ending | undefined {
  if (payment.cancelAskedAt !== undefined && isCancellable(payment)) return cancelled("register-cancelled");
  if (payment.accepted.type === "VOID") {
    const refused = voidRefusal(payment);
    if (refused === undefined) return undefined;
    const said = attemptsAs(payment, "void").at(-1)?.answer;
    if (said?.is === "not-booked") return failed(requestRefusal(said));
    if (refused.paymentType === "PA") return failed("reversal-refused");
    return failed(payment.used.includes(refused.id) ? "already-refunded" : "void-refused");
  }
  const booking = bookingOf(payment);
  if (booking === undefined || isCancellable(payment)) return undefined;
  return answerEnding(payment, booking);
}

function noCardEnding(payment: Payment, why: Extract<TerminalEnd, { is: "no-card" }>["why"]): Ending {
  switch (why) {
    case "timeout":
      return cancelled("card-timeout");
    case "pin-timeout":
      return cancelled("pin-timeout");
    case "removed":
      return cancelled("card-removed");
    case "chip-unreadable":
      return failed(
        payment.accepted.interfaces?.includes("stripe") === true && payment.ask?.again !== "fallback"
          ? "fallback-not-allowed"
          : "chip-unreadable",
      );
    case "use-chip":
      return isSoftDeclinedTap(payment) ? declined("soft-declined") : failed("chip-required");
    case "not-supported":
      return failed("card-not-supported");
    case "blocked":
      return declined("blocked-card");
  }
}

export const CARD_LEFT_IN = "card-left-in";

export const TOO_OLD = "too-old";

function failureReason(code: string): ReasonCode {
  if (code === "tampered") return "terminal-tampered";
  if (code === CARD_LEFT_IN) return "card-left-in";
  if (code === TOO_OLD) return "request-expired";
  if (code === "misconfigured") return "terminal-misconfigured";
  if (code === "refused") return "terminal-refused";
  if (code === "keys-missing" || code === "ksn-not-rising" || code === "clear-card-data") return "keys-missing";
  return "terminal-lost";
}
