import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { type Envelope, envelopeOf } from "../../../src/webhook/envelope.ts";
import { createReceiver, type Hint } from "../../../src/webhook/receiver.ts";
import { seal } from "../../../src/webhook/seal.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const KEY = fromHex("000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F");
const OTHER_KEY = fromHex("FF0102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F");
const ID = "8ac7a4a282d522f70182d53e7a873640";

let vectors = 0;

/** A delivery as the gateway makes it, with an initialization vector of its own. */
function delivery(notification: unknown, key = KEY, wrapper: "none" | "json" = "none"): Envelope {
  vectors += 1;
  const iv = fromHex(vectors.toString(16).padStart(24, "0"));
  return envelopeOf(
    seal(
      new TextEncoder().encode(typeof notification === "string" ? notification : JSON.stringify(notification)),
      key,
      iv,
    ),
    wrapper,
  );
}

const payment = (change: object = {}) => ({
  type: "PAYMENT",
  payload: {
    ...{
      id: ID,
      paymentType: "PA",
      amount: "12.34",
      currency: "EUR",
      merchantTransactionId: "0123456789abcdef",
      timestamp: "2026-11-21 10:00:00.000+0000",
    },
    ...{
      result: { code: "000.100.110", description: "ok" },
      card: { bin: "411111", last4Digits: "1111", holder: "Jane Jones" },
    },
    ...change,
  },
});

function bench(isOurs = true) {
  const clock = createVirtualClock(0);
  const hints: Hint[] = [];
  const lines: string[] = [];
  const counts: Record<string, number> = {};
  const write = (fields: object, message: string): void => void lines.push(JSON.stringify({ ...fields, message }));
  const receiver = createReceiver({
    ...{ clock, key: KEY, log: { info: write, warn: write } },
    hint: (hint) => {
      hints.push(hint);
      return isOurs;
    },
    counted: (reception) => {
      counts[reception] = (counts[reception] ?? 0) + 1;
    },
  });
  return { ...receiver, clock, hints, lines, counts };
}

describe("a notification of a payment", () => {
  it.each(["none", "json"] as const)("is a hint and no more, wrapped as %s", (wrapper) => {
    const { receive, hints, counts } = bench();
    expect(receive(delivery(payment(), KEY, wrapper))).toEqual({ status: 200, words: "hinted" });
    expect(hints).toEqual([{ gatewayIds: [ID], merchantTransactionId: "0123456789abcdef" }]);
    expect(counts).toEqual({ hinted: 1 });
  });

  it("of a capture or refund names the payment that it refers to as well", () => {
    const { receive, hints } = bench();
    receive(delivery(payment({ referencedId: "aa", merchantTransactionId: undefined })));
    expect(hints).toEqual([{ gatewayIds: [ID, "aa"] }]);
  });

  it("with fields that nobody knows is taken", () => {
    const { receive } = bench();
    const notification = {
      ...payment({ risk: { score: "0" }, routing: { lane: 1 }, action: null }),
      more: [1, 2],
      action: "UPDATED",
    };
    expect(receive(delivery(notification))).toMatchObject({ status: 200, words: "hinted" });
  });

  it("that is not ours is taken, and its log line has its id and no more of it", () => {
    const { receive, lines, counts } = bench(false);
    expect(receive(delivery(payment()))).toEqual({ status: 200, words: "not-ours" });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { type: "PAYMENT", id: ID, code: "000.100.110", reception: "not-ours", message: "webhook" },
    ]);
    expect(counts).toEqual({ "not-ours": 1 });
  });

  it("that comes again hints once: the same id, code and timestamp are the same notification", () => {
    const { receive, hints, counts } = bench();
    receive(delivery(payment()));
    expect(receive(delivery(payment()))).toEqual({ status: 200, words: "repeated" });
    receive(delivery(payment({ result: { code: "000.200.000" } })));
    receive(delivery(payment({ timestamp: "2026-11-21 10:00:01.000+0000" })));
    receive(delivery(payment({ id: "bb" })));
    expect(hints).toHaveLength(4);
    expect(counts).toEqual({ hinted: 4, repeated: 1 });
  });
});

describe("what is taken and comes to nothing", () => {
  it.each([
    ["the test delivery", { type: "test", action: "webhook activation", payload: {} }, "test"],
    ["a stored card", { type: "REGISTRATION", action: "CREATED", payload: { id: ID } }, "ignored"],
    ["a schedule", { type: "SCHEDULE", payload: { id: ID } }, "ignored"],
    ["no type", { payload: { id: ID } }, "unreadable"],
    ["no payload", { type: "PAYMENT" }, "unreadable"],
    ["an id that is none", payment({ id: "../../etc" }), "unreadable"],
    ["a code that is none", payment({ result: { code: "ok" } }), "unreadable"],
    ["no JSON", "PAYMENT", "unreadable"],
    ["an empty object", "{}", "unreadable"],
  ])("%s", (_, notification, words) => {
    const { receive, hints } = bench();
    expect(receive(delivery(notification))).toEqual({ status: 200, words });
    expect(hints).toEqual([]);
  });

  it("bytes that are no text", () => {
    const { receive } = bench();
    expect(receive(envelopeOf(seal(Uint8Array.of(0xff, 0xfe, 0x22), KEY, new Uint8Array(12)), "none"))).toEqual({
      status: 200,
      words: "unreadable",
    });
  });
});

describe("what is refused, and hints at nothing", () => {
  const good = delivery(payment());
  const withHeaders = (headers: Readonly<Record<string, string>>): Envelope => ({
    ...good,
    headers: { ...good.headers, ...headers },
  });
  const tag = good.headers["x-authentication-tag"] ?? "";

  it.each([
    ["sealed with another key", delivery(payment(), OTHER_KEY), "not encrypted with the key"],
    ["not sealed at all", { headers: {}, body: JSON.stringify(payment()) }, "X-Initialization-Vector"],
    ["a shortened tag", withHeaders({ "x-authentication-tag": tag.slice(0, 8) }), "not encrypted with the key"],
    ["an empty tag", withHeaders({ "x-authentication-tag": "" }), "X-Authentication-Tag"],
    ["a tag that was lengthened", withHeaders({ "x-authentication-tag": `${tag}00` }), "not encrypted with the key"],
    [
      "a longer initialization vector",
      withHeaders({ "x-initialization-vector": "00".repeat(16) }),
      "not encrypted with the key",
    ],
    ["a body with a byte changed", { ...good, body: `00${good.body.slice(2)}` }, "not encrypted with the key"],
    ["a body cut short", { ...good, body: good.body.slice(0, -2) }, "not encrypted with the key"],
    [
      "a body of another delivery",
      { ...good, body: delivery(payment({ id: "bb" })).body },
      "not encrypted with the key",
    ],
  ])("%s", (_, envelope: Envelope, words) => {
    const { receive, hints } = bench();
    const answer = receive(envelope);
    expect(answer.status).toBe(400);
    expect(answer.words).toContain(words);
    expect(hints).toEqual([]);
  });

  it("anything at all that was not sealed with the key", async () => {
    const { receive, hints, clock } = bench();
    const hex = fc.uint8Array({ maxLength: 40 }).map(toHex);
    const header = fc.oneof(fc.string(), hex);
    await fc.assert(
      fc.asyncProperty(header, header, fc.oneof(fc.string(), hex, fc.json()), async (iv, mark, body) => {
        await clock.advance(1000);
        const { status } = receive({ headers: { "x-initialization-vector": iv, "x-authentication-tag": mark }, body });
        expect(status).toBe(400);
        expect(hints).toEqual([]);
      }),
    );
  });

  it("anything that the key did seal is taken, whatever it says", async () => {
    const { receive, clock } = bench();
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string({ minLength: 1 })), async (text) => {
        await clock.advance(1000);
        expect(receive(delivery(text)).status).toBe(200);
      }),
    );
  });

  it("more than fifty in a second, until the second is over", async () => {
    const { receive, clock, counts } = bench();
    for (let at = 0; at < 60; at += 1) receive(delivery(payment({ id: `a${at}` })));
    expect(counts).toEqual({ hinted: 50, "too-many": 10 });
    expect(receive(delivery(payment())).status).toBe(429);
    await clock.advance(1000);
    expect(receive(delivery(payment({ id: "later" }))).status).toBe(200);
  });
});

describe("somebody without the key", () => {
  it("does not have the gateway's own deliveries refused, however much he sends", () => {
    const { receive, counts } = bench();
    for (let at = 0; at < 100; at += 1) receive(delivery(payment(), OTHER_KEY));
    for (let at = 0; at < 100; at += 1) receive({ headers: {}, body: "garbage" });
    expect(receive(delivery(payment()))).toEqual({ status: 200, words: "hinted" });
    expect(counts).toEqual({ forged: 100, malformed: 100, hinted: 1 });
  });
});

describe("the log", () => {
  it("says nothing of a payload but type, id and code", () => {
    const { receive, lines } = bench();
    receive(delivery(payment()));
    receive(delivery(payment({ id: "!" })));
    receive(delivery(payment(), OTHER_KEY));
    expect(lines).toHaveLength(3);
    for (const secret of ["Jane", "411111", "1111", "12.34", "0123456789abcdef", "000102"])
      expect(lines.join()).not.toContain(secret);
  });

  it("tells of refusals at once and then once a minute, with their number", async () => {
    const { receive, lines, clock } = bench();
    for (let second = 0; second < 130; second += 1) {
      receive({ headers: {}, body: "" });
      await clock.advance(1000);
    }
    expect(lines.map((line) => JSON.parse(line).refused)).toEqual([1, 60, 60]);
  });
});
