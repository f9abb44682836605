import { isGatewayId } from "../../kit/ids.ts";
import { currencyOf, formatAmount, type Minor } from "../../kit/money.ts";
import type { Answer, Operation, SearchResult } from "../../payment/exchange.ts";
import { evolve, type Fact } from "../../payment/machine.ts";
import { bookedAmount, NO_TERMINAL, type Payment } from "../../payment/state.ts";
import type { Appended } from "./appended.ts";

/*
 * The log lines of a payment, derived only from written facts: a logged step has happened, and every step has a line.
 * No card data except entry mode and brand.
 */

export interface StepLine {
  readonly level: "debug" | "info";
  readonly message: string;
  readonly fields: LineFields;
}

type LineFields = Readonly<Record<string, string | number | boolean>>;

/** One line a fact, in order. */
export function stepLines({ before, facts }: Appended): readonly StepLine[] {
  const lines: StepLine[] = [];
  let payment = before;
  for (const fact of facts) {
    const after = evolve(payment, fact);
    const { level, message, fields } = wordsOf(fact, payment, after);
    lines.push({ level, message, fields: { ...whose(payment), ...fields } });
    payment = after;
  }
  return lines;
}

/** Fields that identify the payment and its amount. */
function whose({ accepted }: Payment): LineFields {
  const { id, reference, register, terminal, type, amount, currency } = accepted;
  return {
    ...{ payment: id, reference, register },
    ...(terminal !== NO_TERMINAL && { terminal }),
    ...(type !== "REGISTRATION" && { amount: money(amount, currency), currency }),
  };
}

function money(amount: Minor, code: string): string {
  const currency = currencyOf(code);
  return currency === undefined ? String(amount) : formatAmount(amount, currency);
}

const debug = (message: string, fields: LineFields = {}): StepLine => ({ level: "debug", message, fields });
const info = (message: string, fields: LineFields = {}): StepLine => ({ level: "info", message, fields });

/** Steps without further fields. */
const PLAIN = {
  queued: "waits for the terminal",
  "pin-asked": "PIN asked for",
  "pin-entered": "PIN entered",
  "cancel-asked": "register wants to cancel",
  interrupted: "bridge was restarted",
  "original-told": "original told of the outcome",
  released: "terminal given back",
} as const;

/** The six lines of every sale and an operator's decision are `info`; all other steps are `debug`. */
function wordsOf(fact: Fact, before: Payment, after: Payment): StepLine {
  switch (fact.fact) {
    case "accepted":
      return info("payment accepted", {
        type: fact.type,
        ...(fact.of?.payment !== undefined && { of: fact.of.payment }),
      });
    case "card-presented":
      return info("card presented", {
        entryMode: fact.card.entryMode,
        brand: fact.card.brand,
        ...since(fact, terminalSince(before)),
      });
    case "attempt-intended":
      return info("sent to the gateway", requestFields(fact.operation, before));
    case "attempt-answered":
      return info("gateway answered", answerFields(fact, before));
    case "issuer-told":
      return info("answer told to the card", { verdict: fact.issuer.verdict, ...since(fact, terminalSince(before)) });
    case "concluded":
      return info("payment final", { outcome: fact.outcome, ...endFields(after), ...since(fact, before.accepted.at) });
    case "resolved":
      return info("closed by an operator", { as: fact.as, by: fact.by });
    case "collecting":
      return debug("card asked for", { round: after.rounds, ...(fact.ask !== undefined && { again: fact.ask.again }) });
    case "card-failed":
      return debug("no card was read", { why: fact.why, ...since(fact, terminalSince(before)) });
    case "collecting-cancelled":
      return debug("terminal stopped asking", { by: fact.by });
    case "terminal-failed":
      return debug("terminal failed", { code: fact.code, detail: fact.detail });
    case "card-finished":
      return debug("card finished", {
        verdict: fact.verdict,
        ...since(fact, terminalSince(before)),
        ...(fact.removed && { removed: true }),
      });
    case "card-lost":
      return debug("card lost", { detail: fact.detail });
    case "attempt-searched":
      return debug("gateway queried", {
        merchantTransactionId: fact.merchantTransactionId,
        ...foundFields(fact.result),
      });
    case "link-seen":
      return debug("link looked at", { link: fact.sight.is });
    case "signature-judged":
      return debug("signature judged", { accepted: fact.accepted });
    case "original-known":
      return debug("original known", { bookings: fact.targets.length });
    case "capture-withdrawn":
      return debug("capture withdrawn", { by: fact.by });
    case "followed":
      return debug("followed up", { by: fact.by.payment, type: fact.by.type, outcome: fact.by.outcome });
    case "ending":
      return debug("payment cannot be approved any more", { outcome: fact.outcome, reason: fact.reason });
    default:
      return debug(PLAIN[fact.fact]);
  }
}

/** Milliseconds by the payment's own time. */
function since({ at }: Fact, from: number | undefined): LineFields {
  return from === undefined ? {} : { ms: at - from };
}

function terminalSince({ terminal }: Payment): number | undefined {
  return "since" in terminal ? terminal.since : undefined;
}

function requestFields(operation: Operation, { accepted }: Payment): LineFields {
  const { paymentType, merchantTransactionId, currency = accepted.currency } = operation;
  const amount = operation.amount ?? operation.reverses;
  return {
    paymentType,
    merchantTransactionId,
    ...(amount !== undefined && { amount: money(amount, currency), currency }),
  };
}

function answerFields(
  { at, merchantTransactionId, answer }: Extract<Fact, { fact: "attempt-answered" }>,
  payment: Payment,
): LineFields {
  const attempt = payment.attempts.find(({ operation }) => operation.merchantTransactionId === merchantTransactionId);
  return {
    ...(attempt === undefined ? { merchantTransactionId } : requestFields(attempt.operation, payment)),
    answer: answer.is,
    ...gatewayWords(answer),
    ...(attempt !== undefined && { ms: at - attempt.intendedAt }),
  };
}

/** The gateway's id and result code. Values of another form must not reach a log. */
function gatewayWords({ id, resultCode }: Answer): LineFields {
  return {
    ...(resultCode !== undefined && /^[0-9]{3}(?:\.[0-9]{1,3}){1,2}$/.test(resultCode) && { resultCode }),
    ...(id !== undefined && isGatewayId(id) && { gatewayId: id }),
  };
}

function foundFields(result: SearchResult): LineFields {
  return result.is === "found" ? { result: "found", bookings: result.bookings.length } : { result: result.is };
}

function endFields(payment: Payment): LineFields {
  const { accepted, ending } = payment;
  const booked = accepted.type === "REGISTRATION" ? undefined : bookedAmount(payment);
  return {
    ...(booked !== undefined && { approvedAmount: money(booked, accepted.currency) }),
    ...(ending !== undefined && { reason: ending.reason }),
  };
}
