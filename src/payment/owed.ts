import type { IssuerResponse } from "../emv/issuer-response.ts";
import { oncePer } from "../kit/once-per.ts";
import { closedSearchAt, isBookedAfterClosing, isClosedByPerson } from "./after-closing.ts";
import { type Attempt, nextSearchAt } from "./attempt.ts";
import { captureFailed, isCaptured, nextCapture } from "./capture.ts";
import { isCardPresent } from "./card-present.ts";
import { hasToTell, isWaitingForOriginal, nextFollowUp, originalsOf } from "./follow-up.ts";
import { answerToCardBy, deviceOverdue, hostDeadlineMs } from "./limits.ts";
import { linkSearchAt, type Watching, watchingOf } from "./link.ts";
import type { Operation, SearchKey } from "./operation.ts";
import { bookingOf, hasToPost, type Payment, targetsOf } from "./payment.ts";
import { nextDeletion, storedCardSearchAt } from "./registration.ts";
import { areSecondsGone, mayBePaidTwice, nextSecondTakeBack, secondSearchAt, turnWaitedForUntil } from "./second-take-back.ts";
import { signatureBy } from "./signature.ts";
import { isReversed, nextTakeBack, originalSearchAt } from "./take-back.ts";
import { isCapturedOtherwise } from "./totals.ts";
import { voidSearchAt } from "./void.ts";

/**
 * Who is kept waiting by a query: a card in a terminal, a cashier, or nobody; `precaution`: nothing is known to be amiss. The gateway answers few of them (gateway-facts 2.5).
 */
export type Urgency = "card" | "cashier" | "recovery" | "precaution";

/**
 * What must be done because of the state, and nothing else. `key` names the deed: the shell does each key once for as long as it is owed, and what comes of it is an
 * input. `at` (epoch milliseconds) is the earliest moment. A search asks for `original` and all that refers to it, on behalf of `merchantTransactionId`.
 */
export type Owed = { readonly key: string } & (
  | { readonly do: "lease" }
  | { readonly do: "collect" }
  | { readonly do: "ask-pin" }
  | { readonly do: "call-off" }
  | { readonly do: "post"; readonly operation: Operation; readonly deadlineMs: number }
  | {
      readonly do: "search";
      readonly merchantTransactionId: string;
      readonly original: SearchKey;
      readonly at: number;
      readonly urgency: Urgency;
      /** When its turn is not waited for any more; absent where it is. */
      readonly until?: number;
    }
  /** Looks at a link again and again, for as long as this is owed. */
  | { readonly do: "watch"; readonly link: string; readonly watching: Watching }
  | { readonly do: "complete"; readonly issuer: IssuerResponse }
  | { readonly do: "release"; readonly show: "approved" | "not-approved" | "undecided" }
  /** A void asks its original to stop the capture, or to say that it went through. */
  | { readonly do: "await-original"; readonly original: string }
  /** A follow-up that is final tells the payments it refers to. */
  | { readonly do: "tell-originals"; readonly originals: readonly string[] }
  | { readonly do: "wake"; readonly at: number }
);

/** Asked of every state by the mailbox, by the row that lists the payment and by whoever waits for it. */
export const owed = oncePer((payment: Payment): readonly Owed[] => {
  const own = isCardPresent(payment.accepted) ? owedToTerminal(payment) : owedToOriginal(payment);
  if (isClosedByPerson(payment)) return [...own, ...searches(payment, closedSearchAt)];
  return [...own, ...posts(payment), ...watches(payment), ...searches(payment, searchAt), ...wakes(payment)];
});

/** Nothing is owed any more: the payment may leave memory and is not loaded again. */
export function isSettled(payment: Payment): boolean {
  if (payment.concluded === undefined || owed(payment).length > 0) return false;
  return !waitsForWord(payment);
}

/** Nothing more comes of it by itself: a person has to say what became of it. */
function waitsForWord(payment: Payment): boolean {
  return !isClosedByPerson(payment) && (captureFailed(payment) || isCapturedOtherwise(payment) || isBookedAfterClosing(payment));
}

/**
 * All that is left is to look whether anything has come of it since a query told of it, or a person: nobody waits for anything, and it stands in no list of what is open. A link
 * does as long as its customer may have paid twice.
 */
export function isOverButForLooks(payment: Payment): boolean {
  if (payment.concluded === undefined || waitsForWord(payment) || owed(payment).some((one) => one.do !== "search")) return false;
  if (isClosedByPerson(payment)) return true;
  return isOnlyLookedAt(payment);
}

function isOnlyLookedAt(payment: Payment): boolean {
  return !mayBePaidTwice(payment) && areSecondsGone(payment) && payment.attempts.every((attempt) => ownSearchAt(payment, attempt) === undefined);
}

function owedToOriginal(payment: Payment): readonly Owed[] {
  const { of } = payment.accepted;
  if (of === undefined) return [];
  const waits = isWaitingForOriginal(payment) && of.payment !== undefined;
  return [
    ...(waits && of.payment !== undefined ? [{ key: "await-original", do: "await-original", original: of.payment } as const] : []),
    ...(hasToTell(payment) ? [{ key: "tell-originals", do: "tell-originals", originals: originalsOf(of) } as const] : []),
  ];
}

function owedToTerminal(payment: Payment): readonly Owed[] {
  const { terminal, ending, rounds, presented } = payment;
  const callOff = { key: `call-off ${rounds}`, do: "call-off" } as const;
  switch (terminal.at) {
    case "none":
    case "queued":
      return ending === undefined ? [{ key: "lease", do: "lease" }] : [];
    case "collecting":
      return [{ key: `collect ${rounds}`, do: "collect" }, ...(ending === undefined ? [] : [callOff])];
    case "asking-pin":
      return [{ key: `ask-pin ${presented}`, do: "ask-pin" }, ...(ending === undefined ? [] : [callOff])];
    case "holding":
      return ending !== undefined && hasToPost(payment) ? [callOff] : [];
    case "completing":
      return [{ key: `complete ${presented}`, do: "complete", issuer: terminal.issuer }];
    case "over": {
      if (!payment.leased || (payment.concluded === undefined && ending === undefined && !isCardDone(payment))) return [];
      const show = ending !== undefined ? "not-approved" : payment.concluded === undefined ? "undecided" : "approved";
      return [{ key: "release", do: "release", show }];
    }
  }
}

/** A refund's card gets no answer: once its request had its chance, nothing more is wanted of the terminal. */
function isCardDone(payment: Payment): boolean {
  const { terminal } = payment;
  return terminal.at === "over" && terminal.how.is === "read" && !hasToPost(payment) && bookingOf(payment)?.standing !== "intended";
}

function posts(payment: Payment): readonly Owed[] {
  const { hostAnswerMs } = payment.accepted.rules;
  return payment.attempts
    .filter(({ standing }) => standing === "intended")
    .map(({ operation }) => ({
      key: `post ${operation.merchantTransactionId}`,
      do: "post",
      operation,
      deadlineMs: payment.terminal.at === "holding" ? hostDeadlineMs(payment) : hostAnswerMs,
    }));
}

function watches(payment: Payment): readonly Owed[] {
  const watching = watchingOf(payment);
  return watching === undefined || payment.link === undefined ? [] : [{ key: `watch ${watching}`, do: "watch", link: payment.link.id, watching }];
}

function searches(payment: Payment, when: (payment: Payment, attempt: Attempt) => number | undefined): readonly Owed[] {
  return payment.attempts.flatMap((attempt) => {
    const original = searchKeyOf(payment, attempt);
    const at = when(payment, attempt);
    if (original === undefined || at === undefined) return [];
    const { merchantTransactionId } = attempt.operation;
    const key = `search ${merchantTransactionId} ${attempt.searches} ${at}`;
    const urgency = urgencyOf(payment);
    const until = urgency === "precaution" ? turnWaitedForUntil(attempt) : undefined;
    return [{ key, do: "search", merchantTransactionId, original, at, urgency, ...(until !== undefined && { until }) } as const];
  });
}

/** One query answers whatever is asked of that attempt: the earliest counts. */
function searchAt(payment: Payment, attempt: Attempt): number | undefined {
  const times = [ownSearchAt(payment, attempt), secondSearchAt(payment, attempt)].filter((at) => at !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

function ownSearchAt(payment: Payment, attempt: Attempt): number | undefined {
  const isOriginal = attempt === bookingOf(payment);
  const forCard = isOriginal ? storedCardSearchAt(payment) : undefined;
  if (forCard !== undefined || isAnswered(payment, attempt)) return forCard;
  if (attempt.operation.link !== undefined && attempt.standing === "open") return linkSearchAt(payment, attempt);
  return nextSearchAt(attempt) ?? voidSearchAt(payment, attempt) ?? (isOriginal ? originalSearchAt(payment) : closedSearchAt(payment, attempt));
}

/**
 * A booking is found by our own name for it, which shows every booking under it; a follow-up among what refers to its original. What was paid by a link and is not shown so is
 * looked for by turns under the id that the link names: neither that this id is a booking's nor that the booking has our name is published.
 */
export function searchKeyOf(payment: Payment, { role, operation }: Attempt): SearchKey | undefined {
  const [target] = targetsOf(payment);
  // Of several that are voided none need refer to another (two captures of one sale).
  if (target !== undefined) return { id: (role === "void" ? operation.referencedId : undefined) ?? target.id };
  const booking = bookingOf(payment);
  const sight = payment.link?.sight;
  const isSecondTry = booking?.standing === "open" && booking.searches % 2 === 1;
  if (isSecondTry && sight?.is === "paid" && sight.transactionId !== undefined) return { id: sight.transactionId };
  return booking && { merchantTransactionId: booking.operation.merchantTransactionId };
}

/** Another attempt of the same kind has brought what this one was for. */
function isAnswered(payment: Payment, { role, standing, takenBack }: Attempt): boolean {
  if (role === "own-capture") return isCaptured(payment) || payment.captureWithdrawnBy !== undefined || (standing !== "absent" && captureFailed(payment));
  return takenBack || isReversed(payment);
}

function urgencyOf(payment: Payment): Urgency {
  if (payment.terminal.at === "holding") return "card";
  if (payment.concluded !== undefined) return isOnlyLookedAt(payment) ? "precaution" : "recovery";
  return payment.interruptedAt === undefined ? "cashier" : "recovery";
}

function wakes(payment: Payment): readonly Owed[] {
  return wakeTimes(payment).map((at) => ({ key: `wake ${at}`, do: "wake", at }));
}

function wakeTimes(payment: Payment): readonly number[] {
  const { terminal, accepted, ending, concluded } = payment;
  const isDecided = ending !== undefined || concluded !== undefined;
  const times: (number | undefined)[] = [deviceOverdue(payment), signatureBy(payment)];
  if (terminal.at === "none" || terminal.at === "queued") times.push(isDecided || bookingOf(payment) !== undefined ? undefined : accepted.expiresAt);
  if (terminal.at === "holding" && !hasToPost(payment)) times.push(answerToCardBy(payment, terminal.since));
  times.push(nextCapture(payment)?.at, nextTakeBack(payment)?.at, nextSecondTakeBack(payment)?.at, nextDeletion(payment)?.at, nextFollowUp(payment)?.at);
  return [...new Set(times.filter((at) => at !== undefined))];
}
