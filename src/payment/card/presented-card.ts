import type { PresentedCard } from "../fact/operation.ts";
import type { Payment } from "../state/payment.ts";

/**
 * What the gateway is shown of a card in clear: of the one that was presented here, or of the one that a follow-up's
 * original was paid with.
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
