import type { PresentedCard } from "../fact/operation.ts";
import type { Payment } from "../state/payment.ts";

/** Captures and reversals repeat the payment's chip data, follow-ups their original's. */
export function presentedCardOf({ accepted, card }: Payment): PresentedCard | undefined {
  if (card === undefined) return accepted.of?.card;
  const { entryMode, icc, finalIcc, chip } = card;
  const { panSequenceNumber } = chip;
  return {
    entryMode,
    ...(icc !== "" && { icc }),
    ...(finalIcc !== undefined && { finalIcc }),
    ...(panSequenceNumber !== undefined && { panSequenceNumber }),
  };
}
