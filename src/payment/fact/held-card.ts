import type { CardRead } from "./fact.ts";

export type HeldCard = CardRead & { readonly finalIcc?: string };

export function withTc(card: HeldCard | undefined, finalIcc: string | undefined): HeldCard | undefined {
  return card === undefined || finalIcc === undefined ? card : { ...card, finalIcc };
}
