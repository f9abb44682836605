import type { Outcome, PaymentType, Reason } from "../../payment/view-schema.ts";
import type { Cancellation, Standing } from "./standing.ts";

/** Meaning of an approval for the cashier. */
export const DONE: Readonly<Record<PaymentType, { readonly title: string; readonly text: string }>> = {
  SALE: { title: "Approved", text: "Paid. Hand over the goods." },
  PREAUTHORIZATION: {
    title: "Reserved",
    text: "The amount is reserved, not taken. Capture it when the bill is known.",
  },
  REFUND: { title: "Refunded", text: "The money goes back to the card." },
  REGISTRATION: { title: "Card stored", text: "The card can be charged later. No money was taken." },
  CAPTURE: { title: "Captured", text: "The reserved money is taken." },
  VOID: { title: "Taken back", text: "The payment is taken back as a whole." },
  LINKED_REFUND: { title: "Refunded", text: "The money goes back to the customer." },
  INCREMENT: { title: "Raised", text: "More is reserved now." },
};

export const REFUSED: Readonly<Record<Outcome, string>> = {
  APPROVED: "Approved",
  PARTIALLY_APPROVED: "A part only",
  DECLINED: "Declined",
  CANCELLED: "Cancelled",
  FAILED: "Not paid",
};

/** The cashier's next step, by the bridge's advice. */
export function adviceText(advice: Reason["advice"]): string {
  switch (advice) {
    case "retry":
      return "You may try once more.";
    case "other-card":
      return "Take another card, or another means of payment.";
    case "use-chip":
      return "Try once more, and have the card inserted.";
    case "wait":
      return "Wait: do not charge the same again.";
    case "retry-later":
      return "Try the same card again later, not now.";
    case "do-not-retry":
      return "Do not try this card again. Take another card, or another means of payment.";
    case "refund":
      return "Give the money back by a refund instead.";
    case "call-support":
      return "Call the technician, and tell the reference.";
  }
}

/** Result of the cancellation. */
export function cancellationText(cancellation: Cancellation, standing: Standing): string {
  switch (cancellation) {
    case "accepted":
      return standing.is === "known" && standing.payment.state === "FINAL"
        ? "The cancel was taken, and this payment is over."
        : "The cancel was taken: it ends as not approved, and an approval that is on its way is taken back.";
    case "too-late":
      return "Too late to cancel: the card has its answer already. What is shown here counts.";
    case "already-final":
      return "It had ended before the cancel came. What is shown here counts.";
  }
}
