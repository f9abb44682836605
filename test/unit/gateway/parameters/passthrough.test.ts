import { expect, test } from "vitest";
import { z } from "zod";
import { flatten } from "../../../../src/gateway/form.ts";
import { chaptersOf, paymentChapters } from "../../../../src/gateway/parameters/endpoints.ts";
import {
  MAX_KEYS,
  mayPass,
  passthroughSchema,
  passthroughShape,
} from "../../../../src/gateway/parameters/passthrough.ts";
import { keyedGroups, knownNames, parameterProblems } from "../../../../src/gateway/parameters/problems.ts";
import { specification } from "../../../../src/gateway/parameters/specification.ts";

/** Account data, what the bridge says itself, and what means something to the gateway alone (contract, section 3). */
const NEVER = [
  ...[
    "card",
    "applePay",
    "googlePay",
    "samsungPay",
    "virtualAccount",
    "bankAccount",
    "tokenAccount",
    "pos",
    "registrations",
    "registrationId",
  ],
  ...[
    "amount",
    "currency",
    "entityId",
    "testMode",
    "paymentType",
    "paymentBrand",
    "merchantTransactionId",
    "referenceUuid",
    "lifecycleId",
    "sequence",
  ],
  ...[
    "numberOfCaptures",
    "integrity",
    "overridePaymentType",
    "integrationType",
    "createRegistration",
    "overrideHolder",
    "recurringType",
  ],
  ...[
    "threeDSecure",
    "job",
    "forex",
    "recurringMigration",
    "transactionDueDate",
    "shopperResultUrl",
    "notificationUrl",
    "chargebackResultCode",
    "date",
    "limit",
  ],
];

const issues = (value: unknown) =>
  passthroughSchema.safeParse(value).error?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`) ?? [];

/** Something of everything. */
const FULL = {
  merchantInvoiceId: "INV-00001",
  descriptor: "Corner Shop",
  giftCard: { message: "Happy birthday", type: "BIRTHDAY" },
  cart: {
    items: [{ name: "Tea", quantity: 2, price: "3.00", recipient: { city: "Mainz" } }],
    payments: [{ type: "GIFTCARD", primary: true }],
  },
  customer: { givenName: "Ann", surname: "Bee", browser: { javaEnabled: false } },
  billing: { street1: "Long Road", houseNumber1: "1" },
  shipping: { city: "Bad Homburg", customer: { givenName: "Cy", surname: "Dee" } },
  standingInstruction: { type: "UNSCHEDULED", mode: "INITIAL", numberOfInstallments: "3" },
  customParameters: { "SHOPPER_till.1": "7" },
  ...{
    taxAmount: "1.90",
    discountAmount: "0.50",
    transactionCategory: "EC",
    promotionCode: "SPRING26",
    locale: "de-AT",
    transactionPurposeCode: "01",
  },
  ...{ transactionBai: "AA", transactionTti: "C01", transactionProcessingCode: "FUNDING" },
  corporate: { name: "Bee Ltd", purchase: "Y", vatId: "" },
  sender: { name: "Ann Bee", country: "DEU", sourceOfFunds: "02" },
  recipient: { givenName: "Cy", phone: "+4969123456" },
  merchant: {
    ...{
      name: "Corner Shop*Tea",
      mcc: "5411",
      geographicCoordinates: "50.1109,8.6821",
      data: { "till.id": "7" },
      app: { schemeUrl: "shop://" },
    },
    billing: { street1: "Long Road", mobile: "(069) 123456" },
    shipping: { method: "STORE_PICKUP", cost: "0.00" },
  },
  marketPlace: { sellers: [{ id: "S1", amount: "3.00" }] },
  airline: {
    agentCode: "A1",
    passengers: [{ name: "ANN BEE", legs: [{ flightNumber: "LH1", departureDate: "2026-12-01" }] }],
  },
  risk: { merchantWebsite: "shop.example", parameters: { LOYALTY: "gold" } },
};

test("all that a register may say passes unchanged", () => {
  expect(passthroughSchema.parse(FULL)).toEqual(FULL);
});

test("what a register may say is what the gateway takes", () => {
  const own = { entityId: "8a8294174b7ecb28014b9699220015ca", paymentType: "PA", amount: "3.00", currency: "EUR" };
  const form = [...Object.entries(own), ...flatten(FULL, keyedGroups(paymentChapters))];
  expect(parameterProblems(new Map(form), paymentChapters)).toEqual([]);
  expect(
    parameterProblems(
      new Map([...form, ["card.number", "4200000000000000"], ["card.expiryMonth", "05"], ["card.expiryYear", "2034"]]),
      chaptersOf.payment,
    ),
  ).toEqual([]);
});

test.each([
  [
    { cart: { items: [{ price: "3" }] } },
    "cart.items.0.price: must be a decimal with up to 10 digits and exactly 2 decimals",
  ],
  [{ cart: { items: [{ price: 3 }] } }, "cart.items.0.price: Invalid input: expected string, received number"],
  [{ cart: { items: [{ quantity: 1.0001 }] } }, "cart.items.0.quantity: must be a number with up to 3 decimals"],
  [{ cart: { items: [{ colour: "red" }] } }, 'cart.items.0: Unrecognized key: "colour"'],
  [
    { cart: { items: Array.from({ length: 1002 }, () => ({})) } },
    "cart.items: Too big: expected array to have <=1001 items",
  ],
  [
    { cart: { payments: [{ primary: "yes" }] } },
    "cart.payments.0.primary: Invalid input: expected boolean, received string",
  ],
  [{ customer: { givenName: "Ann" } }, "customer.surname: may not be empty"],
  [{ shipping: { customer: { givenName: "Ann" } } }, "shipping.customer.surname: may not be empty"],
  [{ billing: { houseNumber2: "b" } }, "billing.houseNumber2: requires billing.houseNumber1"],
  [{ merchantMemo: "short" }, "merchantMemo: must be 8-255 characters"],
  [{ customParameters: { ab: "1" } }, "customParameters.ab: Invalid key in record"],
  [
    { customParameters: Object.fromEntries(Array.from({ length: MAX_KEYS + 1 }, (_, n) => [`key${n}`, ""])) },
    `customParameters: must have at most ${MAX_KEYS} names`,
  ],
  [
    { merchant: { billing: { houseNumber2: "b" } } },
    "merchant.billing.houseNumber2: requires merchant.billing.houseNumber1",
  ],
  [
    { airline: { passengers: [{ legs: [{ fareAmount: "1" }] }] } },
    "airline.passengers.0.legs.0.fareAmount: must be a decimal with up to 10 digits and exactly 2 decimals",
  ],
  [{ sender: { name: "A&B" } }, "sender.name: must be 0-100 letters, digits or blanks"],
  [{ sender: { accountNumber: "DE23100000001234567890" } }, 'sender: Unrecognized key: "accountNumber"'],
  [{ recipient: { accountNumberType: "IBAN" } }, 'recipient: Unrecognized key: "accountNumberType"'],
  [{ risk: { accountToken: "1" } }, 'risk: Unrecognized key: "accountToken"'],
  [{ giftCard: { number: "6006" } }, 'giftCard: Unrecognized key: "number"'],
  [{ giftCard: { pin: "12" } }, 'giftCard: Unrecognized key: "pin"'],
  [{ giftCard: { holder: "Ann Bee" } }, 'giftCard: Unrecognized key: "holder"'],
  ...NEVER.map((name): [object, string] => [{ [name]: "1" }, `: Unrecognized key: "${name}"`]),
])("%j names its field", (value, issue) => {
  expect(issues(value)).toEqual([issue]);
});

test("what a register may pass is all that the bridge takes from it, and nothing else", () => {
  expect(mayPass("airline.passengers[n].legs[n].fareBasis")).toBe(true);
  expect(mayPass("shipping.customer.surname")).toBe(true);
  expect(
    [...NEVER, "card.number", "pos.terminalId", "sender.accountNumber", "threeDSecure.schemeData[CB-USECASE]"].filter(
      mayPass,
    ),
  ).toEqual([]);
  const passed = knownNames(specification).filter(mayPass);
  expect(new Set(passed.map((name) => name.split(/[.[]/, 1)[0]))).toEqual(new Set(Object.keys(passthroughShape)));
});

test("the schema can be told as JSON schema, patterns included", () => {
  const told = JSON.stringify(z.toJSONSchema(passthroughSchema));
  expect(told).toContain('"additionalProperties":false');
  expect(told).toContain("[0-9]{1,10}");
});
