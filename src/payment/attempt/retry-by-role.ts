import type { Operation } from "../fact/operation.ts";
import type { PaymentType } from "../view-schema.ts";

/**
 * - `reservation`, `debit`, `credit`, `registration`: for a card, a stored card or a link;
 * - `own-capture`: of a dual-message sale;
 * - `reversal`, `give-back` (the refund if it is refused), `deregistration`: undo a booking of the payment;
 * - `deletion`: of a card that a failed payment stored.
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
   * When a second POST cannot book twice (decision 8). `when-not-booked`: the gateway says that nothing was booked.
   * `when-absent`: also after the unknown window, as one request takes all. `freely`: a repeat finds nothing left.
   */
  readonly again: "never" | "when-not-booked" | "when-absent" | "freely";
  readonly purpose: Purpose;
  /** This request's outcome decides whether the payment is approved. A void only reverses: it has no booking. */
  readonly isBooking: boolean;
  readonly takenBackBy?: "RV" | "DR";
  /** Captured money whose reversal the gateway refuses is refunded instead (decision 10). A reservation took none. */
  readonly elseBy?: "RF";
}

export const RULES: Readonly<Record<Role, Rule>> = {
  reservation: { again: "never", purpose: "reserving", isBooking: true, takenBackBy: "RV" },
  debit: { again: "never", purpose: "debiting", isBooking: true, takenBackBy: "RV", elseBy: "RF" },
  // Never reversed, like a refund: the customer counts on the money (decision 13).
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
