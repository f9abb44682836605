import type { PaymentView } from "./api.ts";
import type { PassedFields } from "./passed.ts";

/** Common to all payments at a terminal. */
interface StartFields {
  /**
   * The register's own key of this payment: 1 to 64 printable characters, stored before the first try, the same in
   * every repetition.
   */
  readonly reference: string;
  readonly terminal: string;
  /** ISO 4217: EUR. */
  readonly currency: string;
  readonly entryModes?: readonly ("chip" | "contactless" | "magstripe" | "manual")[];
  readonly cashier?: string;
  /** A payment never runs while another one of its order is undecided. */
  readonly order?: string;
  /** The undecided payment of the same order that a person knows about. */
  readonly despite?: string;
  /** Wait while the terminal is busy. */
  readonly queue?: boolean;
  readonly expiresInMs?: number;
}

interface Amount {
  /** A decimal string with the currency's number of decimals: "12.34" EUR, "1200" JPY. */
  readonly amount: string;
}

interface Taking extends Amount {
  /** Part of `amount`. */
  readonly tip?: string;
  readonly allowPartialApproval?: boolean;
  /** Also stores the card. */
  readonly createRegistration?: boolean;
}

export type SaleParams = StartFields & PassedFields & Taking & { readonly type: "SALE" };
/** Money is reserved, and captured later in at most `numberOfCaptures` captures. */
export type PreauthorizationParams = StartFields &
  PassedFields &
  Taking & { readonly type: "PREAUTHORIZATION"; readonly numberOfCaptures?: number };
/** A presented card gets money without reference to a payment; scope `unlinked-refunds`. */
export type RefundParams = StartFields & PassedFields & Amount & { readonly type: "REFUND" };
/** Stores a card without taking money. */
export type RegistrationParams = StartFields &
  Omit<PassedFields, "taxAmount" | "discountAmount"> & { readonly type: "REGISTRATION" };

/** The parameters of `payment.start` (docs/register-reference.md). */
export type StartParams = SaleParams | PreauthorizationParams | RefundParams | RegistrationParams;

/** A payment by a stored card, which nobody presents. `registration`: the gateway's id of the card. */
interface ChargeFields
  extends Pick<StartFields, "reference" | "currency" | "cashier" | "order" | "despite" | "expiresInMs">,
    PassedFields,
    Amount {
  readonly registration: string;
  /** The cardholder's name, for this payment alone. */
  readonly overrideHolder?: string;
}

/** The parameters of `registration.pay`. Without `type`: a SALE. */
export type ChargeParams =
  | (ChargeFields & { readonly type?: "SALE" })
  | (ChargeFields & { readonly type: "PREAUTHORIZATION"; readonly numberOfCaptures?: number });

/** The parameters of `link.create`: a payment on the customer's own phone. The default validity is an hour. */
export interface LinkParams
  extends Pick<StartFields, "reference" | "currency" | "cashier" | "order" | "despite">,
    PassedFields,
    Amount {
  readonly validForMs?: number;
  readonly description?: string;
}

/** The parameters of `payment.list`. */
export interface ListParams {
  readonly limit?: number;
  /** The `next` of the page before. */
  readonly after?: string;
  /** ISO 8601 UTC, half open on createdAt. */
  readonly from?: string;
  readonly to?: string;
  readonly terminal?: string;
  readonly outcome?: NonNullable<PaymentView["outcome"]>;
  readonly open?: boolean;
}
