import { wantsSignature } from "../card/signature.ts";
import type { LinkSight } from "../fact/answer.ts";
import type { Fact } from "../fact/fact.ts";
import { isWithdrawable } from "../follow-up/capture.ts";
import { hasHeard, isCallable, isFollowUp, isWaitingForOriginal } from "../follow-up/follow-up.ts";
import { isPaid, watchingOf } from "../link/link.ts";
import { isResolvable } from "../operator/manual-resolution.ts";
import { collectingEnding } from "../outcome/outcome.ts";
import { isCardPresent } from "../state/card-present.ts";
import type { Input } from "../state/input.ts";
import { evolve, type Payment } from "../state/payment.ts";
import { nextStep, toldDecline } from "./next-step.ts";

/** More steps than any input can cause; reaching it is a bug of this file's neighbours, found by the table test. */
const MAX_STEPS = 8;

/**
 * The facts that an input makes, in order: first what the input itself says, then everything that follows from it.
 * Total and pure: whatever does not fit the
 * state (a late notice, an answer nobody waits for) makes no fact.
 */
export function decide(payment: Payment, input: Input): readonly Fact[] {
  const facts = reaction(payment, input);
  let state = facts.reduce(evolve, payment);
  const all = [...facts];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const consequences = nextStep(state, input.at, input.fresh);
    if (consequences.length === 0) return all;
    all.push(...consequences);
    state = consequences.reduce(evolve, state);
  }
  throw new Error(`payment ${payment.accepted.id} does not settle on ${input.what.on}`);
}

function reaction(payment: Payment, { at, what }: Input): readonly Fact[] {
  switch (what.on) {
    case "queued":
      return payment.ending === undefined && payment.terminal.at === "none" && isCardPresent(payment.accepted)
        ? [{ fact: "queued", at }]
        : [];
    case "leased":
      return canCollect(payment, at) ? [{ fact: "collecting", at }] : [];
    case "pin":
      return payment.terminal.at === "asking-pin" ? [{ fact: "pin-entered", at }] : [];
    case "card":
      return payment.terminal.at === "collecting" ? [{ fact: "card-presented", at, card: what.card }] : [];
    case "no-card":
      return payment.terminal.at === "collecting" || payment.terminal.at === "asking-pin"
        ? [{ fact: "card-failed", at, why: what.why }]
        : [];
    case "cancelled":
      return cancelled(payment, at, what.by);
    case "terminal-failed":
      return terminalFailed(payment, at, what.code, what.detail);
    case "finished": {
      const { on: _, ...said } = what;
      return payment.terminal.at === "completing" ? [{ fact: "card-finished", at, ...said }] : [];
    }
    case "cancel":
      return cancellation(payment) === "accepted" && payment.cancelAskedAt === undefined
        ? [{ fact: "cancel-asked", at }]
        : [];
    case "answer":
      return waits(payment, what.merchantTransactionId)
        ? [{ fact: "attempt-answered", at, merchantTransactionId: what.merchantTransactionId, answer: what.answer }]
        : [];
    case "searched":
      return isKnownAttempt(payment, what.merchantTransactionId)
        ? [{ fact: "attempt-searched", at, merchantTransactionId: what.merchantTransactionId, result: what.result }]
        : [];
    case "link-seen":
      return isNews(payment, what.sight) ? [{ fact: "link-seen", at, sight: what.sight }] : [];
    case "signature":
      return canJudgeSignature(payment) ? [{ fact: "signature-judged", at, accepted: what.accepted }] : [];
    case "original-known":
      return isWaitingForOriginal(payment) ? [{ fact: "original-known", at, targets: [...what.targets] }] : [];
    case "original-told":
      return payment.concluded !== undefined && !payment.toldOriginal ? [{ fact: "original-told", at }] : [];
    case "withdraw-capture":
      return isWithdrawable(payment) && payment.captureWithdrawnBy === undefined
        ? [{ fact: "capture-withdrawn", at, by: what.by }]
        : [];
    case "followed":
      return hasHeard(payment, what.by) ? [] : [{ fact: "followed", at, by: what.by }];
    case "resolved": {
      const { on: _, ...resolution } = what;
      return isResolvable(payment, at, what.as) ? [{ fact: "resolved", at, ...resolution }] : [];
    }
    case "released":
      return payment.leased ? [{ fact: "released", at }] : [];
    case "restarted":
      return [{ fact: "interrupted", at }];
    case "woken":
      return [];
  }
}

/** A link is looked at again and again; what is kept is what has changed. That it was paid is never unsaid. */
function isNews(payment: Payment, sight: LinkSight): boolean {
  const before = payment.link?.sight;
  if (before === undefined || watchingOf(payment) === undefined || sight.is === "throttled") return false;
  return before.is !== sight.is || (before.is === "open" && sight.is === "open" && before.opened !== sight.opened);
}

/** Not where the request has become too old meanwhile, although nobody has looked at the clock yet. */
function canCollect(payment: Payment, at: number): boolean {
  const { accepted, ending, terminal } = payment;
  const isWaiting = (terminal.at === "none" || terminal.at === "queued") && isCardPresent(accepted);
  return isWaiting && ending === undefined && collectingEnding(payment, at) === undefined;
}

function cancelled(payment: Payment, at: number, by: "customer" | "register"): readonly Fact[] {
  switch (payment.terminal.at) {
    case "collecting":
    case "asking-pin":
    case "holding":
      return [{ fact: "collecting-cancelled", at, by }];
    case "completing":
      return [{ fact: "card-lost", at, detail: "the terminal cancelled instead of completing" }];
    case "none":
    case "queued":
    case "over":
      return [];
  }
}

function terminalFailed(payment: Payment, at: number, code: string, detail: string): readonly Fact[] {
  if (!isCardPresent(payment.accepted)) return [];
  switch (payment.terminal.at) {
    case "none":
    case "queued":
    case "collecting":
    case "holding":
      return [{ fact: "terminal-failed", at, code, detail }];
    case "asking-pin":
      // A PIN pad that takes none for this very tap is well: as where there is none, the terminal is told of the
      // decline, and the chip asked for.
      return code === "refused" && payment.ending === undefined
        ? toldDecline(payment, at)
        : [{ fact: "terminal-failed", at, code, detail }];
    case "completing":
      return [{ fact: "card-lost", at, detail }];
    case "over":
      return [];
  }
}

/** An answer is news as long as the attempt is not settled: also one that comes after it was given up as lost. */
function waits(payment: Payment, merchantTransactionId: string): boolean {
  return payment.attempts.some(
    ({ operation, standing }) => operation.merchantTransactionId === merchantTransactionId && standing !== "settled",
  );
}

function isKnownAttempt(payment: Payment, merchantTransactionId: string): boolean {
  return payment.attempts.some(
    ({ operation, standing }) => operation.merchantTransactionId === merchantTransactionId && standing !== "intended",
  );
}

/**
 * What a register is told that wants to cancel now: accepted until the issuer's answer went to the card, or arrived for
 * one that is not there (contract, section 3).
 */
export function cancellation(payment: Payment): "accepted" | "too-late" | "already-final" {
  if (payment.concluded !== undefined) return "already-final";
  if (payment.cancelAskedAt !== undefined) return "accepted";
  if (payment.ending !== undefined) return "too-late";
  if (isFollowUp(payment.accepted.type)) return isCallable(payment) ? "accepted" : "too-late";
  // An approval that arrives ends it at once. A customer who was told that he has paid is not told otherwise.
  if (!isCardPresent(payment.accepted)) return isPaid(payment) ? "too-late" : "accepted";
  switch (payment.terminal.at) {
    case "none":
    case "queued":
    case "collecting":
    case "asking-pin":
    case "holding":
      return "accepted";
    case "completing":
      // The issuer said no and another try may follow: that one can be called off.
      return payment.terminal.issuer.verdict === "approved" ? "too-late" : "accepted";
    case "over":
      return "too-late";
  }
}

/** Whether the cashier's word on a signature is waited for. */
export function canJudgeSignature(payment: Payment): boolean {
  return payment.ending === undefined && payment.concluded === undefined && wantsSignature(payment);
}
