import { describe, expect, test } from "vitest";
import { bench } from "./bench.ts";
import { formOf } from "./simulated-till.ts";

describe("faults", () => {
  test("drop-before cuts the connection and books nothing, not even at the issuer", async () => {
    const { fault, raw, till, post, sandbox } = bench();
    await fault({ do: "drop-before" });
    const sale = till.sale();
    expect(await raw("POST", "/v1/payments", formOf(sale.fields))).toEqual({ is: "cut" });
    expect(sandbox.ledger()).toEqual([]);
    expect((await post("/v1/payments", sale.fields)).code).toBe("000.100.110");
  });

  test("drop-after books and loses the reply; a query finds the payment with what the card needs", async () => {
    const { fault, raw, till, query, sandbox } = bench();
    await fault({ on: { paymentType: "PA" }, do: "drop-after" });
    const sale = till.sale({ merchantTransactionId: "lost-reply" });
    expect(await raw("POST", "/v1/payments", formOf(sale.fields))).toEqual({ is: "cut" });
    const { body } = await query("lost-reply");
    expect(body.payments).toMatchObject([
      {
        id: sandbox.ledger()[0]?.id,
        amount: "12.34",
        result: { code: "000.100.110" },
        pos: { iccDataResponse: expect.stringMatching(/^8A/) },
      },
    ]);
  });

  test("delay books at once and answers when the time has come", async () => {
    const { fault, sell, sandbox, clock } = bench();
    await fault({ do: "delay", delayMs: 20_000 });
    let code: string | undefined;
    const sale = sell().then((reply) => {
      code = reply.code;
    });
    await clock.advance(19_999);
    expect(sandbox.ledger()).toHaveLength(1);
    expect(code).toBeUndefined();
    await clock.advance(1);
    await sale;
    expect(code).toBe("000.100.110");
    expect(clock.pending()).toBe(0);
  });

  test("a delay ends when the sandbox's clock is moved, and when the sandbox stops", async () => {
    const { fault, sell, sandbox } = bench();
    await fault({ do: "delay", times: 2 });
    const first = sell();
    sandbox.advance(90_000);
    expect((await first).code).toBe("000.100.110");
    const second = sell();
    sandbox.stop();
    expect((await second).code).toBe("000.100.110");
  });

  test("reset-mid-body books and sends half of the reply", async () => {
    const { fault, raw, till, sandbox } = bench();
    await fault({ do: "reset-mid-body" });
    const handled = await raw("POST", "/v1/payments", formOf(till.sale().fields));
    expect(handled.is === "cut" && handled.whole?.body.startsWith(handled.partial ?? "?")).toBe(true);
    expect(sandbox.ledger()).toHaveLength(1);
  });

  test.each([
    ["http-500", 500, 0],
    ["http-502-html", 502, 1],
    ["truncated-json", 200, 1],
  ])("%s answers HTTP %i without JSON and leaves %i rows", async (deed, status, rows) => {
    const { fault, raw, till, sandbox } = bench();
    await fault({ do: deed });
    const handled = await raw("POST", "/v1/payments", formOf(till.sale().fields));
    expect(handled).toMatchObject({ is: "reply", status });
    expect(() => JSON.parse(handled.is === "reply" ? handled.body : "{}")).toThrow(SyntaxError);
    expect(sandbox.ledger()).toHaveLength(rows);
  });

  test("throttle answers 800.120.100 and books nothing", async () => {
    const { fault, sell, sandbox } = bench();
    await fault({ do: "throttle" });
    expect((await sell()).code).toBe("800.120.100");
    expect(sandbox.ledger()).toEqual([]);
  });

  test("hide-from-query books, and queries know nothing of it for delayMs", async () => {
    const { fault, sell, query, get, clock, sandbox } = bench();
    await fault({ do: "hide-from-query", delayMs: 60_000 });
    const { code, body } = await sell({ merchantTransactionId: "hidden-sale" });
    expect(code).toBe("000.100.110");
    expect(await query("hidden-sale")).toMatchObject({ status: 404, code: "700.400.580" });
    expect((await get(`/v1/payments/${body.id}?entityId=${sandbox.ledger()[0]?.entityId}`)).code).toBe("700.400.580");
    await clock.advance(60_000);
    expect((await query("hidden-sale")).code).toBe("000.000.100");
  });

  test("hide-from-query goes together with a lost reply", async () => {
    const { fault, raw, till, query } = bench();
    await fault({ do: "hide-from-query" });
    await fault({ do: "drop-after" });
    const handled = await raw(
      "POST",
      "/v1/payments",
      formOf(till.sale({ merchantTransactionId: "hidden-and-lost" }).fields),
    );
    expect(handled.is).toBe("cut");
    expect((await query("hidden-and-lost")).code).toBe("700.400.580");
  });

  test.each<[string, string, string]>([
    ["000.400.000", "000.400.000", "success books"],
    ["000.400.040", "000.400.040", "half is booked"],
    ["900.100.300", "000.100.110", "booked, though the reply does not know"],
    ["900.100.400", "000.100.110", "booked, though the reply does not know"],
    ["900.100.500", "000.100.110", "booked, though the reply does not know"],
    ["000.400.030", "000.400.030", "still booked"],
    ["800.100.152", "800.100.152", "declined"],
    ["900.100.200", "900.100.200", "an error"],
    ["000.200.000", "800.100.152", "pending, then declined"],
  ])("{ result: %s } is answered, and %s is what the ledger says: %s", async (answer, ledger) => {
    const { fault, sell, sandbox } = bench();
    await fault({ do: { result: answer } });
    expect((await sell()).code).toBe(answer);
    expect(sandbox.ledger()).toMatchObject([{ answeredCode: answer, resultCode: ledger }]);
  });

  test("{ result: 900.100.301 } leaves the booking and the gateway's own reversal", async () => {
    const { fault, sell, sandbox } = bench();
    await fault({ do: { result: "900.100.301" } });
    const { body } = await sell();
    expect(sandbox.ledger()).toMatchObject([
      { resultCode: "900.100.301" },
      { paymentType: "RV", referencedId: body.id, resultCode: "000.100.110" },
    ]);
  });

  test("{ result } on CP, RV and RF spoils what is allowed and never allows what is not", async () => {
    const { fault, sell, refer } = bench();
    const { body } = await sell();
    await fault({ on: { paymentType: "CP" }, do: { result: "900.100.600" } });
    expect((await refer(body.id, "CP", "12.34")).code).toBe("900.100.600");
    await fault({ on: { paymentType: "CP" }, do: { result: "000.100.110" } });
    expect((await refer(body.id, "CP", "99.00")).code).toBe("700.400.100");
  });

  test("meet queries too", async () => {
    const { fault, sell, query } = bench();
    await sell({ merchantTransactionId: "asked-for" });
    await fault({ on: { path: "/v1/query" }, do: { result: "800.800.400" } });
    expect((await query("asked-for")).code).toBe("800.800.400");
    expect((await query("asked-for")).code).toBe("000.000.100");
  });

  test("meet what they name, as often as they say, the oldest first", async () => {
    const { fault, sell, refer } = bench();
    await fault({ on: { paymentType: "PA", merchantTransactionId: "just-this-one" }, do: { result: "800.100.152" } });
    await fault({ on: { path: "/v1/payments", paymentType: "DB" }, do: { result: "800.100.155" }, times: 2 });
    await fault({ do: { result: "800.100.162" } });
    const codes: string[] = [];
    for (const options of [
      { paymentType: "DB", merchantTransactionId: "first-debit" },
      { paymentType: "PA", merchantTransactionId: "just-this-one" },
      { paymentType: "DB", merchantTransactionId: "second-debit" },
      { paymentType: "DB", merchantTransactionId: "third-debit" },
      { paymentType: "DB", merchantTransactionId: "fourth-debit" },
    ] as const) {
      codes.push((await sell(options)).code);
    }
    expect(codes).toEqual(["800.100.155", "800.100.152", "800.100.155", "800.100.162", "000.100.110"]);
    expect((await refer((await sell()).body.id, "RV")).code).toBe("000.100.110");
  });

  test("come before the magic of an amount", async () => {
    const { fault, sell } = bench();
    await fault({ do: { result: "800.100.162" } });
    expect((await sell({ amount: "9100.05" })).code).toBe("800.100.162");
  });
});

describe("the control calls", () => {
  const JSON_TYPE = { "content-type": "application/json" };

  test("list and delete faults", async () => {
    const { fault, raw, sell } = bench();
    await fault({ do: "throttle", times: 5 });
    const listed = await raw("GET", "/sandbox/v1/faults");
    expect(listed.is === "reply" && JSON.parse(listed.body)).toEqual({
      faults: [{ on: {}, do: "throttle", times: 5 }],
    });
    await raw("DELETE", "/sandbox/v1/faults");
    expect((await sell()).code).toBe("000.100.110");
  });

  test.each([
    ["{", "body"],
    [JSON.stringify({ do: "explode" }), "do"],
    [JSON.stringify({ do: "delay", wait: 1 }), "wait"],
    [JSON.stringify({ do: "delay", times: 0 }), "times"],
    [JSON.stringify({ do: { result: "nope" } }), "do"],
    [JSON.stringify({ on: { amount: "1" }, do: "delay" }), "amount"],
  ])("refuse %s and say what is wrong", async (body, named) => {
    const handled = await bench().raw("POST", "/sandbox/v1/faults", body, JSON_TYPE);
    expect(handled).toMatchObject({ is: "reply", status: 400, body: expect.stringContaining(named) });
  });

  test("take JSON only where they change something", async () => {
    const handled = await bench().raw("POST", "/sandbox/v1/clock", '{"advanceMs":1}', { "content-type": "text/plain" });
    expect(handled).toMatchObject({ is: "reply", status: 415 });
  });

  test("move the clock forward, never back", async () => {
    const { raw } = bench();
    expect(await raw("POST", "/sandbox/v1/clock", '{"advanceMs":60000}', JSON_TYPE)).toMatchObject({
      body: '{"now":"2026-11-21T10:01:00.000Z"}',
    });
    expect(await raw("POST", "/sandbox/v1/clock", '{"advanceMs":-1}', JSON_TYPE)).toMatchObject({ status: 400 });
    expect(await raw("GET", "/sandbox/v1/clock")).toMatchObject({ body: '{"now":"2026-11-21T10:01:00.000Z"}' });
  });

  test.each([
    ["PUT", "/sandbox/v1/faults", 404],
    ["GET", "/sandbox/v1/secrets", 404],
    ["GET", "/sandbox/v1/ledger?merchantTransactionid=x", 400],
  ])("%s %s is refused", async (method, path, status) => {
    expect(await bench().raw(method, path)).toMatchObject({ is: "reply", status });
  });
});

test("the page lists entities, magic amounts, test cards and faults", async () => {
  const handled = await bench().raw("GET", "/");
  const text = handled.is === "reply" ? handled.body : "";
  for (const part of ["8a8294174b7ecb28014b9699220015ca", "9300.01", "visa-contact", "hide-from-query"])
    expect(text).toContain(part);
});

test("the result codes are those of the catalogue", async () => {
  const handled = await bench().raw("GET", "/v1/resultcodes", "", { authorization: "Bearer sandbox-token" });
  const { resultCodes } = JSON.parse(handled.is === "reply" ? handled.body : "{}");
  expect(resultCodes).toHaveLength(659);
  expect(resultCodes[0]).toEqual({ code: "000.000.000", description: expect.any(String) });
});
