import type { SandboxSetup } from "../../../packages/sandbox/gateway/sandbox.ts";
import { type Answered, type Bench, bench } from "./bench.ts";
import { ENTITY } from "./simulated-till.ts";

export type Fields = Readonly<Record<string, string | undefined>>;

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
  const form = (fields: readonly Fields[]) =>
    Object.entries(Object.assign({}, SALE, ...fields)).flatMap(([name, value]) => pair(name, value));
  return {
    ...on,
    pay: (...fields) => on.post("/v1/payments", form(fields)),
    async told(...fields) {
      const body = new URLSearchParams(form(fields).map(([name, value]): [string, string] => [name, value])).toString();
      const handled = await on.raw("POST", "/v1/payments", body);
      return handled.is === "reply" ? JSON.parse(handled.body) : undefined;
    },
  };
}

function pair(name: string, value: unknown): readonly (readonly [string, string])[] {
  return typeof value === "string" ? [[name, value]] : [];
}
