import { issuerResponseOf } from "../emv/online.ts";
import { isKnown, mayHoldMoney, RULES, repeatAt } from "./attempt.ts";
import { bookingEnding, collectingEnding, type Ending, terminalEnding } from "./ending.ts";
import type { Fact } from "./fact.ts";
import { answerToCardBy, deviceOverdue } from "./limits.ts";
import { attemptsOf, bookingOf, isCaptured, type Payment } from "./payment.ts";

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
  if (answer?.is === "approved") return tell(now, "declined", undefined);
  if (answer?.is === "declined") return tell(now, "declined", icc);
  return answer !== undefined || now >= answerToCardBy(payment, payment.terminal.since) ? tell(now, "unable-to-go-online", undefined) : undefined;
}

function tell(at: number, verdict: "approved" | "declined" | "unable-to-go-online", icc: string | undefined): Step {
  const { scripts, ...issuer } = issuerResponseOf(verdict, icc);
  return [{ fact: "issuer-told", at, issuer: { ...issuer, scripts: [...scripts] } }];
}

/** A booking that must not stand is reversed, as often as it takes: only a reversal may be posted freely. */
function takenBack(payment: Payment, now: number, fresh: string): Step {
  const booking = bookingOf(payment);
  if (payment.ending === undefined || booking === undefined || !mayHoldMoney(booking)) return undefined;
  const takenBackBy = RULES[booking.operation.paymentType].takenBackBy;
  const id = booking.answer?.id;
  if (takenBackBy === undefined || id === undefined) return undefined;
  const tries = attemptsOf(payment, "RV");
  const last = tries.at(-1);
  if (last !== undefined) {
    if (last.standing === "intended" || isReversal(payment)) return undefined;
    if (now < repeatAt(last, tries.length)) return undefined;
  }
  const { entityId } = booking.operation;
  return [{ fact: "attempt-intended", at: now, operation: { merchantTransactionId: fresh, paymentType: takenBackBy, entityId, referencedId: id } }];
}

function isReversal(payment: Payment): boolean {
  return attemptsOf(payment, "RV").some(({ standing, answer }) => standing === "settled" && answer?.is === "approved");
}

/** Nothing of this payment is left on the gateway's ledger, as far as it can be known. */
export function isClear(payment: Payment): boolean {
  const booking = bookingOf(payment);
  return booking === undefined || (isKnown(booking) && (!mayHoldMoney(booking) || isReversal(payment)));
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
  return accepted.channel.settlement === "dual" ? [conclusion, capture(payment, answer.id, amount, now, fresh)] : [conclusion];
}

function capture({ accepted }: Payment, referencedId: string, amount: number, at: number, fresh: string): Fact {
  const { currency, channel } = accepted;
  const operation = { merchantTransactionId: fresh, paymentType: "CP" as const, amount, currency, entityId: channel.entityId, referencedId };
  return { fact: "attempt-intended", at, operation };
}

/** A capture that certainly was not booked is posted again; one that was refused for good is an alarm and stays among the open ones. */
function capturedAgain(payment: Payment, now: number, fresh: string): Step {
  const tries = attemptsOf(payment, "CP");
  const last = tries.at(-1);
  const booking = bookingOf(payment);
  if (last === undefined || isCaptured(payment) || booking?.answer?.is !== "approved" || last.operation.amount === undefined) return undefined;
  if (!isRepeatable(last) || now < repeatAt(last, tries.length)) return undefined;
  return [capture(payment, booking.answer.id, last.operation.amount, now, fresh)];
}

/** Certainly not booked, and not refused for good. */
export function isRepeatable({ standing, answer }: ReturnType<typeof attemptsOf>[number]): boolean {
  if (standing === "absent") return true;
  return standing === "settled" && (answer?.is === "still-pending" || (answer?.is === "not-booked" && answer.why !== "refused"));
}
