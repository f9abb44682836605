import { isFallback } from "../card/card-retry.ts";
import { isForPresentedCard, type Operation } from "../fact/operation.ts";
import { hasToPost, type Payment } from "../state/payment.ts";

/** A device ends by its own limits. After this much more it counts as failed. */
const DEVICE_GRACE_MS = 15_000;
/** For reading the card, application selection and amount confirmation. */
const READING_MS = 45_000;
/** Second GENERATE AC, scripts included. */
const COMPLETION_MS = 30_000;
/** Leaves time to query for a lost host answer before the terminal gives up. */
const QUERY_RESERVE_MS = 15_000;
/** The card must be answered before its terminal gives up by itself. */
const ANSWER_RESERVE_MS = 5_000;

export function deviceOverdue(payment: Payment): number | undefined {
  const { terminal, accepted, ending } = payment;
  const { pinMs } = accepted.rules;
  switch (terminal.at) {
    case "none":
    case "queued":
    case "over":
      return undefined;
    case "collecting":
      return (ending?.at ?? terminal.since + cardWaitMs(payment) + pinMs + READING_MS) + DEVICE_GRACE_MS;
    case "asking-pin":
      return (ending?.at ?? terminal.since + pinMs) + DEVICE_GRACE_MS;
    case "holding":
      return (
        (ending !== undefined && hasToPost(payment) ? ending.at : terminal.since + accepted.rules.hostWaitMs) +
        DEVICE_GRACE_MS
      );
    case "completing":
      return terminal.since + COMPLETION_MS;
  }
}

/** A swipe counts as fallback only soon after the chip failed. */
export function cardWaitMs({ accepted, ask }: Payment): number {
  const { cardMs, fallback } = accepted.rules;
  return isFallback(ask) && fallback !== undefined ? Math.min(cardMs, fallback.withinMs) : cardMs;
}

export function isTooOld({ expiresAt }: Payment["accepted"], now: number): boolean {
  return expiresAt !== undefined && now >= expiresAt;
}

/** A slow journal can delay the first card request. Later ones are not too late. */
export function isTooLateToAsk({ accepted, rounds }: Payment, now: number): boolean {
  return rounds === 1 && isTooOld(accepted, now);
}

export function hostDeadlineMs({ accepted }: Payment): number {
  return Math.min(accepted.rules.hostAnswerMs, accepted.rules.hostWaitMs - QUERY_RESERVE_MS);
}

export function answerToCardBy({ accepted }: Payment, since: number): number {
  return since + accepted.rules.hostWaitMs - ANSWER_RESERVE_MS;
}

/**
 * While the journal wrote the intent, the card may have gone or the register cancelled. Refunds, links and follow-ups
 * can always be sent.
 */
export function isTooLateToSend(payment: Payment, operation: Operation, now: number): boolean {
  const { accepted, terminal, ending } = payment;
  if (operation.registration !== undefined) return ending !== undefined || isTooOld(accepted, now);
  if (!isForPresentedCard(operation) || accepted.type === "REFUND") return false;
  return ending !== undefined || terminal.at !== "holding" || now >= answerToCardBy(payment, terminal.since);
}
