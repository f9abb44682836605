import type { CardRead } from "./fact.ts";
import type { PresentedCard } from "./operation.ts";

/** What the gateway is shown of a card in clear. */
export function presentedCardOf({ entryMode, icc, chip }: CardRead): PresentedCard {
  const { panSequenceNumber } = chip;
  return {
    entryMode,
    ...(icc !== "" && { icc }),
    ...(panSequenceNumber !== undefined && { panSequenceNumber }),
  };
}
