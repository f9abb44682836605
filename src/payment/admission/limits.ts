import { isFallback } from "../card/card-retry.ts";
import { isForPresentedCard, type Operation } from "../fact/operation.ts";
import { hasToPost, type Payment } from "../state/payment.ts";

/** The device keeps its own limits; this much later the payment gives it up. */
const DEVICE_GRACE_MS = 15_000;
/**
 * What a device may take for a card beside waiting for it and for its PIN: to read it, to have its application chosen
 * and the amount confirmed. None takes longer.
 */
const READING_MS = 45_000;
/** Second GENERATE AC, scripts included. */
const COMPLETION_MS = 30_000;
/**
 * The host's answer must be there this long before the terminal gives up, so that a lost one can still be asked for
 * (architecture, the clock of a lost reply).
 */
const QUERY_RESERVE_MS = 15_000;
/** The card is answered this long before its terminal would give up by itself. */
const ANSWER_RESERVE_MS = 5_000;

/** When a terminal that neither ends nor answers is given up, or undefined while it is nobody's turn to wait for it. */
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

/**
 * How long the device may wait for a card; a swipe in place of a chip has to come soon after it, or it is no fallback.
 */
export function cardWaitMs({ accepted, ask }: Payment): number {
  const { cardMs, fallback } = accepted.rules;
  return isFallback(ask) && fallback !== undefined ? Math.min(cardMs, fallback.withinMs) : cardMs;
}

/** Its register wants it no more (contract, section 3, `expiresInMs`): what was not begun by then is not begun. */
export function isTooOld({ expiresAt }: Payment["accepted"], now: number): boolean {
  return expiresAt !== undefined && now >= expiresAt;
}

/**
 * Its turn came in time, and the journal took so long to write that down that it is too old by now. A card that was
 * asked for already may take its own time.
 */
export function isTooLateToAsk({ accepted, rounds }: Payment, now: number): boolean {
  return rounds === 1 && isTooOld(accepted, now);
}

/** How long the host may take for a card that waits (architecture, the clock of a lost reply). */
export function hostDeadlineMs({ accepted }: Payment): number {
  return Math.min(accepted.rules.hostAnswerMs, accepted.rules.hostWaitMs - QUERY_RESERVE_MS);
}

/** The latest moment to answer a card that has been waiting since `since`. */
export function answerToCardBy({ accepted }: Payment, since: number): number {
  return since + accepted.rules.hostWaitMs - ANSWER_RESERVE_MS;
}

/**
 * Nobody waits any more for what a request would book. Its intent may have waited for the journal: by then the card may
 * be gone, its terminal have given up, or the register
 * have cancelled; or the time is over that the register gave a stored card. A refund's card waits for nothing, and what
 * follows a booking is never too late.
 */
export function isTooLateToSend(payment: Payment, operation: Operation, now: number): boolean {
  const { accepted, terminal, ending } = payment;
  if (operation.registration !== undefined) return ending !== undefined || isTooOld(accepted, now);
  if (!isForPresentedCard(operation) || accepted.type === "REFUND") return false;
  return ending !== undefined || terminal.at !== "holding" || now >= answerToCardBy(payment, terminal.since);
}
