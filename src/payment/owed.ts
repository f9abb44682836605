import type { IssuerResponse } from "../emv/issuer-response.ts";
import { type Attempt, nextSearchAt } from "./attempt.ts";
import { captureFailed, isCaptured, nextCapture } from "./capture.ts";
import { answerToCardBy, deviceOverdue, hostDeadlineMs } from "./limits.ts";
import type { Operation } from "./operation.ts";
import { bookingOf, type Payment } from "./payment.ts";
import { isReversed, nextTakeBack, originalSearchAt } from "./take-back.ts";

/** Who is kept waiting by a query: a card in a terminal, a cashier, or nobody. The gateway answers few of them (gateway-facts 2.5). */
export type Urgency = "card" | "cashier" | "recovery";

/**
 * What must be done because of the state, and nothing else. `key` names the deed: the shell does each key once for as long as it is owed, and what comes of it is an
 * input. `at` (epoch milliseconds) is the earliest moment. A search asks for `original` and all that refers to it, on behalf of `merchantTransactionId`.
 */
export type Owed = { readonly key: string } & (
  | { readonly do: "lease" }
  | { readonly do: "collect" }
  | { readonly do: "call-off" }
  | { readonly do: "post"; readonly operation: Operation; readonly deadlineMs: number }
  | { readonly do: "search"; readonly merchantTransactionId: string; readonly original: string; readonly at: number; readonly urgency: Urgency }
  | { readonly do: "complete"; readonly issuer: IssuerResponse }
  | { readonly do: "release"; readonly show: "approved" | "not-approved" }
  | { readonly do: "wake"; readonly at: number }
);

export function owed(payment: Payment): readonly Owed[] {
  return [...owedToTerminal(payment), ...posts(payment), ...searches(payment), ...wakes(payment)];
}

/** Nothing is owed any more: the payment may leave memory and is not loaded again. */
export function isSettled(payment: Payment): boolean {
  return payment.concluded !== undefined && owed(payment).length === 0 && !captureFailed(payment);
}

function owedToTerminal(payment: Payment): readonly Owed[] {
  const { terminal, ending } = payment;
  switch (terminal.at) {
    case "none":
    case "queued":
      return ending === undefined ? [{ key: "lease", do: "lease" }] : [];
    case "collecting":
      return [{ key: "collect", do: "collect" }, ...(ending === undefined ? [] : [{ key: "call-off", do: "call-off" } as const])];
    case "holding":
      return ending !== undefined && bookingOf(payment) === undefined ? [{ key: "call-off", do: "call-off" }] : [];
    case "completing":
      return [{ key: "complete", do: "complete", issuer: terminal.issuer }];
    case "over": {
      if (!payment.leased || (payment.concluded === undefined && ending === undefined)) return [];
      return [{ key: "release", do: "release", show: ending === undefined ? "approved" : "not-approved" }];
    }
  }
}

function posts(payment: Payment): readonly Owed[] {
  const { hostAnswerMs } = payment.accepted.rules;
  return payment.attempts
    .filter(({ standing }) => standing === "intended")
    .map(({ operation }) => ({
      key: `post ${operation.merchantTransactionId}`,
      do: "post",
      operation,
      deadlineMs: operation.paymentType === "PA" || operation.paymentType === "DB" ? hostDeadlineMs(payment) : hostAnswerMs,
    }));
}

function searches(payment: Payment): readonly Owed[] {
  const original = bookingOf(payment)?.operation.merchantTransactionId;
  return payment.attempts.flatMap((attempt) => {
    const isOriginal = attempt.operation.merchantTransactionId === original;
    const at = nextSearchAt(attempt) ?? (isOriginal ? originalSearchAt(payment) : undefined);
    if (at === undefined || original === undefined || isAnswered(payment, attempt)) return [];
    const { merchantTransactionId } = attempt.operation;
    const key = `search ${merchantTransactionId} ${attempt.searches} ${at}`;
    return [{ key, do: "search", merchantTransactionId, original, at, urgency: urgencyOf(payment) } as const];
  });
}

/** Another attempt of the same kind has brought what this one was for. */
function isAnswered(payment: Payment, { operation, takenBack }: Attempt): boolean {
  if (operation.paymentType === "CP") return isCaptured(payment) || captureFailed(payment);
  return takenBack || isReversed(payment);
}

function urgencyOf(payment: Payment): Urgency {
  if (payment.terminal.at === "holding") return "card";
  return payment.concluded === undefined && payment.interruptedAt === undefined ? "cashier" : "recovery";
}

function wakes(payment: Payment): readonly Owed[] {
  return wakeTimes(payment).map((at) => ({ key: `wake ${at}`, do: "wake", at }));
}

function wakeTimes(payment: Payment): readonly number[] {
  const { terminal, accepted, ending } = payment;
  const times: (number | undefined)[] = [deviceOverdue(payment)];
  if (terminal.at === "none" || terminal.at === "queued") times.push(ending === undefined ? accepted.expiresAt : undefined);
  if (terminal.at === "holding" && bookingOf(payment) !== undefined) times.push(answerToCardBy(payment, terminal.since));
  times.push(nextCapture(payment)?.at, nextTakeBack(payment)?.at);
  return times.filter((at) => at !== undefined);
}
