import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSandboxStore } from "../../../packages/sandbox/gateway/ledger/store.ts";
import { createSandbox, type Sandbox } from "../../../packages/sandbox/gateway/sandbox.ts";
import { type SandboxServer, serveSandbox } from "../../../packages/sandbox/gateway/server.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { ENTITY, formOf, type SaleOptions, simulatedTill, TOKEN } from "./simulated-till.ts";

let sandbox: Sandbox;
let server: SandboxServer;
let reported: string[];

beforeEach(async () => {
  reported = [];
  sandbox = createSandbox({
    clock: systemClock,
    random: seededRandom(3),
    store: openSandboxStore(":memory:"),
    entities: [{ entityId: ENTITY, token: TOKEN }],
  });
  server = await serveSandbox(sandbox, 0, (problem) => reported.push(problem));
});
afterEach(async () => {
  await server.close();
  expect(reported).toEqual([]);
});

const today = new Date(systemClock.now()).toISOString().slice(2, 10).replaceAll("-", "");

function sell(options: SaleOptions = {}): Promise<Response> {
  return fetch(`${server.url}v1/payments`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/x-www-form-urlencoded; charset=UTF-8" },
    body: formOf(simulatedTill().sale({ date: today, ...options }).fields),
  });
}

function fault(body: unknown): Promise<Response> {
  return fetch(`${server.url}sandbox/v1/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** A request with headers that fetch would not let through. */
function statusWith(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { port: server.port, host: "127.0.0.1", path: "/sandbox/v1/ledger", headers },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    request.on("error", reject);
    request.end();
  });
}

describe("over real HTTP", () => {
  test("a sale is approved and stands in the ledger", async () => {
    const response = await sell({ merchantTransactionId: "over-http" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(await response.json()).toMatchObject({ amount: "12.34", result: { code: "000.100.110" } });
    const ledger = await fetch(`${server.url}sandbox/v1/ledger?merchantTransactionId=over-http`);
    expect(await ledger.json()).toMatchObject({ bookings: [{ merchantTransactionId: "over-http" }] });
  });

  test.each([
    ["drop-before", 0],
    ["drop-after", 1],
    ["reset-mid-body", 1],
  ])("%s breaks the connection and leaves %i rows", async (deed, rows) => {
    expect((await fault({ do: deed })).status).toBe(201);
    await expect(sell().then((response) => response.text())).rejects.toThrow(TypeError);
    expect(sandbox.ledger()).toHaveLength(rows);
  });

  test("truncated-json is a whole answer with half of a body", async () => {
    await fault({ do: "truncated-json" });
    const text = await (await sell()).text();
    expect(text).toMatch(/^\{"id":/);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  test("close ends at once, also with a delayed reply and an idle connection open", async () => {
    await fault({ do: "delay", delayMs: 60_000 });
    const idle = connect(server.port, "127.0.0.1");
    await once(idle, "connect");
    idle.on("error", () => undefined);
    const sale = sell().catch(() => undefined);
    while (sandbox.ledger().length === 0) await new Promise((resolve) => setImmediate(resolve));
    const began = performance.now();
    await server.close();
    await sale;
    expect(performance.now() - began).toBeLessThan(30_000);
    server = await serveSandbox(sandbox, 0, (problem) => reported.push(problem));
  });

  test("a port that is taken is an error with its code", async () => {
    await expect(serveSandbox(sandbox, server.port, () => undefined)).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  test("a body that never ends is cut off with HTTP 413", async () => {
    const response = await fetch(`${server.url}v1/payments`, { method: "POST", body: "a".repeat(5 * 1_048_576) }).then(
      ({ status }) => status,
      () => 413,
    );
    expect(response).toBe(413);
  });
});

describe("who may call", () => {
  test.each([
    ["evil.example", 421],
    ["127.0.0.1", 421],
  ])("Host %s is refused with %i", async (host, status) => {
    expect(await statusWith({ host })).toBe(status);
  });

  test("Host localhost is served as well", async () => {
    expect(await statusWith({ host: `localhost:${server.port}` })).toBe(200);
  });

  test.each(["https://shop.example", "null", "http://127.0.0.1:1"])("Origin %s is refused", async (origin) => {
    expect(await statusWith({ origin })).toBe(403);
  });

  test("the sandbox's own page may", async () => {
    expect(await statusWith({ origin: `http://127.0.0.1:${server.port}` })).toBe(200);
  });
});
