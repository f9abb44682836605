import { expect, it } from "vitest";
import type { HttpOutcome, HttpRequest } from "../../../src/gateway/http-exchange.ts";
import { createProbe } from "../../../src/gateway/probe.ts";
import { sleep } from "../../../src/kit/clock.ts";
import { Secret } from "../../../src/kit/secret.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const NOW = Date.UTC(2026, 0, 15, 9);
const ENTITY = "8a8294174b7ecb28014b9699220015ca";

/** A gateway that takes a tenth of a second to say that. */
function probing(outcome: HttpOutcome | Error) {
  const clock = createVirtualClock(NOW);
  const requests: HttpRequest[] = [];
  const exchange = async (request: HttpRequest): Promise<HttpOutcome> => {
    requests.push(request);
    await sleep(clock, 100);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const probe = createProbe({
    http: { exchange },
    clock,
    baseUrl: "https://gateway.example/eu/",
    accessToken: new Secret("token-1"),
  });
  const during = async <T>(asked: Promise<T>): Promise<T> => {
    await clock.advance(100);
    return asked;
  };
  return { requests, reach: () => during(probe.reach()), ask: () => during(probe.ask(ENTITY)) };
}

const page = (date?: string): HttpOutcome => ({
  is: "answered",
  status: 404,
  body: "",
  ...(date !== undefined && { date }),
});
const result = (code: string, status = 200): HttpOutcome => ({
  is: "answered",
  status,
  body: JSON.stringify({ result: { code, description: "x" } }),
});

it("asks for the base address without a token, and holds the clock against the answer's date", async () => {
  const { reach, requests } = probing(page(new Date(NOW + 90_000).toUTCString()));
  expect(await reach()).toEqual({
    address: "https://gateway.example",
    answered: true,
    tookMs: 100,
    clockAheadMs: 90_450,
  });
  expect(requests).toEqual([
    expect.objectContaining({ method: "GET", url: "https://gateway.example/eu/", headers: { accept: "*/*" } }),
  ]);
});

it.each([undefined, "yesterday"])("tells no time where the answer's date is %s", async (date) => {
  expect(await probing(page(date)).reach()).toEqual({
    address: "https://gateway.example",
    answered: true,
    tookMs: 100,
  });
});

it.each<readonly [HttpOutcome | Error, string]>([
  [{ is: "not-sent", detail: "ECONNREFUSED" }, "ECONNREFUSED"],
  [{ is: "broken", detail: "cut" }, "cut"],
  [new Error("defect"), "the exchange failed"],
])("does not reach a gateway that says %j", async (outcome, detail) => {
  expect(await probing(outcome).reach()).toEqual({
    address: "https://gateway.example",
    answered: false,
    detail,
    tookMs: 100,
  });
});

it("queries a payment that cannot exist, which moves nothing", async () => {
  const { ask, requests } = probing(result("700.400.580"));
  expect(await ask()).toEqual({ is: "let-in" });
  const [request] = requests;
  expect([request?.method, request?.body, request?.headers["authorization"]]).toEqual([
    "GET",
    undefined,
    "Bearer token-1",
  ]);
  const { pathname, searchParams } = new URL(request?.url ?? "");
  expect([pathname, searchParams.get("entityId"), searchParams.get("merchantTransactionId")]).toEqual([
    "/eu/v1/query",
    ENTITY,
    "posbridge-checks-its-credentials",
  ]);
});

it.each<readonly [HttpOutcome | Error, object]>([
  [result("000.000.100"), { is: "let-in" }],
  [result("800.900.300", 401), { is: "not-let-in", resultCode: "800.900.300" }],
  [result("800.900.300", 403), { is: "not-let-in", resultCode: "800.900.300" }],
  [result("800.121.100"), { is: "not-let-in", resultCode: "800.121.100" }],
  [
    { is: "answered", status: 403, body: "<html>" },
    { is: "not-let-in", detail: "HTTP 403" },
  ],
  [result("200.300.404", 400), { is: "refused", resultCode: "200.300.404" }],
  [result("800.120.100"), { is: "throttled" }],
  [{ is: "answered", status: 429, body: "slow down" }, { is: "throttled" }],
  [result("900.100.600"), { is: "no-answer", detail: "it is out of order just now" }],
  [
    { is: "answered", status: 502, body: "<html>" },
    { is: "no-answer", detail: "HTTP 502" },
  ],
  [
    { is: "not-sent", detail: "ECONNREFUSED" },
    { is: "no-answer", detail: "ECONNREFUSED" },
  ],
  [new Error("defect"), { is: "no-answer", detail: "the exchange failed" }],
])("takes %j for %j", async (outcome, asked) => {
  expect(await probing(outcome).ask()).toEqual(asked);
});
