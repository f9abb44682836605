import type { Payment } from "./payment.ts";
import type { PaymentView } from "./public.ts";

export function cardView(card: NonNullable<Payment["card"]>): NonNullable<PaymentView["card"]> {
  const { brand, bin, last4, entryMode, chip } = card;
  return {
    brand,
    ...(bin !== undefined && { bin }),
    last4,
    entryMode,
    ...(chip.applicationLabel !== undefined && { applicationLabel: chip.applicationLabel }),
    ...(chip.cvm !== undefined && { cvm: chip.cvm }),
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
