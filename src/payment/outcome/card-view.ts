import { brandOf, UNKNOWN_BRAND } from "../../emv/brand.ts";
import type { CardRead } from "../fact/fact.ts";
import type { Original } from "../fact/original.ts";
import { bookingOf, type Payment } from "../state/payment.ts";
import type { PaymentView } from "../view-schema.ts";

/** `cvm` comes from `chip`: some devices tell it only with the second GENERATE AC. */
export function cardView(payment: Payment): PaymentView["card"] {
  const { card, chip } = payment;
  if (card === undefined) return shownView(payment.accepted.of?.shown);
  return {
    ...brandAndDigits(payment, card),
    entryMode: card.entryMode,
    applicationLabel: chip?.applicationLabel,
    cvm: chip?.cvm,
  };
}

export function brandAndDigits(
  payment: Payment,
  card: CardRead,
): { readonly brand: string; readonly bin?: string; readonly last4?: string } {
  const answer = bookingOf(payment)?.answer;
  const told =
    answer?.is === "approved" || answer?.is === "declined" || answer?.is === "soft-declined"
      ? answer.issuer
      : undefined;
  const bin = card.bin ?? told?.bin;
  const last4 = card.last4 === "" ? told?.last4 : card.last4;
  const brand = card.brand === UNKNOWN_BRAND ? brandOf(undefined, bin) : card.brand;
  return { brand, ...(bin !== undefined && { bin }), ...(last4 !== undefined && { last4 }) };
}

function shownView(shown: Original["shown"]): PaymentView["card"] {
  return shown && { ...shown, last4: shown.last4 === "" ? undefined : shown.last4 };
}

export function emvView({ chip }: Payment): PaymentView["emv"] {
  if (chip?.aid === undefined) return undefined;
  const { aid, applicationLabel, tvr, tsi, cryptogram, cryptogramType, arc } = chip;
  return { aid, applicationLabel, tvr, tsi, cryptogram, cryptogramType, arc };
}
