import { describe, expect, test } from "vitest";
import { z } from "zod";
import { bench } from "./bench.ts";
import { ENTITY, TOKEN } from "./simulated-till.ts";

const OK = "000.100.110";
const OTHER_ENTITY = "8a8294174b7ecb28014b9699220015cb";
const NOWHERE = "0".repeat(32);
const bookSchema = z.object({
  registrations: z.array(z.object({ id: z.string(), booking: z.string(), stored: z.boolean() })),
});

const address = (id: string | undefined, more = "") => `/v1/registrations/${id}?entityId=${ENTITY}${more}`;

describe("a card that is stored without a payment", () => {
  test("is named by the id of the reply, which tells the card, no money and no type", async () => {
    const { register, sandbox } = bench();
    const { status, code, body } = await register({ merchantTransactionId: "keep-my-card" });
    expect({ status, code }).toEqual({ status: 200, code: OK });
    expect(body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      paymentBrand: "VISA",
      card: { bin: "476134", last4Digits: "0050" },
    });
    for (const absent of [body.amount, body.currency, body.paymentType, body.registrationId])
      expect(absent).toBeUndefined();
    expect(sandbox.ledger()).toMatchObject([
      { id: body.id, paymentType: "RG", merchantTransactionId: "keep-my-card", resultCode: OK },
    ]);
    expect(sandbox.ledger()[0]).not.toHaveProperty("amount");
  });

  test("answers the card", async () => {
    expect((await bench().register()).body.pos?.iccDataResponse).toMatch(/^8A023030910A/);
  });

  test("says its type where the request did", async () => {
    const { till, post } = bench();
    const { fields } = till.sale({ paymentType: "RG" });
    expect((await post("/v1/registrations", [...fields, ["paymentType", "RG"]])).body.paymentType).toBe("RG");
  });

  test.each<[string, string]>([
    ["entityId", "200.300.404"],
    ["pos.terminalId", "200.300.404"],
    ["pos.encryptedSred.data", "800.100.156"],
    ["pos.iccDataRequest", "800.100.156"],
  ])("is not asked for without %s", async (name, refusal) => {
    const { till, post } = bench();
    const fields = new Map(till.sale({ paymentType: "RG" }).fields);
    fields.delete(name);
    expect((await post("/v1/registrations", fields)).code).toBe(refusal);
  });

  test("is not stored where its issuer refuses: a wrong PIN, a cryptogram over an amount, one that came before", async () => {
    const { till, post, register, sandbox } = bench();
    expect((await register({ pin: "9999" })).code).toBe("800.100.166");
    expect((await register({ amount: "12.34" })).code).toBe("800.100.158");
    const { fields } = till.sale({ paymentType: "RG" });
    await post("/v1/registrations", fields);
    expect((await post("/v1/registrations", fields)).code).toBe("800.100.158");
    expect(sandbox.ledger().map(({ resultCode }) => resultCode)).toEqual([
      "800.100.166",
      "800.100.158",
      OK,
      "800.100.158",
    ]);
  });

  test("is found by its merchantTransactionId and by its id", async () => {
    const { register, query, get } = bench();
    const { body } = await register({ merchantTransactionId: "keep-my-card" });
    expect((await query("keep-my-card", true)).body.payments).toMatchObject([
      { id: body.id, paymentType: "RG", result: { code: OK } },
    ]);
    expect((await get(`/v1/query/${body.id}?entityId=${ENTITY}`)).body).toMatchObject({
      id: body.id,
      paymentType: "RG",
    });
  });
});

describe("a card that is stored besides a payment", () => {
  test.each(["PA", "DB", "CD"] as const)("of type %s is named in its reply and by queries", async (paymentType) => {
    const { till, post, query } = bench();
    const { fields } = till.sale({ paymentType, merchantTransactionId: "sale-and-card" });
    const { body } = await post("/v1/payments", [...fields, ["createRegistration", "true"]]);
    expect(body.registrationId).toMatch(/^[0-9a-f]{32}$/);
    expect((await query("sale-and-card")).body.payments).toMatchObject([{ registrationId: body.registrationId }]);
  });

  test.each(["9100.05", "9300.03", "9300.05"])(
    "is not stored where the payment is not approved (%s)",
    async (amount) => {
      const { till, post, sandbox } = bench();
      const { body } = await post("/v1/payments", [...till.sale({ amount }).fields, ["createRegistration", "true"]]);
      expect(body.registrationId).toBeUndefined();
      expect(sandbox.ledger()[0]).not.toHaveProperty("registrationId");
    },
  );

  test("is not named by a reply that does not know, and is by the query after it", async () => {
    const { till, post, query } = bench();
    const { fields } = till.sale({ amount: "9300.01", merchantTransactionId: "lost-and-stored" });
    expect(
      (await post("/v1/payments", [...fields, ["createRegistration", "true"]])).body.registrationId,
    ).toBeUndefined();
    expect((await query("lost-and-stored")).body.payments).toMatchObject([
      { registrationId: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ]);
  });

  test("outlives the reversal of the payment until it is deleted", async () => {
    const { till, post, refer, get, remove, query } = bench();
    const { body } = await post("/v1/payments", [
      ...till.sale({ merchantTransactionId: "failed-sale" }).fields,
      ["createRegistration", "true"],
    ]);
    await refer(body.id, "RV");
    expect((await get(address(body.registrationId))).body).toMatchObject({
      id: body.registrationId,
      card: { last4Digits: "0050" },
      result: { code: OK },
    });
    expect((await remove(body.registrationId)).code).toBe(OK);
    const rows = (await query("failed-sale", true)).body.payments ?? [];
    expect(rows.map(({ paymentType, referencedId }) => [paymentType, referencedId])).toEqual([
      ["PA", undefined],
      ["RV", body.id],
      ["DR", body.registrationId],
    ]);
  });
});

describe("deleting a stored card", () => {
  test("leaves a DR in the ledger, and the card is gone", async () => {
    const { register, remove, get, sandbox } = bench();
    const { body } = await register();
    expect(await get(address(body.id))).toMatchObject({
      status: 200,
      code: OK,
      body: { id: body.id, paymentBrand: "VISA" },
    });
    const removed = await remove(body.id);
    expect(removed).toMatchObject({ status: 200, code: OK });
    expect(removed.body.paymentType).toBeUndefined();
    expect(sandbox.ledger()[1]).toMatchObject({
      id: removed.body.id,
      paymentType: "DR",
      referencedId: body.id,
      resultCode: OK,
    });
    expect(await get(address(body.id))).toMatchObject({ status: 404, code: "100.150.202" });
  });

  test("a second time says that it was removed", async () => {
    const { register, remove } = bench();
    const { body } = await register();
    await remove(body.id);
    expect(await remove(body.id)).toMatchObject({ status: 400, code: "100.150.202" });
  });

  test("an id that nobody gave, or another channel's card, is none; a payment's own id neither; no row", async () => {
    const on = bench({ entities: [ENTITY, OTHER_ENTITY].map((entityId) => ({ entityId, token: TOKEN })) });
    const { body: card } = await on.register();
    const { body: sale } = await on.sell();
    for (const path of [address(NOWHERE), address(sale.id), `/v1/registrations/${card.id}?entityId=${OTHER_ENTITY}`]) {
      expect(await on.raw("DELETE", path)).toMatchObject({ status: 404, body: expect.stringContaining("100.150.200") });
    }
    expect(await on.get(address(NOWHERE))).toMatchObject({ status: 404, code: "100.150.200" });
    expect(on.sandbox.ledger()).toHaveLength(2);
  });

  test("what was declined was never valid, and what is pending is not confirmed", async () => {
    const { register, remove, fault } = bench();
    expect((await remove((await register({ pin: "9999" })).body.id)).code).toBe("100.150.203");
    await fault({ on: { paymentType: "RG" }, do: { result: "000.200.000" } });
    expect((await remove((await register()).body.id)).code).toBe("100.150.201");
  });

  test("takes entityId and testMode, and nothing else", async () => {
    const { register, raw, sandbox } = bench();
    const { body } = await register();
    expect(await raw("DELETE", address(body.id, "&merchantTransactionId=12345678"))).toMatchObject({
      status: 400,
      body: expect.stringContaining("200.300.404"),
    });
    expect(await raw("DELETE", `/v1/registrations/${body.id}`)).toMatchObject({ status: 400 });
    expect(await raw("DELETE", address(body.id, "&testMode=INTERNAL"), "", {})).toMatchObject({ status: 401 });
    expect(sandbox.ledger()).toHaveLength(1);
    expect(await raw("DELETE", address(body.id, "&testMode=INTERNAL"))).toMatchObject({ status: 200 });
  });
});

describe("faults", () => {
  test("meet storing and deleting by path and by type, although the requests name none", async () => {
    const { register, remove, fault, sandbox } = bench();
    await fault({ on: { path: "/v1/registrations" }, do: "drop-after" });
    await expect(register()).rejects.toThrow("cut");
    const [row] = sandbox.ledger();
    await fault({ on: { paymentType: "DR" }, do: "drop-after", times: 2 });
    await expect(remove(row?.id)).rejects.toThrow("cut");
    await expect(remove(row?.id)).rejects.toThrow("cut");
    expect(sandbox.ledger().map(({ paymentType, resultCode }) => [paymentType, resultCode])).toEqual([
      ["RG", OK],
      ["DR", OK],
      ["DR", "100.150.202"],
    ]);
    await fault({ on: { paymentType: "RG" }, do: { result: "800.100.152" } });
    expect((await register()).code).toBe("800.100.152");
    await fault({ on: { paymentType: "RG" }, do: "http-500" });
    await fault({ on: { paymentType: "PA" }, do: "throttle" });
    await expect(register()).rejects.toThrow();
    expect((await register()).code).toBe(OK);
  });

  test("hide a stored card and a deletion from queries", async () => {
    const { register, remove, fault, query, get, clock } = bench();
    await fault({ on: { paymentType: "RG" }, do: "hide-from-query", delayMs: 60_000 });
    const { body } = await register({ merchantTransactionId: "keep-my-card" });
    expect((await query("keep-my-card")).code).toBe("700.400.580");
    expect((await get(address(body.id))).code).toBe("100.150.200");
    await clock.advance(60_000);
    await fault({ on: { paymentType: "DR" }, do: "hide-from-query", delayMs: 60_000 });
    await remove(body.id);
    expect((await query("keep-my-card", true)).body.payments).toHaveLength(1);
    await clock.advance(60_000);
    expect((await query("keep-my-card", true)).body.payments).toHaveLength(2);
  });
});

test("the ledger shows which cards are stored still", async () => {
  const { register, remove, till, post, raw } = bench();
  const { body: alone } = await register({ merchantTransactionId: "keep-my-card" });
  await register({ pin: "9999" });
  const { body: sale } = await post("/v1/payments", [...till.sale().fields, ["createRegistration", "true"]]);
  await remove(alone.id);
  const shown = async (query: string) => {
    const handled = await raw("GET", `/sandbox/v1/ledger${query}`);
    return bookSchema.parse(JSON.parse(handled.is === "reply" ? handled.body : "{}")).registrations;
  };
  expect(await shown("")).toEqual([
    { id: alone.id, booking: alone.id, stored: false },
    { id: sale.registrationId, booking: sale.id, stored: true },
  ]);
  expect(await shown("?merchantTransactionId=keep-my-card")).toHaveLength(1);
});
