import type { Payment } from "./payment.ts";
import type { PaymentView } from "./public.ts";

/** Some devices tell the verification with the card's last word only. */
export function cardView({ card, chip }: Payment): Pick<PaymentView, "card"> {
  if (card === undefined) return {};
  const { brand, bin, last4, entryMode } = card;
  return {
    card: {
      brand,
      ...(bin !== undefined && { bin }),
      last4,
      entryMode,
      ...(chip?.applicationLabel !== undefined && { applicationLabel: chip.applicationLabel }),
      ...(chip?.cvm !== undefined && { cvm: chip.cvm }),
    },
  };
}

/** What EMV wants on the receipt of a chip card. */
export function emvView({ chip }: Payment): Pick<PaymentView, "emv"> {
  if (chip?.aid === undefined) return {};
  const { aid, applicationLabel, tvr, tsi, cryptogram, cryptogramType, arc } = chip;
  return {
    emv: {
      aid,
      ...(applicationLabel !== undefined && { applicationLabel }),
      ...(tvr !== undefined && { tvr }),
      ...(tsi !== undefined && { tsi }),
      ...(cryptogram !== undefined && { cryptogram }),
      ...(cryptogramType !== undefined && { cryptogramType }),
      ...(arc !== undefined && { arc }),
    },
  };
}
