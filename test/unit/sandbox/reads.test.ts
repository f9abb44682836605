import { describe, expect, test } from "vitest";
import { bench } from "./bench.ts";
import { ENTITY, TOKEN } from "./simulated-till.ts";

const OTHER_ENTITY = "8a8294174b7ecb28014b9699220015cb";

describe("GET /v1/query", () => {
  test("finds every transaction of a merchantTransactionId", async () => {
    const { sell, query } = bench();
    await sell({ merchantTransactionId: "tried-twice", pin: "9999" });
    await sell({ merchantTransactionId: "tried-twice" });
    const { status, code, body } = await query("tried-twice");
    expect({ status, code }).toEqual({ status: 200, code: "000.000.100" });
    expect(body.payments?.map(({ result }) => result.code)).toEqual(["800.100.166", "000.100.110"]);
  });

  test("knows nothing: HTTP 404 and 700.400.580", async () => {
    expect(await bench().query("never-sent")).toMatchObject({ status: 404, code: "700.400.580" });
  });

  test("leaves captures, reversals and refunds out unless linked transactions are asked for", async () => {
    const { sell, refer, query } = bench();
    const sale = await sell({ merchantTransactionId: "whole-story" });
    const capture = await refer(sale.body.id, "CP", "12.34", { merchantTransactionId: "its-capture" });
    await refer(capture.body.id, "RF", "1.00");
    expect((await query("whole-story")).body.payments?.map(({ paymentType }) => paymentType)).toEqual(["PA"]);
    const linked = (await query("whole-story", true)).body.payments ?? [];
    expect(linked.map(({ paymentType, referencedId }) => [paymentType, referencedId])).toEqual([
      ["PA", undefined],
      ["CP", sale.body.id],
      ["RF", capture.body.id],
    ]);
    expect((await query("its-capture", true)).body.payments).toHaveLength(3);
  });

  test("filters by type, and stops at the limit", async () => {
    const { sell, get } = bench();
    for (let at = 0; at < 101; at += 1)
      await sell({ merchantTransactionId: "many-times", pin: null, paymentType: at === 0 ? "DB" : "PA" });
    const address = `/v1/query?entityId=${ENTITY}&merchantTransactionId=many-times`;
    expect((await get(address)).body.payments).toHaveLength(100);
    expect((await get(`${address}&limit=500`)).body.payments).toHaveLength(101);
    expect((await get(`${address}&paymentTypes=DB,CP`)).body.payments).toHaveLength(1);
    expect((await get(`${address}&paymentMethods=DD`)).code).toBe("700.400.580");
  });

  test("finds by a time frame, both ends included", async () => {
    const { sell, get, clock } = bench();
    await sell();
    await clock.advance(60_000);
    await sell();
    const between = (from: string, to: string) =>
      get(`/v1/query?entityId=${ENTITY}&date.from=${encodeURIComponent(from)}&date.to=${encodeURIComponent(to)}`);
    expect((await between("2026-11-21 10:00:00", "2026-11-21 10:01:00")).body.payments).toHaveLength(2);
    expect((await between("2026-11-21 10:00:01", "2026-11-21 10:01:00")).body.payments).toHaveLength(1);
    expect((await between("2026-11-21 11:00:00", "2026-11-21 12:00:00")).code).toBe("700.400.580");
  });

  test("sees its own entity only", async () => {
    const { sell, get } = bench({ entities: [ENTITY, OTHER_ENTITY].map((entityId) => ({ entityId, token: TOKEN })) });
    const { body } = await sell({ merchantTransactionId: "on-one-channel" });
    expect((await get(`/v1/query?entityId=${OTHER_ENTITY}&merchantTransactionId=on-one-channel`)).code).toBe(
      "700.400.580",
    );
    expect((await get(`/v1/payments/${body.id}?entityId=${OTHER_ENTITY}`)).code).toBe("700.400.580");
  });

  test("tells what is not settled as it stands", async () => {
    const { sell, query, clock } = bench();
    await sell({ merchantTransactionId: "pending-sale", amount: "9300.06" });
    expect((await query("pending-sale")).body.payments).toMatchObject([{ result: { code: "000.200.000" } }]);
    await clock.advance(30_000);
    expect((await query("pending-sale")).body.payments).toMatchObject([
      { amount: "9300.06", result: { code: "000.100.110" } },
    ]);
  });
});

describe("reading one payment", () => {
  test.each(["payments", "query"])("GET /v1/%s/{id} tells the payment itself", async (resource) => {
    const { sell, get } = bench();
    const { body } = await sell();
    const read = await get(`/v1/${resource}/${body.id}?entityId=${ENTITY}`);
    expect(read).toMatchObject({
      status: 200,
      code: "000.100.110",
      body: { id: body.id, amount: "12.34", pos: body.pos },
    });
  });

  test("with linked transactions it is the envelope of a query", async () => {
    const { sell, refer, get } = bench();
    const { body } = await sell();
    await refer(body.id, "RV");
    const read = await get(`/v1/query/${body.id}?entityId=${ENTITY}&includeLinkedTransactions=true`);
    expect(read.body.payments?.map(({ paymentType }) => paymentType)).toEqual(["PA", "RV"]);
  });

  test("a declined one is HTTP 400, an unknown one 404", async () => {
    const { sell, get } = bench();
    const { body } = await sell({ pin: "9999" });
    expect(await get(`/v1/payments/${body.id}?entityId=${ENTITY}`)).toMatchObject({ status: 400, code: "800.100.166" });
    expect(await get(`/v1/payments/${"0".repeat(32)}?entityId=${ENTITY}`)).toMatchObject({
      status: 404,
      code: "700.400.580",
    });
  });
});

describe("throttling", () => {
  test("lets two queries of an entity through in a minute, whatever they ask for", async () => {
    const { sell, query, clock } = bench({ throttling: true });
    await sell({ merchantTransactionId: "first-sale" });
    expect((await query("first-sale")).code).toBe("000.000.100");
    await clock.advance(20_000);
    expect((await query("other-sale")).code).toBe("700.400.580");
    const third = await query("first-sale");
    expect(third).toMatchObject({
      code: "800.120.100",
      body: { id: expect.any(String), ndc: expect.any(String), buildNumber: expect.any(String) },
    });
    await clock.advance(39_999);
    expect((await query("first-sale")).code).toBe("800.120.100");
    await clock.advance(1);
    expect((await query("first-sale")).code).toBe("000.000.100");
  });

  test("lets two reads of each payment through in a minute", async () => {
    const { sell, get, sandbox } = bench({ throttling: true });
    const first = `/v1/payments/${(await sell()).body.id}?entityId=${ENTITY}`;
    const second = `/v1/payments/${(await sell()).body.id}?entityId=${ENTITY}`;
    const codes: string[] = [];
    for (const path of [first, first, first, second]) codes.push((await get(path)).code);
    expect(codes).toEqual(["000.100.110", "000.100.110", "800.120.100", "000.100.110"]);
    sandbox.advance(60_000);
    expect((await get(first)).code).toBe("000.100.110");
  });

  test("never holds a payment up", async () => {
    const { sell } = bench({ throttling: true });
    for (let at = 0; at < 5; at += 1) expect((await sell()).code).toBe("000.100.110");
  });
});
