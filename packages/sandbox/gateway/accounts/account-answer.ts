import type { Currency, Minor } from "../../../../src/kit/money.ts";
import type { PayingAccount } from "../asynchronous/shopper-step.ts";
import type { IssuerPart, PaymentMethod } from "../ledger/booking.ts";
import type { Outcome } from "../ledger/outcome.ts";
import type { StoredAccount } from "./stored-account.ts";

/** A request to the keeper of an account: its issuer, bank or brand. */
export interface Asked {
  /** RG asks whether the account may be stored; no money moves. RI asks for its risk; nothing is booked. */
  readonly paymentType: "PA" | "DB" | "CD" | "RG" | "RI";
  /** Minor units; 0 where the request names no money. */
  readonly amount: Minor;
  /** Absent where the request names no money. */
  readonly currency: Currency | undefined;
}

/** The account keeper's own answer, before magic amounts and faults are applied. */
export interface AccountAnswer {
  readonly method: PaymentMethod;
  /**
   * The decline, or an approval with a remark (000.400.020); absent: no objection. Takes precedence over magic amounts.
   */
  readonly refusal: Outcome | undefined;
  /** The form unmasked; the ledger masks it. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Decides whether the shopper has to be asked first (`shopperStepOf`). */
  readonly paying: PayingAccount;
  /** The issuer's part of the reply, made once the result is known. */
  issuer(outcome: Outcome, resultCode: string): IssuerPart;
  /** The part that a registration keeps; absent: the account cannot be stored. */
  readonly stored: StoredAccount | undefined;
}
