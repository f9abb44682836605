/** A value that the bridge passes on to the gateway, nested as docs/parameters.md has it. Money is text. */
export type Passed = string | number | boolean | readonly Passed[] | { readonly [name: string]: Passed };

/** What of a start is passed on to the gateway. */
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

/** What every payment at a terminal has. */
interface StartFields {
  /** The register's own key of this payment: 1 to 64 printable characters, written down before the first try, the same at every repeat. */
  readonly reference: string;
  readonly terminal: string;
  /** ISO 4217: EUR. */
  readonly currency: string;
  readonly entryModes?: readonly ("chip" | "contactless" | "magstripe" | "manual")[];
  readonly cashier?: string;
  /** Payments of one order never run beside an undecided one. */
  readonly order?: string;
  /** The undecided payment of the same order that a person knows about. */
  readonly despite?: string;
  /** Wait for the terminal where it is busy. */
  readonly queue?: boolean;
  readonly expiresInMs?: number;
}

type PassedFields = { readonly [name in (typeof passedNames)[number]]?: Passed };

interface Amount {
  /** A decimal string with the currency's own number of decimals: "12.34" EUR, "1200" JPY. */
  readonly amount: string;
}

interface Taking extends Amount {
  /** Part of `amount`. */
  readonly tip?: string;
  readonly allowPartialApproval?: boolean;
  /** Stores the card besides. */
  readonly createRegistration?: boolean;
}

/** Money is taken. */
export type SaleParams = StartFields & PassedFields & Taking & { readonly type: "SALE" };
/** Money is reserved, and captured later: `numberOfCaptures` times at most. */
export type PreauthorizationParams = StartFields & PassedFields & Taking & { readonly type: "PREAUTHORIZATION"; readonly numberOfCaptures?: number };
/** Money is given to a presented card, without reference to a payment; scope `unlinked-refunds`. */
export type RefundParams = StartFields & PassedFields & Amount & { readonly type: "REFUND" };
/** A card is stored, and no money taken. */
export type RegistrationParams = StartFields & Omit<PassedFields, "taxAmount" | "discountAmount"> & { readonly type: "REGISTRATION" };

/** The parameters of `payment.start` (docs/register-api.md). */
export type StartParams = SaleParams | PreauthorizationParams | RefundParams | RegistrationParams;
