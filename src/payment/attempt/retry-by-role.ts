import type { Operation } from "../fact/operation.ts";
import type { PaymentType } from "../view-schema.ts";

/**
 * - `reservation`, `debit`, `credit`, `registration`: for a card, a stored card or a link;
 * - `own-capture`: of a dual-message sale;
 * - `reversal`, `give-back` (a refund in its place), `deregistration`: undo the payment's own booking;
 * - `deletion`: of a failed payment's stored card.
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
   * When a repeat cannot book twice (decision 8). The recovery table decides on repeats (`REPEATED`, `OWED`);
   * `nextCapture`, `nextFollowUp` and `nextTakeBack` make them. `when-absent`: also after the unknown window, as one
   * request takes all; `freely`: a repeat finds nothing left.
   */
  readonly again: "never" | "when-not-booked" | "when-absent" | "freely";
  readonly purpose: Purpose;
  /** The payment's own booking, which decides its outcome. A void has none. */
  readonly isBooking: boolean;
  readonly takenBackBy?: "RV" | "DR";
  /** A refund, if the gateway refuses the reversal (decision 10). */
  readonly elseBy?: "RF";
}

export const RULES: Readonly<Record<Role, Rule>> = {
  reservation: { again: "never", purpose: "reserving", isBooking: true, takenBackBy: "RV" },
  debit: { again: "never", purpose: "debiting", isBooking: true, takenBackBy: "RV", elseBy: "RF" },
  // Money given to a customer is never reversed (decision 13).
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
