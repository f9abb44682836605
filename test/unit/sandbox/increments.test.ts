import { describe, expect, test } from "vitest";
import { netBookings } from "../../../packages/sandbox/gateway/ledger/net-bookings.ts";
import { VISA } from "./accounts-bench.ts";
import { bench, type Fields } from "./bench.ts";
import { ENTITY, formOf, TOKEN } from "./simulated-till.ts";

const OTHER_ENTITY = "8a8294174b7ecb28014b9699220015cb";
const NOWHERE = "0".repeat(32);
const RAISE = { amount: "5.00", currency: "EUR", paymentType: "PA", referenceUuid: NOWHERE };

const CARD: Fields = { ...VISA, "card.number": "4111111111111111" };

describe("an increment", () => {
  test("is a PA of its own that refers to its original, on the same card, without one being there", async () => {
    const { sell, raise, sandbox } = bench();
    const { body: original } = await sell({ merchantTransactionId: "check-in" });
    const { status, body } = await raise(original.id, "5.00", { merchantTransactionId: "minibar-1" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      paymentType: "PA",
      amount: "5.00",
      currency: "EUR",
      paymentBrand: "VISA",
      card: { last4Digits: "0050" },
    });
    expect(body.resultDetails).toMatchObject({ AcquirerResponse: "00" });
    expect(body.pos?.iccDataResponse).toBeUndefined();
    expect(body.referencedId).toBeUndefined();
    expect(sandbox.ledger()[1]).toMatchObject({
      id: body.id,
      referencedId: original.id,
      paymentType: "PA",
      amount: 500,
      merchantTransactionId: "minibar-1",
    });
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
    expect(body.result.parameterErrors).toEqual([
      { name: "referenceUuid", value: NOWHERE, message: "matches no transaction" },
    ]);
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

  test("brings no card of its own", async () => {
    const { sell, raise } = bench();
    const { code, body } = await raise((await sell()).body.id, "5.00", { "pos.encryptedSred.data": "00" });
    expect(code).toBe("200.300.404");
    expect(body.result.parameterErrors?.map(({ name }) => name)).toContain("pos.encryptedSred.data");
  });

  test("says no more than what it raises, by how much, and that it does", async () => {
    const { sell, send } = bench();
    const { body } = await sell();
    const own = { ...RAISE, referenceUuid: body.id ?? "", "standingInstruction.industryPractice": "INCREMENTAL_AUTH" };
    expect((await send("/v1/payments", own)).code).toBe("000.100.110");
  });

  test("is a payment like any other where it brings its account with it and names no original", async () => {
    const { till, post, send, raise, sandbox } = bench();
    const practice = { "standingInstruction.industryPractice": "INCREMENTAL_AUTH" };
    const { referenceUuid: _none, ...own } = RAISE;
    expect((await send("/v1/payments", own, VISA, practice)).code).toBe("000.100.110");
    const { code, body } = await post("/v1/payments", [...till.sale().fields, ...Object.entries(practice)]);
    expect(code).toBe("000.100.110");
    expect((await raise(body.id, "5.00")).code).toBe("000.100.110");
    expect(netBookings(sandbox.ledger())).toMatchObject([{ held: 500 }, { held: 1734 }]);
  });

  test("may name its original in the address as well, in place of referenceUuid", async () => {
    const { sell, refer } = bench();
    const { body } = await sell();
    expect(
      (await refer(body.id, "PA", "5.00", { "standingInstruction.industryPractice": "INCREMENTAL_AUTH" })).code,
    ).toBe("000.100.110");
    expect((await refer(body.id, "CP", "17.34")).code).toBe("000.100.110");
    expect((await refer(body.id, "PA", "5.00")).body.result.parameterErrors?.map(({ name }) => name)).toEqual([
      "paymentType",
    ]);
  });

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

describe("a renewed authorization (REAUTHORIZATION)", () => {
  const renews = (paymentType = "PA") => ({ paymentType, "standingInstruction.industryPractice": "REAUTHORIZATION" });

  test("refers to the first one and stands by itself: it is captured alone, and the first one is worth no more for it", async () => {
    const { sell, raise, refer, sandbox } = bench();
    const { body: first } = await sell();
    const { code, body: second } = await raise(first.id, "20.00", renews());
    expect(code).toBe("000.100.110");
    expect(second).toMatchObject({
      paymentType: "PA",
      amount: "20.00",
      paymentBrand: "VISA",
      card: { last4Digits: "0050" },
    });
    expect(sandbox.ledger()[1]).toMatchObject({ referencedId: first.id });
    expect((await refer(first.id, "CP", "12.35")).code).toBe("700.400.100");
    expect((await refer(second.id, "CP", "20.00")).code).toBe("000.100.110");
    expect((await refer(first.id, "RV")).code).toBe("000.100.110");
    expect(netBookings(sandbox.ledger())).toMatchObject([
      { id: first.id, held: 0, captured: 0 },
      { id: second.id, held: 0, captured: 2000 },
    ]);
  });

  test("comes in time where the first one has lapsed, and may be a debit", async () => {
    const { sell, raise, refer, sandbox } = bench();
    const { body: first } = await sell();
    sandbox.advance(8 * 24 * 60 * 60 * 1000);
    expect((await refer(first.id, "CP", "12.34")).code).toBe("700.300.400");
    const { code, body } = await raise(first.id, "12.34", renews("DB"));
    expect(code).toBe("000.100.110");
    expect((await refer(body.id, "RF", "12.34")).code).toBe("000.100.110");
  });

  test.each<[string, "PA" | "DB", string | undefined, string]>([
    ["a debit", "DB", undefined, "700.100.700"],
    ["a declined one", "PA", "9100.05", "700.300.200"],
    ["a pending one", "PA", "9300.06", "700.400.570"],
  ])("renews a reservation that was made, not %s", async (_what, paymentType, amount, refusal) => {
    const { sell, raise } = bench();
    const { body } = await sell({ paymentType, ...(amount !== undefined && { amount }) });
    expect((await raise(body.id, "5.00", renews())).code).toBe(refusal);
  });
});

describe("a payment that only names another one", () => {
  test.each(["PA", "DB"])(
    "is refused by referenceUuid where there is none, also with a card of its own (%s)",
    async (paymentType) => {
      for (const account of [{}, CARD]) {
        const { body } = await bench().send("/v1/payments", RAISE, account, { paymentType });
        expect(body.result.parameterErrors).toEqual([
          { name: "referenceUuid", value: NOWHERE, message: "matches no transaction" },
        ]);
      }
    },
  );

  test("takes the original's account, and stands by itself", async () => {
    const { sell, send, sandbox } = bench();
    const { body: original } = await sell();
    const { code, body } = await send("/v1/payments", RAISE, { referenceUuid: original.id });
    expect([code, body.card?.["bin"]]).toEqual(["000.100.110", original.card?.["bin"]]);
    expect(netBookings(sandbox.ledger())).toMatchObject([{ held: 1234 }, { held: 500 }]);
  });

  test("is paid from the account that it brings with it", async () => {
    const { sell, send, sandbox } = bench();
    const { body: original } = await sell();
    const { code, body } = await send("/v1/payments", RAISE, CARD, { referenceUuid: original.id });
    expect([code, body.card?.["bin"]]).toEqual(["000.100.110", "411111"]);
    expect(sandbox.ledger().at(-1)?.referencedId).toBe(original.id);
    expect(netBookings(sandbox.ledger())).toMatchObject([{ held: 1234 }, { held: 500 }]);
  });
});

test("what goes on from a payment without a terminal tells nothing of one", async () => {
  const { send, raise, refer } = bench();
  const { body } = await send("/v1/payments", CARD, { amount: "20.00", currency: "EUR", paymentType: "PA" });
  const { body: debit } = await send("/v1/payments", CARD, { amount: "20.00", currency: "EUR", paymentType: "DB" });
  const later = [
    await raise(body.id, "5.00"),
    await refer(body.id, "CP", "3.00"),
    await refer(debit.id, "RF", "2.00"),
    await refer(debit.id, "RB", "1.00"),
  ];
  expect(later.map((each) => [each.code, each.body.pos])).toEqual(later.map(() => ["000.100.110", undefined]));
});
