import { expect, test } from "vitest";
import { type Answered, answered, type Bench, bench } from "./bench.ts";
import { ENTITY, formOf } from "./simulated-till.ts";

/*
 * What the specification's tables refuse, for each call that the sandbox serves: one parameter is changed, added or left
 * out, and the reply names it. The formats of all parameters are tried in test/unit/gateway/parameters/at-the-sandbox.
 */

type Fields = Readonly<Record<string, string>>;

interface Call {
  readonly method?: "GET";
  readonly path: string;
  readonly fields: Fields;
  /** Others than those of a merchant's server. */
  readonly headers?: Fields;
}

const NOWHERE = "0".repeat(32);
const MONEY = { amount: "12.34", currency: "EUR" };
const CARD = {
  paymentBrand: "VISA",
  "card.number": "4200000000000000",
  "card.expiryMonth": "05",
  "card.expiryYear": "2034",
  "card.holder": "Jane Jones",
};
const SEPA = {
  paymentBrand: "DIRECTDEBIT_SEPA",
  "bankAccount.holder": "Jane Jones",
  "bankAccount.iban": "DE23100000001234567890",
  "bankAccount.bic": "MARKDEF1100",
  "bankAccount.country": "DE",
};
const INCREMENT = {
  "standingInstruction.type": "UNSCHEDULED",
  "standingInstruction.mode": "REPEATED",
  "standingInstruction.source": "MIT",
  "standingInstruction.industryPractice": "INCREMENTAL_AUTH",
};
const DAY = { "date.from": "2026-11-21 00:00:00", "date.to": "2026-11-21 23:59:59" };
const BY_DAY = [
  ...["date.from", "date.to", "limit=99", "limit=501", "paymentTypes=PA,XX", "paymentMethods=cc", "amount=12.34"],
  ...["merchantTransactionId=both-at-once", "includeLinkedTransactions=yes"],
];
const WEEK = { "date.from": "2026-11-16", "date.to": "2026-11-27" };
const OPEN = { "content-type": "application/x-www-form-urlencoded" };

const payment = (fields: Fields): Call => ({ path: "/v1/payments", fields: { entityId: ENTITY, ...MONEY, ...fields } });
const got = (path: string, fields: Fields): Call => ({ method: "GET", path, fields: { entityId: ENTITY, ...fields } });
const sold = async (on: Bench, paymentType: "PA" | "DB"): Promise<string> =>
  (await on.sell({ paymentType })).body.id ?? "";
const stored = async (on: Bench): Promise<string> => (await on.send("/v1/registrations", CARD)).body.id ?? "";
const followUp =
  (original: "PA" | "DB", paymentType: string, more: Fields = MONEY) =>
  async (on: Bench): Promise<Call> => ({
    path: `/v1/payments/${await sold(on, original)}`,
    fields: { entityId: ENTITY, paymentType, ...more },
  });

const queriedByDay =
  (path: string) =>
  async (on: Bench): Promise<Call> => {
    await sold(on, "DB");
    return got(path, DAY);
  };

/** Each is taken as it stands here. */
const CALLS = {
  sale: ({ till }) => ({ path: "/v1/payments", fields: Object.fromEntries(till.sale().fields) }),
  "sale by card number": () => payment({ paymentType: "DB", ...CARD, "card.cvv": "123" }),
  "sale by direct debit": () => payment({ paymentType: "DB", ...SEPA }),
  "sale by decrypted wallet": () =>
    payment({
      ...{ paymentType: "DB", "googlePay.source": "app", "card.number": "4111111111111111" },
      ...{ "card.expiryMonth": "05", "card.expiryYear": "2034" },
      ...{ "threeDSecure.verificationId": "AAABBBCCCDDDEEEFFFGGGHHHIII=", "threeDSecure.eci": "05" },
    }),
  "sale by account name": () =>
    payment({ paymentType: "DB", paymentBrand: "PAYPAL", "virtualAccount.accountId": "jane@example.com" }),
  increment: async (on) => payment({ paymentType: "PA", referenceUuid: await sold(on, "PA"), ...INCREMENT }),
  "payment that names another": async (on) => payment({ paymentType: "PA", referenceUuid: await sold(on, "PA") }),
  capture: followUp("PA", "CP"),
  refund: followUp("DB", "RF"),
  rebill: followUp("DB", "RB"),
  chargeback: followUp("DB", "CB", { ...MONEY, chargebackResultCode: "000.100.220" }),
  "card to store": ({ till }) => ({
    path: "/v1/registrations",
    fields: Object.fromEntries(till.sale({ paymentType: "RG" }).fields),
  }),
  "charge of a stored card": async (on) => ({
    path: `/v1/registrations/${await stored(on)}/payments`,
    fields: { entityId: ENTITY, ...MONEY, paymentType: "DB" },
  }),
  "change of a stored card": async (on) => ({
    path: `/v1/registrations/${await stored(on)}`,
    fields: { entityId: ENTITY, paymentType: "RR", ...CARD },
  }),
  schedule: async (on) => ({
    path: "/scheduling/v1/schedules",
    fields: {
      ...{ entityId: ENTITY, ...MONEY, paymentType: "DB", registrationId: await stored(on) },
      ...{ "job.month": "*", "job.dayOfMonth": "1", "job.hour": "6" },
    },
  }),
  checkout: () => ({ path: "/v1/checkouts", fields: { entityId: ENTITY, ...MONEY, paymentType: "DB" } }),
  "shopper's form": async (on) => {
    const sale = { entityId: ENTITY, ...MONEY, paymentType: "DB" };
    const { body } = await on.post("/v1/checkouts", Object.entries(sale));
    return { path: `/v1/checkouts/${body.id}/payment`, fields: { ...CARD, "card.cvv": "123" }, headers: OPEN };
  },
  link: () => ({ path: "/paybylink/v1", fields: { entityId: ENTITY, ...MONEY, paymentType: "DB" } }),
  query: async (on) => {
    await on.sell({ merchantTransactionId: "order-2026-0001" });
    return got("/v1/query", { merchantTransactionId: "order-2026-0001" });
  },
  "query of the third version": async (on) => {
    await on.sell({ merchantTransactionId: "order-2026-0001" });
    return got("/v3/query", { merchantTransactionId: "order-2026-0001" });
  },
  "query by day": queriedByDay("/v1/query"),
  "query of the third version by day": queriedByDay("/v3/query"),
  "payment's status": async (on) => got(`/v1/payments/${await sold(on, "DB")}`, {}),
  "list of payouts": async (on) => {
    await sold(on, "DB");
    await on.clock.advance(2 * 86_400_000);
    return got("/reports/v1/reconciliations/aggregations", WEEK);
  },
} satisfies Readonly<Record<string, (on: Bench) => Call | Promise<Call>>>;

type CallName = keyof typeof CALLS;
const callsByName = new Map<string, (on: Bench) => Call | Promise<Call>>(Object.entries(CALLS));

/**
 * Each is refused by the name of the one parameter in it, and books nothing: name=value where it is changed or added, the
 * name alone where it is left out.
 */
const REFUSED: Readonly<Record<CallName, readonly string[]>> = {
  sale: [
    ...["entityId", "amount", "currency", "paymentType", "pos.entryMode", "pos.terminalId"],
    ...["amuont=1.00", "amount=12,34", "amount=12.345", "amount=12345678901.00", "currency=eur", "paymentType=C1"],
    ...["merchantTransactionId=short", "pos.terminalId=TID00001", "pos.entryMode=CHIP", "pos.encryptedSred.data=AA+/"],
    ...["pos.deviceType=MIURA M020", "testMode=LIVE"],
  ],
  "sale by card number": ["card.number", "paymentType=DBT"],
  "sale by direct debit": ["paymentBrand"],
  "sale by decrypted wallet": ["threeDSecure.verificationId"],
  "sale by account name": ["paymentBrand"],
  increment: [
    ...["entityId", "amount", "currency", "referenceUuid", "paymentType=DB"],
    ...["mode=INITIAL", "source=CIT", "industryPractice=RESUBMISSION"].map((each) => `standingInstruction.${each}`),
  ],
  "payment that names another": ["paymentType=CD", `referenceUuid=${NOWHERE}`],
  capture: ["amount", "currency", "pos.encryptedSred.data=00"],
  refund: ["amount", "currency"],
  rebill: ["amount", "currency"],
  chargeback: ["000.100.2", "000.100.1", "000.200.200", "000.100.2000", "fraud"].map(
    (code) => `chargebackResultCode=${code}`,
  ),
  "card to store": ["paymentType=PA", "amount=0.00", "currency=EUR", `referenceUuid=${NOWHERE}`],
  "charge of a stored card": [
    ...["entityId", "amount", "currency", "paymentType", "paymentType=CP", "paymentType=RG", "recurringType=SOMETIMES"],
    ...["card.number=4200000000000000", "bankAccount.iban=DE89370400440532013000", "pos.entryMode=ICC"],
  ],
  "change of a stored card": ["card.number"],
  schedule: ["job.minute=60", "paymentType=CP", "card.number=4200000000000000", "job.startDate=tomorrow"],
  checkout: [
    ...[
      "amount",
      "currency",
      "paymentType",
      "paymentType=RF",
      "overridePaymentType[VISA]=RV",
      "card.number=4200000000000000",
    ],
    ...["registrations[0].id=short", "integrity=yes", "colour=red"],
  ],
  "shopper's form": [
    ...["amount=0.01", "paymentType=CD", `entityId=${ENTITY}`, "testMode=EXTERNAL", "customParameters[price]=low"],
    // The merchant's alone to say: who is spared his bank's question, another holder, who else is told.
    ...["recurringType=REPEATED", "overrideHolder=true", "notificationUrl=https://other.example/"],
  ],
  link: ["amount", "validUntilUnit=WEEK", "paymentType=CD", "card.number=4200000000000000", "validTill=1"],
  query: ["entityId", "merchantTransactionId", "pageNo=1"],
  "query of the third version": ["entityId", "merchantTransactionId", "pageNo=0"],
  "query by day": BY_DAY,
  "query of the third version by day": BY_DAY,
  "payment's status": ["merchantTransactionId=some-other"],
  "list of payouts": ["date.to", "date.from=16.11.2026", "currency=eur", "pageNo=1", "sortOrder=UP"],
};

async function answerTo(on: Bench, call: Call, fields: Fields): Promise<Answered> {
  if (call.method === "GET") return on.get(`${call.path}?${new URLSearchParams(fields)}`);
  if (call.headers === undefined) return on.post(call.path, Object.entries(fields));
  return answered(await on.raw("POST", call.path, formOf(Object.entries(fields)), call.headers));
}

test.each(Object.entries(CALLS))("a %s is taken as it stands in the table", async (_, prepare) => {
  const on = bench();
  const call = await prepare(on);
  const { status, code } = await answerTo(on, call, call.fields);
  expect(`${status} ${code}`).toMatch(/^200 000\.[0-9.]+$/);
});

const ROWS = Object.entries(REFUSED).flatMap(([name, changes]) => changes.map((change) => [name, change] as const));

test.each(ROWS)("a %s with %s is refused by that name alone, and books nothing", async (name, change) => {
  const on = bench();
  const call = await callsByName.get(name)?.(on);
  if (call === undefined) throw new Error(`no call ${name}`);
  const [parameter = "", ...value] = change.split("=");
  const { [parameter]: _, ...others } = call.fields;
  const before = on.sandbox.ledger().length;
  const { status, code, body } = await answerTo(
    on,
    call,
    change.includes("=") ? { ...others, [parameter]: value.join("=") } : others,
  );
  expect({ status, code, names: body.result.parameterErrors?.map((problem) => problem.name) }).toEqual({
    status: 400,
    code: "200.300.404",
    names: [parameter],
  });
  expect(on.sandbox.ledger()).toHaveLength(before);
});
