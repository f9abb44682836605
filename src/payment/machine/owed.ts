import type { IssuerResponse } from "../../emv/issuer-response.ts";
import { oncePer } from "../../kit/once-per.ts";
import { answerToCardBy, deviceOverdue, hostDeadlineMs } from "../admission/limits.ts";
import { signatureBy } from "../card/signature.ts";
import type { Operation } from "../fact/operation.ts";
import { captureFailed, isCapturedTwice, nextCapture } from "../follow-up/capture.ts";
import { hasToTell, isWaitingForOriginal, nextFollowUp, originalsOf } from "../follow-up/follow-up.ts";
import { isCapturedOtherwise } from "../follow-up/totals.ts";
import { type Watching, watchingOf } from "../link/link.ts";
import { isBookedAfterClosing, isClosedByOperator } from "../operator/late-booking.ts";
import { nextTakeBack } from "../recovery/reversal.ts";
import { nextSecondTakeBack } from "../recovery/surplus-reversal.ts";
import { isCardPresent } from "../state/card-present.ts";
import { bookingOf, hasToPost, type Payment } from "../state/payment.ts";
import { nextDeletion } from "../stored-card/registration.ts";
import { isNothingAmiss, type Search, searchesOf } from "./next-query.ts";

/** Effects for the shell, each `key` once in a process. `at`: not before this time, epoch milliseconds. */
export type Owed = { readonly key: string } & (
  | { readonly do: "lease" }
  | { readonly do: "collect" }
  | { readonly do: "ask-pin" }
  | { readonly do: "call-off" }
  | { readonly do: "post"; readonly operation: Operation; readonly deadlineMs: number }
  | Search
  | { readonly do: "watch"; readonly link: string; readonly watching: Watching }
  | { readonly do: "complete"; readonly issuer: IssuerResponse }
  | { readonly do: "release"; readonly show: "approved" | "not-approved" | "undecided" }
  | { readonly do: "await-original"; readonly original: string }
  | { readonly do: "tell-originals"; readonly originals: readonly string[] }
  | { readonly do: "wake"; readonly at: number }
);

export const owed = oncePer((payment: Payment): readonly Owed[] => {
  const own = isCardPresent(payment.accepted) ? owedToTerminal(payment) : owedToOriginal(payment);
  return [...own, ...posts(payment), ...watches(payment), ...searchesOf(payment), ...wakes(payment)];
});

/** Nothing is left to do or decide: the payment leaves memory, and a restart does not load it. */
export function isSettled(payment: Payment): boolean {
  if (payment.concluded === undefined || owed(payment).length > 0) return false;
  return !waitsForOperator(payment);
}

function waitsForOperator(payment: Payment): boolean {
  return (
    !isClosedByOperator(payment) &&
    (captureFailed(payment) ||
      isCapturedTwice(payment) ||
      isCapturedOtherwise(payment) ||
      isBookedAfterClosing(payment))
  );
}

/**
 * Only late queries remain, after an operator decision or for a paid link: lists of open payments omit it, as nobody
 * must act.
 */
export function isOverExceptLateQueries(payment: Payment): boolean {
  if (payment.concluded === undefined || waitsForOperator(payment) || owed(payment).some((one) => one.do !== "search"))
    return false;
  if (isClosedByOperator(payment)) return true;
  return isNothingAmiss(payment);
}

function owedToOriginal(payment: Payment): readonly Owed[] {
  const { of } = payment.accepted;
  if (of === undefined) return [];
  return [
    ...(isWaitingForOriginal(payment) && of.payment !== undefined
      ? [{ key: "await-original", do: "await-original", original: of.payment } as const]
      : []),
    ...(hasToTell(payment)
      ? [{ key: "tell-originals", do: "tell-originals", originals: originalsOf(of) } as const]
      : []),
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
      if (!payment.leased || (payment.concluded === undefined && ending === undefined && !isCardDone(payment)))
        return [];
      const show = ending !== undefined ? "not-approved" : payment.concluded === undefined ? "undecided" : "approved";
      return [{ key: "release", do: "release", show }];
    }
  }
}

/** A refund's card (CD) gets no second GENERATE AC: after the request's answer or timeout the terminal is free. */
function isCardDone(payment: Payment): boolean {
  const { terminal } = payment;
  return (
    terminal.at === "over" &&
    terminal.how.is === "read" &&
    !hasToPost(payment) &&
    bookingOf(payment)?.standing !== "intended"
  );
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
  return watching === undefined || payment.link === undefined
    ? []
    : [{ key: `watch ${watching}`, do: "watch", link: payment.link.id, watching }];
}

function wakes(payment: Payment): readonly Owed[] {
  return [...new Set(wakeTimes(payment).map(({ at }) => at))].map((at) => ({ key: `wake ${at}`, do: "wake", at }));
}

export interface WakeTime {
  readonly due:
    | "device-overdue"
    | "signature"
    | "expiry"
    | "answer-to-card"
    | "capture"
    | "reversal"
    | "second-reversal"
    | "deletion"
    | "follow-up";
  readonly at: number;
}

export function wakeTimes(payment: Payment): readonly WakeTime[] {
  const { terminal, accepted, ending, concluded } = payment;
  const isDecided = ending !== undefined || concluded !== undefined;
  const isWaiting =
    (terminal.at === "none" || terminal.at === "queued") && !isDecided && bookingOf(payment) === undefined;
  const times: Readonly<Record<WakeTime["due"], number | undefined>> = {
    "device-overdue": deviceOverdue(payment),
    signature: signatureBy(payment),
    expiry: isWaiting ? accepted.expiresAt : undefined,
    "answer-to-card":
      terminal.at === "holding" && !hasToPost(payment) ? answerToCardBy(payment, terminal.since) : undefined,
    capture: nextCapture(payment)?.at,
    reversal: nextTakeBack(payment)?.at,
    "second-reversal": nextSecondTakeBack(payment)?.at,
    deletion: nextDeletion(payment)?.at,
    "follow-up": nextFollowUp(payment)?.at,
  };
  return DUE.flatMap((due) => {
    const at = times[due];
    return at === undefined ? [] : [{ due, at }];
  });
}

const DUE = [
  ...[
    "device-overdue",
    "signature",
    "expiry",
    "answer-to-card",
    "capture",
    "reversal",
    "second-reversal",
    "deletion",
    "follow-up",
  ],
] as const satisfies readonly WakeTime["due"][];
