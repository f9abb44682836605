import { describe, expect, test } from "vitest";
import { netBookings } from "../../../packages/sandbox/gateway/ledger/net-bookings.ts";
import { openSandboxStore } from "../../../packages/sandbox/gateway/ledger/store.ts";
import { PAYPAL, SEPA, STORED_VISA } from "./accounts-bench.ts";
import { type Bench, bench, type Fields } from "./bench.ts";
import { ENTITY, TOKEN } from "./simulated-till.ts";

const OK = "000.100.110";
const NOWHERE = "0".repeat(32);
const OTHER_ENTITY = "8a8294174b7ecb28014b9699220015cb";
const MIT = {
  "standingInstruction.type": "UNSCHEDULED",
  "standingInstruction.mode": "REPEATED",
  "standingInstruction.source": "MIT",
};

const SALE: Fields = { amount: "12.34", currency: "EUR", paymentType: "DB" };
const NEW_CARD: Fields = {
  paymentBrand: "MASTER",
  "card.number": "5454545454545454",
  "card.expiryMonth": "11",
  "card.expiryYear": "2035",
};

const store = (on: Bench, ...account: readonly Fields[]) => on.send("/v1/registrations", ...account);
const charge = (on: Bench, id: string | undefined, more: Fields = {}) =>
  on.send(`/v1/registrations/${id}/payments`, SALE, more);
const update = (on: Bench, id: string | undefined, account: Fields) =>
  on.send(`/v1/registrations/${id}`, { paymentType: "RR" }, account);

const read = (on: Bench, id: string | undefined) => on.get(`/v1/registrations/${id}?entityId=${ENTITY}`);

describe("a payment with a card that a terminal presented once", () => {
  test("is possible with what a ledger of before stored accounts says of it", async () => {
    const on = bench();
    const { body } = await on.register();
    const [row] = on.sandbox.ledger();
    if (row === undefined) throw new Error("nothing was stored");
    const { stored: _unknownThen, ...old } = row;
    const kept = openSandboxStore(":memory:");
    kept.append(old);
    expect(await charge(bench({ store: kept }), body.id, MIT)).toMatchObject({
      status: 200,
      code: OK,
      body: { card: { last4Digits: "0050" } },
    });
  });

  test("needs no card, no PIN and no cryptogram, and tells the brand and the digits that were stored", async () => {
    const on = bench();
    const { body: stored } = await on.register();
    const { status, code, body } = await charge(on, stored.id, MIT);
    expect({ status, code }).toEqual({ status: 200, code: OK });
    expect(body).toMatchObject({
      paymentType: "DB",
      amount: "12.34",
      currency: "EUR",
      paymentBrand: "VISA",
      card: { last4Digits: "0050" },
    });
    expect(body.registrationId).toBeUndefined();
    expect(body.resultDetails).toMatchObject({ AcquirerResponse: "00" });
    expect(body.pos?.iccDataResponse).toBeUndefined();
    expect(on.sandbox.ledger()[1]).toMatchObject({
      id: body.id,
      paymentType: "DB",
      amount: 1234,
      chargedRegistrationId: stored.id,
    });
  });

  test("is made as well with the card that a sale stored besides, also where that was taken back", async () => {
    const on = bench();
    const { body: sale } = await on.post("/v1/payments", [...on.till.sale().fields, ["createRegistration", "true"]]);
    await on.refer(sale.id, "RV");
    expect((await charge(on, sale.registrationId, MIT)).code).toBe(OK);
  });

  test.each(["PA", "DB", "CD"])("can be a %s, which goes on as one with a card does", async (paymentType) => {
    const on = bench();
    const { body: stored } = await on.register();
    const { body } = await charge(on, stored.id, { paymentType });
    const next = { PA: "CP", DB: "RF", CD: "RV" }[paymentType] ?? "";
    expect((await on.refer(body.id, next, "12.34")).code).toBe(paymentType === "CD" ? "700.400.530" : OK);
    expect(netBookings(on.sandbox.ledger())).toMatchObject([{ id: body.id, paymentType }]);
  });

  test("meets magic amounts, and faults by the address and by its type", async () => {
    const on = bench();
    const { body: stored } = await on.register();
    expect((await charge(on, stored.id, { amount: "9100.51" })).code).toBe("800.100.155");
    expect((await charge(on, stored.id, { amount: "9300.01" })).code).toBe("900.100.300");
    expect(on.sandbox.ledger().at(-1)).toMatchObject({ resultCode: OK, amount: 930001 });
    await expect(charge(on, stored.id, { amount: "9400.02" })).rejects.toThrow("cut");
    await on.fault({ on: { path: `/v1/registrations/${stored.id}/payments` }, do: { result: "800.100.162" } });
    expect((await charge(on, stored.id)).code).toBe("800.100.162");
    await on.fault({ on: { paymentType: "PA" }, do: "hide-from-query", delayMs: 60_000 });
    await charge(on, stored.id, { paymentType: "PA", merchantTransactionId: "hidden-charge" });
    expect((await on.query("hidden-charge")).code).toBe("700.400.580");
  });

  test("is found by its merchantTransactionId, and refused where that came before on a channel that looks for duplicates", async () => {
    const on = bench({ rules: { duplicates: "reject" } });
    const { body: stored } = await on.register();
    const { body } = await charge(on, stored.id, { merchantTransactionId: "march-2026" });
    expect((await on.query("march-2026")).body.payments).toMatchObject([{ id: body.id, paymentType: "DB" }]);
    expect((await charge(on, stored.id, { merchantTransactionId: "march-2026" })).code).toBe("800.130.100");
  });
});

describe.each<[string, Fields, Fields, object]>([
  [
    "a card",
    STORED_VISA,
    { paymentBrand: "VISA" },
    { card: { bin: "420000", last4Digits: "0000", holder: "Jane Jones", expiryMonth: "05", expiryYear: "2034" } },
  ],
  ["a bank account", SEPA, { paymentBrand: "DIRECTDEBIT_SEPA" }, { bankAccount: { holder: "Jane Jones" } }],
  ["a virtual account", PAYPAL, { paymentBrand: "PAYPAL" }, { virtualAccount: {} }],
])("%s that is stored", (_what, account, told, data) => {
  test("is told by GET, charged, and gone once it is deleted", async () => {
    const on = bench();
    const { code, body: stored } = await store(on, account);
    expect(code).toBe(OK);
    expect((await read(on, stored.id)).body).toMatchObject({ id: stored.id, ...told, ...data });
    const { code: paid, body } = await charge(on, stored.id, MIT);
    expect([OK, "000.200.000"]).toContain(paid);
    expect(body).toMatchObject(told);
    expect((await on.remove(stored.id)).code).toBe(OK);
    expect((await read(on, stored.id)).code).toBe("100.150.202");
    expect(await charge(on, stored.id, MIT)).toMatchObject({ status: 400, code: "100.150.202", body: told });
  });

  test("keeps nothing whole: no row and no reply tells its number", async () => {
    const on = bench();
    const { body: stored } = await store(on, account);
    await charge(on, stored.id, { ...MIT, "card.cvv": "947" });
    const secrets = [account["card.number"], account["bankAccount.iban"]].filter((secret) => secret !== undefined);
    const everything = JSON.stringify([on.sandbox.ledger(), stored, (await read(on, stored.id)).body]);
    for (const secret of secrets) expect(everything).not.toContain(secret);
    expect(everything).not.toContain('"947"');
  });
});

describe("POST /v1/registrations/{id}/payments", () => {
  test("takes no id that names no account of this channel, and leaves no row of it", async () => {
    const on = bench({ entities: [ENTITY, OTHER_ENTITY].map((entityId) => ({ entityId, token: TOKEN })) });
    const { body: stored } = await store(on, STORED_VISA);
    expect(await charge(on, NOWHERE)).toMatchObject({ status: 404, code: "100.150.200" });
    expect(await charge(on, stored.id, { entityId: OTHER_ENTITY })).toMatchObject({ status: 404, code: "100.150.200" });
    expect(on.sandbox.ledger()).toHaveLength(1);
  });

  test("refuses an account that never was, or is not yet, and writes down that it was asked", async () => {
    const on = bench();
    const { body: refused } = await store(on, { ...STORED_VISA, "card.number": "4000000000000002" });
    expect((await charge(on, refused.id)).code).toBe("100.150.203");
    await on.fault({ on: { paymentType: "RG" }, do: { result: "000.200.000" } });
    const { body: pending } = await store(on, STORED_VISA);
    expect((await charge(on, pending.id)).code).toBe("100.150.201");
    expect(on.sandbox.ledger().at(-1)).toMatchObject({
      paymentType: "DB",
      amount: 1234,
      resultCode: "100.150.201",
      chargedRegistrationId: pending.id,
    });
    expect(netBookings(on.sandbox.ledger())).toEqual([]);
  });

  test("takes the security code once more, REGISTRATION_BASED, and a standing instruction", async () => {
    const on = bench();
    const { body: stored } = await store(on, STORED_VISA, { "card.cvv": "123" });
    expect((await charge(on, stored.id, { ...MIT, "card.cvv": "123", recurringType: "REGISTRATION_BASED" })).code).toBe(
      OK,
    );
  });

  test("puts a holder in the place of none for one payment; the stored account stays as it was", async () => {
    const on = bench();
    const { "card.holder": _holder, ...nameless } = STORED_VISA;
    const { body: stored } = await store(on, nameless);
    const named = { overrideHolder: "true", "card.holder": "Joe Bloggs" };
    expect((await charge(on, stored.id, named)).body.card?.["holder"]).toBe("Joe Bloggs");
    expect((await charge(on, stored.id, { "card.holder": "Joe Bloggs" })).body.card?.["holder"]).toBeUndefined();
    expect((await read(on, stored.id)).body.card?.["holder"]).toBeUndefined();
    const { body: jane } = await store(on, STORED_VISA);
    expect((await charge(on, jane.id, named)).body.card?.["holder"]).toBe("Jane Jones");
  });
});

test("an encrypted wallet is good for one payment, and cannot be stored", async () => {
  const on = bench();
  const { status, code, body } = await store(on, {
    paymentBrand: "APPLEPAY",
    "applePay.paymentToken": "sandbox:4111111111",
  });
  expect({ status, code }).toEqual({ status: 400, code: "600.200.310" });
  expect((await charge(on, body.id)).code).toBe("100.150.203");
});

test("POST /v1/payments charges a stored account by registrationId as well", async () => {
  const on = bench();
  const { body: stored } = await store(on, STORED_VISA);
  const sale = {
    entityId: ENTITY,
    amount: "12.34",
    currency: "EUR",
    paymentType: "PA",
    registrationId: stored.id ?? "",
  };
  expect((await on.post("/v1/payments", Object.entries(sale))).body).toMatchObject({
    paymentType: "PA",
    amount: "12.34",
    card: { last4Digits: "0000" },
  });
  await on.remove(stored.id);
  expect((await on.post("/v1/payments", Object.entries(sale))).code).toBe("100.150.202");
});

describe("an account that is changed (RR)", () => {
  test("keeps its id, and is the new one from then on", async () => {
    const on = bench();
    const { body: stored } = await store(on, STORED_VISA);
    const { code, body } = await update(on, stored.id, NEW_CARD);
    expect(code).toBe(OK);
    expect(body).toMatchObject({ paymentType: "RR", paymentBrand: "MASTER", card: { last4Digits: "5454" } });
    expect(body.id).not.toBe(stored.id);
    expect((await read(on, stored.id)).body).toMatchObject({
      id: stored.id,
      paymentBrand: "MASTER",
      card: { last4Digits: "5454" },
    });
    expect((await charge(on, stored.id)).body).toMatchObject({ paymentBrand: "MASTER", card: { last4Digits: "5454" } });
    expect(on.sandbox.ledger()[1]).toMatchObject({ paymentType: "RR", referencedId: stored.id });
  });

  test("is the old one still where the new one is declined, unknown, or comes too late", async () => {
    const on = bench();
    const { body: stored } = await store(on, STORED_VISA);
    expect((await update(on, stored.id, { ...NEW_CARD, "card.number": "5200000000000114" })).code).toBe("800.100.155");
    expect((await read(on, stored.id)).body).toMatchObject({ paymentBrand: "VISA" });
    expect(await update(on, NOWHERE, NEW_CARD)).toMatchObject({ status: 404, code: "100.150.200" });
    expect((await update(on, stored.id, {})).body.result.parameterErrors?.map(({ name }) => name)).toEqual([
      "card.number",
    ]);
    await on.remove(stored.id);
    expect((await update(on, stored.id, NEW_CARD)).code).toBe("100.150.202");
  });
});

test("as often as gateway facts 2.5 say, and no more: 200 payments of a token a minute, 100 looks at accounts an hour, 200 partial operations on a payment", async () => {
  const on = bench({ throttling: true });
  const { body: stored } = await store(on, STORED_VISA);
  const { body: other } = await store(on, STORED_VISA);
  const codes: string[] = [];
  for (let count = 0; count < 201; count += 1) codes.push((await charge(on, stored.id)).code);
  expect([codes.indexOf("800.120.100"), (await charge(on, other.id)).code]).toEqual([200, OK]);
  for (let count = 0; count < 100; count += 1) expect((await read(on, stored.id)).code).toBe(OK);
  expect((await read(on, other.id)).code).toBe("800.120.100");
  const { body: sale } = await charge(on, other.id, { amount: "500.00" });
  for (let count = 0; count < 200; count += 1) await on.refer(sale.id, "RF", "1.00");
  expect((await on.refer(sale.id, "RF", "1.00")).code).toBe("800.120.100");
  expect((await on.refer(sale.id, "RV")).code).toBe("700.400.300");
  on.sandbox.advance(60_000);
  expect((await charge(on, stored.id)).code).toBe(OK);
});
