import { describe, expect, it, test } from "vitest";
import { countedExchange, type ExchangeSeen, exchangeSeen } from "../../../src/gateway/exchange-failure.ts";
import type { HttpOutcome } from "../../../src/gateway/http-exchange.ts";
import { codeClasses } from "../../../src/gateway/result-codes.ts";
import { gatewayErrors } from "../../../src/observe/metrics.ts";

const answered = (status: number, body: string): HttpOutcome => ({ is: "answered", status, body });
const reply = (code: string): string => JSON.stringify({ id: "x", result: { code, description: "" } });

const cases: readonly [string, HttpOutcome, ExchangeSeen][] = [
  ["no connection", { is: "not-sent", detail: "ECONNREFUSED" }, { failure: "network" }],
  ["a connection that broke", { is: "broken", detail: "ECONNRESET" }, { failure: "network" }],
  ["no answer in time", { is: "broken", detail: "late", fault: "timeout" }, { failure: "timeout" }],
  ["a certificate nobody trusts", { is: "not-sent", detail: "CERT", fault: "tls" }, { failure: "tls" }],
  ["a page of a proxy", answered(502, "<html>"), { failure: "http-5xx" }],
  ["a refusal without a reply", answered(403, "no"), { failure: "http-4xx" }],
  ["429 without a reply", answered(429, ""), { failure: "throttled" }],
  ["half a body", answered(200, '{"result":{"co'), { failure: "unreadable" }],
  ["a redirect", { is: "answered", status: 307, location: "/there", body: "" }, {}],
  ["an approval", answered(200, reply("000.000.000")), { codeClass: "success" }],
  ["a decline, which is nothing wrong", answered(402, reply("800.100.155")), { codeClass: "rejected-bank" }],
  ["a wrong parameter", answered(400, reply("200.300.404")), { codeClass: "format-validation" }],
  ["a channel that is not set up", answered(400, reply("600.200.500")), { codeClass: "configuration" }],
  ["too many requests", answered(429, reply("800.120.100")), { failure: "throttled", codeClass: "risk-validation" }],
  ["a code nobody knows", answered(200, reply("123.456.789")), { codeClass: "unmatched" }],
];

describe("an exchange with the gateway is counted as", () => {
  test.each(cases)("%s", (_, outcome, seen) => expect(exchangeSeen(outcome)).toEqual(seen));

  it("one of the classes that the metrics show from the start", () => {
    const failures = new Set(cases.flatMap(([, , { failure }]) => failure ?? []));
    expect([...failures].toSorted()).toEqual(gatewayErrors.toSorted());
  });
});

it("each request of the gateway is counted once, and its outcome is handed on as it is", async () => {
  const outcomes = cases.map(([, outcome]) => outcome);
  const counted: string[] = [];
  const http = countedExchange(
    {
      exchange: async () => outcomes.shift() ?? answered(200, ""),
      warm: () => undefined,
      close: async () => undefined,
    },
    {
      gatewayFailed: (failure) => void counted.push(failure),
      gatewayCoded: (codeClass, by = 1) => void counted.push(`code ${codeClass}${by === 1 ? "" : ` by ${by}`}`),
    },
  );
  expect(counted.splice(0)).toEqual(codeClasses.map((codeClass) => `code ${codeClass} by 0`));
  for (const [, outcome, { failure, codeClass }] of cases) {
    expect(await http.exchange({ method: "GET", url: "", headers: {}, deadlineMs: 1 })).toBe(outcome);
    expect(counted.splice(0)).toEqual([
      ...(failure === undefined ? [] : [failure]),
      ...(codeClass === undefined ? [] : [`code ${codeClass}`]),
    ]);
  }
});
