import type { PresentedCard } from "../fact/operation.ts";
import type { Payment } from "../state/payment.ts";

/** A follow-up repeats the chip data of its original. */
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
