import { describe, expect, test } from "vitest";
import { APPLE_PAY, DECRYPTED, NETWORK_TOKEN, SEPA, shop, VISA } from "./accounts-bench.ts";
import { bench, type Fields } from "./bench.ts";
import { ENTITY } from "./simulated-till.ts";

const OK = "000.100.110";

/** Every account that is answered at once, and how queries filter by it. */
const ACCOUNTS: readonly (readonly [string, Fields, string])[] = [
  ["a card", VISA, "CC"],
  ["a debit card", { ...VISA, paymentBrand: "MADA", "card.number": "5360230159427034" }, "DC"],
  ["a bank account", SEPA, "DD"],
  ["an encrypted wallet", APPLE_PAY, "CC"],
  ["a decrypted wallet", DECRYPTED, "CC"],
  ["a network token", NETWORK_TOKEN, "CC"],
];

describe.each(ACCOUNTS)("%s", (_what, account, method) => {
  test("reserves, is captured, and is refunded", async () => {
    const { pay, refer } = shop();
    const reserved = await pay(account, { paymentType: "PA" });
    const captured = await refer(reserved.body.id, "CP", "92.00");
    const refunded = await refer(captured.body.id, "RF", "10.00");
    expect([reserved.code, captured.code, refunded.code]).toEqual([OK, OK, OK]);
  });

  test("is found by its reference, its short id and its method", async () => {
    const { pay, query, get } = shop();
    const { body } = await pay(account, { merchantTransactionId: "story-of-one" });
    const [found] = (await query("story-of-one")).body.payments ?? [];
    expect(found).toMatchObject({ id: body.id, paymentMethod: method, paymentBrand: body.paymentBrand });
    const address = `/v1/query?entityId=${ENTITY}&merchantTransactionId=story-of-one`;
    expect(
      (await get(`${address}&paymentMethods=${method}&shortId=${String(found?.["shortId"])}`)).body.payments,
    ).toHaveLength(1);
    expect((await get(`${address}&paymentMethods=IV`)).code).toBe("700.400.580");
  });

  test("tells the same when it is read as when it was paid", async () => {
    const { told, raw, sandbox } = shop();
    const paid = await told(account, { "customer.givenName": "Jane", "customer.surname": "Jones" });
    const handled = await raw("GET", `/v1/payments/${sandbox.ledger()[0]?.id}?entityId=${ENTITY}`);
    const read: unknown = handled.is === "reply" ? JSON.parse(handled.body) : undefined;
    const own = expect.objectContaining({ ndc: expect.any(String) });
    expect(read).toEqual(own);
    for (const name of [
      "id",
      "paymentBrand",
      "amount",
      "result",
      "resultDetails",
      "card",
      "bankAccount",
      "customer",
      "shortId",
    ]) {
      expect([name, JSON.stringify(Object(read)[name])]).toEqual([name, JSON.stringify(Object(paid)[name])]);
    }
  });

  test("meets a fault like any other payment", async () => {
    const { pay, fault } = shop();
    await fault({ on: { path: "/v1/payments" }, do: { result: "900.100.300" } });
    expect((await pay(account)).code).toBe("900.100.300");
  });
});

describe("where the gateway does not know the outcome", () => {
  test("it tells of a card what the merchant sent, and of a presented one nothing", async () => {
    expect(await shop().told(VISA, { amount: "9300.01" })).toMatchObject({
      result: { code: "900.100.300" },
      paymentBrand: "VISA",
      card: { last4Digits: "0000" },
    });
    expect(await shop().told(VISA, { amount: "9300.01" })).not.toHaveProperty("resultDetails");
    const { body } = await bench().sell({ amount: "9300.01" });
    expect([body.result.code, body.card, body.paymentBrand]).toEqual(["900.100.300", undefined, undefined]);
  });
});

test("a card number under a wrong name is not sent back", async () => {
  const { body } = await shop().pay(VISA, {
    cardnumber: "4200000000000000",
    descriptor: "",
    pan: "4200 0000 0000 0000",
  });
  const errors = body.result.parameterErrors?.map(({ name, value }) => [name, value]);
  expect(errors).toEqual(
    expect.arrayContaining([
      ["cardnumber", ""],
      ["pan", ""],
    ]),
  );
});

describe("rules between chapters", () => {
  const TRANSFER = { transactionProcessingCode: "PAYMENT", "recipient.country": "IND" };

  test.each<[string, Fields, string]>([
    ["a transfer to India without its purpose", { ...VISA, ...TRANSFER }, "transactionPurposeCode"],
    [
      "a funding from Chile without its purpose",
      { ...VISA, transactionProcessingCode: "FUNDING", "recipient.country": "CHL" },
      "transactionPurposeCode",
    ],
  ])("refuse %s", async (_what, fields, name) => {
    const { code, body } = await shop().pay(fields);
    expect([code, body.result.parameterErrors]).toEqual([
      "200.300.404",
      [{ name, value: "", message: "may not be empty" }],
    ]);
  });
});

describe("a presented card", () => {
  test.each<[string, Readonly<Record<string, string | undefined>>, string]>([
    ["nothing sealed", { "pos.encryptedSred.data": undefined, "pos.encryptedSred.ksn": undefined }, "100.100.100"],
    ["SRED data without its KSN", { "pos.encryptedSred.ksn": undefined }, "800.100.156"],
    ["SRED data that is no hexadecimal", { "pos.encryptedSred.data": "XYZ123" }, "800.100.156"],
    ["half a byte of SRED data", { "pos.encryptedSred.data": "ABC" }, "800.100.156"],
    ["a PIN block that is no hexadecimal", { "pos.encryptedPin.data": "letters" }, "800.100.156"],
    ["a PIN block without its KSN", { "pos.encryptedPin.ksn": undefined }, "800.100.156"],
    ["a PIN KSN alone", { "pos.encryptedPin.data": undefined }, "800.100.156"],
    ["chip data that are no hexadecimal", { "pos.iccDataRequest": "chip" }, "800.100.156"],
    ["chip data that are torn", { "pos.iccDataRequest": "9F2608AB" }, "800.100.156"],
    ["no chip data", { "pos.iccDataRequest": undefined }, "800.100.156"],
  ])("with %s is the issuer's to refuse, because the specification allows it", async (_what, change, code) => {
    const { till, post, sandbox } = bench();
    const fields = Object.entries({ ...Object.fromEntries(till.sale().fields), ...change }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    const answer = await post("/v1/payments", fields);
    expect({ status: answer.status, code: answer.code }).toEqual({ status: 400, code });
    expect(sandbox.ledger()).toMatchObject([{ resultCode: code }]);
    expect(JSON.stringify(sandbox.ledger())).not.toContain(till.sale().fields.get("pos.encryptedSred.data"));
  });

  test("tells the structures of its request as well", async () => {
    const { till, post } = bench();
    const { body } = await post("/v1/payments", [
      ...till.sale().fields,
      ["customer.givenName", "Jane"],
      ["customer.surname", "Jones"],
    ]);
    expect(body["customer"]).toEqual({ givenName: "Jane", surname: "Jones" });
  });

  test("cannot be checked for its risk alone", async () => {
    const { till, post } = bench();
    expect((await post("/v1/payments", new Map(till.sale().fields).set("paymentType", "RI"))).code).toBe("600.200.310");
  });
});
