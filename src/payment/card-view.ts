import type { Payment } from "./payment.ts";
import type { PaymentView } from "./public.ts";

/** Some devices tell the verification with the card's last word only. */
export function cardView({ card, chip }: Payment): PaymentView["card"] {
  if (card === undefined) return undefined;
  const { brand, bin, last4, entryMode } = card;
  return { brand, bin, last4, entryMode, applicationLabel: chip?.applicationLabel, cvm: chip?.cvm };
}

/** What EMV wants on the receipt of a chip card. */
export function emvView({ chip }: Payment): PaymentView["emv"] {
  if (chip?.aid === undefined) return undefined;
  const { aid, applicationLabel, tvr, tsi, cryptogram, cryptogramType, arc } = chip;
  return { aid, applicationLabel, tvr, tsi, cryptogram, cryptogramType, arc };
}
