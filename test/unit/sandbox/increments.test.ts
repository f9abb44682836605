import { describe, expect, test } from "vitest";
import { bench } from "./bench.ts";
import { ENTITY, formOf, TOKEN } from "./simulated-till.ts";

const OTHER_ENTITY = "8a8294174b7ecb28014b9699220015cb";
const NOWHERE = "0".repeat(32);

describe("an increment", () => {
  test("is a PA of its own that refers to its original, on the same card, without one being there", async () => {
    const { sell, raise, sandbox } = bench();
    const { body: original } = await sell({ merchantTransactionId: "check-in" });
    const { status, body } = await raise(original.id, "5.00", { merchantTransactionId: "minibar-1" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ paymentType: "PA", amount: "5.00", currency: "EUR", paymentBrand: "VISA", card: { last4Digits: "0050" } });
    expect(body.resultDetails).toMatchObject({ AcquirerResponse: "00" });
    expect(body.pos?.iccDataResponse).toBeUndefined();
    expect(body.referencedId).toBeUndefined();
    expect(sandbox.ledger()[1]).toMatchObject({ id: body.id, referencedId: original.id, paymentType: "PA", amount: 500, merchantTransactionId: "minibar-1" });
  });

  test("is found by its own merchantTransactionId, and with everything it belongs to by any id of the tree", async () => {
    const { sell, raise, refer, query, get, clock } = bench();
    const { body: original } = await sell({ merchantTransactionId: "check-in" });
    await clock.advance(1000);
    const { body: raised } = await raise(original.id, "5.00", { merchantTransactionId: "minibar-1" });
    await clock.advance(1000);
    const { body: captured } = await refer(original.id, "CP", "17.34");
    await clock.advance(1000);
    const { body: refunded } = await refer(captured.id, "RF", "1.00");
    expect((await query("minibar-1")).body.payments).toMatchObject([{ id: raised.id, referencedId: original.id }]);
    const tree = [original.id, raised.id, captured.id, refunded.id];
    for (const id of tree) {
      const { body } = await get(`/v1/query/${id}?entityId=${ENTITY}&includeLinkedTransactions=true`);
      expect(body.payments?.map((payment) => payment.id)).toEqual(tree);
    }
    expect((await query("minibar-1", true)).body.payments).toHaveLength(4);
  });

  test("that refers to nothing is refused as a parameter, and leaves no row", async () => {
    const { raise, sandbox } = bench();
    const { status, code, body } = await raise(NOWHERE, "5.00");
    expect({ status, code }).toEqual({ status: 400, code: "200.300.404" });
    expect(body.result.parameterErrors).toEqual([{ name: "referenceUuid", value: NOWHERE, message: "matches no transaction" }]);
    expect(sandbox.ledger()).toEqual([]);
  });

  test("that refers to a reservation of another channel refers to nothing", async () => {
    const { sell, raise } = bench({ entities: [ENTITY, OTHER_ENTITY].map((entityId) => ({ entityId, token: TOKEN })) });
    const { body } = await sell();
    expect((await raise(body.id, "5.00", { entityId: OTHER_ENTITY })).code).toBe("200.300.404");
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ["in another currency", { currency: "USD" }, "700.100.500"],
    ["in another test mode", { testMode: "EXTERNAL" }, "700.100.600"],
    ["of nothing", { amount: "0.00" }, "100.550.300"],
  ])("%s is refused", async (_how, more, code) => {
    const { sell, raise } = bench();
    const { body } = await sell();
    expect((await raise(body.id, "5.00", more)).code).toBe(code);
  });

  test.each<[string, string]>([
    ["paymentType", "DB"],
    ["standingInstruction.industryPractice", "REAUTHORIZATION"],
    ["standingInstruction.mode", "INITIAL"],
    ["standingInstruction.source", "CIT"],
    ["pos.encryptedSred.data", "00"],
  ])("with %s=%s is refused as a parameter", async (name, value) => {
    const { sell, raise } = bench();
    const { body: original } = await sell();
    const { code, body } = await raise(original.id, "5.00", { [name]: value });
    expect(code).toBe("200.300.404");
    expect(body.result.parameterErrors?.map((problem) => problem.name)).toContain(name);
  });

  test.each(["referenceUuid", "amount", "standingInstruction.type", "standingInstruction.mode", "standingInstruction.source"])(
    "without %s is refused as a parameter",
    async (name) => {
      const { post } = bench();
      const standing = { type: "UNSCHEDULED", mode: "REPEATED", source: "MIT", industryPractice: "INCREMENTAL_AUTH" };
      const all = new Map([
        ...Object.entries({ entityId: ENTITY, amount: "5.00", currency: "EUR", paymentType: "PA", referenceUuid: NOWHERE }),
        ...Object.entries(standing).map(([key, value]) => [`standingInstruction.${key}`, value] as const),
      ]);
      all.delete(name);
      const { code, body } = await post("/v1/payments", all);
      expect(code).toBe("200.300.404");
      expect(body.result.parameterErrors).toContainEqual({ name, value: "", message: "may not be empty" });
    },
  );

  test("meets faults and magic amounts as a PA does", async () => {
    const { sell, raise, fault, raw, sandbox, query } = bench();
    const { body } = await sell();
    await fault({ on: { paymentType: "PA" }, do: "hide-from-query", delayMs: 60_000 });
    await raise(body.id, "5.00", { merchantTransactionId: "hidden-one" });
    expect((await query("hidden-one")).code).toBe("700.400.580");
    await fault({ do: { result: "800.100.152" } });
    expect((await raise(body.id, "5.00")).code).toBe("800.100.152");
    expect((await raise(body.id, "9300.01")).code).toBe("900.100.300");
    expect(sandbox.ledger().at(-1)?.resultCode).toBe("000.100.110");
    expect((await raise(body.id, "9300.03")).code).toBe("900.100.301");
    expect(sandbox.ledger().at(-1)).toMatchObject({ paymentType: "RV", referencedId: sandbox.ledger().at(-2)?.id });
    await expect(raise(body.id, "9400.02")).rejects.toThrow("cut");
    expect(sandbox.ledger().at(-1)).toMatchObject({ amount: 940002, referencedId: body.id });
    expect(await raw("POST", "/v1/payments", formOf([["entityId", ENTITY]]))).toMatchObject({ status: 400 });
  });

  test("with a merchantTransactionId that came before is refused on a channel that looks for duplicates", async () => {
    const { sell, raise } = bench({ rules: { duplicates: "reject" } });
    const { body } = await sell({ merchantTransactionId: "the-same-id" });
    expect((await raise(body.id, "5.00", { merchantTransactionId: "the-same-id" })).code).toBe("800.130.100");
  });
});
