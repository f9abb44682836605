import { wantsSignature } from "../card/signature.ts";
import type { LinkSight } from "../fact/answer.ts";
import type { Fact } from "../fact/fact.ts";
import { isWithdrawable } from "../follow-up/capture.ts";
import { hasHeard, isCancellable, isFollowUp, isWaitingForOriginal } from "../follow-up/follow-up.ts";
import { isPaid, watchingOf } from "../link/link.ts";
import { isResolvable } from "../operator/allowed-decisions.ts";
import { collectingEnding } from "../outcome/outcome.ts";
import { isCardPresent } from "../state/card-present.ts";
import type { Input } from "../state/input.ts";
import { evolve, type Payment } from "../state/payment.ts";
import { nextStep, toldDecline } from "./next-step.ts";

const MAX_STEPS = 8;

/** Inputs may come too late for the state, such as a card read after a cancel: they make no fact. */
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

function isNews(payment: Payment, sight: LinkSight): boolean {
  const before = payment.link?.sight;
  if (before === undefined || watchingOf(payment) === undefined || sight.is === "throttled") return false;
  return before.is !== sight.is || (before.is === "open" && sight.is === "open" && before.opened !== sight.opened);
}

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
      // A PIN pad that takes no PIN after a tap is not broken: the card gets the issuer's decline, then the chip is
      // asked for.
      return code === "refused" && payment.ending === undefined
        ? toldDecline(payment, at)
        : [{ fact: "terminal-failed", at, code, detail }];
    case "completing":
      return [{ fact: "card-lost", at, detail }];
    case "over":
      return [];
  }
}

/** A late answer counts while the outcome is unknown: it may be the only news of a booking. */
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
 * A register may cancel until the card was told the approval; without a card, until that arrived or the link is paid; a
 * follow-up, until its request is on its way. Later a cancel could contradict an approval.
 */
export function cancellation(payment: Payment): "accepted" | "too-late" | "already-final" {
  if (payment.concluded !== undefined) return "already-final";
  if (payment.cancelAskedAt !== undefined) return "accepted";
  if (payment.ending !== undefined) return "too-late";
  if (isFollowUp(payment.accepted.type)) return isCancellable(payment) ? "accepted" : "too-late";
  if (!isCardPresent(payment.accepted)) return isPaid(payment) ? "too-late" : "accepted";
  switch (payment.terminal.at) {
    case "none":
    case "queued":
    case "collecting":
    case "asking-pin":
    case "holding":
      return "accepted";
    case "completing":
      return payment.terminal.issuer.verdict === "approved" ? "too-late" : "accepted";
    case "over":
      return "too-late";
  }
}

export function canJudgeSignature(payment: Payment): boolean {
  return payment.ending === undefined && payment.concluded === undefined && wantsSignature(payment);
}
