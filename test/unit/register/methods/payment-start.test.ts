import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../../src/register/limits.ts";
import { startResultSchema } from "../../../../src/register/wire.ts";
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
    expect(startResultSchema.parse(result)).toMatchObject({ created: true, warnings: [], payment: { reference: "r-1", amount: "12.34", state: "CREATED" } });
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
    const { merchantInvoiceId, merchantMemo, descriptor, cart, customer, billing, shipping, customParameters } = everything;
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
    expect(open.payments.requests[0]?.parameters).toEqual({ merchantInvoiceId, merchantMemo, descriptor, cart, customer, billing, shipping, customParameters });
  });

  it("gives the same payment for the same reference and content, also in another order and with another queue, expiry or despite", async () => {
    const open = await opened();
    await open.call("payment.start", sale);
    const turned = Object.fromEntries(Object.entries({ ...sale, queue: true, expiresInMs: 5000, despite: "x" }).reverse());
    expect((await open.call("payment.start", turned)).result).toMatchObject({ created: false, payment: { id: "pay_1" } });
    expect(errorOf(await open.call("payment.start", { ...sale, amount: "12.35" }))).toMatchObject({ code: -32007, is: "reference-reused" });
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
    expect(errorOf(await open.call("payment.start", { ...sale, ...change }))).toEqual({ code: -32011, is: "invalid-amount", advice: "fix-request", path });
    expect(open.payments.requests).toEqual([]);
  });

  it("names the currency and its decimals in the mend", async () => {
    const open = await opened();
    const { error } = await open.call("payment.start", { ...sale, amount: "12" });
    expect(error?.message).toBe('amount in EUR is a decimal string with 2 decimals and at most 10 digits before them, such as "12.34"');
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
    ["a wrong field deep in the cart", { cart: { items: [{ name: "a" }, { quantityUnit: "BOX" }] } }, "cart.items[1].quantityUnit"],
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
    ["PREAUTHORIZATION", "till-token", { type: "PREAUTHORIZATION" }, "unsupported", "type"],
    ["REGISTRATION", "till-token", { type: "REGISTRATION" }, "unsupported", "type"],
    ["REFUND without its scope", "till-token", { type: "REFUND" }, "forbidden", "type"],
    ["REFUND with its scope", "office-token", { type: "REFUND" }, "unsupported", "type"],
    ["createRegistration", "till-token", { createRegistration: true }, "unsupported", "createRegistration"],
    ["a card number in free text", "till-token", { merchantMemo: "card 4111 1111 1111 1111" }, "card-number-in-text", "merchantMemo"],
    ["a card number as the reference", "till-token", { reference: "4111-1111-1111-1111" }, "card-number-in-text", "reference"],
    ["a card number deep inside", "till-token", { cart: { items: [{ description: "378282246310005" }] } }, "card-number-in-text", "cart.items[0].description"],
  ])("refuses %s and consumes nothing", async (_what, token, change, is, path) => {
    const open = await opened(token);
    const answer = await open.call("payment.start", { ...sale, ...change });
    expect(errorOf(answer)).toMatchObject({ is, path });
    expect(JSON.stringify(answer)).not.toMatch(/4111|3782/);
    expect(open.payments.requests).toEqual([]);
  });

  it("needs no amount for a REGISTRATION", async () => {
    const open = await opened();
    const { amount: _amount, ...without } = sale;
    expect(errorOf(await open.call("payment.start", { ...without, type: "REGISTRATION" })).is).toBe("unsupported");
  });

  it("hands on what the engine refuses", async () => {
    const open = await opened();
    expect(errorOf(await open.call("payment.start", { ...sale, terminal: "till-9" }))).toMatchObject({ code: -32003, is: "unknown-terminal" });
  });
});
