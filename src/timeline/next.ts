import { type Owed, owed, type WakeTime, wakeTimes } from "../payment/machine.ts";
import { isResolvable, type Resolution } from "../payment/request.ts";
import { leftAloneUntil, lookedAt, type Payment } from "../payment/state.ts";
import { requestText } from "./request-words.ts";

/** The next automatic event. `at` is absent if it happens as soon as possible. */
export interface Next {
  readonly what: string;
  /** Epoch milliseconds. */
  readonly at?: number;
}

/**
 * Order: a query that is due, timed events, then current work. Undefined: an operator has to act. `now` is the
 * payment's own time.
 */
export function nextOf(payment: Payment, now: number): Next | undefined {
  const deeds = owed(payment).filter((one) => one.do !== "wake");
  const dueQuery = deeds.find((one) => one.do === "search" && one.at <= now);
  if (dueQuery !== undefined)
    return {
      what: `${deedText(payment, dueQuery)}, as soon as it has a turn: the gateway takes two queries a minute.`,
    };
  const timed = [
    ...deeds.flatMap((one) => (one.do === "search" ? [{ what: `${deedText(payment, one)}.`, at: one.at }] : [])),
    ...deeds.flatMap((one) => (one.do === "post" ? [answerOf(payment, one)] : [])),
    ...wakeTimes(payment).map(({ due, at }) => ({ what: WAKES[due], at })),
  ].filter(({ at }) => at > now);
  const [first] = timed.toSorted((a, b) => a.at - b.at);
  if (first !== undefined) return first;
  const [wake] = wakeTimes(payment);
  if (wake !== undefined) return { what: WAKES[wake.due] };
  const [deed] = deeds;
  return deed === undefined ? undefined : { what: `${deedText(payment, deed)}.` };
}

const WAKES: Readonly<Record<WakeTime["due"], string>> = {
  "device-overdue": "The terminal is given up if it has not answered by then.",
  signature: "The payment is reversed if nobody has judged the signature by then.",
  expiry: "The payment ends as request-expired if its turn has not come by then.",
  "answer-to-card": "The card is told that its bank could not be asked, if the gateway has not answered by then.",
  capture: "The capture is sent to the gateway.",
  reversal: "The reversal is sent to the gateway.",
  "second-reversal": "The reversal of the second booking is sent to the gateway.",
  deletion: "The deletion of the stored card is sent to the gateway.",
  "follow-up": "The request is sent to the gateway.",
};

/** The request is on the wire; its answer is awaited until then. */
function answerOf(
  payment: Payment,
  { operation, deadlineMs }: Extract<Owed, { do: "post" }>,
): { readonly what: string; readonly at: number } {
  const sent = payment.attempts.find(
    (attempt) => attempt.operation.merchantTransactionId === operation.merchantTransactionId,
  );
  const what = `The gateway is asked for ${requestText(payment.accepted, operation)}; without an answer by then, the bridge queries what became of it.`;
  return { what, at: (sent?.intendedAt ?? payment.updatedAt) + deadlineMs };
}

function deedText(payment: Payment, deed: Exclude<Owed, { do: "wake" }>): string {
  const { accepted } = payment;
  switch (deed.do) {
    case "lease":
      return `The payment begins once terminal ${accepted.terminal} is free`;
    case "collect":
      return "The terminal reads the card";
    case "ask-pin":
      return "The customer types the PIN";
    case "call-off":
      return "The terminal is told to stop";
    case "post":
      return `The gateway is asked for ${requestText(accepted, deed.operation)}`;
    case "search":
      return `The gateway is queried for ${searchedText(payment, deed.merchantTransactionId)}`;
    case "watch":
      return "The bridge looks at the link until the customer has paid by it or it has expired";
    case "complete":
      return "The card gets the answer of its bank";
    case "release":
      return "The terminal is given back once the card is out";
    case "await-original":
      return "The payment goes on once it is known what becomes of the capture that it voids";
    case "tell-originals":
      return "The original payment is told of the outcome";
  }
}

function searchedText({ accepted, attempts }: Payment, merchantTransactionId: string): string {
  const attempt = attempts.find(({ operation }) => operation.merchantTransactionId === merchantTransactionId);
  return attempt === undefined ? "what was booked" : requestText(accepted, attempt.operation);
}

const RESOLUTIONS: readonly Resolution[] = ["reversed", "approved", "declined"];

/** Resolutions that an operator may choose now or, if none, the time from which some may be chosen. */
export interface Resolvable {
  readonly choices: readonly Resolution[];
  /** Epoch milliseconds. */
  readonly from?: number;
}

export function resolvableOf(payment: Payment, now: number): Resolvable {
  const choices = choicesAt(payment, now);
  if (choices.length > 0) return { choices };
  const from = moments(payment).find((at) => at > now && choicesAt(payment, at).length > 0);
  return from === undefined ? { choices } : { choices, from };
}

function choicesAt(payment: Payment, at: number): readonly Resolution[] {
  return RESOLUTIONS.filter((as) => isResolvable(payment, at, as));
}

/** All times at which `resolve` may allow more: an unknown window after each event, and a link's end. Oldest first. */
function moments(payment: Payment): readonly number[] {
  const { accepted, attempts, seconds, ending, concluded } = payment;
  const happened = [
    ...attempts.flatMap((attempt) => [attempt.intendedAt, attempt.since, lookedAt(attempt)]),
    ...seconds.flatMap(({ seenAt, shownAt }) => [seenAt, shownAt]),
    ...[ending?.at, concluded?.at],
  ].filter((at) => at !== undefined);
  const linkEnd = leftAloneUntil(payment);
  return [
    ...happened.map((at) => at + accepted.rules.unknownWindowMs),
    ...(linkEnd === undefined ? [] : [linkEnd]),
  ].toSorted((a, b) => a - b);
}
