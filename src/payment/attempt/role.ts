import type { Operation } from "../fact/operation.ts";
import type { PaymentType } from "../view-schema.ts";

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

/** What a request is for, as the recovery table knows it. */
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
   * May it be posted again? The gateway has no idempotency key (gateway-facts 2.3), so a second one may be a second
   * booking.
   * - `never`: the card's cryptogram is used up, or the register decides;
   * - `when-not-booked`: only where the gateway, or the bridge itself, says that nothing was booked;
   * - `when-absent`: also where nothing was found for the whole unknown window: the first one took all there is;
   * - `freely`: the second one finds nothing left to do.
   */
  readonly again: "never" | "when-not-booked" | "when-absent" | "freely";
  /** What a recovery is about (recovery/table.ts). */
  readonly purpose: Purpose;
  /** The payment stands or falls with it. */
  readonly isBooking: boolean;
  /** What takes it back where it should not stand. */
  readonly takenBackBy?: "RV" | "DR";
  /**
   * And what gives the money back where the gateway reverses it no more (gateway-facts 1.3: only what was captured can
   * be refunded).
   */
  readonly elseBy?: "RF";
}

/** What may be posted again, and what takes a booking back: the money rules of this bridge on one screen. */
export const RULES: Readonly<Record<Role, Rule>> = {
  reservation: { again: "never", purpose: "reserving", isBooking: true, takenBackBy: "RV" },
  debit: { again: "never", purpose: "debiting", isBooking: true, takenBackBy: "RV", elseBy: "RF" },
  // Money given to a customer is not taken back behind his back: adopted after silence, never reversed.
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

/** The role of an operation in a payment of that type. */
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
