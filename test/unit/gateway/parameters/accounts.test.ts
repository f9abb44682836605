import { describe, expect, test } from "vitest";
import { asynchronousMethods } from "../../../../packages/sandbox/gateway/asynchronous/methods.ts";
import { REDIRECTING_BRANDS } from "../../../../src/gateway/parameters/accounts.ts";
import { chaptersOf, type Endpoint } from "../../../../src/gateway/parameters/endpoints.ts";
import { parameterProblems } from "../../../../src/gateway/parameters/problems.ts";

type Fields = Readonly<Record<string, string>>;

const MONEY = { entityId: "8a8294174b7ecb28014b9699220015ca", amount: "12.34", currency: "EUR", paymentType: "DB" };
const CARD = { "card.number": "4200000000000000", "card.expiryMonth": "05", "card.expiryYear": "2034" };
const BANK = {
  paymentBrand: "DIRECTDEBIT_SEPA",
  "bankAccount.holder": "Jane Jones",
  "bankAccount.iban": "DE23100000001234567890",
  "bankAccount.bic": "MARKDEF1100",
};
const TOKEN = { registrationId: "8ac7a4a282d522f70182d53e7a873640" };
const PROOF = { "threeDSecure.verificationId": "AAACAgSRBklmQCFgMpEGAAAAAAA=", "threeDSecure.eci": "05" };

const problemsAt = (endpoint: Endpoint, form: Fields): readonly string[] =>
  parameterProblems(new Map(Object.entries(form)), chaptersOf[endpoint]).map(
    ({ name, message }) => `${name} ${message}`,
  );
const payment = (form: Fields): readonly string[] => problemsAt("payment", { ...MONEY, ...form });

describe("POST /v1/payments takes one account", () => {
  test.each<[string, Fields]>([
    ["a card", CARD],
    [
      "a card with everything",
      { ...CARD, "card.holder": "Jane Müller-Jones", "card.cvv": "123", "card.numberType": "PAN" },
    ],
    ["a bank account by its IBAN", BANK],
    [
      "a bank account by its number",
      { paymentBrand: "X", "bankAccount.holder": "Jane", "bankAccount.number": "123", "bankAccount.bankCode": "1" },
    ],
    ["a virtual account", { paymentBrand: "PAYPAL", "virtualAccount.accountId": "jane@shop.example" }],
    ["a token account", { "tokenAccount.number": "4200000000000000", "tokenAccount.type": "NETWORK" }],
    ["an encrypted wallet", { "googlePay.paymentToken": "{}" }],
    ["an encrypted wallet that says where it came from", { "applePay.paymentToken": "{}", "applePay.source": "web" }],
    ["a decrypted wallet", { "applePay.source": "app", ...CARD, ...PROOF }],
    ["a token", TOKEN],
    ["a token with the code that is never stored", { ...TOKEN, "card.cvv": "123" }],
    [
      "a presented card",
      { "pos.entryMode": "ICC", "pos.terminalId": "1", "pos.encryptedSred.data": "AZ09", "pos.encryptedSred.ksn": "x" },
    ],
    ["a point of sale whose card the issuer may miss", { "pos.entryMode": "MANUAL", "pos.terminalId": "1" }],
    ["a card keyed in at a point of sale", { ...CARD, "pos.entryMode": "MANUAL", "pos.terminalId": "1" }],
    ["a booking instead", { referenceUuid: "8ac7a4a282d522f70182d53e7a873640" }],
    ["a brand with a page of its own", { paymentBrand: "PAYPAL", shopperResultUrl: "https://shop.example/paid" }],
  ])("%s is good", (_, form) => {
    expect(payment(form)).toEqual([]);
  });

  test.each<[string, Fields, readonly string[]]>([
    ["nothing", {}, ["card.number may not be empty"]],
    ["two accounts", { ...CARD, ...BANK }, ["bankAccount.holder is a second account: a payment takes one"]],
    [
      "two wallets",
      { "applePay.paymentToken": "1", "googlePay.paymentToken": "1" },
      ["googlePay.paymentToken is a second account: a payment takes one"],
    ],
    [
      "a card and an encrypted wallet",
      { "applePay.paymentToken": "1", ...CARD },
      ["card.number is a second account: a payment takes one"],
    ],
    ["a token and a card", { ...TOKEN, ...CARD }, ["card.number is a second account: a payment takes one"]],
    [
      "a card and a sealed card",
      { ...CARD, "pos.entryMode": "ICC", "pos.terminalId": "1", "pos.encryptedSred.data": "A" },
      ["pos.encryptedSred.data is a second account: a payment takes one"],
    ],
    [
      "a code without its card",
      { "card.cvv": "123" },
      ["card.number may not be empty", "card.expiryMonth may not be empty", "card.expiryYear may not be empty"],
    ],
    [
      "a wallet without token and source",
      { "applePay.cardType": "credit" },
      ["applePay.paymentToken may not be empty"],
    ],
    [
      "a decrypted wallet without its card",
      { "applePay.source": "web", ...PROOF },
      [...["card.number may not be empty", "card.expiryMonth may not be empty", "card.expiryYear may not be empty"]],
    ],
    [
      "a decrypted wallet without its source",
      { "applePay.cardNetwork": "VISA", ...CARD, ...PROOF },
      ["applePay.source may not be empty"],
    ],
    [
      "a decrypted wallet without proof",
      { "samsungPay.source": "web", ...CARD, "threeDSecure.eci": "05" },
      ["threeDSecure.verificationId may not be empty"],
    ],
    [
      "a network of another wallet than the first",
      { "googlePay.paymentToken": "1", "googlePay.cardNetwork": "VISA" },
      ["googlePay.cardNetwork is not an allowed parameter"],
    ],
    ["a bank account without its brand", { ...without(BANK, "paymentBrand") }, ["paymentBrand may not be empty"]],
    ["a bank account without its holder", without(BANK, "bankAccount.holder"), ["bankAccount.holder may not be empty"]],
    [
      "a bank account without number and IBAN",
      without(BANK, "bankAccount.iban"),
      ["bankAccount.number may not be empty"],
    ],
    [
      "a bank account without bank code and BIC",
      without(BANK, "bankAccount.bic"),
      ["bankAccount.bankCode may not be empty"],
    ],
    [
      "a token account without its type",
      { "tokenAccount.number": "4200000000000000" },
      ["tokenAccount.type may not be empty"],
    ],
  ])("%s is not", (_, form, problems) => {
    expect(payment(form)).toEqual(problems);
  });

  test("every asynchronous method of the sandbox has a page of its own, and no other brand", () => {
    expect([...REDIRECTING_BRANDS].toSorted()).toEqual(asynchronousMethods.map(({ brand }) => brand).toSorted());
  });

  test("the date when a debit is due is no account", () => {
    expect(payment({ ...CARD, transactionDueDate: "2026-12-01" })).toEqual([]);
  });
});

describe("elsewhere", () => {
  test.each<[Endpoint, Fields, readonly string[]]>([
    [
      "reference",
      { ...MONEY, paymentType: "CP", "pos.entryMode": "ICC", "pos.terminalId": "1", "pos.iccDataRequest": "9F26" },
      [],
    ],
    ["reference", { paymentType: "RV" }, []],
    ["reference", { paymentType: "RV", amount: "1.00" }, ["currency may not be empty"]],
    ["reference", { ...MONEY, paymentType: "CB", chargebackResultCode: "000.100.201" }, []],
    ["reference", { ...MONEY, "card.number": "4200000000000000" }, ["card.number is not an allowed parameter"]],
    [
      "reference",
      { ...MONEY, "pos.entryMode": "ICC", "pos.terminalId": "1", "pos.encryptedSred.data": "A" },
      ["pos.encryptedSred.data is not an allowed parameter"],
    ],
    ["registration", { ...CARD, paymentBrand: "VISA" }, []],
    [
      "registration",
      { paymentBrand: "DIRECTDEBIT_SEPA", "bankAccount.holder": "Jane", "bankAccount.iban": "DE23100000001234567890" },
      [],
    ],
    [
      "registration",
      { paymentBrand: "X", "bankAccount.holder": "Jane", "bankAccount.number": "123" },
      ["bankAccount.bankCode may not be empty"],
    ],
    ["registration", {}, ["card.number may not be empty"]],
    [
      "registration",
      { ...CARD, ...MONEY },
      [
        ...[
          "amount is not an allowed parameter",
          "currency is not an allowed parameter",
          "paymentType must be RG here",
        ],
      ],
    ],
    ["registrationPayment", { ...MONEY, "card.cvv": "123", "card.holder": "Jane Jones", overrideHolder: "true" }, []],
    [
      "registrationPayment",
      { ...MONEY, "card.number": "4200000000000000" },
      ["card.number is not an allowed parameter"],
    ],
    ["schedule", { ...MONEY, ...TOKEN, "job.expression": "0 0 12 1 * ?" }, []],
    ["schedule", { ...MONEY, "job.expression": "0 0 12 1 * ?" }, ["registrationId may not be empty"]],
    [
      "checkout",
      { ...MONEY, integrity: "true", "overridePaymentType[VISA]": "PA", "registrations[0].id": TOKEN.registrationId },
      [],
    ],
    ["checkout", { createRegistration: "true" }, []],
    [
      "checkout",
      { createRegistration: "false" },
      ["paymentType may not be empty", "amount may not be empty", "currency may not be empty"],
    ],
    [
      "checkout",
      { ...MONEY, overrideHolder: "true", "card.holder": "Jane Jones", recurringType: "REGISTRATION_BASED" },
      [],
    ],
    [
      "checkout",
      { ...MONEY, ...CARD },
      [
        ...[
          "card.number is not an allowed parameter",
          "card.expiryMonth is not an allowed parameter",
          "card.expiryYear is not an allowed parameter",
        ],
      ],
    ],
    ["checkoutUpdate", { amount: "13.00" }, []],
    [
      "checkoutUpdate",
      { "overridePaymentType[VISA]": "PA" },
      ["overridePaymentType[VISA] is not an allowed parameter"],
    ],
    [
      "payment",
      { ...MONEY, ...CARD, "overridePaymentType[VISA]": "PA" },
      ["overridePaymentType[VISA] is not an allowed parameter"],
    ],
    ["checkoutSubmission", { ...CARD, paymentBrand: "VISA", "customParameters[SHOPPER_a]": "1" }, []],
    ["checkoutSubmission", { ...CARD, amount: "0.01" }, ["amount is not an allowed parameter"]],
    [
      "checkoutSubmission",
      { ...CARD, "customParameters[till]": "1" },
      ["customParameters[till] must have a name that begins with SHOPPER_"],
    ],
    ["pagedQuery", { merchantTransactionId: "x", pageNo: "2" }, []],
    ["query", { merchantTransactionId: "x", pageNo: "2" }, ["pageNo is not an allowed parameter"]],
    ["aggregations", { "date.from": "2026-11-01", "date.to": "2026-11-30", currency: "EUR", testMode: "INTERNAL" }, []],
    ["aggregations", { "date.from": "2026-11-01" }, ["date.to may not be empty"]],
    [
      "aggregations",
      { "date.from": "2026-11-01 00:00:00", "date.to": "2026-11-30" },
      ["date.from must be a date yyyy-MM-dd"],
    ],
    ["aggregation", { sortValue: "SettlementTxDate", sortOrder: "desc", pageNo: "1" }, []],
    [
      "link",
      {
        ...MONEY,
        validUntil: "1",
        validUntilUnit: "HOUR",
        createQRCode: "true",
        "merchant.name": "Shop",
        "layout.amountColor": "#ffffff",
      },
      [],
    ],
    ["link", { ...MONEY, validUntilUnit: "YEAR" }, ["validUntilUnit must be one of HOUR, DAY"]],
  ])("%s %j", (endpoint, form, problems) => {
    expect(problemsAt(endpoint, form)).toEqual(problems);
  });

  test("a transfer to some countries needs its purpose", () => {
    const transfer = { ...CARD, transactionProcessingCode: "FUNDING", "recipient.country": "IND" };
    expect(payment(transfer)).toEqual(["transactionPurposeCode may not be empty"]);
    expect(payment({ ...transfer, transactionPurposeCode: "01" })).toEqual([]);
    expect(payment({ ...transfer, transactionProcessingCode: "PURCHASE" })).toEqual([]);
    expect(payment({ ...transfer, "recipient.country": "DEU" })).toEqual([]);
  });

  test("networks of 3D Secure are lower-case words", () => {
    expect(payment({ ...CARD, "threeDSecure.v2.visa.requestorId": "1" })).toEqual([]);
    expect(payment({ ...CARD, "threeDSecure.v2.VISA.requestorId": "1" })).toEqual([
      "threeDSecure.v2.VISA.requestorId is not an allowed parameter",
    ]);
  });
});

function without(form: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(form).filter(([each]) => each !== name));
}
