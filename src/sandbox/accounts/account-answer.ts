import type { Currency, Minor } from "../../kit/money.ts";
import type { PayingAccount } from "../asynchronous/shopper-step.ts";
import type { IssuerPart, PaymentMethod } from "../ledger/booking.ts";
import type { Outcome } from "../ledger/outcome.ts";
import type { StoredAccount } from "./stored-account.ts";

/** What an account is asked for. */
export interface Asked {
  /** RG: whether the account may be stored; no money then. RI: what the risk of it is; nothing is booked. */
  readonly paymentType: "PA" | "DB" | "CD" | "RG" | "RI";
  /** Minor units; 0 where the request names no money. */
  readonly amount: Minor;
  /** Absent where the request names no money. */
  readonly currency: Currency | undefined;
}

/** How whoever keeps an account answers, before the amount's magic and the faults have their say. */
export interface AccountAnswer {
  readonly method: PaymentMethod;
  /** Why not, or an approval with something to it (000.400.020); absent: nothing speaks against it. It comes before the amount's magic. */
  readonly refusal: Outcome | undefined;
  /** The form as the ledger takes it: that masks it. */
  readonly parameters: Readonly<Record<string, string>>;
  /** What decides whether its shopper has to be asked first (`shopperStepOf`). */
  readonly paying: PayingAccount;
  /** What the reply tells once the result is known, of which the code is given too. */
  issuer(outcome: Outcome, resultCode: string): IssuerPart;
  /** What a registration keeps of it; absent: it cannot be stored. */
  readonly stored: StoredAccount | undefined;
}
