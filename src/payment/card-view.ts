import type { Original } from "./original.ts";
import { bookingOf, type Payment } from "./payment.ts";
import type { PaymentView } from "./public.ts";

/** Some devices tell the verification with the card's last word only. */
export function cardView(payment: Payment): PaymentView["card"] {
  const { card, chip } = payment;
  if (card === undefined) return shownView(payment.accepted.of?.shown);
  const { brand, bin, entryMode } = card;
  return { brand, bin, last4: lastFourOf(payment), entryMode, applicationLabel: chip?.applicationLabel, cvm: chip?.cvm };
}

/** The last digits of the number, as the terminal shows them, or else the gateway, which has decrypted it. */
export function lastFourOf(payment: Payment): string | undefined {
  const { card } = payment;
  if (card !== undefined && card.last4 !== "") return card.last4;
  const answer = bookingOf(payment)?.answer;
  return answer?.is === "approved" || answer?.is === "declined" || answer?.is === "soft-declined" ? answer.issuer.last4 : undefined;
}

/** The card of the payment that this one follows. */
function shownView(shown: Original["shown"]): PaymentView["card"] {
  return shown && { ...shown, last4: shown.last4 === "" ? undefined : shown.last4 };
}

/** What EMV wants on the receipt of a chip card. */
export function emvView({ chip }: Payment): PaymentView["emv"] {
  if (chip?.aid === undefined) return undefined;
  const { aid, applicationLabel, tvr, tsi, cryptogram, cryptogramType, arc } = chip;
  return { aid, applicationLabel, tvr, tsi, cryptogram, cryptogramType, arc };
}
