import { isFallback } from "../card/card-retry.ts";
import { isForPresentedCard, type Operation } from "../fact/operation.ts";
import { hasToPost, type Payment } from "../state/payment.ts";

/** A terminal ends a request by its own timer, or when cancelled. Silent for this much longer, it counts as failed. */
const DEVICE_GRACE_MS = 15_000;
const READING_MS = 45_000;
/**
 * For the second GENERATE AC with issuer scripts. Without its result by then, an approved payment is reversed, because
 * the card may have refused.
 */
const COMPLETION_MS = 30_000;
/**
 * The POST is given up this long before the terminal stops waiting, or sooner: a query can then still find an approval
 * whose answer was lost.
 */
const QUERY_RESERVE_MS = 15_000;
/**
 * The terminal stops waiting for the host after `hostWaitMs`. This long before, a card without a definite answer is
 * told "unable to go online".
 */
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

export function cardWaitMs({ accepted, ask }: Payment): number {
  const { cardMs, fallback } = accepted.rules;
  return isFallback(ask) && fallback !== undefined ? Math.min(cardMs, fallback.withinMs) : cardMs;
}

export function isTooOld({ expiresAt }: Payment["accepted"], now: number): boolean {
  return expiresAt !== undefined && now >= expiresAt;
}

/**
 * A slow journal can delay the first card request beyond `expiresAt`: the customer may have gone. Later (second PIN,
 * fallback) the customer is there.
 */
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
 * While the intent went to disk, the register may have cancelled, a stored card's start expired, or the terminal given
 * up. An unsent request needs no reversal. Refunds, links and follow-ups have no waiting card.
 */
export function isTooLateToSend(payment: Payment, operation: Operation, now: number): boolean {
  const { accepted, terminal, ending } = payment;
  if (operation.registration !== undefined) return ending !== undefined || isTooOld(accepted, now);
  if (!isForPresentedCard(operation) || accepted.type === "REFUND") return false;
  return ending !== undefined || terminal.at !== "holding" || now >= answerToCardBy(payment, terminal.since);
}
