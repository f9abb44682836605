import type { CardRead } from "./fact.ts";

/** A card as it was read; `finalIcc`: its `icc` with the TC in place of the ARQC, once the card has said so. */
export type HeldCard = CardRead & { readonly finalIcc?: string };

export function withTc(card: HeldCard | undefined, finalIcc: string | undefined): HeldCard | undefined {
  return card === undefined || finalIcc === undefined ? card : { ...card, finalIcc };
}
