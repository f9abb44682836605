import { issuerResponseOf } from "../emv/online.ts";
import { captureOf, nextCapture } from "./capture.ts";
import { bookingEnding, collectingEnding, type Ending, terminalEnding } from "./ending.ts";
import type { Fact } from "./fact.ts";
import { answerToCardBy, deviceOverdue } from "./limits.ts";
import { bookingOf, type Payment } from "./payment.ts";
import { isClear, nextTakeBack } from "./take-back.ts";

/**
 * What follows from the state at this moment, one step at a time; nothing when nothing does. The order of the rules is their rank:
 * first give up on what is overdue, then end what cannot be approved, then answer the card, then take back, then conclude.
 */
export function nextStep(payment: Payment, now: number, fresh: string): readonly Fact[] {
  return (
    overdue(payment, now) ??
    ended(payment, now) ??
    asked(payment, now, fresh) ??
    toldCard(payment, now) ??
    takenBack(payment, now, fresh) ??
    concluded(payment, now, fresh) ??
    capturedAgain(payment, now, fresh) ??
    []
  );
}

type Step = readonly Fact[] | undefined;

/** A terminal that ends nothing by itself is given up. */
function overdue(payment: Payment, now: number): Step {
  const limit = deviceOverdue(payment);
  if (limit === undefined || now < limit) return undefined;
  const detail = "the terminal did not answer in time";
  return payment.terminal.at === "completing" ? [{ fact: "card-lost", at: now, detail }] : [{ fact: "terminal-failed", at: now, code: "no-answer", detail }];
}

/** As soon as the payment can no longer be approved, that is a fact of its own: `decision` is told by it. */
function ended(payment: Payment, now: number): Step {
  if (payment.ending !== undefined || payment.concluded !== undefined) return undefined;
  const ending = endingOf(payment, now);
  return ending && [{ fact: "ending", at: now, outcome: ending.outcome, reason: ending.reason }];
}

function endingOf(payment: Payment, now: number): Ending | undefined {
  const { terminal } = payment;
  switch (terminal.at) {
    case "none":
    case "queued":
    case "collecting":
      return collectingEnding(payment, now);
    case "holding":
      return bookingEnding(payment, now);
    case "completing":
      return undefined;
    case "over":
      return terminalEnding(payment, terminal.how);
  }
}

/** A card that waits for the host gets its one request, durable before it leaves. */
function asked(payment: Payment, now: number, fresh: string): Step {
  const { accepted, terminal } = payment;
  if (terminal.at !== "holding" || bookingOf(payment) !== undefined || payment.ending !== undefined) return undefined;
  const operation = {
    merchantTransactionId: fresh,
    paymentType: accepted.channel.settlement === "dual" ? ("PA" as const) : ("DB" as const),
    amount: accepted.amount,
    currency: accepted.currency,
    entityId: accepted.channel.entityId,
  };
  return [{ fact: "attempt-intended", at: now, operation }];
}

/** The card always gets an answer: the host's, or that there is none. */
function toldCard(payment: Payment, now: number): Step {
  const booking = bookingOf(payment);
  if (payment.terminal.at !== "holding" || booking === undefined) return undefined;
  const answer = booking.standing === "settled" ? booking.answer : undefined;
  const icc = answer?.is === "approved" || answer?.is === "declined" ? answer.issuer.iccDataResponse : undefined;
  if (payment.ending === undefined) return answer?.is === "approved" ? tell(now, "approved", icc) : undefined;
  // Once nothing can come of it any more, the card waits for nobody.
  const isKnownOrCancelled = answer !== undefined || booking.takenBack || booking.standing === "absent" || payment.cancelAskedAt !== undefined;
  const isOver = isKnownOrCancelled || now >= answerToCardBy(payment, payment.terminal.since);
  if (answer?.is === "approved") return tell(now, "declined", undefined);
  if (answer?.is === "declined") return tell(now, "declined", icc);
  return isOver ? tell(now, "unable-to-go-online", undefined) : undefined;
}

function tell(at: number, verdict: "approved" | "declined" | "unable-to-go-online", icc: string | undefined): Step {
  const { scripts, ...issuer } = issuerResponseOf(verdict, icc);
  return [{ fact: "issuer-told", at, issuer: { ...issuer, scripts: [...scripts] } }];
}

/** A booking that must not stand is taken back, as often as it takes. */
function takenBack(payment: Payment, now: number, fresh: string): Step {
  const next = nextTakeBack(payment);
  return next === undefined || now < next.at
    ? undefined
    : [{ fact: "attempt-intended", at: now, operation: { merchantTransactionId: fresh, ...next.operation } }];
}

function concluded(payment: Payment, now: number, fresh: string): Step {
  if (payment.concluded !== undefined || !terminalIsOut(payment)) return undefined;
  if (payment.ending !== undefined) return isClear(payment) ? [{ fact: "concluded", at: now, outcome: payment.ending.outcome }] : undefined;
  return payment.terminal.at === "over" ? approved(payment, now, fresh) : undefined;
}

/** Done with the terminal, or never begun. */
function terminalIsOut({ terminal }: Payment): boolean {
  return terminal.at === "none" || terminal.at === "queued" || terminal.at === "over";
}

/** Approved is: the host holds the money and the card agreed. The capture is on disk with the conclusion, or neither is. */
function approved(payment: Payment, now: number, fresh: string): Step {
  const answer = bookingOf(payment)?.answer;
  const { accepted } = payment;
  if (answer?.is !== "approved") return undefined;
  const amount = answer.amount ?? accepted.amount;
  const outcome = amount < accepted.amount ? ("PARTIALLY_APPROVED" as const) : ("APPROVED" as const);
  const conclusion = { fact: "concluded" as const, at: now, outcome };
  if (accepted.channel.settlement === "single") return [conclusion];
  const operation = { merchantTransactionId: fresh, ...captureOf(payment, answer.id, amount) };
  return [conclusion, { fact: "attempt-intended", at: now, operation }];
}

function capturedAgain(payment: Payment, now: number, fresh: string): Step {
  const next = nextCapture(payment);
  return next === undefined || now < next.at
    ? undefined
    : [{ fact: "attempt-intended", at: now, operation: { merchantTransactionId: fresh, ...next.operation } }];
}
