import { describe, expect, test } from "vitest";
import { cardBrandOf } from "../../../packages/sandbox/gateway/accounts/brands.ts";
import { asynchronousMethods } from "../../../packages/sandbox/gateway/asynchronous/methods.ts";
import { type PayingAccount, shopperStepOf } from "../../../packages/sandbox/gateway/asynchronous/shopper-step.ts";
import { resultTexts } from "../../../packages/sandbox/gateway/ledger/result-texts.ts";

const CARD: PayingAccount = { brand: "VISA", authentication: "challenge" };
const QUIET_CARD: PayingAccount = { brand: "VISA", authentication: "frictionless" };

const stepOf = (account: PayingAccount, fields: Readonly<Record<string, string>> = {}): string | undefined =>
  shopperStepOf(account, new Map(Object.entries({ paymentType: "DB", ...fields })))?.is;

describe("whether a payment needs its shopper", () => {
  test.each(asynchronousMethods.map(({ brand }) => [brand]))("%s asks at the page of its bank", (brand) => {
    expect(stepOf({ brand })).toBe("bank");
  });

  test.each([
    ["a brand that answers at once", { brand: "DIRECTDEBIT_SEPA" }],
    ["no brand at all", { brand: undefined }],
    ["a card without 3D Secure", { brand: "VISA" }],
    ["a card that is authenticated from the data alone", QUIET_CARD],
    ["a wallet's token whose shopper agreed before", { brand: "PAYPAL", agreed: true }],
  ] as const)("%s asks nobody", (_, account) => {
    expect(stepOf(account)).toBeUndefined();
  });

  test.each([
    { "threeDSecure.disable": "true" },
    { "threeDSecure.eci": "05", "threeDSecure.verificationId": "AAAAAAAAAAAAAAAAAAAAAAAAAAA=" },
    { "threeDSecure.dsTransactionId": "f25084f0-5b16-4c0a-ae5d-b24808a95e4b" },
    { "standingInstruction.source": "MIT" },
    { recurringType: "REGISTRATION_BASED" },
  ])("a card that takes part asks nobody with %j", (fields) => expect(stepOf(CARD, fields)).toBeUndefined());

  test("money that is given to a wallet asks nobody", () => {
    expect(stepOf({ brand: "PAYPAL" }, { paymentType: "CD" })).toBeUndefined();
  });
});

test("every step is pending at first and ends in a code of the catalogue", () => {
  for (const account of [CARD, { brand: "IDEAL" }, { brand: "PAYPAL" }]) {
    const step = shopperStepOf(account, new Map([["paymentType", "DB"]]));
    expect(step).toMatchObject({ pendingCode: "000.200.000", lapse: { afterMs: 1_800_000 } });
    expect(resultTexts.has(step?.lapse.resultCode ?? "")).toBe(true);
  }
});

test("no brand asks its shopper at a page and is a card as well", () => {
  const brands = asynchronousMethods.map(({ brand }) => brand);
  expect(brands.filter((brand) => cardBrandOf(brand) !== undefined)).toEqual([]);
  expect(new Set(brands).size).toBe(brands.length);
});
