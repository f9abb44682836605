import type { Operation } from "./operation.ts";
import type { PaymentType } from "./public.ts";

/**
 * What an operation is to its payment:
 * - `reservation`, `debit`, `credit`, `registration`: what a card was presented for;
 * - `increment`, `capture`, `refund`, `void`: what a payment of that type is about;
 * - `own-capture`: the second step of a dual-message sale;
 * - `reversal`, `give-back`, `deregistration`: how a payment takes its own booking back;
 * - `deletion`: of a registration that was made besides a payment which then failed.
 */
export type Role =
  | "reservation"
  | "debit"
  | "credit"
  | "registration"
  | "increment"
  | "capture"
  | "refund"
  | "void"
  | "own-capture"
  | "reversal"
  | "give-back"
  | "deregistration"
  | "deletion";

interface Rule {
  /**
   * May it be posted again? The gateway has no idempotency key (gateway-facts 2.3), so a second one may be a second booking.
   * - `never`: not even after a clear "nothing was sent": the card's cryptogram is used up, or the register decides;
   * - `when-not-booked`: only where the gateway's own word, or ours, says that nothing was booked, and no query has shown another arrival of it (last-word.ts);
   * - `when-absent`: also where nothing was found for the whole unknown window: a second one could not be booked, because the first took all there is;
   * - `freely`: the second one finds nothing left to do.
   */
  readonly again: "never" | "when-not-booked" | "when-absent" | "freely";
  /** The payment stands or falls with it. */
  readonly isBooking: boolean;
  /**
   * Is a no because of what is left of the original believed as soon as it is heard? Where a request arrived twice, the second one meets what the first has taken. No card
   * waits for these, so that queries are asked for the whole unknown window before they are called off.
   */
  readonly noIsLookedInto?: true;
  /** What takes it back where it should not stand. */
  readonly takenBackBy?: "RV" | "DR";
  /** And what gives the money back where the gateway reverses it no more (gateway-facts 1.3: only what was captured can be refunded). */
  readonly elseBy?: "RF";
}

/** What may be posted again, and what takes a booking back: the money rules of this bridge on one screen. */
export const RULES: Readonly<Record<Role, Rule>> = {
  reservation: { again: "never", isBooking: true, takenBackBy: "RV" },
  debit: { again: "never", isBooking: true, takenBackBy: "RV", elseBy: "RF" },
  // Money given to a customer is not taken back behind his back: adopted after silence, never reversed.
  credit: { again: "never", isBooking: true },
  registration: { again: "never", isBooking: true, takenBackBy: "DR" },
  increment: { again: "never", isBooking: true, noIsLookedInto: true, takenBackBy: "RV" },
  capture: { again: "when-not-booked", isBooking: true, noIsLookedInto: true, takenBackBy: "RV", elseBy: "RF" },
  refund: { again: "when-not-booked", isBooking: true, noIsLookedInto: true },
  void: { again: "freely", isBooking: false },
  "own-capture": { again: "when-absent", isBooking: false, noIsLookedInto: true },
  reversal: { again: "freely", isBooking: false },
  "give-back": { again: "when-absent", isBooking: false, noIsLookedInto: true },
  deregistration: { again: "freely", isBooking: false },
  deletion: { again: "freely", isBooking: false },
};

/** The role of an operation in a payment of that type. */
export function roleOf(type: PaymentType, { paymentType, industryPractice }: Pick<Operation, "paymentType" | "industryPractice">): Role {
  switch (paymentType) {
    case "PA":
      return industryPractice === undefined ? "reservation" : "increment";
    case "DB":
      return "debit";
    case "CD":
      return "credit";
    case "RG":
      return "registration";
    case "CP":
      return type === "CAPTURE" ? "capture" : "own-capture";
    case "RV":
      return type === "VOID" ? "void" : "reversal";
    case "RF":
      return type === "LINKED_REFUND" ? "refund" : "give-back";
    case "DR":
      return type === "REGISTRATION" ? "deregistration" : "deletion";
  }
}
