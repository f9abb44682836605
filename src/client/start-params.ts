/** A value that the bridge passes to the gateway, nested as in docs/parameters.md. Money is text. */
export type Passed = string | number | boolean | readonly Passed[] | { readonly [name: string]: Passed };

/** Members of a start that the bridge passes to the gateway. */
export const passedNames = [
  "merchantInvoiceId",
  "merchantMemo",
  "descriptor",
  "taxAmount",
  "discountAmount",
  "transactionCategory",
  "promotionCode",
  "locale",
  "transactionPurposeCode",
  "transactionBai",
  "transactionTti",
  "transactionProcessingCode",
  "cart",
  "customer",
  "billing",
  "shipping",
  "corporate",
  "sender",
  "recipient",
  "merchant",
  "marketPlace",
  "airline",
  "risk",
  "giftCard",
  "standingInstruction",
  "customParameters",
] as const;

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

type PassedFields = { readonly [name in (typeof passedNames)[number]]?: Passed };

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

/** The parameters of `payment.start` (docs/register-api.md). */
export type StartParams = SaleParams | PreauthorizationParams | RefundParams | RegistrationParams;
