import type { SandboxSetup } from "../../../packages/sandbox/gateway/sandbox.ts";
import { type Answered, type Bench, bench, type Fields, pairsOf } from "./bench.ts";
import { ENTITY, formOf } from "./simulated-till.ts";

/** A payment of 92.00 EUR; what is undefined is left out. */
const SALE: Fields = { entityId: ENTITY, amount: "92.00", currency: "EUR", paymentType: "DB" };

export const VISA: Fields = {
  paymentBrand: "VISA",
  "card.number": "4200000000000000",
  "card.holder": "Jane Jones",
  "card.expiryMonth": "05",
  "card.expiryYear": "2034",
  "card.cvv": "123",
};

/** What is stored of it. */
export const STORED_VISA: Fields = { ...VISA, "card.cvv": undefined };

export const SEPA: Fields = {
  paymentBrand: "DIRECTDEBIT_SEPA",
  "bankAccount.holder": "Jane Jones",
  "bankAccount.iban": "DE23100000001234567890",
  "bankAccount.bic": "MARKDEF1100",
  "bankAccount.country": "DE",
};

export const PAYPAL: Fields = { paymentBrand: "PAYPAL", "virtualAccount.accountId": "jane@example.com" };

export const APPLE_PAY: Fields = { paymentBrand: "APPLEPAY", "applePay.paymentToken": "sandbox:4111111111" };

export const DECRYPTED: Fields = {
  "googlePay.source": "app",
  "card.number": "4111111111111111",
  "card.expiryMonth": "05",
  "card.expiryYear": "2034",
  "threeDSecure.verificationId": "AAABBBCCCDDDEEEFFFGGGHHHIII=",
  "threeDSecure.eci": "05",
};

export const NETWORK_TOKEN: Fields = {
  paymentBrand: "VISA",
  "tokenAccount.number": "4111111111111111",
  "tokenAccount.type": "NETWORK",
  "tokenAccount.cryptogram": "JAmi21makAifmwqo2120cjq1AAA=",
};

/** A merchant's server without a terminal. */
export interface Shop extends Bench {
  /** POST /v1/payments. */
  pay(...fields: readonly Fields[]): Promise<Answered>;
  /** The same, and of its body all that is told. */
  told(...fields: readonly Fields[]): Promise<unknown>;
}

export function shop(setup: Partial<SandboxSetup> = {}): Shop {
  const on = bench(setup);
  return {
    ...on,
    pay: (...fields) => on.send("/v1/payments", SALE, ...fields),
    async told(...fields) {
      const handled = await on.raw("POST", "/v1/payments", formOf(pairsOf([SALE, ...fields])));
      return handled.is === "reply" ? JSON.parse(handled.body) : undefined;
    },
  };
}
