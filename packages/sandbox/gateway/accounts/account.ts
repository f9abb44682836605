import type { WALLETS } from "../../../../src/gateway/parameters/wallets.ts";

export type WalletKey = (typeof WALLETS)[number];

/**
 * The customer's account as the request names it (specification, "Resources and their fields"); made by `accountOf`. A
 * payment has exactly one.
 */
export type Account = CardAccount | WalletToken | BankAccount | VirtualAccount | TokenAccount | PresentedCard;

/** "Card account". Also a decrypted wallet: a device card number with its proof of authentication. */
export interface CardAccount {
  readonly is: "card";
  readonly number: string;
  /** As in paymentBrand; absent: detected from the number. */
  readonly brand: string | undefined;
  /** Two digits. */
  readonly expiryMonth: string;
  /** Four digits. */
  readonly expiryYear: string;
  readonly holder: string | undefined;
  readonly cvv: string | undefined;
  /** The wallet that the card number was decrypted from. */
  readonly wallet: WalletKey | undefined;
}

/** "Wallet payments", the encrypted form. */
export interface WalletToken {
  readonly is: "wallet";
  readonly wallet: WalletKey;
  readonly brand: string | undefined;
  readonly paymentToken: string;
}

/** "Bank account". */
export interface BankAccount {
  readonly is: "bank-account";
  readonly brand: string;
  readonly holder: string | undefined;
  readonly iban: string | undefined;
  readonly number: string | undefined;
  readonly bankCode: string | undefined;
  readonly bic: string | undefined;
  readonly bankName: string | undefined;
  readonly country: string | undefined;
  readonly mandate: { readonly id: string | undefined; readonly dateOfSignature: string | undefined };
  /** When the money is to be debited. */
  readonly dueDate: string | undefined;
}

/**
 * "Virtual account". Also an asynchronous brand without account fields: the shopper identifies himself at the brand's
 * page.
 */
export interface VirtualAccount {
  readonly is: "virtual-account";
  readonly brand: string;
  readonly accountId: string | undefined;
}

/** "Token account". */
export interface TokenAccount {
  readonly is: "token";
  readonly number: string;
  readonly type: "EXTERNAL" | "NETWORK";
  readonly brand: string | undefined;
  readonly expiryMonth: string | undefined;
  readonly expiryYear: string | undefined;
  readonly cryptogram: string | undefined;
  readonly dtvc: string | undefined;
}

/** "Point of sale": the card's data is sealed in the request, and only its issuer can open it. */
export interface PresentedCard {
  readonly is: "presented-card";
}
