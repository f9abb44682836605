import { createHash } from "node:crypto";
import { isGatewayId } from "../kit/ids.ts";
import type { Answer } from "../payment/exchange.ts";
import { evolve, type Fact } from "../payment/machine.ts";
import type { Attempt, Payment } from "../payment/state.ts";
import { isReasonCode } from "../payment/view.ts";
import type { Span } from "./span.ts";

/*
 * Spans that end with newly journalled facts. They are derived from these facts and the payment before them, so a span
 * that began before a restart still ends after it. Spans contain only ids and words of closed lists: no card data,
 * amount, reference or free text.
 */

/** Newly journalled facts, and the payment before them. */
export interface Taken {
  readonly before: Payment;
  readonly facts: readonly Fact[];
}

export function spansOf({ before, facts }: Taken): readonly Span[] {
  const spans: Span[] = [];
  let payment = before;
  for (const fact of facts) {
    const after = evolve(payment, fact);
    spans.push(...endedBy(fact, payment, after));
    payment = after;
  }
  return spans;
}

/** A payment's id as a trace id: `pay_` in ASCII codes, then its 24 digits. */
export function traceIdOf(payment: string): string {
  const digits = /^pay_([0-9a-f]{24})$/.exec(payment)?.[1];
  return digits === undefined ? digest(payment, 32) : `7061795f${digits}`;
}

function digest(text: string, length: 16 | 32): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}

const rootOf = (payment: string): string => digest(`${payment} root`, 16);

type Part = Pick<Span, "name" | "from" | "to"> & Partial<Pick<Span, "kind" | "attributes" | "error">>;

function child({ accepted }: Payment, { kind = "internal", attributes = {}, ...part }: Part): Span {
  const spanId = digest(
    [accepted.id, part.name, part.from, part.to, attributes["posbridge.merchant_transaction_id"] ?? ""].join(" "),
    16,
  );
  return { traceId: traceIdOf(accepted.id), spanId, parentId: rootOf(accepted.id), kind, attributes, ...part };
}

function endedBy(fact: Fact, before: Payment, after: Payment): readonly Span[] {
  const { at } = fact;
  const point = (name: string, attributes: Span["attributes"] = {}): readonly Span[] => [
    child(before, { name, from: at, to: at, attributes }),
  ];
  switch (fact.fact) {
    case "collecting":
      return before.terminal.at === "queued"
        ? [child(before, { name: "wait for terminal", from: before.updatedAt, to: at })]
        : [];
    case "card-presented":
      return atTerminal(before, at, { "posbridge.entry_mode": fact.card.entryMode });
    case "pin-entered":
      return atTerminal(before, at, {});
    case "card-failed":
      return atTerminal(before, at, { "posbridge.card": fact.why });
    case "collecting-cancelled":
      return atTerminal(before, at, { "posbridge.cancelled_by": fact.by });
    case "terminal-failed":
      return atTerminal(before, at, {}, isReasonCode(fact.code) ? fact.code : "terminal failed");
    case "card-finished":
      return atTerminal(before, at, { "posbridge.card": fact.verdict });
    case "card-lost":
      return atTerminal(before, at, {}, "the card's final answer was lost");
    case "signature-judged":
      return point("signature", { "posbridge.signature": fact.accepted ? "accepted" : "refused" });
    case "attempt-answered":
      return before.attempts
        .filter(({ operation }) => operation.merchantTransactionId === fact.merchantTransactionId)
        .map((one) => asked(before, one, at, fact.answer));
    case "attempt-searched":
      return point("gateway query", {
        "posbridge.merchant_transaction_id": fact.merchantTransactionId,
        "posbridge.query": fact.result.is,
      });
    case "interrupted":
      return [...point("restart of the bridge"), ...interrupted(before, at)];
    case "resolved":
      return point("closed by an operator", { "posbridge.resolved_as": fact.as });
    case "concluded":
      return [root(after, at, fact.outcome)];
    default:
      return [];
  }
}

/** The terminal's activity until now; empty if it was idle. */
function atTerminal(before: Payment, to: number, attributes: Span["attributes"], error?: string): readonly Span[] {
  const { terminal, accepted } = before;
  const names = {
    collecting: "card entry",
    "asking-pin": "PIN entry",
    holding: "card waits for the gateway",
    completing: "card completion",
  } as const;
  if (!("since" in terminal) || terminal.at === "over") return [];
  const own = { "posbridge.terminal": accepted.terminal, ...attributes };
  return [
    child(before, {
      name: names[terminal.at],
      from: terminal.since,
      to,
      attributes: own,
      ...(error !== undefined && { error }),
    }),
  ];
}

function asked(payment: Payment, { operation, intendedAt }: Attempt, to: number, answer: Answer): Span {
  const { id, resultCode } = answer;
  const attributes = {
    "posbridge.payment_type": operation.paymentType,
    "posbridge.merchant_transaction_id": operation.merchantTransactionId,
    "posbridge.answer": answer.is,
    ...(resultCode !== undefined &&
      /^[0-9]{3}(?:\.[0-9]{1,3}){1,2}$/.test(resultCode) && { "posbridge.result_code": resultCode }),
    ...(id !== undefined && isGatewayId(id) && { "posbridge.gateway_id": id }),
  };
  const isWrong = answer.is === "unknown" || answer.is === "throttled" || answer.is === "not-booked";
  return child(payment, {
    name: `gateway ${operation.paymentType}`,
    kind: "client",
    from: intendedAt,
    to,
    attributes,
    ...(isWrong && { error: answer.is }),
  });
}

/** Activities that a restart cut off; their end will never be known. */
function interrupted(before: Payment, at: number): readonly Span[] {
  const error = "the bridge was restarted";
  const sent = before.attempts.filter(({ standing }) => standing === "intended");
  const requests = sent.map(({ operation: { paymentType, merchantTransactionId }, intendedAt }) => {
    const attributes = {
      "posbridge.payment_type": paymentType,
      "posbridge.merchant_transaction_id": merchantTransactionId,
    };
    return child(before, {
      name: `gateway ${paymentType}`,
      kind: "client",
      from: intendedAt,
      to: at,
      attributes,
      error,
    });
  });
  return [...atTerminal(before, at, {}, error), ...requests];
}

function root({ accepted, ending, rounds }: Payment, to: number, outcome: string): Span {
  const { id, type, register, terminal, of } = accepted;
  const reason = ending !== undefined && isReasonCode(ending.reason) ? { "posbridge.reason": ending.reason } : {};
  return {
    ...{ traceId: traceIdOf(id), spanId: rootOf(id), name: `payment ${type}`, kind: "server", from: accepted.at, to },
    attributes: {
      ...{
        "posbridge.payment": id,
        "posbridge.type": type,
        "posbridge.register": register,
        "posbridge.outcome": outcome,
        "posbridge.card_rounds": rounds,
      },
      ...(terminal !== "" && { "posbridge.terminal": terminal }),
      ...reason,
    },
    ...(outcome === "FAILED" && {
      error: ending !== undefined && isReasonCode(ending.reason) ? ending.reason : "FAILED",
    }),
    ...(of?.payment !== undefined && { link: { traceId: traceIdOf(of.payment), spanId: rootOf(of.payment) } }),
  };
}
