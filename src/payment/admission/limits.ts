import { isFallback } from "../card/card-retry.ts";
import { isForPresentedCard, type Operation } from "../fact/operation.ts";
import { hasToPost, type Payment } from "../state/payment.ts";

/** The device keeps its own limits; the payment gives it up only after this grace. */
const DEVICE_GRACE_MS = 15_000;
/**
 * Reading the card, choosing its application and confirming the amount come on top of card and PIN time. No device
 * needs longer.
 */
const READING_MS = 45_000;
/** Second GENERATE AC, scripts included. */
const COMPLETION_MS = 30_000;
/**
 * Leaves time to query for a lost host answer before the terminal gives up (architecture, the clock of a lost reply).
 */
const QUERY_RESERVE_MS = 15_000;
/** The card must be answered before its terminal gives up by itself. */
const ANSWER_RESERVE_MS = 5_000;

/** Undefined while nobody waits for the terminal. */
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

/** The register no longer wants a payment that begins later (contract, section 3, `expiresInMs`). */
export function isTooOld({ expiresAt }: Payment["accepted"], now: number): boolean {
  return expiresAt !== undefined && now >= expiresAt;
}

/** The journal may write too slowly for a start in time. A card already asked for may take its time. */
export function isTooLateToAsk({ accepted, rounds }: Payment, now: number): boolean {
  return rounds === 1 && isTooOld(accepted, now);
}

/** Architecture, the clock of a lost reply. */
export function hostDeadlineMs({ accepted }: Payment): number {
  return Math.min(accepted.rules.hostAnswerMs, accepted.rules.hostWaitMs - QUERY_RESERVE_MS);
}

export function answerToCardBy({ accepted }: Payment, since: number): number {
  return since + accepted.rules.hostWaitMs - ANSWER_RESERVE_MS;
}

/**
 * The intent may have waited too long for the journal: card gone, register cancelled, or a stored card's time over. A
 * refund's card does not wait, and follow-ups are never late.
 */
export function isTooLateToSend(payment: Payment, operation: Operation, now: number): boolean {
  const { accepted, terminal, ending } = payment;
  if (operation.registration !== undefined) return ending !== undefined || isTooOld(accepted, now);
  if (!isForPresentedCard(operation) || accepted.type === "REFUND") return false;
  return ending !== undefined || terminal.at !== "holding" || now >= answerToCardBy(payment, terminal.since);
}
