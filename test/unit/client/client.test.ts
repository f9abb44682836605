import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import type { Change } from "../../../src/client/api.ts";
import { connectRegister } from "../../../src/client/client.ts";
import { CallRefused, ConnectionLost, ProtocolBroken } from "../../../src/client/errors.ts";
import type { OpenSocket, SocketEvents } from "../../../src/client/wire-socket.ts";
import { type Bridge, startBridge } from "../../contract/bridge.ts";
import { AT } from "../../contract/fake-payments.ts";
import { sale } from "../../contract/talk.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const start = { ...sale, type: "SALE" } as const;
const token = "till-token";

let open: (() => Promise<void>)[] = [];
afterEach(async () => {
  const close = open;
  open = [];
  for (const each of close) await each();
});

async function bridge(): Promise<Bridge> {
  const started = await startBridge();
  open.push(() => started.server.close());
  return started;
}

/** A server that says what it is told to, for answers a bridge never gives. */
async function liar(frames: readonly string[]): Promise<string> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  server.on("connection", (socket) => {
    for (const frame of frames) socket.send(frame);
  });
  open.push(async () => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  const address = server.address();
  return `ws://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

/**
 * A bridge whose frames come when they are said, several in one turn: as where they stood in one chunk of the network.
 */
function paperBridge(): { readonly openSocket: OpenSocket; says(...frames: readonly string[]): void } {
  let events: SocketEvents | undefined;
  const openSocket: OpenSocket = (_url, given) => {
    events = given;
    return { send: () => undefined, close: () => given.closed(1000, "") };
  };
  const says = (...frames: readonly string[]): void => {
    for (const frame of frames) events?.text(frame);
  };
  return { openSocket, says };
}

const reply = (id: number, result: object): string => JSON.stringify({ jsonrpc: "2.0", id, result });

const payment = {
  ...{
    id: "pay_1",
    reference: "r-1",
    register: "till",
    type: "SALE",
    terminal: "till-1",
    amount: "12.34",
    currency: "EUR",
    environment: "test",
  },
  ...{ state: "CREATED", createdAt: AT, updatedAt: AT },
};
const changed = (cursor: string): string =>
  JSON.stringify({ jsonrpc: "2.0", method: "payment.changed", params: { cursor, payment } });

const hello = JSON.stringify({
  jsonrpc: "2.0",
  method: "bridge.hello",
  params: {
    bridge: { name: "posbridge", version: "9", id: "b" },
    environment: "test",
    api: { min: 1, max: 2 },
    nonce: "n",
    key: "k",
    mood: "good",
  },
});

describe("the register client", () => {
  it("sends the last cursor that the register was told with its session, and none where it was never told one", async () => {
    const { url, payments } = await bridge();
    const first = await connectRegister({ url, after: undefined, token });
    expect(payments.shownCursors).toEqual([]);
    const second = await connectRegister({ url, after: first.cursor(), token });
    expect(payments.shownCursors).toEqual([{ register: "till", cursor: first.cursor() }]);
    for (const client of [first, second]) client.close();
  });

  it("opens a session and makes every call", async () => {
    const { url, payments } = await bridge();
    const changes: Change[] = [];
    const client = await connectRegister({
      url,
      after: undefined,
      token,
      onChange: (change) => changes.push(change),
      client: { name: "test", version: "1" },
    });
    expect([client.hello.environment, client.register, client.scopes, client.cursor()]).toEqual([
      "test",
      "till",
      ["payments", "refunds"],
      "0",
    ]);
    expect((await client.startPayment(start)).created).toBe(true);
    expect((await client.get({ reference: "r-1" })).id).toBe("pay_1");
    expect((await client.list({ limit: 5 })).payments).toHaveLength(1);
    expect((await client.terminals())[0]?.id).toBe("till-1");
    expect((await client.testTerminal("till-1")).model).toBe("miura-m020");
    expect(await client.receipt({ id: "pay_1" }, { copy: "customer", format: "text" })).toContain("12.34 EUR");
    expect(Date.parse(await client.ping())).toBeGreaterThan(0);
    expect((await client.cancel({ id: "pay_1" })).cancellation).toBe("accepted");
    expect((await client.waitPayment({ id: "pay_1" })).outcome).toBe("CANCELLED");
    await client.ping();
    expect(changes.map(({ payment }) => payment.state)).toEqual(["CREATED", "AWAITING_CARD", "FINAL"]);
    expect(client.cursor()).toBe("3");
    expect(payments.requests).toHaveLength(1);
    client.close();
    expect(await client.closed).toBeInstanceOf(ConnectionLost);
  });

  it("asks for captures, voids, refunds and increments, judges signatures and reads totals", async () => {
    const { url, payments } = await bridge();
    const client = await connectRegister({ url, after: undefined, token });
    await client.startPayment(start);
    expect((await client.capture({ of: "r-1", reference: "c-1", amount: "5.00" })).payment.type).toBe("CAPTURE");
    expect((await client.void({ of: { reference: "r-1" }, reference: "v-1" })).payment.type).toBe("VOID");
    expect((await client.refund({ of: { id: "pay_1" }, reference: "f-1", cashier: "Jo" })).payment.type).toBe(
      "LINKED_REFUND",
    );
    expect((await client.increment({ of: "pay_1", reference: "i-1", amount: "1.00" })).payment.type).toBe("INCREMENT");
    expect((await client.increment({ of: "pay_1", reference: "i-1", amount: "1.00" })).created).toBe(false);
    await expect(
      client.refund({ of: { gatewayId: "8ac7a4a18f2b6cd1018f2b8a3c5e0f41" }, reference: "f-2" }),
    ).rejects.toMatchObject({
      code: "not-found",
      path: "of",
    });
    payments.prompt("pay_1", "SIGN");
    expect((await client.confirmSignature({ reference: "r-1" }, true)).outcome).toBe("APPROVED");
    expect((await client.totals({ from: "2026-03-01T00:00:00Z" }))[0]).toMatchObject({ type: "SALE", amount: "12.34" });
    expect(await client.totals()).toHaveLength(1);
    client.close();
  });

  it("waits on while a payment is not final", async () => {
    const { url, payments } = await bridge();
    const client = await connectRegister({ url, after: undefined, token });
    await client.startPayment(start);
    let waits = 0;
    payments.step = async (name) => {
      if (name !== "wait") return;
      waits += 1;
      if (waits === 3) payments.change("pay_1", { state: "FINAL", outcome: "APPROVED", decision: "approved" });
    };
    expect((await client.waitPayment({ reference: "r-1" })).outcome).toBe("APPROVED");
    expect(waits).toBe(3);
  });

  it("throws what the bridge refuses, with code, advice and path", async () => {
    const { url } = await bridge();
    const client = await connectRegister({ url, after: undefined, token });
    const refused = await client.startPayment({ ...start, amount: "12" }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CallRefused);
    expect(refused).toMatchObject({ code: "invalid-amount", advice: "fix-request", path: "amount" });
    await expect(connectRegister({ url, after: undefined, token: "wrong" })).rejects.toMatchObject({
      code: "unauthorized",
    });
  });

  it("rejects what has no answer yet when the socket closes, and every call after it", async () => {
    const { url, payments, server } = await bridge();
    const client = await connectRegister({ url, after: undefined, token });
    const reached = Promise.withResolvers<void>();
    payments.step = (name) => {
      if (name === "wait") reached.resolve();
      return new Promise(() => undefined);
    };
    const waiting = client.waitPayment({ reference: "r-1" }).catch((error: unknown) => error);
    await reached.promise;
    await server.close();
    expect(await waiting).toMatchObject({ name: "ConnectionLost", code: 1001 });
    await expect(client.ping()).rejects.toBeInstanceOf(ConnectionLost);
  });

  it("resumes by cursor on another socket, without a gap or a repeat", async () => {
    const { url, payments } = await bridge();
    const changes: Change[] = [];
    const onChange = (change: Change) => changes.push(change);
    const first = await connectRegister({ url, after: undefined, token, onChange });
    await first.startPayment(start);
    await first.ping();
    const cursor = first.cursor();
    first.close();
    await first.closed;
    payments.change("pay_1", { state: "AUTHORIZING" });
    const second = await connectRegister({ url, after: undefined, token, onChange });
    expect(await second.subscribe(cursor)).toBe(cursor);
    payments.change("pay_1", { state: "FINAL" });
    await second.ping();
    expect(changes.map((change) => change.cursor)).toEqual(["1", "2", "3", "4"]);
    second.close();
  });

  it("never goes on from before what it was given", async () => {
    const { url, payments } = await bridge();
    const first = await connectRegister({ url, after: undefined, token });
    for (const reference of ["r-1", "r-2"]) await first.startPayment({ ...start, reference });
    await first.ping();
    payments.prompt("pay_1", "ENTER_PIN");
    await first.ping();
    expect(first.cursor()).toBe("4");
    first.close();
  });

  it.each([
    { told: [], from: "1" },
    { told: ["2", "3"], from: "3" },
  ])(
    "goes on from where it subscribed, or behind what came in one turn with the reply to that ($told)",
    async ({ told, from }) => {
      const line = paperBridge();
      const changes: string[] = [];
      const opening = connectRegister({
        url: "ws://paper",
        after: undefined,
        token,
        onChange: ({ cursor }) => changes.push(cursor),
        openSocket: line.openSocket,
      });
      line.says(hello);
      await new Promise(setImmediate);
      line.says(reply(1, { register: "till", scopes: ["payments"], cursor: "7" }));
      const client = await opening;
      const subscribing = client.subscribe("1");
      await new Promise(setImmediate);
      line.says(reply(2, { cursor: "1" }), ...told.map(changed));
      expect([await subscribing, changes, client.cursor()]).toEqual(["1", told, from]);
      client.close();
    },
  );

  it("rejects where nobody answers", async () => {
    const { url, server } = await startBridge();
    await server.close();
    await expect(connectRegister({ url, after: undefined, token })).rejects.toBeInstanceOf(ConnectionLost);
  });

  it.each([
    ["text that is not JSON", "what?"],
    ["a frame that is no JSON-RPC", '{"type":"version"}'],
    ["a greeting that is none", '{"jsonrpc":"2.0","method":"bridge.hello","params":{"bridge":"x"}}'],
  ])("gives up on %s", async (_what, frame) => {
    await expect(connectRegister({ url: await liar([frame]), after: undefined, token })).rejects.toBeInstanceOf(
      ProtocolBroken,
    );
  });

  it("leaves out fields that a later bridge has added", async () => {
    const result = { register: "till", scopes: [], cursor: "0", colour: "green" };
    const url = await liar([hello, JSON.stringify({ jsonrpc: "2.0", method: "bridge.news", params: {} })]);
    const connecting = connectRegister({
      after: undefined,
      url,
      token,
      openSocket: (_url, events) => {
        queueMicrotask(() => events.text(hello));
        return { send: () => events.text(JSON.stringify({ jsonrpc: "2.0", id: 1, result })), close: () => undefined };
      },
    });
    const client = await connecting;
    expect(client.hello).not.toHaveProperty("mood");
    expect(client.register).toBe("till");
  });

  it.each([
    ["an advice that it does not know for call-support", "refund-by-post", "call-support"],
    ["an advice that it knows as it is", "refund", "refund"],
  ])("takes %s", async (_what, advice, read) => {
    const payment = {
      id: "pay_1",
      reference: "r-1",
      type: "VOID",
      register: "till",
      terminal: "till-1",
      currency: "EUR",
      environment: "test",
      state: "FINAL",
    };
    const reason = { code: "void-refused", message: "no", advice, since: 1 };
    const results = [
      { register: "till", scopes: [], cursor: "0" },
      { now: AT },
      { payment: { ...payment, reason, mood: "good", createdAt: AT, updatedAt: AT } },
    ];
    const client = await connectRegister({
      after: undefined,
      url: "ws://nowhere",
      token,
      clock: createVirtualClock(Date.parse(AT)),
      openSocket: (_url, events) => {
        queueMicrotask(() => events.text(hello));
        let id = 0;
        const send = (): void => {
          id += 1;
          events.text(JSON.stringify({ jsonrpc: "2.0", id, result: results[id - 1] }));
        };
        return { send, close: () => undefined };
      },
    });
    await client.ping();
    expect((await client.get({ reference: "r-1" })).reason).toEqual({
      code: "void-refused",
      message: "no",
      advice: read,
    });
  });

  it("ends a connection whose ping has no answer by the time of the next one", async () => {
    const clock = createVirtualClock(Date.parse(AT));
    let closed = false;
    const client = await connectRegister({
      after: undefined,
      url: "ws://nowhere",
      token,
      clock,
      openSocket: (_url, events) => {
        queueMicrotask(() => events.text(hello));
        const send = (text: string): void => {
          if (text.includes("session.open"))
            events.text(
              JSON.stringify({ jsonrpc: "2.0", id: 1, result: { register: "till", scopes: [], cursor: "0" } }),
            );
        };
        return {
          send,
          close: () => {
            closed = true;
          },
        };
      },
    });
    await clock.advance(20_000);
    expect(closed).toBe(false);
    await clock.advance(20_000);
    expect(closed).toBe(true);
    expect(await client.closed).toMatchObject({ code: 1006 });
    await clock.settle();
    expect(clock.pending()).toBe(0);
  });
});
