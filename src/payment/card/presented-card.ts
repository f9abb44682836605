import type { PresentedCard } from "../fact/operation.ts";
import type { Payment } from "../state/payment.ts";

/**
 * The gateway wants the chip data again with each capture, reversal and refund. A follow-up reads no card, so it
 * repeats its original's data.
 */
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
