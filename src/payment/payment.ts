import type { IssuerResponse } from "../emv/issuer-response.ts";
import { type Attempt, answered, intend, interrupted, isTakenBack, searched, shown } from "./attempt.ts";
import type { Accepted, CardRead, ChipData, Fact } from "./fact.ts";
import type { Outcome } from "./public.ts";

/** How far the payment is with the terminal. `holding`: a card waits for the host's answer (ARQC made, or the device is being called off). */
export type TerminalSide =
  | { readonly at: "none" | "queued" }
  | { readonly at: "collecting" | "holding"; readonly since: number }
  | { readonly at: "completing"; readonly since: number; readonly issuer: IssuerResponse }
  | { readonly at: "over"; readonly since: number; readonly how: TerminalEnd };

/** What the terminal side ended with. `lost` after the issuer's answer went to the card: the card's word is not known. */
export type TerminalEnd =
  | { readonly is: "unused" }
  | { readonly is: "verdict"; readonly verdict: "approved" | "declined" | "read"; readonly issuer: IssuerResponse }
  | { readonly is: "lost"; readonly issuer: IssuerResponse; readonly detail: string }
  | { readonly is: "no-card"; readonly why: "chip-unreadable" | "not-supported" | "blocked" | "removed" | "timeout" | "pin-timeout" | "use-chip" }
  | { readonly is: "cancelled"; readonly by: "customer" | "register" }
  | { readonly is: "failed"; readonly code: string; readonly detail: string }
  | { readonly is: "offline"; readonly decision: "approved-offline" | "declined-offline" };

/**
 * One payment as plain JSON: no clock, no secrets. It is the fold of its facts and nothing else, so a restart needs the journal only.
 * `ending` is set as soon as the payment can no longer be approved; `concluded` when it is final.
 */
export interface Payment {
  readonly accepted: Accepted;
  readonly terminal: TerminalSide;
  /** The terminal was given to this payment and not yet given back. */
  readonly leased: boolean;
  readonly card?: CardRead;
  /** What the card said last, in printable form: the second cryptogram where there is one. */
  readonly chip?: ChipData;
  readonly attempts: readonly Attempt[];
  readonly cancelAskedAt?: number;
  readonly interruptedAt?: number;
  readonly ending?: { readonly at: number; readonly outcome: "DECLINED" | "CANCELLED" | "FAILED"; readonly reason: string };
  readonly concluded?: { readonly at: number; readonly outcome: Outcome };
  readonly updatedAt: number;
}

export function begin(accepted: Accepted): Payment {
  return { accepted, terminal: { at: "none" }, leased: false, attempts: [], updatedAt: accepted.at };
}

/** The state after one more fact. Total: a fact that does not fit the state (which no journal of ours holds) changes nothing but the time. */
export function evolve(payment: Payment, fact: Fact): Payment {
  const next = { ...payment, updatedAt: fact.at };
  switch (fact.fact) {
    case "accepted":
      return payment;
    case "queued":
      return { ...next, terminal: { at: "queued" } };
    case "collecting":
      return { ...next, leased: true, terminal: { at: "collecting", since: fact.at } };
    case "card-presented":
      return presented(next, fact.card, fact.at);
    case "card-failed":
      return over(next, fact.at, { is: "no-card", why: fact.why });
    case "collecting-cancelled":
      return over(next, fact.at, { is: "cancelled", by: fact.by });
    case "terminal-failed":
      return over(next, fact.at, { is: "failed", code: fact.code, detail: fact.detail });
    case "cancel-asked":
      return { ...next, cancelAskedAt: fact.at };
    case "attempt-intended":
      return { ...next, attempts: [...payment.attempts, intend(fact.operation, fact.at)] };
    case "attempt-answered":
      return withAttempt(next, fact.merchantTransactionId, (attempt) => answered(attempt, fact.answer, fact.at));
    case "attempt-searched":
      return afterSearch(next, fact);
    case "issuer-told":
      return { ...next, terminal: { at: "completing", since: fact.at, issuer: fact.issuer } };
    case "card-finished":
      return payment.terminal.at === "completing"
        ? { ...over(next, fact.at, { is: "verdict", verdict: fact.verdict, issuer: payment.terminal.issuer }), chip: { ...payment.chip, ...fact.chip } }
        : next;
    case "card-lost":
      return payment.terminal.at === "completing" ? over(next, fact.at, { is: "lost", issuer: payment.terminal.issuer, detail: fact.detail }) : next;
    case "interrupted":
      return afterRestart(next, fact.at);
    case "ending":
      return { ...next, ending: { at: fact.at, outcome: fact.outcome, reason: fact.reason } };
    case "concluded":
      return { ...next, concluded: { at: fact.at, outcome: fact.outcome } };
    case "released":
      return { ...next, leased: false };
  }
}

/** The payment that these facts tell, or undefined where they do not begin with its acceptance. */
export function fold(facts: readonly Fact[]): Payment | undefined {
  const [first, ...rest] = facts;
  return first?.fact === "accepted" ? rest.reduce(evolve, begin(first)) : undefined;
}

function over(payment: Payment, since: number, how: TerminalEnd): Payment {
  return { ...payment, terminal: { at: "over", since, how } };
}

function presented(payment: Payment, card: CardRead, at: number): Payment {
  const read = { ...payment, card, chip: card.chip };
  return card.decision === "online" ? { ...read, terminal: { at: "holding", since: at } } : over(read, at, { is: "offline", decision: card.decision });
}

function withAttempt(payment: Payment, merchantTransactionId: string, change: (attempt: Attempt) => Attempt): Payment {
  const attempts = payment.attempts.map((attempt) => (attempt.operation.merchantTransactionId === merchantTransactionId ? change(attempt) : attempt));
  return { ...payment, attempts };
}

/** One search tells about the attempt it was made for, about every other attempt among its bookings, and whether the original was taken back. */
function afterSearch(payment: Payment, { at, merchantTransactionId, result }: Extract<Fact, { fact: "attempt-searched" }>): Payment {
  const claimed = payment.attempts.some(({ operation, answer }) => operation.paymentType === "RV" && answer?.is === "already-reversed");
  const bookings = result.is === "found" ? result.bookings : [];
  const attempts = payment.attempts.map((attempt) => {
    const isOwn = attempt.operation.merchantTransactionId === merchantTransactionId;
    const told = isOwn ? searched(attempt, result, at, payment.accepted.rules.unknownWindowMs) : (shown(attempt, bookings, at) ?? attempt);
    const id = told.answer?.id;
    return id !== undefined && isTakenBack(bookings, id, claimed) ? { ...told, takenBack: true } : told;
  });
  return { ...payment, attempts };
}

/** The terminal was reset by the restart: whatever it was doing is over, and what was on the wire is open. */
function afterRestart(payment: Payment, at: number): Payment {
  const attempts = payment.attempts.map((attempt) => interrupted(attempt, at));
  const stopped = { ...payment, attempts, leased: false, interruptedAt: at };
  switch (payment.terminal.at) {
    case "none":
    case "queued":
    case "collecting":
    case "holding":
      return over(stopped, at, { is: "unused" });
    case "completing":
      return over(stopped, at, { is: "lost", issuer: payment.terminal.issuer, detail: "the bridge was restarted" });
    case "over":
      return stopped;
  }
}

/** The attempt that reserves or takes the money, or undefined while none was made. */
export function bookingOf(payment: Payment): Attempt | undefined {
  return payment.attempts.find(({ operation }) => operation.paymentType === "PA" || operation.paymentType === "DB");
}

export function attemptsOf(payment: Payment, paymentType: "CP" | "RV" | "RF"): readonly Attempt[] {
  return payment.attempts.filter(({ operation }) => operation.paymentType === paymentType);
}
