import { describe, expect, test } from "vitest";
import {
  deletionChapters,
  paymentChapters,
  queryChapters,
  registrationChapters,
} from "../../../../src/gateway/parameters/endpoints.ts";
import { knownNames, parameterProblems } from "../../../../src/gateway/parameters/problems.ts";

const SALE = {
  entityId: "8a8294174b7ecb28014b9699220015ca",
  amount: "12.34",
  currency: "EUR",
  paymentType: "PA",
  merchantTransactionId: "0123456789abcdef0123456789abcdef",
  "pos.entryMode": "ICC",
  "pos.terminalId": "12345678",
};

const found = (form: Readonly<Record<string, string>>) =>
  parameterProblems(new Map(Object.entries(form)), paymentChapters).map(({ name, message }) => `${name} ${message}`);
const withSale = (more: Readonly<Record<string, string>>) => found({ ...SALE, ...more });
const without = (name: string) => found(Object.fromEntries(Object.entries(SALE).filter(([each]) => each !== name)));

test("a plain sale has no problems", () => {
  expect(found(SALE)).toEqual([]);
});

test("every known name is known once", () => {
  const names = knownNames(paymentChapters);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain("cart.items[n].recipient.city");
  expect(names).toContain("shipping.customer.givenName");
  expect(names).not.toContain("shipping.customer.browserFingerprint.id");
});

describe("what is missing is named", () => {
  test.each(["amount", "currency", "paymentType", "pos.entryMode", "pos.terminalId"])("%s", (name) => {
    expect(without(name)).toEqual([`${name} may not be empty`]);
  });

  test("a full reversal needs neither amount nor currency, a partial one both", () => {
    expect(found({ entityId: SALE.entityId, paymentType: "RV" })).toEqual([]);
    expect(found({ entityId: SALE.entityId, paymentType: "RV", amount: "1.00" })).toEqual([
      "currency may not be empty",
    ]);
  });
});

describe("a registration", () => {
  const of = (form: Readonly<Record<string, string>>) =>
    parameterProblems(new Map(Object.entries(form)), registrationChapters).map(
      ({ name, message }) => `${name} ${message}`,
    );
  const { amount: _, currency: __, paymentType: ___, ...CARD } = SALE;

  test("needs neither money nor type, and takes the rest of what a payment takes", () => {
    expect(of(CARD)).toEqual([]);
    expect(
      of({
        ...CARD,
        paymentType: "RG",
        merchantInvoiceId: "INV-00001",
        "customer.givenName": "Ann",
        "customer.surname": "Lee",
      }),
    ).toEqual([]);
  });

  test.each(["amount", "currency", "sequence", "numberOfCaptures", "referenceUuid"])("has no %s", (name) => {
    expect(of({ ...CARD, [name]: "1" })).toEqual([`${name} is not an allowed parameter`]);
  });

  test("is no payment, and its card has to be there", () => {
    expect(of({ ...CARD, paymentType: "PA" })).toEqual(["paymentType must be RG here"]);
    expect(of({ entityId: SALE.entityId, "pos.entryMode": "ICC" })).toEqual(["pos.terminalId may not be empty"]);
  });

  test("is deleted with its entity and a test mode, and nothing else", () => {
    const deletion = (more: object) =>
      parameterProblems(new Map(Object.entries({ entityId: SALE.entityId, ...more })), deletionChapters).map(
        ({ name }) => name,
      );
    expect(deletion({ testMode: "EXTERNAL" })).toEqual([]);
    expect(deletion({ testMode: "NONE", merchantTransactionId: "12345678" })).toEqual([
      "testMode",
      "merchantTransactionId",
    ]);
  });
});

describe("values are held to the specification", () => {
  test.each([
    ["amount", "12.3", "must be a decimal with up to 10 digits and 2 decimals or none"],
    ["amount", "12345678901.00", "must be a decimal with up to 10 digits and 2 decimals or none"],
    ["amount", "-1.00", "must be a decimal with up to 10 digits and 2 decimals or none"],
    ["currency", "eur", "must be 3 uppercase letters"],
    ["merchantTransactionId", "1234567", "must be 8-255 characters"],
    ["entityId", "8A8294174B7ECB28014B9699220015CA", "must be 32 lowercase hexadecimal digits"],
    ["pos.terminalId", "T1234567", "must be 1-32 digits"],
    ["pos.terminalId", "1".repeat(33), "must be 1-32 digits"],
    ["pos.entryMode", "CHIP", "must be one of MANUAL, MAGSTRIPE, MAGSTRIPE_AS_FALLBACK, ICC, NFC_ICC, NFC_MAGSTRIPE"],
    ["pos.iccDataRequest", "nw==", "must be 1-2048 letters or digits"],
    ["pos.iccDataRequest", "0".repeat(2049), "must be 1-2048 letters or digits"],
    ["pos.deviceType", "MIURA-M020", "must be 1-32 letters, digits or underscores"],
    ["pos.deviceId", "SN12", "must be 1-32 digits"],
    ["pos.transactionSource", "ECOM", "must be one of POS"],
    ["testMode", "internal", "must be one of EXTERNAL, INTERNAL"],
    ["numberOfCaptures", "99", "must be a whole number from 1 to 98"],
    ["cart.items[0].commodityCode", "1234567", "must be 8 digits"],
    ["cart.items[0].tax", "100.01", "must be a percentage from 0 to 100 with up to 2 decimals"],
    ["cart.items[0].price", "3", "must be a decimal with up to 10 digits and exactly 2 decimals"],
    ["descriptor", "", "must be 1-127 characters"],
    ["descriptor", "x".repeat(128), "must be 1-127 characters"],
    ["merchantMemo", "half a pair \ud800 here", "must be well-formed Unicode"],
    ["standingInstruction.expiry", "2026-13-01", "must be a date yyyy-MM-dd"],
  ])("%s=%s", (name, value, message) => {
    expect(withSale({ [name]: value })).toEqual([`${name} ${message}`]);
  });

  test.each([
    ["amount", "1234567890.00"],
    ["amount", "1200"],
    ["pos.iccDataRequest", "00".repeat(1024)],
    ["cart.items[1000].tax", "100.00"],
    ["cart.items[0].quantity", "1.125"],
    ["customParameters[SHOPPER_till.1]", ""],
    ["merchantMemo", "Grüße\n 🙂"],
    ["pos.deviceId", "1".repeat(32)],
  ])("%s=%s is good", (name, value) => {
    expect(withSale({ [name]: value })).toEqual([]);
  });
});

describe("names are held to the specification", () => {
  test.each([
    "card.number",
    "pos.pan",
    "cart.items[n].name",
    "cart.items[].name",
    "cart.items[01].name",
    "cart.items[0]",
    "customParameters",
    "__proto__",
    "toString",
    "",
  ])("'%s' is not allowed", (name) => {
    expect(withSale({ [name]: "1" })).toEqual([`${name} is not an allowed parameter`]);
  });

  test("the other lists have no stated end", () => {
    expect(
      withSale({ "cart.payments[1001].name": "Card", "airline.passengers[1001].legs[2000].airlineCode": "LH" }),
    ).toEqual([]);
    expect(withSale({ "cart.payments[10000].name": "Card" })).toEqual([
      "cart.payments[10000].name index must be 0 to 9999",
    ]);
  });

  test("a name that is not known makes no other one required", () => {
    expect(withSale({ "customer.nickname": "Ann" })).toEqual(["customer.nickname is not an allowed parameter"]);
  });

  test("what is wrong in two ways is named once", () => {
    expect(withSale({ "customer.givenName": "Ann", "customer.surname": "" })).toEqual([
      "customer.surname must be 1-50 characters",
    ]);
    expect(withSale({ "billing.street1": "1".repeat(101) })).toEqual(["billing.street1 must be 1-100 characters"]);
  });

  test("an index ends at 1000 and a free name at 64 characters", () => {
    expect(withSale({ "cart.items[1001].name": "Tea" })).toEqual(["cart.items[1001].name index must be 0 to 1000"]);
    expect(withSale({ "customParameters[ab]": "1" })).toEqual([
      "customParameters[ab] must have a name of 3-64 letters, digits, dots or underscores",
    ]);
    expect(withSale({ [`customParameters[${"k".repeat(65)}]`]: "1" })).toHaveLength(1);
    expect(withSale({ "customParameters[123]": "1" })).toEqual([]);
  });
});

describe("rules between parameters", () => {
  test("a customer needs both names as soon as anything else is sent", () => {
    expect(withSale({ "customer.email": "a@b.example" })).toEqual([
      "customer.givenName may not be empty",
      "customer.surname may not be empty",
    ]);
    expect(withSale({ "customer.givenName": "Ann" })).toEqual(["customer.surname may not be empty"]);
    expect(
      withSale({ "customer.givenName": "Ann", "customer.surname": "Bee", "customer.email": "a@b.example" }),
    ).toEqual([]);
    expect(withSale({ "shipping.customer.sex": "F" })).toEqual([
      "shipping.customer.givenName may not be empty",
      "shipping.customer.surname may not be empty",
    ]);
  });

  test.each(["billing", "shipping"])("%s.houseNumber2 needs houseNumber1", (group) => {
    expect(withSale({ [`${group}.houseNumber2`]: "b" })).toEqual([
      `${group}.houseNumber2 requires ${group}.houseNumber1`,
    ]);
    expect(withSale({ [`${group}.houseNumber1`]: "1", [`${group}.houseNumber2`]: "b" })).toEqual([]);
  });

  test("a billing street is more than digits", () => {
    expect(withSale({ "billing.street1": "12", "billing.street2": "34" })).toEqual([
      "billing.street1 may not be digits only",
    ]);
    expect(withSale({ "billing.street1": "Long Road 12" })).toEqual([]);
  });
});

describe("queries", () => {
  const query = (form: Readonly<Record<string, string>>) =>
    parameterProblems(new Map(Object.entries(form)), queryChapters).map(({ name, message }) => `${name} ${message}`);

  test.each([
    [{ merchantTransactionId: "x", includeLinkedTransactions: "true" }, []],
    [{ "date.from": "2026-01-01 00:00:00", "date.to": "2026-01-02 00:00:00", paymentTypes: "PA,CP,3D" }, []],
    [{ "date.from": "2026-01-01 00:00:00" }, ["date.to may not be empty"]],
    [
      { "date.from": "2026-01-01 00:00:00", "date.to": "2026-01-02 00:00:00", merchantTransactionId: "x" },
      ["merchantTransactionId cannot be combined with date.from and date.to"],
    ],
    [{ limit: "99" }, ["limit must be a whole number from 100 to 500"]],
    [{ limit: "501" }, ["limit must be a whole number from 100 to 500"]],
    [{ limit: "500" }, []],
    [{ paymentTypes: "PA,XX" }, ["paymentTypes must be payment types separated by commas"]],
    [{ shortId: "1234" }, ["shortId requires merchantTransactionId or date.from and date.to"]],
    [{ amount: "1.00" }, ["amount is not an allowed parameter"]],
  ])("%j", (form, problems) => {
    expect(query(form)).toEqual(problems);
  });
});
