import type { WALLETS } from "../../gateway/parameters/wallets.ts";

export type WalletKey = (typeof WALLETS)[number];

/** What identifies the customer, as a request said it (specification, "Resources and their fields"); made by `accountOf`. Exactly one structure to a payment. */
export type Account = CardAccount | WalletToken | BankAccount | VirtualAccount | TokenAccount | PresentedCard;

/** "Card account", and a wallet in its decrypted form, which is a card number of the device with its proof of authentication. */
export interface CardAccount {
  readonly is: "card";
  readonly number: string;
  /** As in paymentBrand; absent where the number has to tell. */
  readonly brand: string | undefined;
  /** Two digits. */
  readonly expiryMonth: string;
  /** Four digits. */
  readonly expiryYear: string;
  readonly holder: string | undefined;
  readonly cvv: string | undefined;
  /** The wallet that it was decrypted from. */
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

/** "Virtual account", and an asynchronous brand that needs no account at all: its shopper says who he is at its page. */
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
