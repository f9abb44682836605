import {
  type Attempt,
  answered,
  intend,
  interrupted,
  isRefundOrVoidDone,
  leftOpen,
  standingAs,
} from "../attempt/attempt.ts";
import { type Role, RULES, roleOf } from "../attempt/retry-by-role.ts";
import type { Ask } from "../fact/entry-request.ts";
import type { Accepted, CardRead, ChipData, Fact } from "../fact/fact.ts";
import { type HeldCard, withTc } from "../fact/held-card.ts";
import type { FollowUp, Target } from "../fact/original.ts";
import type { TerminalEnd, TerminalSide } from "../fact/terminal-side.ts";
import { isTakenBack, isUsed } from "../recovery/evidence.ts";
import { broughtAlong, reversed, searched } from "../recovery/query-result.ts";
import { givenBesides, type SecondBooking, secondBookings } from "../recovery/surplus.ts";
import type { Outcome } from "../view-schema.ts";
import { isCardPresent } from "./card-present.ts";
import { type Link, mayBePaidYet, ofLink } from "./link-sight.ts";
import { idByOperator, type Resolved, resolvedAgain } from "./resolved.ts";

/**
 * Folded from facts alone, so a restart rebuilds it from the journal (decision 1). `ending`: it can never be approved.
 * `concluded`: it is FINAL.
 */
export interface Payment {
  readonly accepted: Accepted;
  readonly terminal: TerminalSide;
  readonly leased: boolean;
  /** Card requests so far; `ask`: why the last one was repeated. */
  readonly rounds: number;
  readonly ask: Ask | undefined;
  readonly chipFailures: number;
  readonly chipAsked: number;
  readonly card: HeldCard | undefined;
  /** Receipt data, and the CVM that may require a signature; changed by a later PIN and by the second GENERATE AC. */
  readonly chip: ChipData | undefined;
  /** Cards and PINs so far that need a request each: not a card that decided offline. */
  readonly presented: number;
  readonly attempts: readonly Attempt[];
  readonly link: Link | undefined;
  readonly signature: { readonly at: number; readonly accepted: boolean } | undefined;
  /** In a void that waited for its sale's capture: the CP to reverse or, if none was made, the PA. */
  readonly targets: readonly Target[] | undefined;
  readonly toldOriginal: boolean;
  /**
   * In a follow-up: targets that queries showed reversed, so a void is done, or `used` (captured, refunded), so it is
   * refused.
   */
  readonly reversed: readonly string[];
  readonly used: readonly string[];
  /** Surplus bookings. */
  readonly seconds: readonly SecondBooking[];
  readonly followUps: readonly FollowUp[];
  readonly captureWithdrawnBy: string | undefined;
  readonly cancelAskedAt: number | undefined;
  readonly interruptedAt: number | undefined;
  readonly ending:
    | { readonly at: number; readonly outcome: "DECLINED" | "CANCELLED" | "FAILED"; readonly reason: string }
    | undefined;
  readonly resolved: Resolved | undefined;
  readonly concluded: { readonly at: number; readonly outcome: Outcome } | undefined;
  readonly updatedAt: number;
}

export function begin(accepted: Accepted): Payment {
  return {
    accepted,
    terminal: { at: "none" },
    leased: false,
    rounds: 0,
    ask: undefined,
    chipFailures: 0,
    chipAsked: 0,
    card: undefined,
    chip: undefined,
    presented: 0,
    attempts: [],
    link: undefined,
    signature: undefined,
    targets: undefined,
    reversed: [],
    used: [],
    seconds: [],
    toldOriginal: false,
    followUps: [],
    captureWithdrawnBy: undefined,
    cancelAskedAt: undefined,
    interruptedAt: undefined,
    ending: undefined,
    resolved: undefined,
    concluded: undefined,
    updatedAt: accepted.at,
  };
}

export function evolve(payment: Payment, fact: Fact): Payment {
  const next = { ...payment, updatedAt: fact.at };
  switch (fact.fact) {
    case "accepted":
      return payment;
    case "queued":
      return { ...next, terminal: { at: "queued" } };
    case "collecting":
      return collecting(next, fact.at, fact.ask);
    case "card-presented":
      return presented(next, fact.card, fact.at);
    case "card-failed":
      return cardFailed(next, fact.at, fact.why);
    case "collecting-cancelled":
      return over(next, fact.at, { is: "cancelled", by: fact.by });
    case "pin-asked":
      return { ...next, terminal: { at: "asking-pin", since: fact.at } };
    case "pin-entered":
      return pinEntered(next, fact.at);
    case "terminal-failed":
      return over(next, fact.at, { is: "failed", code: fact.code, detail: fact.detail });
    case "cancel-asked":
      return { ...next, cancelAskedAt: fact.at };
    case "attempt-intended":
      return {
        ...next,
        attempts: [...payment.attempts, intend(fact.operation, roleOf(payment.accepted.type, fact.operation), fact.at)],
      };
    case "attempt-answered":
      return afterAnswer(next, fact);
    case "attempt-searched":
      return afterSearch(next, fact);
    case "link-seen":
      return { ...next, link: payment.link && { ...payment.link, sight: fact.sight, seenAt: fact.at } };
    case "issuer-told":
      return { ...next, terminal: { at: "completing", since: fact.at, issuer: fact.issuer } };
    case "card-finished":
      return cardFinished(next, fact);
    case "card-lost":
      return payment.terminal.at === "completing"
        ? over(next, fact.at, { is: "lost", issuer: payment.terminal.issuer, detail: fact.detail })
        : next;
    case "signature-judged":
      return { ...next, signature: { at: fact.at, accepted: fact.accepted } };
    case "interrupted":
      return afterRestart(next, fact.at, payment.updatedAt);
    case "original-known":
      return { ...next, targets: fact.targets };
    case "original-told":
      return { ...next, toldOriginal: true };
    case "capture-withdrawn":
      return { ...next, captureWithdrawnBy: fact.by };
    case "followed":
      return followed(next, fact.by);
    case "resolved":
      return (fact.followed ?? []).reduce(followed, resolvedAs(next, fact));
    case "ending":
      return { ...next, ending: { at: fact.at, outcome: fact.outcome, reason: fact.reason } };
    case "concluded":
      return { ...next, concluded: { at: fact.at, outcome: fact.outcome } };
    case "released":
      return { ...next, leased: false };
  }
}

export function fold(facts: readonly Fact[]): Payment | undefined {
  const [first, ...rest] = facts;
  return first?.fact === "accepted" ? rest.reduce(evolve, begin(first)) : undefined;
}

function collecting(payment: Payment, since: number, ask: Ask | undefined): Payment {
  const chipAsked = payment.chipAsked + (ask?.again === "use-chip" ? 1 : 0);
  return {
    ...payment,
    leased: true,
    rounds: payment.rounds + 1,
    chipAsked,
    ask: ask ?? payment.ask,
    terminal: { at: "collecting", since },
  };
}

function over(payment: Payment, since: number, how: TerminalEnd): Payment {
  return { ...payment, terminal: { at: "over", since, how } };
}

function presented(payment: Payment, card: CardRead, at: number): Payment {
  const read = { ...payment, card, chip: card.chip, chipFailures: 0 };
  // A refund gets no second GENERATE AC: the AAC of the first is its normal end, no decline (EMV Book 3, 10.11).
  if (payment.accepted.type === "REFUND")
    return over({ ...read, presented: payment.presented + 1 }, at, { is: "read" });
  if (card.decision !== "online") return over(read, at, { is: "offline", decision: card.decision });
  return { ...read, presented: payment.presented + 1, terminal: { at: "holding", since: at } };
}

function cardFailed(payment: Payment, at: number, why: Extract<TerminalEnd, { is: "no-card" }>["why"]): Payment {
  return {
    ...over(payment, at, { is: "no-card", why }),
    chipFailures: payment.chipFailures + (why === "chip-unreadable" ? 1 : 0),
  };
}

function cardFinished(
  payment: Payment,
  { at, verdict, chip, icc, removed }: Extract<Fact, { fact: "card-finished" }>,
): Payment {
  if (payment.terminal.at !== "completing") return payment;
  // After a tap the issuer checked a PIN online: the receipt shows it, not the tap's own CVM (9F34).
  const verified = payment.card?.pinEntered === true && payment.chip?.cvm === "online-pin" ? { cvm: "online-pin" } : {};
  const how = { is: "verdict", verdict, issuer: payment.terminal.issuer, ...(removed && { removed }) } as const;
  return {
    ...over(payment, at, how),
    card: withTc(payment.card, icc),
    chip: { ...payment.chip, ...chip, ...verified },
  };
}

function pinEntered(payment: Payment, at: number): Payment {
  if (payment.card === undefined) return payment;
  const chip = { ...payment.card.chip, cvm: "online-pin" };
  const card = { ...payment.card, pinEntered: true, chip };
  return { ...payment, card, chip, presented: payment.presented + 1, terminal: { at: "holding", since: at } };
}

/**
 * A refund or void can go through after its payment failed: its original must hear of it, or could give the money
 * again.
 */
function withAttempts(payment: Payment, attempts: readonly Attempt[]): Payment {
  const isNews = attempts.some(isRefundOrVoidDone) && !payment.attempts.some(isRefundOrVoidDone);
  return { ...payment, attempts, toldOriginal: payment.toldOriginal && !isNews };
}

function afterAnswer(
  payment: Payment,
  { at, merchantTransactionId, answer }: Extract<Fact, { fact: "attempt-answered" }>,
): Payment {
  // The link arrived after the payment had ended, by a cancel for example: its address is dropped, so that nobody pays
  // by it.
  const isUnwanted = answer.is === "link" && payment.ending !== undefined;
  const attempts = payment.attempts.map((attempt): Attempt => {
    if (attempt.operation.merchantTransactionId !== merchantTransactionId) return attempt;
    return isUnwanted && attempt.operation.link !== undefined
      ? standingAs({ ...attempt, answer }, "absent", at)
      : answered(attempt, answer, at);
  });
  const isBooking = attempts.some(
    ({ role, operation }) => RULES[role].isBooking && operation.merchantTransactionId === merchantTransactionId,
  );
  const next = withAttempts(
    { ...payment, seconds: payment.seconds.filter(({ id }) => !isBooking || id !== answer.id) },
    attempts,
  );
  if (answer.is !== "link" || isUnwanted || payment.accepted.link === undefined) return next;
  return { ...next, link: { id: answer.id, url: answer.url, at, sight: { is: "open", opened: false }, seenAt: at } };
}

function afterSearch(
  payment: Payment,
  { at, merchantTransactionId, result: said }: Extract<Fact, { fact: "attempt-searched" }>,
): Payment {
  const booking = bookingOf(payment);
  const { unknownWindowMs } = payment.accepted.rules;
  const result =
    payment.link === undefined || booking === undefined
      ? said
      : ofLink(payment.link, booking, said, at, unknownWindowMs);
  // While the customer may still pay by the link, no number of empty queries proves that nothing was booked: the window
  // never ends.
  const windowOf = ({ operation }: Attempt): number =>
    mayBePaidYet(payment.link, operation, at, payment.interruptedAt) ? Infinity : unknownWindowMs;
  const claimed = (id: string): boolean =>
    payment.attempts.some(
      ({ operation, answer }) =>
        operation.paymentType === "RV" && operation.referencedId === id && answer?.is === "already-reversed",
    );
  const bookings = result.is === "found" ? result.bookings : [];
  const byRefund = payment.resolved !== undefined && payment.ending !== undefined;
  const attempts = payment.attempts.map((attempt) => {
    const isOwn = attempt.operation.merchantTransactionId === merchantTransactionId;
    const told = isOwn ? searched(attempt, result, at, windowOf(attempt)) : broughtAlong(attempt, bookings, at);
    return reversed(attempt, told, bookings, at, { claimed: claimed(told.answer?.id ?? ""), byRefund });
  });
  const targets = targetsOf(payment).filter(({ id }) => !payment.reversed.includes(id));
  const seen = targets
    .filter((target) => isTakenBack(bookings, target, { claimed: claimed(target.id), byRefund: false }))
    .map(({ id }) => id);
  const used = targetsOf(payment).flatMap(({ id }) => (!payment.used.includes(id) && isUsed(bookings, id) ? [id] : []));
  const after = {
    ...withAttempts(payment, attempts),
    reversed: [...payment.reversed, ...seen],
    used: [...payment.used, ...used],
  };
  if (said.is !== "found") return after;
  const asked = payment.accepted.amount;
  const counting = after.attempts.filter(({ role }) => RULES[role].isBooking);
  const seconds = secondBookings(payment.seconds, counting, {
    bookings: said.bookings,
    claimed,
    named: idByOperator(payment),
    at,
  });
  return {
    ...after,
    seconds,
    toldOriginal: after.toldOriginal && givenBesides(seconds, asked) === givenBesides(payment.seconds, asked),
  };
}

/** If a void fails, its sale's stopped capture goes on: without the CP the shop would lose the money. */
function followed(payment: Payment, by: FollowUp): Payment {
  const { captureWithdrawnBy } = payment;
  const isKept = captureWithdrawnBy !== by.payment || by.outcome === "APPROVED";
  const followUps = [...payment.followUps.filter((other) => other.payment !== by.payment), by];
  return { ...payment, captureWithdrawnBy: isKept ? captureWithdrawnBy : undefined, followUps };
}

/**
 * An operator decision closes an open payment. A FINAL outcome stays, because its register was told it (decision 17).
 */
function resolvedAs(before: Payment, resolved: Resolved): Payment {
  const payment = { ...before, attempts: before.attempts.map((attempt) => leftOpen(attempt, resolved.at)) };
  if (payment.concluded !== undefined)
    return { ...payment, resolved: before.ending === undefined ? resolvedAgain(before.resolved, resolved) : resolved };
  switch (resolved.as) {
    case "approved":
      return { ...payment, resolved };
    case "reversed":
      return { ...payment, resolved, ending: { at: resolved.at, outcome: "FAILED", reason: "operator-reversed" } };
    case "declined":
      return { ...payment, resolved, ending: { at: resolved.at, outcome: "DECLINED", reason: "operator-declined" } };
  }
}

function afterRestart(payment: Payment, at: number, heardAt: number): Payment {
  const attempts = payment.attempts.map((attempt) => interrupted(attempt, at, heardAt));
  const stopped = { ...payment, attempts, leased: false, interruptedAt: at };
  switch (payment.terminal.at) {
    case "none":
    case "queued":
    case "collecting":
    case "asking-pin":
    case "holding":
      return isCardPresent(payment.accepted) ? over(stopped, at, { is: "unused" }) : stopped;
    case "completing":
      return over(stopped, at, { is: "lost", issuer: payment.terminal.issuer, detail: "the bridge was restarted" });
    case "over":
      return stopped;
  }
}

export function bookingOf(payment: Payment): Attempt | undefined {
  return payment.attempts.findLast(({ role }) => RULES[role].isBooking);
}

export function attemptsAs(payment: Payment, role: Role): readonly Attempt[] {
  return payment.attempts.filter((attempt) => attempt.role === role);
}

export function hasToPost(payment: Payment): boolean {
  return payment.attempts.filter(({ role }) => RULES[role].isBooking).length < payment.presented;
}

export function targetsOf({ accepted, targets }: Payment): readonly Target[] {
  return targets ?? accepted.of?.targets ?? [];
}
