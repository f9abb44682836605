import { describe, expect, test } from "vitest";
import type { GatewayOrder } from "../../../src/engine/ports.ts";
import { createGateway } from "../../../src/gateway/gateway.ts";
import type { HttpOutcome, HttpRequest } from "../../../src/gateway/http-exchange.ts";
import { linkAnswerOf, linkSightOf } from "../../../src/gateway/links.ts";
import { Secret } from "../../../src/kit/secret.ts";
import { answerSchema, linkSightSchema } from "../../../src/payment/fact/answer.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const ENTITY = "8a8294174b7ecb28014b9699220015ca";
const LINK = "8ac7a4a282d522f70182d53e7a873640";
const MADE = {
  id: LINK,
  link: "https://gateway.example/pay/1",
  qrCode: "data:,",
  result: { code: "000.200.100", description: "created" },
};

const answered = (body: unknown, status = 200): HttpOutcome => ({
  is: "answered",
  status,
  body: typeof body === "string" ? body : JSON.stringify(body),
});
const made = (body: unknown, status = 200) => linkAnswerOf(answered(body, status), "test");
const sight = (body: unknown, status = 200) => linkSightOf(answered(body, status), LINK);
const read = (entry: object) => ({ result: { code: "000.000.100" }, paymentLinks: [{ id: LINK, ...entry }] });

describe("the reply to the request for a link", () => {
  test("is a link where it names its id and its address", () => {
    const answer = made(MADE);
    expect(answer).toEqual({ is: "link", id: LINK, url: MADE.link, resultCode: "000.200.100", description: "created" });
    expect(answerSchema.parse(answer)).toEqual(answer);
  });

  test.each([
    ["no id", { ...MADE, id: undefined }, 200, "unknown"],
    ["no address", { ...MADE, link: undefined }, 200, "unknown"],
    ["the code of a reversal that half failed", { id: LINK, result: { code: "000.400.030" } }, 400, "unknown"],
    ["the code of a booking taken back", { id: LINK, result: { code: "900.100.301" } }, 400, "unknown"],
    [
      "an address that no QR code holds",
      { ...MADE, link: `https://gateway.example/${"ü".repeat(1100)}` },
      200,
      "unknown",
    ],
    ["an address that is no web address", { ...MADE, link: "javascript:alert(1)" }, 200, "unknown"],
    ["an address without https", { ...MADE, link: "http://gateway.example/pay/1" }, 200, "unknown"],
    ["an address that is too long", { ...MADE, link: `https://gateway.example/${"x".repeat(2048)}` }, 200, "unknown"],
    [
      "a payment instead",
      { id: LINK, paymentType: "DB", amount: "12.34", currency: "EUR", result: { code: "000.000.000" } },
      200,
      "unknown",
    ],
    [
      "a wrong parameter",
      { result: { code: "200.300.404", parameterErrors: [{ name: "amount", message: "wrong" }] } },
      400,
      "not-booked",
    ],
    ["a throttle", { result: { code: "800.120.100" } }, 429, "throttled"],
    ["a bare 429", "slow down", 429, "throttled"],
    ["a page", "<html>", 502, "unknown"],
    ["an address and a refusal", { ...MADE, result: { code: "600.200.100" } }, 400, "not-booked"],
  ])("with %s is none", (_what, body, status, is) => {
    expect(made(body, status).is).toBe(is);
  });

  test("that never came is unknown, and one that was never asked for is not booked", () => {
    expect(linkAnswerOf({ is: "broken", detail: "reset" }, "live").is).toBe("unknown");
    expect(linkAnswerOf({ is: "not-sent", detail: "refused" }, "live")).toMatchObject({
      is: "not-booked",
      why: "not-sent",
    });
  });

  test("of a gateway on this machine may be plain http", () => {
    expect(made({ ...MADE, link: "http://127.0.0.1:7718/pay/1" }).is).toBe("link");
  });
});

describe("how a link stands", () => {
  test.each([
    ["CREATED", {}, { is: "open", opened: false }],
    ["OPENED", { checkoutId: "1.link1" }, { is: "open", opened: true }],
    ["PENDING", { transactionId: LINK }, { is: "open", opened: true }],
    [
      "PAID",
      { transactionId: "8ac7a4a282d522f70182d53e7a873641" },
      { is: "paid", transactionId: "8ac7a4a282d522f70182d53e7a873641" },
    ],
    ["PAID", { transactionId: "../1" }, { is: "paid" }],
    ["EXPIRED", {}, { is: "expired" }],
  ])("%s", (status, more, expected) => {
    const seen = sight(read({ status, ...more }));
    expect(seen).toEqual(expected);
    expect(linkSightSchema.parse(seen)).toEqual(seen);
  });

  test("is known from an entry that does not name the link again, where it is the only one", () => {
    const entry = { status: "EXPIRED", creationDate: "2026-01-15 12:00:00", validUntil: "2026-01-15 13:00:00" };
    expect(sight({ result: { code: "000.000.100" }, paymentLinks: [entry] })).toEqual({ is: "expired" });
    expect(sight({ result: { code: "000.000.100" }, paymentLinks: [entry, entry] }).is).toBe("no-answer");
    expect(sight({ result: { code: "000.000.100" }, paymentLinks: [{ ...entry, id: "/" }] }).is).toBe("no-answer");
  });

  test.each([
    ["a state that nobody knows", read({ status: "MELTED" }), 200],
    ["another link", { result: { code: "000.000.100" }, paymentLinks: [{ id: "1", status: "PAID" }] }, 200],
    ["no link", { result: { code: "000.000.100" } }, 200],
    ["an error", { result: { code: "200.300.404" }, paymentLinks: [{ id: LINK, status: "PAID" }] }, 404],
    ["a page", "<html>", 502],
  ])("is not known from %s", (_what, body, status) => {
    expect(sight(body, status).is).toBe("no-answer");
  });

  test("is not known from a throttle, which says so, nor from silence", () => {
    expect(sight({ result: { code: "800.120.100" } }).is).toBe("throttled");
    expect(sight("", 429).is).toBe("throttled");
    expect(linkSightOf({ is: "broken", detail: "reset" }, LINK)).toEqual({ is: "no-answer", description: "reset" });
  });
});

/** A gateway over an exchange that answers from a list. */
function worldOf(...outcomes: readonly HttpOutcome[]) {
  const requests: HttpRequest[] = [];
  const http = {
    exchange: async (request: HttpRequest) => {
      requests.push(request);
      return outcomes[requests.length - 1] ?? { is: "broken" as const, detail: "asked too often" };
    },
    warm: () => undefined,
    close: async () => undefined,
  };
  const silent = { debug: () => undefined, warn: () => undefined };
  const gateway = createGateway({
    http,
    baseUrl: "https://gateway.example/",
    accessToken: new Secret("t"),
    clock: createVirtualClock(0),
    log: silent,
  });
  return { gateway, requests };
}

const channel = { environment: "test", entityId: ENTITY, testMode: "INTERNAL", settlement: "dual" } as const;
const order: GatewayOrder = {
  operation: {
    ...{
      merchantTransactionId: "0123456789abcdef",
      paymentType: "DB",
      amount: 1234,
      currency: "EUR",
      entityId: ENTITY,
    },
    link: { validFor: 1, unit: "HOUR" },
  },
  channel,
  device: { terminalId: "", pinEntry: false },
  parameters: {
    customParameters: { description: "Table 4" },
    cart: { items: [{ name: "Tea", quantity: 2, price: "6.17" }] },
  },
};

test("a link is asked for by one request, with its validity, and without anything of a device", async () => {
  const { gateway, requests } = worldOf(answered(MADE));
  expect(await gateway.post(order, 45_000)).toMatchObject({ is: "link" });
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({ method: "POST", url: "https://gateway.example/paybylink/v1" });
  expect(requests[0]?.body?.split("&")).toEqual([
    `entityId=${ENTITY}`,
    "amount=12.34",
    "currency=EUR",
    "paymentType=DB",
    "merchantTransactionId=0123456789abcdef",
    "testMode=INTERNAL",
    "validUntil=1",
    "validUntilUnit=HOUR",
    "createQRCode=true",
    "customParameters%5Bdescription%5D=Table+4",
    "cart.items%5B0%5D.name=Tea",
    "cart.items%5B0%5D.quantity=2",
    "cart.items%5B0%5D.price=6.17",
  ]);
});

test("a look is one GET for the entity, and for nothing that is no id", async () => {
  const { gateway, requests } = worldOf(answered(read({ status: "OPENED" })));
  expect(await gateway.look({ channel, link: LINK }, 15_000)).toEqual({ is: "open", opened: true });
  expect(requests).toMatchObject([
    { method: "GET", url: `https://gateway.example/paybylink/v1/${LINK}?entityId=${ENTITY}`, deadlineMs: 15_000 },
  ]);
  expect((await gateway.look({ channel, link: "../payments" }, 15_000)).is).toBe("no-answer");
  expect(requests).toHaveLength(1);
});

test.each([
  "https://elsewhere.example/paybylink/v1",
  "http://gateway.example/paybylink/v1",
  "https://gateway.example:8443/paybylink/v1",
])("the request is not repeated at %s, wherever a redirect points", async (location) => {
  const { gateway, requests } = worldOf({ is: "answered", status: 307, location, body: "" });
  expect((await gateway.post(order, 45_000)).is).toBe("unknown");
  expect(requests).toHaveLength(1);
});

test("neither the address of a link nor its id, of which that is made, comes into the log", async () => {
  const lines: string[] = [];
  const log = { debug: (fields: object) => void lines.push(JSON.stringify(fields)), warn: () => undefined };
  const clock = createVirtualClock(0);
  const outcomes = [answered(MADE), answered(read({ status: "OPENED" }))];
  const http = {
    exchange: async () => outcomes.shift() ?? { is: "broken" as const, detail: "" },
    warm: () => undefined,
    close: async () => undefined,
  };
  const gateway = createGateway({
    http,
    baseUrl: "https://gateway.example/",
    accessToken: new Secret("t"),
    clock,
    log,
  });
  await gateway.post(order, 45_000);
  expect(await gateway.look({ channel, link: LINK }, 15_000)).toEqual({ is: "open", opened: true });
  await clock.advance(0);
  expect(lines).toHaveLength(2);
  expect(lines.join()).toContain("paybylink/v1");
  expect(lines.join()).not.toContain(LINK);
  expect(lines.join()).not.toContain(MADE.link);
});
