import { describe, expect, test } from "vitest";
import { openSandboxStore } from "../../../packages/sandbox/gateway/ledger/store.ts";
import { CARD, checkoutBench, type Fields, SALE } from "./checkouts-bench.ts";
import { ENTITY } from "./simulated-till.ts";

const OK = "000.100.110";
const CREATED = "000.200.100";
const NO_SESSION = "200.300.404";
const OTHER_ENTITY = "8a8294174b7ecb28014b9699220015cb";
const TOKEN_OF_NOBODY = "0".repeat(32);

describe("a checkout", () => {
  test("is created with an id that is its ndc too", async () => {
    const { status, code, body } = await checkoutBench().create();
    expect({ status, code }).toEqual({ status: 200, code: CREATED });
    expect(body.id).toMatch(/^[0-9A-F]{32}\.uat01-vm-tx[0-9]{2}$/);
    expect(body.ndc).toBe(body.id);
    expect(body).toMatchObject({
      buildNumber: expect.stringMatching(/^[0-9a-f]{40}@/),
      timestamp: expect.stringMatching(/\+0000$/),
    });
    expect(body).not.toHaveProperty("integrity");
  });

  test.each<[string, Fields]>([
    ["a debit", SALE],
    [
      "a reservation with all about the sale",
      {
        ...SALE,
        paymentType: "PA",
        "cart.items[0].name": "Tea",
        "customer.givenName": "Jane",
        "customer.surname": "Jones",
      },
    ],
    ["a credit", { ...SALE, paymentType: "CD" }],
    ["a payment that stores its account", { ...SALE, createRegistration: "true", recurringType: "REGISTRATION_BASED" }],
    ["another type for one brand", { ...SALE, "overridePaymentType[PAYPAL]": "PA" }],
    ["a holder that replaces an empty stored one", { ...SALE, overrideHolder: "true", "card.holder": "Jane Jones" }],
    ["a registration alone", { createRegistration: "true" }],
  ])("may be for %s", async (_, fields) => {
    expect((await checkoutBench().create(fields)).code).toBe(CREATED);
  });

  test.each<[string, Fields, string]>([
    ["no money", { ...SALE, amount: "0.00" }, "100.550.300"],
    ["money of no country", { ...SALE, currency: "ZZZ" }, "100.550.401"],
    ["a token of nobody", { ...SALE, "registrations[0].id": TOKEN_OF_NOBODY }, "100.150.200"],
  ])("over %s is refused by its code", async (_, fields, code) => {
    expect(await checkoutBench().create(fields)).toMatchObject({ status: 400, code });
  });

  test("is not created with a token that was deleted", async () => {
    const { send, remove, create } = checkoutBench();
    const { "card.cvv": _, ...card } = CARD;
    const { id = "" } = (await send("/v1/registrations", card)).body;
    expect((await create({ ...SALE, "registrations[0].id": id })).code).toBe(CREATED);
    await remove(id);
    expect((await create({ ...SALE, "registrations[0].id": id })).code).toBe("100.150.202");
  });
});

describe("an update", () => {
  test("changes what is paid", async () => {
    const { checkout, update, submit } = checkoutBench();
    const id = await checkout();
    const { code, body } = await update(id, { amount: "99.00", "cart.items[0].name": "Tea" });
    expect({ code, id: body.id, ndc: body.ndc }).toEqual({ code: "000.200.101", id, ndc: id });
    expect((await submit(id)).body).toMatchObject({ amount: "99.00", currency: "EUR", paymentType: "DB" });
  });

  test.each<[string, Fields, string]>([
    ["what is accepted at the creation alone", { "overridePaymentType[VISA]": "PA" }, "200.300.404"],
    ["no money", { amount: "0.00" }, "100.550.300"],
    ["a token of nobody", { "registrations[0].id": TOKEN_OF_NOBODY }, "100.150.200"],
  ])("does not take %s and changes nothing then", async (_, fields, code) => {
    const { checkout, update, submit } = checkoutBench();
    const id = await checkout();
    expect((await update(id, fields)).code).toBe(code);
    expect((await submit(id)).body).toMatchObject({ amount: "12.34", result: { code: OK } });
  });

  test("finds no checkout of another entity, and none that is over", async () => {
    const { checkout, update, post, minutes } = checkoutBench({
      entities: [ENTITY, OTHER_ENTITY].map((entityId) => ({ entityId, token: "sandbox-token" })),
    });
    const id = await checkout();
    expect((await post(`/v1/checkouts/${id}`, Object.entries({ entityId: OTHER_ENTITY, amount: "1.00" }))).code).toBe(
      NO_SESSION,
    );
    await minutes(30);
    expect((await update(id, { amount: "1.00" })).code).toBe(NO_SESSION);
  });
});

describe("the status of a checkout", () => {
  test("says that nobody has paid yet, as often as it is asked", async () => {
    const { checkout, status } = checkoutBench();
    const id = await checkout();
    for (const _ of [1, 2]) expect(await status(id)).toMatchObject({ status: 200, code: CREATED, body: { ndc: id } });
  });

  test("tells a success once", async () => {
    const { checkout, submit, status } = checkoutBench();
    const id = await checkout();
    const { body } = await submit(id);
    expect(await status(id)).toMatchObject({ code: OK, body: { id: body.id, ndc: id, paymentBrand: "VISA" } });
    expect(await status(id)).toMatchObject({ status: 400, code: NO_SESSION });
    expect((await submit(id)).code).toBe(NO_SESSION);
  });

  test("tells a pending result as often as it is asked, and the final one once", async () => {
    const { checkout, submit, status, clock } = checkoutBench();
    const id = await checkout({ ...SALE, amount: "9300.06" });
    await submit(id);
    for (const _ of [1, 2]) expect((await status(id)).code).toBe("000.200.000");
    await clock.advance(30_000);
    expect((await status(id)).code).toBe(OK);
    expect((await status(id)).code).toBe(NO_SESSION);
  });

  test("is gone after 30 minutes, whatever was paid", async () => {
    const { checkout, submit, status, minutes, clock } = checkoutBench();
    const [paid, left] = [await checkout(), await checkout()];
    await submit(paid);
    await clock.advance(30 * 60_000 - 1);
    expect((await status(left)).code).toBe(CREATED);
    await minutes(1);
    for (const id of [paid, left]) expect((await status(id)).code).toBe(NO_SESSION);
    expect((await submit(left)).code).toBe(NO_SESSION);
  });

  test("answers the same for an id that never was, one that is over and one that was read", async () => {
    const { checkout, submit, status, minutes } = checkoutBench();
    const [over, read] = [await checkout(), await checkout()];
    await submit(read);
    await status(read);
    const seen = [await status(read), await status(`${"0".repeat(32)}.uat01-vm-tx01`)];
    await minutes(30);
    const texts = [...seen, await status(over)].map(({ status: http, body: { result } }) => ({ http, result }));
    expect(new Set(texts.map((text) => JSON.stringify(text))).size).toBe(1);
    expect(texts[0]).toMatchObject({
      http: 400,
      result: { code: NO_SESSION, description: expect.stringContaining("no payment session found") },
    });
  });

  test("is told to its own entity alone, and 9 times a minute, however often another asks", async () => {
    const entities = [ENTITY, OTHER_ENTITY].map((entityId) => ({ entityId, token: "sandbox-token" }));
    const { checkout, get, status, minutes } = checkoutBench({ entities, throttling: true });
    const id = await checkout();
    expect((await get(`/v1/checkouts/${id}/payment?entityId=${OTHER_ENTITY}`)).code).toBe(NO_SESSION);
    for (let at = 1; at <= 9; at += 1) expect((await status(id)).code).toBe(CREATED);
    expect((await status(id)).code).toBe("800.120.100");
    await minutes(1);
    expect((await status(id)).code).toBe(CREATED);
  });

  test("of a payment is not that of a registration", async () => {
    const { checkout, status } = checkoutBench();
    expect((await status(await checkout(), "registration")).code).toBe(NO_SESSION);
    expect((await status(await checkout({ createRegistration: "true" }), "payment")).code).toBe(NO_SESSION);
  });
});

test("keeps no number of an account in clear, also of what is said beside the sale", async () => {
  const store = openSandboxStore(":memory:");
  const { create } = checkoutBench({ store });
  const secrets = {
    "giftCard.number": "6006491286999921",
    "giftCard.pin": "987654",
    "sender.accountNumber": "DE89370400440532013000",
  };
  expect((await create({ ...SALE, ...secrets })).status).toBe(200);
  const kept = store.records("checkout").join();
  expect(kept).toContain("giftCard.number");
  for (const secret of Object.values(secrets)) expect(kept).not.toContain(secret);
});
