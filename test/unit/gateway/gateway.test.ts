import { afterEach, describe, expect, test } from "vitest";
import type { GatewayOrder } from "../../../src/engine/ports.ts";
import { createGateway } from "../../../src/gateway/gateway.ts";
import type { HttpExchange, HttpOutcome, HttpRequest } from "../../../src/gateway/http-exchange.ts";
import { createHttps } from "../../../src/gateway/https.ts";
import { Secret } from "../../../src/kit/secret.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { bodyOf, httpServer } from "./loopback-server.ts";

const ENTITY = "8a8294174b7ecb28014b9699220015ca";
const ID = "8ac7a4a282d522f70182d53e7a873640";
const SRED = "FC0D53B7EA1FDA9EE68AAF2E70D9B9506229BE2AA993F04F";
const ICC = "9F0206000000001234";

const SALE: GatewayOrder = {
  operation: {
    merchantTransactionId: "0123456789abcdef",
    paymentType: "PA",
    amount: 1234,
    currency: "EUR",
    entityId: ENTITY,
  },
  channel: { environment: "test", entityId: ENTITY, settlement: "dual" },
  device: { terminalId: "87654321", pinEntry: true },
  card: { entryMode: "ICC", icc: ICC },
  sealed: { sred: { data: new Secret(SRED), ksn: "FFFF9876543210E00001" } },
  parameters: {},
};
const SEARCH = { channel: SALE.channel, of: { merchantTransactionId: "0123456789abcdef" } };
const APPROVED = JSON.stringify({
  id: ID,
  paymentType: "PA",
  amount: "12.34",
  currency: "EUR",
  result: { code: "000.000.000" },
});

const reply = (body: string, status = 200): HttpOutcome => ({ is: "answered", status, body });
const redirect = (location: string): HttpOutcome => ({ is: "answered", status: 307, location, body: "" });

/** A gateway over an exchange that answers from a list. */
function worldOf(outcomes: readonly (HttpOutcome | Error)[], baseUrl = "https://gateway.example/") {
  const requests: HttpRequest[] = [];
  const lines: string[] = [];
  const clock = createVirtualClock(0);
  let warmed = 0;
  const http: HttpExchange = {
    exchange: async (request) => {
      const outcome = outcomes[requests.length];
      requests.push(request);
      await clock.advance(1000);
      if (outcome === undefined || outcome instanceof Error) throw outcome ?? new Error("asked too often");
      return outcome;
    },
    warm: () => {
      warmed += 1;
    },
    close: async () => undefined,
  };
  const write = (fields: object, message: string): void => {
    lines.push(JSON.stringify({ ...fields, message }));
  };
  const gateway = createGateway({
    http,
    baseUrl,
    accessToken: new Secret("sandbox-token"),
    clock,
    log: { debug: write, warn: write },
  });
  return { gateway, clock, requests, lines, warmed: () => warmed };
}

test("a sale is one POST with the token, and its reply is the answer", async () => {
  const { gateway, requests } = worldOf([reply(APPROVED)]);
  expect(await gateway.post(SALE, 45_000)).toMatchObject({ is: "approved", id: ID, amount: 1234 });
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({
    method: "POST",
    url: "https://gateway.example/v1/payments",
    headers: {
      authorization: "Bearer sandbox-token",
      "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
    },
    body: expect.stringContaining(`pos.encryptedSred.data=${SRED}`),
    deadlineMs: 45_000,
  });
});

test("a capture goes to the booking it refers to, below the base address", async () => {
  const { gateway, requests } = worldOf([reply(APPROVED.replace('"PA"', '"CP"'))], "https://gateway.example/prefix/");
  const capture = { ...SALE, operation: { ...SALE.operation, paymentType: "CP" as const, referencedId: ID } };
  expect(await gateway.post(capture, 45_000)).toMatchObject({ is: "approved" });
  expect(requests[0]?.url).toBe(`https://gateway.example/prefix/v1/payments/${ID}`);
});

test("a search is one GET without a body", async () => {
  const { gateway, requests } = worldOf([reply(JSON.stringify({ result: { code: "700.400.580" } }), 404)]);
  expect(await gateway.search(SEARCH, 10_000)).toEqual({ is: "absent" });
  expect(requests[0]).toEqual({
    method: "GET",
    url: `https://gateway.example/v1/query?entityId=${ENTITY}&merchantTransactionId=0123456789abcdef&includeLinkedTransactions=true`,
    headers: { authorization: "Bearer sandbox-token", accept: "application/json" },
    deadlineMs: 10_000,
  });
});

test("a search by the gateway's id asks for that one and what is linked to it", async () => {
  const { gateway, requests } = worldOf([reply(JSON.stringify({ result: { code: "700.400.580" } }), 404)]);
  expect(await gateway.search({ ...SEARCH, of: { id: ID } }, 10_000)).toEqual({ is: "absent" });
  expect(requests.map(({ url }) => url)).toEqual([
    `https://gateway.example/v1/query/${ID}?entityId=${ENTITY}&includeLinkedTransactions=true`,
  ]);
});

test("a search by its id is answered with a list, and by nothing else", async () => {
  const { gateway } = worldOf([
    reply(JSON.stringify({ result: { code: "000.000.100" }, payments: [JSON.parse(APPROVED)] })),
    reply(APPROVED),
  ]);
  const found = { is: "found", bookings: [{ id: ID, answer: { is: "approved" } }] };
  expect(await gateway.search({ ...SEARCH, of: { id: ID } }, 10_000)).toMatchObject(found);
  expect(await gateway.search({ ...SEARCH, of: { id: ID } }, 10_000)).toMatchObject({ is: "no-answer" });
});

test.each(["", "../payments", "a?b", "a/b", "x".repeat(65)])(
  "a search by %j, which the gateway can have given nobody, never leaves",
  async (id) => {
    const { gateway, requests } = worldOf([]);
    expect(await gateway.search({ ...SEARCH, of: { id } }, 10_000)).toEqual({ is: "absent" });
    expect(requests).toEqual([]);
  },
);

test("a deletion is a DELETE without a body, and its answer needs no id", async () => {
  const { gateway, requests } = worldOf([reply(JSON.stringify({ result: { code: "000.000.000" } }))]);
  const operation = {
    merchantTransactionId: "0123456789abcdef",
    paymentType: "DR" as const,
    entityId: ENTITY,
    referencedId: ID,
  };
  expect(await gateway.post({ ...SALE, operation }, 45_000)).toMatchObject({ is: "approved", id: ID });
  expect(requests).toEqual([
    {
      method: "DELETE",
      url: expect.stringMatching(`^https://gateway.example/v1/registrations/${ID}[?]entityId=${ENTITY}`),
      headers: { authorization: "Bearer sandbox-token", accept: "application/json" },
      deadlineMs: 45_000,
    },
  ]);
});

test("an issuer that wants the cardholder says so to whoever asks, by a payment's own answer and by a query alike", async () => {
  const row = {
    id: ID,
    paymentType: "PA",
    merchantTransactionId: "0123456789abcdef",
    result: { code: "800.100.152" },
    resultDetails: { AcquirerResponse: "65" },
  };
  const { gateway } = worldOf([
    reply(JSON.stringify(row), 400),
    reply(JSON.stringify({ result: { code: "000.000.100" }, payments: [row] })),
  ]);
  const said = { is: "declined", why: "host-declined", wantsCardholder: true, issuer: { responseCode: "65" } };
  expect(await gateway.post({ ...SALE, card: { entryMode: "NFC_ICC", icc: ICC } }, 45_000)).toMatchObject(said);
  expect(await gateway.search(SEARCH, 10_000)).toMatchObject({ is: "found", bookings: [{ answer: said }] });
});

test("an order that the specification rules out never leaves", async () => {
  const { gateway, requests, lines } = worldOf([]);
  const bad = { ...SALE, device: { terminalId: "T1", pinEntry: true } };
  expect(await gateway.post(bad, 45_000)).toEqual({
    is: "not-booked",
    why: "refused",
    resultCode: "",
    description: "not sent: pos.terminalId must be 1-32 digits",
  });
  expect(requests).toEqual([]);
  expect(lines).toEqual([expect.stringContaining("pos.terminalId must be 1-32 digits")]);
});

test("warming is handed on", () => {
  const { gateway, warmed } = worldOf([]);
  gateway.warm();
  expect(warmed()).toBe(1);
});

test("a base address that is not safe is refused at once", () => {
  expect(() => worldOf([], "http://gateway.example/")).toThrow("gateway.baseUrl must be https");
});

describe("nothing rejects, nothing is repeated", () => {
  test.each([
    [{ is: "not-sent", detail: "refused" } as const, { is: "not-booked", why: "not-sent" }, { is: "no-answer" }],
    [{ is: "broken", detail: "reset" } as const, { is: "unknown" }, { is: "no-answer" }],
    [reply("<html></html>", 502), { is: "unknown" }, { is: "no-answer" }],
    [reply("", 429), { is: "throttled" }, { is: "throttled" }],
    [new Error("a bug"), { is: "unknown" }, { is: "no-answer" }],
  ])("%o", async (outcome, answer, result) => {
    const posted = worldOf([outcome]);
    expect(await posted.gateway.post(SALE, 45_000)).toMatchObject(answer);
    expect(posted.requests).toHaveLength(1);
    const searched = worldOf([outcome]);
    expect(await searched.gateway.search(SEARCH, 45_000)).toMatchObject(result);
    expect(searched.requests).toHaveLength(1);
  });
});

describe("a redirect", () => {
  test("to the same origin is followed with the same request and what is left of the time", async () => {
    const { gateway, requests } = worldOf([redirect("/v1/payments?lane=2"), reply(APPROVED)]);
    expect(await gateway.post(SALE, 45_000)).toMatchObject({ is: "approved" });
    expect(requests[1]).toEqual({
      ...requests[0],
      url: "https://gateway.example/v1/payments?lane=2",
      deadlineMs: 44_000,
    });
  });

  test.each([
    "https://elsewhere.example/v1/payments",
    "http://gateway.example/v1/payments",
    "https://gateway.example:8443/v1/payments",
    "//elsewhere.example/",
    "https://",
  ])("to %s is not followed, and the payment is unknown", async (location) => {
    const { gateway, requests } = worldOf([redirect(location)]);
    expect(await gateway.post(SALE, 45_000)).toMatchObject({
      is: "unknown",
      description: expect.stringContaining("HTTP 307"),
    });
    expect(requests).toHaveLength(1);
  });

  test("without an address is unknown", async () => {
    const { gateway } = worldOf([{ is: "answered", status: 307, body: "" }]);
    expect(await gateway.post(SALE, 45_000)).toMatchObject({ is: "unknown" });
  });

  test("that goes round in circles ends after three", async () => {
    const { gateway, requests } = worldOf(Array.from({ length: 9 }, () => redirect("/v1/payments")));
    expect(await gateway.post(SALE, 45_000)).toMatchObject({ is: "unknown" });
    expect(requests).toHaveLength(4);
  });

  test("makes a lost second request unknown, because the first one arrived", async () => {
    const { gateway } = worldOf([redirect("/v1/payments"), { is: "not-sent", detail: "refused" }]);
    expect(await gateway.post(SALE, 45_000)).toMatchObject({ is: "unknown", description: "after a redirect: refused" });
  });
});

describe("the log", () => {
  test.each([
    ["an answer", reply(APPROVED)],
    ["no answer", { is: "broken", detail: "reset" } as const],
  ])("gets its line of %s once the payment has it", async (_, outcome) => {
    const { gateway, clock, lines } = worldOf([outcome]);
    await gateway.post(SALE, 45_000);
    expect(lines).toEqual([]);
    await clock.advance(0);
    expect(lines).toHaveLength(1);
  });

  test("names fields, lengths, code and time, and no secret", async () => {
    const { gateway, clock, lines } = worldOf([reply(APPROVED)]);
    await gateway.post(SALE, 45_000);
    await clock.advance(0);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      method: "POST",
      path: "v1/payments",
      merchantTransactionId: "0123456789abcdef",
      fields: { "pos.iccDataRequest": ICC.length, "pos.encryptedSred.data": SRED.length },
      outcome: "answered",
      status: 200,
      resultCode: "000.000.000",
      durationMs: 1000,
    });
    for (const secret of ["sandbox-token", SRED, ICC, "FFFF9876543210E00001", "87654321"])
      expect(lines.join()).not.toContain(secret);
  });

  test("of a reply that is none says how long it was and nothing of it", async () => {
    const { gateway, clock, lines } = worldOf([reply("<html>4012345678909</html>", 502)]);
    await gateway.post(SALE, 45_000);
    await clock.advance(0);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ status: 502, length: 26 });
    expect(lines.join()).not.toContain("4012345678909");
  });
});

describe("over real connections", () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  test("a redirect to another server never gets the token or the card's data", async () => {
    const elsewhere = await httpServer((_, response) => response.end(APPROVED));
    const bodies: string[] = [];
    const server = await httpServer(async (request, response) => {
      bodies.push(await bodyOf(request));
      const location = request.url === "/v1/payments" ? "/moved" : `${elsewhere.baseUrl}v1/payments`;
      response.writeHead(307, { location }).end();
    });
    const clock = createVirtualClock(0);
    const http = createHttps({ baseUrl: server.baseUrl, clock });
    ends.push(elsewhere.stop, server.stop, () => http.close());
    const quiet = { debug: () => undefined, warn: () => undefined };
    const gateway = createGateway({
      http,
      baseUrl: server.baseUrl,
      accessToken: new Secret("sandbox-token"),
      clock,
      log: quiet,
    });
    expect(await gateway.post(SALE, 45_000)).toMatchObject({ is: "unknown" });
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toBe(bodies[0]);
    expect(elsewhere.connections()).toBe(0);
  });
});
