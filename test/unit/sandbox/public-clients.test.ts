import { describe, expect, test } from "vitest";
import { netBookings } from "../../../packages/sandbox/gateway/ledger/net-bookings.ts";
import { type Answered, answered, type Bench, bench } from "./bench.ts";
import { ENTITY, TOKEN } from "./simulated-till.ts";

/**
 * What shops' own client libraries for this gateway send and then read, in our words: nothing of a library's is in
 * here.
 */

const OK = "000.100.110";
/** The same from the processor's test system (specification, "Test modes"). */
const OK_EXTERNAL = "000.100.112";
const PENDING = "000.200.000";

type Fields = Readonly<Record<string, string>>;

const CARD: Fields = {
  paymentBrand: "VISA",
  "card.holder": "Example User",
  "card.number": "4111111111111111",
  "card.expiryMonth": "05",
  "card.expiryYear": "2034",
  "card.cvv": "123",
};

const post = (on: Bench, path: string, fields: Fields): Promise<Answered> => on.send(path, fields);

describe("a library that says an account itself", () => {
  const ORDER: Fields = {
    ...{ amount: "92.00", currency: "EUR", merchantTransactionId: "order-000123", descriptor: "Order 123" },
    ...{
      shopperResultUrl: "https://shop.example/return",
      notificationUrl: "https://shop.example/notify",
      "customer.ip": "127.0.0.1",
    },
    ...{ "customer.givenName": "Example", "customer.surname": "User" },
  };

  test("authorizes a card, captures it in two parts, and gives one of them back", async () => {
    const on = bench();
    const { status, code, body } = await post(on, "/v1/payments", { ...ORDER, ...CARD, paymentType: "PA" });
    expect([status, code]).toEqual([200, OK]);
    expect(body).toMatchObject({
      merchantTransactionId: "order-000123",
      paymentType: "PA",
      paymentBrand: "VISA",
      amount: "92.00",
      currency: "EUR",
    });
    const money = { currency: "EUR", merchantTransactionId: "order-000123" };
    const first = await post(on, `/v1/payments/${body.id}`, { ...money, paymentType: "CP", amount: "50.00" });
    const second = await post(on, `/v1/payments/${body.id}`, { ...money, paymentType: "CP", amount: "42.00" });
    const refund = await post(on, `/v1/payments/${second.body.id}`, { ...money, paymentType: "RF", amount: "42.00" });
    expect([first.code, second.code, refund.code]).toEqual([OK, OK, OK]);
    expect(new Set([body.id, first.body.id, second.body.id, refund.body.id]).size).toBe(4);
    expect(netBookings(on.sandbox.ledger())).toMatchObject([{ held: 0, captured: 9200, refunded: 4200 }]);
  });

  test("takes a debit back with nothing but its type", async () => {
    const on = bench();
    const { body } = await post(on, "/v1/payments", { ...ORDER, ...CARD, paymentType: "DB" });
    expect(await post(on, `/v1/payments/${body.id}`, { paymentType: "RV" })).toMatchObject({ status: 200, code: OK });
    expect(netBookings(on.sandbox.ledger())).toMatchObject([{ captured: 0, refunded: 0 }]);
  });

  test("reads a decline by HTTP 400 and by its result", async () => {
    const { status, code, body } = await post(bench(), "/v1/payments", {
      ...ORDER,
      ...CARD,
      "card.number": "4000000000009995",
      paymentType: "DB",
    });
    expect([status, code, body.result.description]).toEqual([400, "800.100.155", expect.any(String)]);
    expect(body.id).toMatch(/^[0-9a-f]{32}$/);
  });

  test("follows a redirect for a brand with a page of its own, and reads its state by the id", async () => {
    const on = bench();
    const { status, code, body } = await post(on, "/v1/payments", {
      ...ORDER,
      paymentBrand: "PAYPAL",
      paymentType: "DB",
    });
    expect([status, code]).toEqual([200, PENDING]);
    expect(body).toMatchObject({
      redirect: { url: expect.stringMatching(/^https?:\/\//), parameters: expect.any(Array) },
    });
    expect(await on.get(`/v1/payments/${body.id}?entityId=${ENTITY}`)).toMatchObject({ status: 200, code: PENDING });
  });

  test("says no more of a bank account than country and name where its shopper goes to his bank", async () => {
    const bank = {
      paymentBrand: "SOFORTUEBERWEISUNG",
      "bankAccount.country": "DE",
      "bankAccount.holder": "Example User",
    };
    expect(await post(bench(), "/v1/payments", { ...ORDER, ...bank, paymentType: "DB" })).toMatchObject({
      status: 200,
      code: PENDING,
    });
  });

  test("debits a bank account", async () => {
    const bank = {
      paymentBrand: "DIRECTDEBIT_SEPA",
      "bankAccount.holder": "Example User",
      "bankAccount.iban": "DE23100000001234567890",
      "bankAccount.bic": "MARKDEF1100",
    };
    expect(await post(bench(), "/v1/payments", { ...ORDER, ...bank, paymentType: "DB" })).toMatchObject({
      status: 200,
      code: OK,
    });
  });
});

describe("a library that stores an account first, against the processor's test system", () => {
  const MERCHANT = {
    "standingInstruction.mode": "REPEATED",
    "standingInstruction.type": "UNSCHEDULED",
    "standingInstruction.source": "MIT",
  };
  const TEST = { testMode: "EXTERNAL" };

  async function stored(): Promise<{ readonly on: Bench; readonly id: string }> {
    const on = bench();
    const { code, body } = await post(on, "/v1/registrations", { ...TEST, ...CARD });
    expect(code).toBe(OK_EXTERNAL);
    return { on, id: body.id ?? "" };
  }

  test.each(["92", "92.00"])("charges it by itself, the amount as %s", async (amount) => {
    const { on, id } = await stored();
    const own = {
      amount,
      currency: "SAR",
      paymentType: "DB",
      merchantTransactionId: "session-0001",
      shopperResultUrl: "https://shop.example/return",
    };
    const { status, code, body } = await post(on, `/v1/registrations/${id}/payments`, { ...TEST, ...MERCHANT, ...own });
    expect([status, code, body.amount, body.card?.["last4Digits"]]).toEqual([200, OK_EXTERNAL, "92.00", "1111"]);
  });

  test("reserves, captures, and takes the rest of another reservation back without saying the test mode", async () => {
    const { on, id } = await stored();
    const own = { ...TEST, ...MERCHANT, amount: "92", currency: "SAR", paymentType: "PA" };
    const [first, second] = [
      await post(on, `/v1/registrations/${id}/payments`, own),
      await post(on, `/v1/registrations/${id}/payments`, own),
    ];
    const capture = await post(on, `/v1/payments/${first.body.id}`, {
      ...TEST,
      amount: "40",
      currency: "SAR",
      paymentType: "CP",
    });
    const reversal = await post(on, `/v1/payments/${second.body.id}`, { paymentType: "RV" });
    expect([first.code, second.code, capture.code, reversal.code]).toEqual([
      OK_EXTERNAL,
      OK_EXTERNAL,
      OK_EXTERNAL,
      OK_EXTERNAL,
    ]);
    expect(netBookings(on.sandbox.ledger())).toMatchObject([{ held: 5200, captured: 4000 }, { held: 0 }]);
  });

  test("deletes it with the entity in the address and the test mode in a body", async () => {
    const { on, id } = await stored();
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/x-www-form-urlencoded" };
    const remove = async () =>
      answered(await on.raw("DELETE", `/v1/registrations/${id}?entityId=${ENTITY}`, "testMode=EXTERNAL", headers));
    expect(await remove()).toMatchObject({ status: 200, code: OK_EXTERNAL });
    expect(await remove()).toMatchObject({ status: 400, code: "100.150.202" });
    expect(
      (
        await post(on, `/v1/registrations/${id}/payments`, {
          ...MERCHANT,
          amount: "1",
          currency: "SAR",
          paymentType: "DB",
        })
      ).code,
    ).toBe("100.150.202");
  });

  test("begins with a checkout that asks the holder's bank", async () => {
    const customer = {
      "customer.givenName": "Example",
      "customer.surname": "User",
      "customer.email": "user@shop.example",
    };
    const initial = {
      "standingInstruction.source": "CIT",
      "standingInstruction.mode": "INITIAL",
      "standingInstruction.type": "RECURRING",
    };
    const flow = { "customParameters[3DS2_enrolled]": "true", "customParameters[3DS2_flow]": "challenge" };
    const own = {
      ...TEST,
      createRegistration: "true",
      currency: "SAR",
      amount: "1",
      merchantTransactionId: "session-0001",
    };
    const { status, code, body } = await post(bench(), "/v1/checkouts", { ...own, ...customer, ...initial, ...flow });
    expect([status, code.slice(0, 7)]).toEqual([200, "000.200"]);
    expect(body.id).toMatch(/^[0-9A-Za-z.-]{32,48}$/);
  });
});
