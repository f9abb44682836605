import { request as httpRequest } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { Handled } from "../../../packages/sandbox/gateway/exchange.ts";
import { openSandboxStore } from "../../../packages/sandbox/gateway/ledger/store.ts";
import { createSandbox } from "../../../packages/sandbox/gateway/sandbox.ts";
import { type SandboxServer, serveSandbox } from "../../../packages/sandbox/gateway/server.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { type Bench, bench } from "./bench.ts";
import { ENTITY, formOf, TOKEN } from "./simulated-till.ts";

const PAGE = "http://127.0.0.1:7717";

async function serve(): Promise<SandboxServer> {
  const sandbox = createSandbox({
    clock: systemClock,
    random: seededRandom(3),
    store: openSandboxStore(":memory:"),
    entities: [{ entityId: ENTITY, token: TOKEN }],
  });
  const never = (problem: string): void => {
    throw new Error(problem);
  };
  const server = await serveSandbox(sandbox, 0, never, () => [PAGE]);
  onTestFinished(() => server.close());
  return server;
}

/** node:http, because fetch does not let a test choose its Origin. */
function ask({ port }: SandboxServer, method: string, path: string, origin: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    readonly status: number | undefined;
    readonly headers: Readonly<Record<string, unknown>>;
  }>();
  const call = httpRequest({ host: "127.0.0.1", port, method, path, headers: { origin } }, (response) => {
    response.resume();
    response.on("end", () => resolve({ status: response.statusCode, headers: response.headers }));
  });
  call.on("error", reject);
  call.end();
  return promise;
}

describe("a page of the demo", () => {
  test("reads the ledger, and its browser is told that it may order faults", async () => {
    const server = await serve();
    expect(await ask(server, "GET", "/sandbox/v1/ledger", PAGE)).toMatchObject({
      status: 200,
      headers: { "access-control-allow-origin": PAGE },
    });
    expect(await ask(server, "OPTIONS", "/sandbox/v1/faults", PAGE)).toMatchObject({
      status: 204,
      headers: { "access-control-allow-origin": PAGE, "access-control-allow-methods": "GET, POST, DELETE" },
    });
  });

  test("has no way to the gateway itself", async () => {
    const server = await serve();
    expect(await ask(server, "POST", "/v1/payments", PAGE)).toMatchObject({ status: 403 });
    expect(await ask(server, "OPTIONS", "/v1/payments", PAGE)).toMatchObject({ status: 403 });
  });

  test.each(["https://shop.example", "null", "http://127.0.0.1:1"])("of the origin %s gets nothing", async (origin) => {
    const server = await serve();
    for (const method of ["GET", "OPTIONS"]) {
      const { status, headers } = await ask(server, method, "/sandbox/v1/ledger", origin);
      expect(status).toBe(403);
      expect(headers).not.toHaveProperty("access-control-allow-origin");
    }
  });
});

const bodyOf = (handled: Handled): unknown => (handled.is === "reply" ? JSON.parse(handled.body) : undefined);
const requestsSchema = z.object({
  requests: z.array(z.looseObject({ n: z.number(), at: z.string(), method: z.string(), faults: z.array(z.string()) })),
});

async function requestsOf({ raw }: Bench) {
  return requestsSchema.parse(bodyOf(await raw("GET", "/sandbox/v1/requests", ""))).requests;
}

describe("GET requests", () => {
  test("tells each request, what it met, and what its sender was told; no other parameter of it", async () => {
    const on = bench();
    await on.fault({ on: { books: true }, do: "drop-after" });
    await on.raw("POST", "/v1/payments", formOf(on.till.sale({ merchantTransactionId: "lost-reply" }).fields));
    await on.query("lost-reply");
    const [lost, asked] = await requestsOf(on);
    expect(lost).toEqual({
      n: 1,
      at: expect.any(String),
      method: "POST",
      path: "/v1/payments",
      ...{ paymentType: "PA", merchantTransactionId: "lost-reply" },
      amount: "12.34",
      currency: "EUR",
      faults: ["drop-after"],
    });
    expect(asked).toMatchObject({
      n: 2,
      method: "GET",
      merchantTransactionId: "lost-reply",
      faults: [],
      status: 200,
      resultCode: "000.000.100",
      resultText: "A non-payment request was handled correctly",
    });
  });

  test("keeps the last 200", async () => {
    const on = bench({ throttling: false });
    for (let n = 0; n < 201; n += 1) await on.query(`try-${n}`);
    const requests = await requestsOf(on);
    expect(requests).toHaveLength(200);
    expect(requests[0]?.n).toBe(2);
  });
});

describe("faults", () => {
  test("that are for bookings leave queries alone, and the other way round", async () => {
    const on = bench({ throttling: false });
    await on.fault({ on: { books: true }, do: "http-500" });
    await on.fault({ on: { books: false }, do: "throttle" });
    expect((await on.query("nothing-there")).code).toBe("800.120.100");
    expect(await on.raw("POST", "/v1/payments", formOf(on.till.sale().fields))).toMatchObject({ status: 500 });
  });

  test("of one kind are taken back, and the others stay", async () => {
    const on = bench();
    for (const deed of ["throttle", "drop-after", { result: "800.100.155" }]) await on.fault({ do: deed });
    const left = z.object({ faults: z.array(z.object({ do: z.unknown() })) });
    expect(
      left.parse(bodyOf(await on.raw("DELETE", "/sandbox/v1/faults?do=throttle", ""))).faults.map((fault) => fault.do),
    ).toEqual(["drop-after", { result: "800.100.155" }]);
    expect(left.parse(bodyOf(await on.raw("DELETE", "/sandbox/v1/faults?do=result", ""))).faults).toEqual([
      expect.objectContaining({ do: "drop-after" }),
    ]);
    expect(await on.raw("DELETE", "/sandbox/v1/faults?do=everything", "")).toMatchObject({
      status: 400,
      body: expect.stringContaining("must be one of"),
    });
    expect(left.parse(bodyOf(await on.raw("DELETE", "/sandbox/v1/faults", ""))).faults).toEqual([]);
  });
});
