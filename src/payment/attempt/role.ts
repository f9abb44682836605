import type { Operation } from "../fact/operation.ts";
import type { PaymentType } from "../view-schema.ts";

/**
 * An operation's place in its payment:
 * - `reservation`, `debit`, `credit`, `registration`: for a presented card;
 * - `own-capture`: second step of a dual-message sale;
 * - `reversal`, `give-back`, `deregistration`: undo the payment's own booking;
 * - `deletion`: of a card stored by a failed payment.
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

export type Purpose =
  | "reserving"
  | "debiting"
  | "crediting"
  | "storing"
  | "capturing"
  | "refunding"
  | "settling"
  | "returning"
  | "reversing"
  | "voiding";

interface Rule {
  /**
   * The gateway has no idempotency key (gateway-facts 2.3): a repeat may book twice.
   * - `never`: the cryptogram is used up, or the register decides;
   * - `when-absent`: the first one took all there is;
   * - `freely`: a repeat finds nothing left.
   */
  readonly again: "never" | "when-not-booked" | "when-absent" | "freely";
  readonly purpose: Purpose;
  /** The payment stands or falls with it. */
  readonly isBooking: boolean;
  readonly takenBackBy?: "RV" | "DR";
  /** Refund where no reversal is possible (gateway-facts 1.3: only captures can be refunded). */
  readonly elseBy?: "RF";
}

/** The money rules on one screen. */
export const RULES: Readonly<Record<Role, Rule>> = {
  reservation: { again: "never", purpose: "reserving", isBooking: true, takenBackBy: "RV" },
  debit: { again: "never", purpose: "debiting", isBooking: true, takenBackBy: "RV", elseBy: "RF" },
  // A payout is never reversed without the customer's knowledge; after silence it is adopted.
  credit: { again: "never", purpose: "crediting", isBooking: true },
  registration: { again: "never", purpose: "storing", isBooking: true, takenBackBy: "DR" },
  increment: { again: "never", purpose: "reserving", isBooking: true, takenBackBy: "RV" },
  capture: { again: "when-not-booked", purpose: "capturing", isBooking: true, takenBackBy: "RV", elseBy: "RF" },
  refund: { again: "when-not-booked", purpose: "refunding", isBooking: true },
  void: { again: "freely", purpose: "reversing", isBooking: false },
  "own-capture": { again: "when-absent", purpose: "settling", isBooking: false },
  reversal: { again: "freely", purpose: "reversing", isBooking: false },
  "give-back": { again: "when-absent", purpose: "returning", isBooking: false },
  deregistration: { again: "freely", purpose: "reversing", isBooking: false },
  deletion: { again: "freely", purpose: "reversing", isBooking: false },
};

export function roleOf(
  type: PaymentType,
  { paymentType, industryPractice }: Pick<Operation, "paymentType" | "industryPractice">,
): Role {
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
