import { describe, expect, test } from "vitest";
import { APPLE_PAY, DECRYPTED, NETWORK_TOKEN, PAYPAL, shop, VISA } from "./accounts-bench.ts";
import { redirectOf, shopperBench } from "./asynchronous-bench.ts";
import type { Fields } from "./bench.ts";
import { ENTITY } from "./simulated-till.ts";

const OK = "000.100.110";
const PENDING = "000.200.000";

describe("an encrypted wallet", () => {
  test.each([
    ["applePay", "APPLEPAY"],
    ["googlePay", "GOOGLEPAY"],
    ["samsungPay", "SAMSUNGPAY"],
  ])("%s is paid with: its card tells the brand", async (wallet, paymentBrand) => {
    expect(await shop().told({ paymentBrand, [`${wallet}.paymentToken`]: "sandbox:5454545454" })).toMatchObject({
      ...{
        result: { code: OK },
        paymentBrand,
        brandResult: "MASTER",
        card: { bin: "545454", last4Digits: "5454", expiryYear: "2030" },
      },
    });
  });

  test("cannot be stored, so that no registration is told", async () => {
    expect((await shop().pay(APPLE_PAY, { createRegistration: "true" })).body.registrationId).toBeUndefined();
  });
});

describe("a decrypted wallet", () => {
  test("is a card with its proof, needs no security code, and keeps the proof to itself", async () => {
    const { told, sandbox } = shop();
    expect(await told(DECRYPTED)).toMatchObject({
      result: { code: OK },
      paymentBrand: "VISA",
      threeDSecure: { eci: "05", verificationId: "***" },
    });
    expect(sandbox.ledger()[0]?.parameters["threeDSecure.verificationId"]).toBe("***");
  });

  test("may name its own brand", async () => {
    expect(await shop().told(DECRYPTED, { paymentBrand: "GOOGLEPAY" })).toMatchObject({
      result: { code: OK },
      paymentBrand: "GOOGLEPAY",
      brandResult: "VISA",
    });
  });
});

describe("a network token", () => {
  test("is paid with by its cryptogram or its one-time code", async () => {
    const { pay, told, sandbox } = shop();
    expect(await told(NETWORK_TOKEN)).toMatchObject({
      result: { code: OK },
      paymentBrand: "VISA",
      card: { bin: "411111", last4Digits: "1111" },
    });
    expect((await pay(NETWORK_TOKEN, { "tokenAccount.cryptogram": undefined, "tokenAccount.dtvc": "123" })).code).toBe(
      OK,
    );
    expect(sandbox.ledger()[0]?.parameters).toMatchObject({
      "tokenAccount.number": "************1111",
      "tokenAccount.cryptogram": "***",
    });
  });
});

describe("a provider's token", () => {
  test("is 99 and the ends of a test card, which it stands for in everything", async () => {
    const { told, pay } = shop();
    const token = { "tokenAccount.type": "EXTERNAL", "tokenAccount.cryptogram": undefined, paymentBrand: undefined };
    expect(await told(NETWORK_TOKEN, token, { "tokenAccount.number": "994111111111" })).toMatchObject({
      result: { code: OK },
      brandResult: "VISA",
    });
    expect((await pay(NETWORK_TOKEN, token, { "tokenAccount.number": "994200000042" })).code).toBe(PENDING);
    expect((await pay(NETWORK_TOKEN, token, { "tokenAccount.number": "123456789012" })).code).toBe("800.100.326");
  });
});

describe("a virtual account", () => {
  test("waits for its shopper", async () => {
    expect(await shop().told(PAYPAL)).toMatchObject({
      ...{
        result: { code: PENDING },
        paymentBrand: "PAYPAL",
        paymentMethod: "VA",
        virtualAccount: { accountId: "jane@example.com" },
      },
      redirect: {
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1\/shopper\/bank\/[0-9a-f]{32}$/),
        parameters: expect.any(Array),
      },
    });
  });

  test.each<[string, Fields]>([
    ["SOFORTUEBERWEISUNG", { "bankAccount.country": "AT" }],
    ["IDEAL", { "bankAccount.bankName": "ING_TEST", "bankAccount.country": "NL" }],
    [
      "GIROPAY",
      { "bankAccount.bic": "TESTDETT421", "bankAccount.iban": "DE14940593100000012346", "bankAccount.country": "DE" },
    ],
  ])("of %s may be hinted at by a part of the bank account", async (paymentBrand, fields) => {
    expect(await shop().told({ paymentBrand, ...fields })).toMatchObject({
      result: { code: PENDING },
      paymentMethod: "OT",
    });
  });

  test("that was stored is charged without asking anybody again", async () => {
    const own = shopperBench();
    const ordered = await own.order({
      paymentBrand: "PAYPAL",
      "virtualAccount.accountId": "jane@example.com",
      createRegistration: "true",
    });
    await own.answer(redirectOf(ordered), { answer: "yes" });
    const { registrationId } = (await own.status(ordered.body.id)).body;
    const later = { entityId: ENTITY, amount: "5.00", currency: "EUR", paymentType: "DB" };
    const charged = await own.post(`/v1/registrations/${registrationId}/payments`, Object.entries(later));
    expect([charged.code, charged.body.paymentBrand, charged.body["virtualAccount"]]).toEqual([
      OK,
      "PAYPAL",
      { accountId: "jane@example.com" },
    ]);
  });
});

describe("the account of a payment", () => {
  test("is the card where a terminal says nothing but how it was read", async () => {
    expect(await shop().told(VISA, { "pos.entryMode": "MANUAL", "pos.terminalId": "1" })).toMatchObject({
      result: { code: OK },
      card: { bin: "420000" },
    });
  });

  test.each<[string, Fields, string]>([
    ["none", {}, "card.number"],
    [
      "two",
      {
        ...VISA,
        "bankAccount.holder": "Jane Jones",
        "bankAccount.iban": "DE23100000001234567890",
        "bankAccount.bic": "MARKDEF1100",
      },
      "bankAccount.holder",
    ],
    ["two", { ...VISA, ...PAYPAL }, "virtualAccount.accountId"],
    ["two", { ...APPLE_PAY, "googlePay.paymentToken": "sandbox:4111111111" }, "googlePay.paymentToken"],
  ])("is refused as a parameter where there are %s", async (_what, fields, name) => {
    const { code, body } = await shop().pay(fields);
    expect([code, body.result.parameterErrors?.map((problem) => problem.name)]).toEqual(["200.300.404", [name]]);
  });
});
