import { maskCardNumbers } from "../kit/card-number.ts";
import { begin, type CardRead, evolve, type Fact } from "../payment/machine.ts";
import { bookedAmount, NO_TERMINAL, type Payment } from "../payment/state.ts";
import { isReasonCode, type ReasonCode, reasonOf } from "../payment/view.ts";
import type { Outcome } from "../payment/view-schema.ts";
import { answerText, moneyText, requestText, searchText } from "./request-words.ts";
import type { Step, Track } from "./step.ts";

/** The steps of a payment, one for each journal fact, oldest first. The card appears only by entry mode and brand. */
export function timelineOf(facts: readonly Fact[]): readonly Step[] {
  const [accepted] = facts;
  if (accepted?.fact !== "accepted") return [];
  let payment = begin(accepted);
  return facts.map((fact) => {
    const before = payment;
    payment = evolve(payment, fact);
    const { track, text, since } = wordsOf(fact, before, payment);
    return { at: fact.at, ...(since !== undefined && { tookMs: fact.at - since }), track, code: fact.fact, text };
  });
}

/** `since`: start of the activity that this step ends. */
interface Words {
  readonly track: Track;
  readonly text: string;
  readonly since?: number | undefined;
}

/** Every fact has a step: the compiler rejects a fact without a case. */
function wordsOf(fact: Fact, before: Payment, after: Payment): Words {
  const { accepted } = before;
  const terminal = accepted.terminal === NO_TERMINAL ? "the terminal" : `terminal ${accepted.terminal}`;
  switch (fact.fact) {
    case "accepted":
      return { track: "register", text: acceptedText(before) };
    case "queued":
      return { track: "terminal", text: `The payment waits until ${terminal} is free.` };
    case "collecting":
      return { track: "terminal", text: askText(fact, after, terminal) };
    case "card-presented":
      return { track: "card", text: cardText(fact.card), since: terminalSince(before) };
    case "card-failed":
      return {
        track: "card",
        text: `No card was read: ${reasonOf(NO_CARD[fact.why]).message}`,
        since: terminalSince(before),
      };
    case "collecting-cancelled":
      return {
        track: "terminal",
        text: `Asking for a card ended: the ${fact.by} cancelled.`,
        since: terminalSince(before),
      };
    case "pin-asked":
      return { track: "terminal", text: `The customer is asked for the PIN at ${terminal}.` };
    case "pin-entered":
      return { track: "card", text: "The customer typed a PIN.", since: terminalSince(before) };
    case "terminal-failed":
      return { track: "terminal", text: failedText(fact.code, fact.detail, terminal), since: terminalSince(before) };
    case "cancel-asked":
      return { track: "register", text: `Register ${accepted.register} asked to cancel.` };
    case "attempt-intended":
      return { track: "gateway", text: `The bridge sends ${requestText(accepted, fact.operation)} to the gateway.` };
    case "attempt-answered":
      return answered(fact, before);
    case "attempt-searched":
      return { track: "gateway", text: searchText(requestNamed(before, fact.merchantTransactionId), fact.result) };
    case "link-seen":
      return { track: "gateway", text: LINK[fact.sight.is] };
    default:
      return laterWords(fact, before, after, terminal);
  }
}

type Later = Exclude<
  Fact["fact"],
  | (
      | "accepted"
      | "queued"
      | "collecting"
      | "card-presented"
      | "card-failed"
      | "collecting-cancelled"
      | "pin-asked"
      | "pin-entered"
      | "terminal-failed"
    )
  | ("cancel-asked" | "attempt-intended" | "attempt-answered" | "attempt-searched" | "link-seen")
>;

/** Facts after the gateway's answer: second GENERATE AC, operator decision, and end. */
function laterWords(fact: Extract<Fact, { fact: Later }>, before: Payment, after: Payment, terminal: string): Words {
  switch (fact.fact) {
    case "issuer-told":
      return {
        track: "terminal",
        text: `The card gets the answer: ${VERDICTS[fact.issuer.verdict]}.`,
        since: terminalSince(before),
      };
    case "card-finished":
      return { track: "card", text: finishedText(fact), since: terminalSince(before) };
    case "card-lost":
      return {
        track: "card",
        text: `The card's final answer was lost: ${detailText(fact.detail)}.`,
        since: terminalSince(before),
      };
    case "signature-judged":
      return { track: "register", text: `The cashier ${fact.accepted ? "accepted" : "refused"} the signature.` };
    case "interrupted":
      return { track: "journal", text: "The bridge was restarted and read the payment back from the journal." };
    case "original-known":
      return { track: "journal", text: `The bookings that this payment is about are known: ${fact.targets.length}.` };
    case "original-told":
      return { track: "journal", text: "The original payment was told of the outcome." };
    case "capture-withdrawn":
      return { track: "journal", text: `The capture is not sent any more: payment ${fact.by} voids this one.` };
    case "followed":
      return {
        track: "journal",
        text: `A ${fact.by.type} of this payment ended ${fact.by.outcome} (payment ${fact.by.payment}).`,
      };
    case "resolved":
      return {
        track: "journal",
        text: `An operator closed the payment as ${fact.as}. Who: ${detailText(fact.by)}. Why: ${detailText(fact.reason)}.`,
      };
    case "ending":
      return { track: "journal", text: `The payment cannot be approved any more: ${endText(fact.reason)}` };
    case "concluded":
      return { track: "journal", text: concludedText(fact.outcome, after), since: before.accepted.at };
    case "released":
      return { track: "terminal", text: `The payment gives ${terminal} back.` };
  }
}

/** Start of the terminal's current activity. */
function terminalSince({ terminal }: Payment): number | undefined {
  return "since" in terminal ? terminal.since : undefined;
}

function acceptedText({ accepted }: Payment): string {
  const { register, type, amount, currency, of } = accepted;
  const how =
    accepted.link !== undefined ? " by a link" : accepted.registration === undefined ? "" : " by a stored card";
  const money = type === "REGISTRATION" ? "" : ` of ${moneyText(amount, currency)}`;
  return `Register ${register} asked for a ${type}${money}${how}${of?.payment === undefined ? "" : ` on payment ${of.payment}`}.`;
}

const AGAIN: Readonly<Record<NonNullable<Extract<Fact, { fact: "collecting" }>["ask"]>["again"], string>> = {
  "chip-unreadable": "the chip could not be read",
  fallback: "the chip could not be read, and the stripe may be used",
  "wrong-pin": "the PIN was wrong",
  "use-chip": "the card has to be inserted",
};

function askText({ ask }: Extract<Fact, { fact: "collecting" }>, { rounds }: Payment, terminal: string): string {
  if (ask !== undefined) return `A card is asked for again at ${terminal}: ${AGAIN[ask.again]}.`;
  return `A card is asked for${rounds > 1 ? " again" : ""} at ${terminal}.`;
}

const PRESENTED: Readonly<Record<CardRead["entryMode"], string>> = {
  ICC: "was inserted",
  NFC_ICC: "was tapped",
  NFC_MAGSTRIPE: "was tapped (magstripe mode)",
  MAGSTRIPE: "was swiped",
  MAGSTRIPE_AS_FALLBACK: "was swiped, because its chip could not be read",
  MANUAL: "was typed in at the terminal",
};

const DECISIONS: Readonly<Record<CardRead["decision"], string>> = {
  online: "wants to ask its bank",
  "approved-offline": "approved without asking its bank",
  "declined-offline": "answered without asking its bank",
};

function cardText({ brand, entryMode, decision, pinEntered }: CardRead): string {
  return `A ${brand} card ${PRESENTED[entryMode]}${pinEntered ? ", and a PIN was typed" : ""}. It ${DECISIONS[decision]}.`;
}

/** The register's reason code for each failure. */
const NO_CARD: Readonly<Record<Extract<Fact, { fact: "card-failed" }>["why"], ReasonCode>> = {
  "chip-unreadable": "chip-unreadable",
  "not-supported": "card-not-supported",
  blocked: "blocked-card",
  removed: "card-removed",
  timeout: "card-timeout",
  "pin-timeout": "pin-timeout",
  "use-chip": "chip-required",
};

function failedText(code: string, detail: string, terminal: string): string {
  const reason = isReasonCode(code) ? reasonOf(code).message : `Failure at ${terminal}.`;
  return detail === "" ? reason : `${reason} (${detailText(detail)})`;
}

function answered(
  { merchantTransactionId, answer }: Extract<Fact, { fact: "attempt-answered" }>,
  payment: Payment,
): Words {
  const attempt = payment.attempts.find(({ operation }) => operation.merchantTransactionId === merchantTransactionId);
  const { amount, reverses, currency = payment.accepted.currency } = attempt?.operation ?? {};
  const text = answerText(requestNamed(payment, merchantTransactionId), answer, {
    amount: amount ?? reverses,
    currency,
  });
  return { track: "gateway", text, since: attempt?.intendedAt };
}

function requestNamed({ accepted, attempts }: Payment, merchantTransactionId: string): string {
  const attempt = attempts.find(({ operation }) => operation.merchantTransactionId === merchantTransactionId);
  return attempt === undefined ? "a request" : requestText(accepted, attempt.operation);
}

const LINK: Readonly<Record<Extract<Fact, { fact: "link-seen" }>["sight"]["is"], string>> = {
  open: "The gateway shows that the link may be paid.",
  paid: "The gateway shows that the link was paid; a query tells what was booked.",
  expired: "The gateway shows that the link has expired.",
  throttled: "The gateway turned a look at the link away, because too many requests came.",
  "no-answer": "The gateway did not answer a look at the link.",
};

const VERDICTS: Readonly<Record<Extract<Fact, { fact: "issuer-told" }>["issuer"]["verdict"], string>> = {
  approved: "approved",
  declined: "declined",
  "unable-to-go-online": "the bank could not be asked",
};

function finishedText({ verdict, removed }: Extract<Fact, { fact: "card-finished" }>): string {
  if (removed) return "The card was taken out before it could answer.";
  if (verdict === "read") return "The card is done.";
  return verdict === "approved" ? "The card agreed." : "The card declined.";
}

/** Length limit of an operator's reason, in characters. */
const MOST_DETAIL = 500;

/** Text from drivers and people: one line, without possible card numbers. */
function detailText(text: string): string {
  const line = maskCardNumbers(text)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\.$/, "");
  return line.length > MOST_DETAIL ? `${line.slice(0, MOST_DETAIL)}...` : line;
}

function endText(reason: string): string {
  return isReasonCode(reason) ? reasonOf(reason).message : `${detailText(reason)}.`;
}

function concludedText(outcome: Outcome, payment: Payment): string {
  const isApproved = outcome === "APPROVED" || outcome === "PARTIALLY_APPROVED";
  const booked = isApproved && payment.accepted.type !== "REGISTRATION" ? bookedAmount(payment) : undefined;
  return `The payment is final: ${outcome}${booked === undefined ? "" : `, ${moneyText(booked, payment.accepted.currency)}`}.`;
}
