import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { saleOf } from "./sale.ts";
import { openShop, type Shop } from "./shop.ts";

const frameSchema = z.object({
  id: z.union([z.string(), z.int(), z.null()]).optional(),
  method: z.string().optional(),
  result: z.json().optional(),
  error: z
    .object({ code: z.int(), data: z.object({ code: z.string(), advice: z.string(), path: z.string().optional() }) })
    .optional(),
});
type Frame = z.output<typeof frameSchema>;

/** A socket without any manners: sends what it is told, and keeps what comes. */
interface RawSocket {
  readonly frames: readonly Frame[];
  send(data: string | Uint8Array<ArrayBuffer>): void;
  /** The first frame that is a reply and was not taken yet. */
  reply(): Promise<Frame>;
  /** Close code and time since it opened. */
  readonly closed: Promise<{ readonly code: number; readonly afterMs: number }>;
  close(): void;
}

async function openRaw(url: string): Promise<RawSocket> {
  const socket = new WebSocket(url);
  const frames: Frame[] = [];
  const replies: Frame[] = [];
  let waiting: (() => void) | undefined;
  const openedAt = performance.now();
  const closed = Promise.withResolvers<{ code: number; afterMs: number }>();
  const hello = Promise.withResolvers<void>();
  socket.addEventListener("close", ({ code }) => closed.resolve({ code, afterMs: performance.now() - openedAt }));
  socket.addEventListener("message", ({ data }) => {
    const frame = frameSchema.parse(JSON.parse(String(data)));
    frames.push(frame);
    if (frame.method === "bridge.hello") hello.resolve();
    if (frame.method !== undefined) return;
    replies.push(frame);
    waiting?.();
  });
  await Promise.race([hello.promise, closed.promise]);
  const reply = async (): Promise<Frame> => {
    while (replies.length === 0) {
      await new Promise<void>((resolve) => {
        waiting = resolve;
      });
    }
    return replies.shift() ?? {};
  };
  return { frames, send: (data) => socket.send(data), reply, closed: closed.promise, close: () => socket.close() };
}

let shop: Shop;
let socket: RawSocket;
let silent: RawSocket;

const call = (method: string, params?: unknown, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) });
const session = (): string => call("session.open", { token: shop.registerToken });

beforeAll(async () => {
  shop = await openShop();
  silent = await openRaw(shop.url());
  socket = await openRaw(shop.url());
  socket.send(session());
  expect(await socket.reply()).toMatchObject({
    id: 1,
    result: { register: "register-1", scopes: ["payments", "refunds"] },
  });
});
afterAll(async () => {
  socket.close();
  await shop.close();
});

async function refusalOf(text: string): Promise<object | undefined> {
  socket.send(text);
  const { error } = await socket.reply();
  return (
    error && {
      code: error.code,
      is: error.data.code,
      advice: error.data.advice,
      ...(error.data.path !== undefined && { path: error.data.path }),
    }
  );
}

describe("before the session", () => {
  it("every other call is refused", async () => {
    const stranger = await openRaw(shop.url());
    for (const method of ["payment.start", "payment.get", "terminals.list", "events.subscribe", "session.ping"]) {
      stranger.send(call(method, {}));
      expect(await stranger.reply()).toMatchObject({ error: { code: -32001, data: { code: "unauthorized" } } });
    }
    stranger.close();
  });

  it("a wrong token is refused, and the third one closes the socket", async () => {
    const stranger = await openRaw(shop.url());
    for (const token of ["pbt_wrong", "", `${shop.registerToken}x`]) {
      stranger.send(call("session.open", { token }));
      expect(await stranger.reply()).toMatchObject({
        error: { data: { code: expect.stringMatching(/^(unauthorized|invalid-params)$/) } },
      });
    }
    stranger.send(call("session.open", { token: "pbt_wrong" }));
    expect((await stranger.closed).code).toBe(1008);
  });
});

describe("a call that is not one", () => {
  it.each([
    ["no JSON", "{", { code: -32700, is: "parse-error" }],
    ["a batch", `[${call("session.ping", {})}]`, { code: -32600, is: "invalid-request" }],
    [
      "no id",
      JSON.stringify({ jsonrpc: "2.0", method: "session.ping", params: {} }),
      { code: -32600, is: "invalid-request" },
    ],
    ["parameters by position", call("session.ping", []), { code: -32602, is: "invalid-params" }],
    ["an unknown method", call("payment.steal", {}), { code: -32601, is: "unknown-method" }],
    ["a method of a later version", call("session.transfer", {}), { code: -32601, is: "unknown-method" }],
    ["an unknown field", call("session.ping", { loud: true }), { code: -32602, is: "invalid-params", path: "loud" }],
    ["a missing field", call("payment.get", {}), { code: -32602, is: "invalid-params" }],
  ])("is refused and never executed: %s", async (_name, text, refusal) => {
    expect(await refusalOf(text)).toMatchObject({ ...refusal, advice: "fix-request" });
  });
});

describe("a start that is wrong", () => {
  const wrong = (change: object): string => call("payment.start", { ...saleOf(shop.terminal, "wrong"), ...change });

  it.each([
    { amount: "12.3" },
    { amount: "12,34" },
    { amount: "0.00" },
    { amount: "-1.00" },
    { amount: "1e3" },
    { amount: "12.345" },
    { amount: "99999999999.00" },
    { amount: "12", currency: "EUR" },
    { amount: "12.34", currency: "JPY" },
    { tip: "20.00" },
  ])("is refused with invalid-amount: %j", async (change) => {
    expect(await refusalOf(wrong(change))).toMatchObject({ code: -32011, is: "invalid-amount", advice: "fix-request" });
  });

  it.each([
    [{ amount: 12.34 }, { is: "invalid-params", path: "amount" }],
    [{ amount: undefined }, { is: expect.stringMatching(/invalid-params|invalid-amount/), path: "amount" }],
    [{ reference: "" }, { is: "invalid-params", path: "reference" }],
    [{ reference: "x".repeat(65) }, { is: "invalid-params", path: "reference" }],
    [{ reference: "line\nbreak" }, { is: "invalid-params", path: "reference" }],
    [{ type: "GIFT" }, { is: "invalid-params", path: "type" }],
    [{ type: "CAPTURE" }, { is: "invalid-params", path: "type" }],
    [{ type: "REGISTRATION" }, { is: "invalid-amount", path: "amount" }],
    [
      { type: "REGISTRATION", amount: undefined, tip: "1.00" },
      { is: "invalid-params", path: "tip" },
    ],
    [{ currency: "KWD", amount: "1.234" }, { is: "unsupported" }],
    [{ currency: "XXQ" }, { is: expect.stringMatching(/invalid-params|unsupported|invalid-amount/) }],
    [{ terminal: "till-9" }, { is: "unknown-terminal" }],
    [{ "card.number": "4761340000000050" }, { is: "invalid-params" }],
    [{ merchantTransactionId: "mine" }, { is: "invalid-params", path: "merchantTransactionId" }],
    [{ testMode: "EXTERNAL" }, { is: "invalid-params", path: "testMode" }],
    [{ entryModes: [] }, { is: expect.stringMatching(/invalid-params|unsupported/) }],
    [{ entryModes: ["cheque"] }, { is: "invalid-params", path: "entryModes[0]" }],
    [{ expiresInMs: 1 }, { is: "invalid-params", path: "expiresInMs" }],
  ])("is refused, the field named: %j", async (change, refusal) => {
    expect(await refusalOf(wrong(change))).toMatchObject({ ...refusal, advice: "fix-request" });
  });

  it("is refused where its token has not the scope that an unlinked refund needs", async () => {
    expect(await refusalOf(wrong({ type: "REFUND" }))).toMatchObject({ code: -32002, is: "forbidden" });
  });

  it.each([
    ["reference", { reference: "4761340000000050" }],
    ["merchantMemo", { merchantMemo: "card 4761-3400-0000-0050 please" }],
    ["cashier", { cashier: "4761 3400 0000 0050" }],
    ["order", { order: "378282246310005" }],
    ["customer.givenName", { customer: { givenName: "4761340000000050", surname: "Lovelace" } }],
  ])("is refused because a card number stands in a text, and the number is not repeated: %s", async (path, change) => {
    socket.send(wrong(change));
    const frame = await socket.reply();
    expect(frame).toMatchObject({
      error: { code: -32017, data: { code: "card-number-in-text", advice: "fix-request", path } },
    });
    expect(JSON.stringify(frame).replaceAll(/[ -]/g, "")).not.toMatch(/4761340000000050|378282246310005/);
  });
});

describe("a socket", () => {
  it("that sends a binary frame is closed with 1003", async () => {
    const other = await openRaw(shop.url());
    other.send(new TextEncoder().encode(session()));
    expect((await other.closed).code).toBe(1003);
  });

  it("that sends more than 1 MiB in one frame is closed with 1009", async () => {
    const other = await openRaw(shop.url());
    other.send(call("session.ping", { padding: "x".repeat(1_048_577) }));
    expect((await other.closed).code).toBe(1009);
  });

  it("gets the reply to a call before what that call caused", async () => {
    const other = await openRaw(shop.url());
    other.send(session());
    await other.reply();
    const before = other.frames.length;
    other.send(call("payment.start", saleOf(shop.terminal, "order of frames"), 7));
    await other.reply();
    other.send(call("payment.cancel", { reference: "order of frames" }, 8));
    await other.reply();
    other.send(call("payment.wait", { reference: "order of frames", until: "final" }, 9));
    expect(await other.reply()).toMatchObject({ id: 9, result: { payment: { outcome: "CANCELLED" } } });
    const [first, ...rest] = other.frames.slice(before);
    expect(first?.id).toBe(7);
    expect(rest.some(({ method }) => method === "payment.changed")).toBe(true);
    other.close();
  });

  it("that says nothing is closed with 1008 after five seconds", async () => {
    const { code, afterMs } = await silent.closed;
    expect(code).toBe(1008);
    expect(afterMs).toBeGreaterThan(4_900);
    expect(afterMs).toBeLessThan(60_000);
  });
});

describe("after all of that", () => {
  it("nothing was accepted, nothing was booked, and nothing of a card number was printed", async () => {
    const till = await shop.till();
    expect((await till.client.list()).payments.map(({ reference }) => reference)).toEqual(["order of frames"]);
    expect(await shop.sandbox.ledger()).toEqual([]);
    expect(shop.printed().join("\n")).not.toMatch(/4761340000000050|378282246310005/);
  });
});

describe("the HTTP face", () => {
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${shop.url().replace("ws", "http").replace("/v1", "")}${path}`, { headers });

  it.each(["/healthz", "/readyz", "/metrics", "/openrpc.json", "/"])("answers %s", async (path) => {
    expect((await get(path)).status).toBe(200);
  });

  it("lets no page of somebody else in", async () => {
    expect((await get("/healthz", { origin: "https://evil.example" })).status).toBe(403);
  });

  it("has nothing of the sandbox", async () => {
    expect((await get("/sandbox/v1/ledger")).status).toBe(404);
  });
});
