import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../../src/register/rpc/limits.ts";
import { startResultSchema } from "../../../../src/register/rpc/schemas.ts";
import { errorOf, opened, sale } from "../../../contract/talk.ts";

const everything = {
  ...sale,
  tip: "1.00",
  entryModes: ["chip", "contactless", "chip"],
  allowPartialApproval: true,
  createRegistration: false,
  merchantInvoiceId: "invoice-0001",
  merchantMemo: "memo for the books",
  descriptor: "Corner Shop",
  cart: { items: [{ name: "Pen", quantity: 2, price: "1.00", sku: "4111111111111111" }] },
  customer: { givenName: "Ada", surname: "Byron" },
  billing: { city: "Frankfurt", country: "DE" },
  shipping: { city: "Frankfurt" },
  customParameters: { shelf: "A1" },
  cashier: "Jo",
  order: "o-17",
  expiresInMs: 60_000,
  queue: true,
  despite: "r-0",
};

describe("payment.start", () => {
  it("hands a checked request to the engine and answers with the accepted payment", async () => {
    const open = await opened();
    const { result } = await open.call("payment.start", sale);
    expect(startResultSchema.parse(result)).toMatchObject({
      created: true,
      warnings: [],
      payment: { reference: "r-1", amount: "12.34", state: "CREATED" },
    });
    const [request] = open.payments.requests;
    expect(request).toMatchObject({
      reference: "r-1",
      type: "SALE",
      terminal: "till-1",
      currency: "EUR",
      amount: 1234,
      allowPartialApproval: false,
      queue: false,
    });
    expect(request?.parameters).toEqual({});
    expect(request?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });

  it("takes every parameter of the contract and passes the gateway's own through as they are", async () => {
    const open = await opened();
    expect((await open.call("payment.start", everything)).error).toBeUndefined();
    const { merchantInvoiceId, merchantMemo, descriptor, cart, customer, billing, shipping, customParameters } =
      everything;
    expect(open.payments.requests[0]).toMatchObject({
      amount: 1234,
      tip: 100,
      entryModes: ["chip", "contactless"],
      allowPartialApproval: true,
      cashier: "Jo",
      order: "o-17",
      expiresInMs: 60_000,
      queue: true,
      despite: "r-0",
    });
    expect(open.payments.requests[0]?.parameters).toEqual({
      merchantInvoiceId,
      merchantMemo,
      descriptor,
      cart,
      customer,
      billing,
      shipping,
      customParameters,
    });
  });

  it("says of a name that the gateway does not take how it may be", async () => {
    const { error } = await (await opened()).call("payment.start", { ...sale, customParameters: { a: "1" } });
    expect(error?.data.message).toMatch(/^customParameters\.a .*3-64 letters, digits, dots or underscores/);
  });

  it("gives the same payment for the same reference and content, also in another order and with another queue, expiry or despite", async () => {
    const open = await opened();
    await open.call("payment.start", sale);
    const turned = Object.fromEntries(
      Object.entries({ ...sale, queue: true, expiresInMs: 5000, despite: "x" }).reverse(),
    );
    expect((await open.call("payment.start", turned)).result).toMatchObject({
      created: false,
      payment: { id: "pay_1" },
    });
    expect(errorOf(await open.call("payment.start", { ...sale, amount: "12.35" }))).toMatchObject({
      code: -32007,
      is: "reference-reused",
    });
  });

  it.each([
    ["JPY", "1200", 1200],
    ["EUR", "0.01", 1],
    ["EUR", "9999999999.99", 999_999_999_999],
  ])("reads %s %s", async (currency, amount, minor) => {
    const open = await opened();
    await open.call("payment.start", { ...sale, currency, amount });
    expect(open.payments.requests[0]?.amount).toBe(minor);
  });

  it.each([
    ["too few decimals", { amount: "12.3" }, "amount"],
    ["too many decimals", { amount: "12.345" }, "amount"],
    ["none", { amount: "12" }, "amount"],
    ["a comma", { amount: "12,34" }, "amount"],
    ["a sign", { amount: "-12.34" }, "amount"],
    ["an exponent", { amount: "1e3" }, "amount"],
    ["leading zeros", { amount: "012.34" }, "amount"],
    ["nothing", { amount: "" }, "amount"],
    ["zero", { amount: "0.00" }, "amount"],
    ["eleven digits", { amount: "10000000000.00" }, "amount"],
    ["decimals where the currency has none", { currency: "JPY", amount: "12.00" }, "amount"],
    ["a broken tip", { tip: "1" }, "tip"],
    ["a tip above the amount", { tip: "12.35" }, "tip"],
  ])("refuses an amount with %s as invalid-amount", async (_what, change, path) => {
    const open = await opened();
    expect(errorOf(await open.call("payment.start", { ...sale, ...change }))).toEqual({
      code: -32011,
      is: "invalid-amount",
      advice: "fix-request",
      path,
    });
    expect(open.payments.requests).toEqual([]);
  });

  it("names the currency and its decimals in the mend", async () => {
    const open = await opened();
    const { error } = await open.call("payment.start", { ...sale, amount: "12" });
    expect(error?.message).toBe(
      'amount in EUR is a decimal string with 2 decimals and at most 10 digits before them, such as "12.34"',
    );
  });

  it.each([
    ["an amount that is a number", { amount: 12.34 }, "amount"],
    ["no amount", { amount: undefined }, "amount"],
    ["no reference", { reference: undefined }, "reference"],
    ["an empty reference", { reference: "" }, "reference"],
    ["a reference of 65 characters", { reference: "x".repeat(65) }, "reference"],
    ["a reference with a line break", { reference: "a\nb" }, "reference"],
    ["a type of another method", { type: "CAPTURE" }, "type"],
    ["small letters for a currency", { currency: "eur" }, "currency"],
    ["an unknown entry mode", { entryModes: ["chip", "voice"] }, "entryModes[1]"],
    ["no entry mode at all", { entryModes: [] }, "entryModes"],
    ["a short expiry", { expiresInMs: LIMITS.expiryMinMs - 1 }, "expiresInMs"],
    ["a long expiry", { expiresInMs: LIMITS.expiryMaxMs + 1 }, "expiresInMs"],
    ["half a millisecond", { expiresInMs: 1000.5 }, "expiresInMs"],
    ["a word for a boolean", { queue: "yes" }, "queue"],
    ["a merchantInvoiceId that the specification refuses", { merchantInvoiceId: "short" }, "merchantInvoiceId"],
    [
      "a wrong field deep in the cart",
      { cart: { items: [{ name: "a" }, { quantityUnit: "BOX" }] } },
      "cart.items[1].quantityUnit",
    ],
    ["an unknown field deep in the cart", { cart: { items: [{ nom: "a" }] } }, "cart.items[0].nom"],
    ["card data", { card: { number: "4111111111111111" } }, "card"],
    ["pos data", { "pos.entryMode": "ICC" }, "pos.entryMode"],
    ["an entityId", { entityId: "8a8294174b7ecb28014b9699220015ca" }, "entityId"],
    ["a testMode", { testMode: "EXTERNAL" }, "testMode"],
    ["a paymentType", { paymentType: "DB" }, "paymentType"],
    ["a merchantTransactionId", { merchantTransactionId: "12345678" }, "merchantTransactionId"],
  ])("answers %s with invalid params and the path", async (_what, change, path) => {
    const open = await opened();
    const answer = await open.call("payment.start", { ...sale, ...change });
    expect(errorOf(answer)).toEqual({ code: -32602, is: "invalid-params", advice: "fix-request", path });
    expect(JSON.stringify(answer)).not.toContain("4111111111111111");
    expect(open.payments.requests).toEqual([]);
  });

  it.each([
    ["a currency with three decimals", "till-token", { currency: "KWD", amount: "1.000" }, "unsupported", "currency"],
    ["a currency nobody knows", "till-token", { currency: "XXX" }, "unsupported", "currency"],
    [
      "a REGISTRATION in a currency nobody knows",
      "till-token",
      { type: "REGISTRATION", amount: undefined, currency: "XXX" },
      "unsupported",
      "currency",
    ],
    ["a REGISTRATION with an amount", "till-token", { type: "REGISTRATION" }, "invalid-amount", "amount"],
    [
      "a REGISTRATION with an amount of nothing",
      "till-token",
      { type: "REGISTRATION", amount: "0.00" },
      "invalid-amount",
      "amount",
    ],
    ["a REFUND without its scope", "till-token", { type: "REFUND" }, "forbidden", "type"],
    ["a REFUND without amount", "office-token", { type: "REFUND", amount: undefined }, "invalid-params", "amount"],
    ["a REFUND with a tip", "office-token", { type: "REFUND", tip: "1.00" }, "invalid-params", "tip"],
    [
      "a REFUND of a part",
      "office-token",
      { type: "REFUND", allowPartialApproval: true },
      "invalid-params",
      "allowPartialApproval",
    ],
    [
      "a REFUND that stores the card",
      "office-token",
      { type: "REFUND", createRegistration: true },
      "invalid-params",
      "createRegistration",
    ],
    [
      "a REGISTRATION with a tip",
      "till-token",
      { type: "REGISTRATION", amount: undefined, tip: "0.00" },
      "invalid-params",
      "tip",
    ],
    [
      "a REGISTRATION of a part",
      "till-token",
      { type: "REGISTRATION", amount: undefined, allowPartialApproval: true },
      "invalid-params",
      "allowPartialApproval",
    ],
    [
      "a REGISTRATION twice said",
      "till-token",
      { type: "REGISTRATION", amount: undefined, createRegistration: true },
      "invalid-params",
      "createRegistration",
    ],
    ["a SALE with several captures", "till-token", { numberOfCaptures: 2 }, "invalid-params", "numberOfCaptures"],
    [
      "a REGISTRATION with captures",
      "till-token",
      { type: "REGISTRATION", amount: undefined, numberOfCaptures: 1 },
      "invalid-params",
      "numberOfCaptures",
    ],
    [
      "a PREAUTHORIZATION without captures",
      "till-token",
      { type: "PREAUTHORIZATION", numberOfCaptures: 0 },
      "invalid-params",
      "numberOfCaptures",
    ],
    [
      "a PREAUTHORIZATION with too many captures",
      "till-token",
      { type: "PREAUTHORIZATION", numberOfCaptures: 99 },
      "invalid-params",
      "numberOfCaptures",
    ],
    ["a gift card's number", "till-token", { giftCard: { number: "6006" } }, "invalid-params", "giftCard.number"],
    ["a gift card's PIN", "till-token", { giftCard: { pin: "12" } }, "invalid-params", "giftCard.pin"],
    [
      "a gift card for an occasion that nobody knows",
      "till-token",
      { giftCard: { type: "MONDAY" } },
      "invalid-params",
      "giftCard.type",
    ],
    [
      "a holder for a card that is presented",
      "till-token",
      { overrideHolder: "Jane Doe" },
      "invalid-params",
      "overrideHolder",
    ],
    [
      "a PREAUTHORIZATION without amount",
      "till-token",
      { type: "PREAUTHORIZATION", amount: undefined },
      "invalid-params",
      "amount",
    ],
    [
      "a card number in free text",
      "till-token",
      { merchantMemo: "card 4111 1111 1111 1111" },
      "card-number-in-text",
      "merchantMemo",
    ],
    [
      "a card number as the reference",
      "till-token",
      { reference: "4111-1111-1111-1111" },
      "card-number-in-text",
      "reference",
    ],
    [
      "a card number deep inside",
      "till-token",
      { cart: { items: [{ description: "378282246310005" }] } },
      "card-number-in-text",
      "cart.items[0].description",
    ],
  ])("refuses %s and consumes nothing", async (_what, token, change, is, path) => {
    const open = await opened(token);
    const answer = await open.call("payment.start", { ...sale, ...change });
    expect(errorOf(answer)).toMatchObject({ is, path });
    expect(JSON.stringify(answer)).not.toMatch(/4111|3782/);
    expect(open.payments.requests).toEqual([]);
  });

  it.each([
    [
      "SALE with tip, part and card",
      "till-token",
      { tip: "0.34", allowPartialApproval: true, createRegistration: true },
      { tip: 34, createRegistration: true },
    ],
    [
      "PREAUTHORIZATION",
      "till-token",
      { type: "PREAUTHORIZATION", createRegistration: true },
      { type: "PREAUTHORIZATION", createRegistration: true },
    ],
    [
      "REFUND with its scope",
      "office-token",
      { type: "REFUND", allowPartialApproval: false },
      { type: "REFUND", allowPartialApproval: false },
    ],
    [
      "REGISTRATION without amount",
      "till-token",
      { type: "REGISTRATION", amount: undefined },
      { type: "REGISTRATION", amount: 0, currency: "EUR" },
    ],
    ["SALE by key entry", "till-token", { entryModes: ["manual"] }, { entryModes: ["manual"] }],
    [
      "PREAUTHORIZATION that is captured twice at most",
      "till-token",
      { type: "PREAUTHORIZATION", numberOfCaptures: 2 },
      { type: "PREAUTHORIZATION", numberOfCaptures: 2, parameters: {} },
    ],
    [
      "SALE of a gift card with what is written on it",
      "till-token",
      { giftCard: { message: "Happy birthday", type: "BIRTHDAY" } },
      { parameters: { giftCard: { message: "Happy birthday", type: "BIRTHDAY" } } },
    ],
    ["SALE that is all tip", "till-token", { tip: "12.34" }, { amount: 1234, tip: 1234 }],
  ])("takes a %s", async (_what, token, change, request) => {
    const open = await opened(token);
    expect((await open.call("payment.start", { ...sale, ...change })).error).toBeUndefined();
    expect(open.payments.requests[0]).toMatchObject(request);
  });

  it("wants no part of an approval, and stores no card, unless it was asked for", async () => {
    const open = await opened();
    await open.call("payment.start", { ...sale, createRegistration: false });
    expect(open.payments.requests[0]?.allowPartialApproval).toBe(false);
    expect(open.payments.requests[0]).not.toHaveProperty("createRegistration");
  });

  it("says what to do about a field that means nothing for the type", async () => {
    const open = await opened("office-token");
    expect((await open.call("payment.start", { ...sale, type: "REFUND", tip: "1.00" })).error?.message).toBe(
      "tip is no part of a REFUND: leave it out",
    );
    const registration = { ...sale, type: "REGISTRATION", amount: undefined, createRegistration: true };
    expect((await open.call("payment.start", registration)).error?.message).toBe(
      "createRegistration is what a REGISTRATION does anyway: leave it out",
    );
    const taxed = { ...sale, type: "REGISTRATION", amount: undefined, taxAmount: "1.90" };
    expect((await open.call("payment.start", taxed)).error?.message).toBe(
      "taxAmount is no part of a REGISTRATION: leave it out",
    );
  });

  it("hands on what the engine refuses", async () => {
    const open = await opened();
    expect(errorOf(await open.call("payment.start", { ...sale, terminal: "till-9" }))).toMatchObject({
      code: -32003,
      is: "unknown-terminal",
    });
  });
});
