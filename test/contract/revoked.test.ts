import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Bridge, startBridge } from "./bridge.ts";

interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** A socket, and what it heard after the greeting. */
async function open({ url }: Bridge) {
  const socket = new WebSocket(url);
  const heard: string[] = [];
  await once(socket, "message");
  socket.on("message", (data) => heard.push(String(data)));
  const closed = new Promise<Closed>((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: String(reason) }));
  });
  const say = (id: number, method: string, params: object = {}): void =>
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  return { socket, heard, closed, say };
}

/** The same with the session of that token. */
async function session(bridge: Bridge, token: string) {
  const opened = await open(bridge);
  opened.say(1, "session.open", { token });
  await once(opened.socket, "message");
  return opened;
}

const sale = { reference: "r-1", type: "SALE", terminal: "till-1", currency: "EUR", amount: "12.34" };
const revokedClose = { code: 1008, reason: "the token was revoked" };

describe("a revoke", () => {
  it("closes every open socket of that register with 1008, and no other one", async () => {
    await using bridge = await startBridge();
    const [till, secondTill, other] = [
      await session(bridge, "till-token"),
      await session(bridge, "cashier-token"),
      await session(bridge, "other-token"),
    ];
    bridge.revoke("till");
    expect(await Promise.all([till.closed, secondTill.closed])).toEqual([revokedClose, revokedClose]);
    other.say(2, "session.ping");
    await once(other.socket, "message");
    expect(other.heard.at(-1)).toContain('"id":2,"result"');
    expect(bridge.watching()).toBe(1);
  });

  it("leaves nothing to a socket that does not answer the close: what it sends then is not heard", async () => {
    await using bridge = await startBridge();
    const till = await session(bridge, "till-token");
    // A socket that is paused does not see the close, and goes on sending.
    till.socket.pause();
    bridge.revoke("till");
    till.say(2, "payment.start", sale);
    till.say(3, "payment.refund", { of: "r-0", reference: "f-1" });
    await new Promise((later) => setTimeout(later, 300));
    expect(bridge.payments.requests).toEqual([]);
    expect(bridge.payments.followUps).toEqual([]);
    till.socket.resume();
    expect(await till.closed).toEqual(revokedClose);
    expect(till.heard).toHaveLength(1);
  });

  it("stops telling changes, and the payment that was accepted goes on", async () => {
    await using bridge = await startBridge();
    const till = await session(bridge, "till-token");
    till.say(2, "payment.start", sale);
    await once(till.socket, "message");
    till.say(3, "events.subscribe");
    await once(till.socket, "message");
    bridge.revoke("till");
    expect(bridge.payments.listeners()).toBe(0);
    const told = till.heard.length;
    bridge.payments.change("pay_1", { state: "AUTHORIZING" });
    expect(await till.closed).toEqual(revokedClose);
    expect(till.heard).toHaveLength(told);
    expect(bridge.payments.log.at(-1)?.payment).toMatchObject({ reference: "r-1", state: "AUTHORIZING" });
  });

  it("that comes while the session opens refuses it, and what was sent behind it", async () => {
    await using bridge = await startBridge();
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    bridge.payments.step = (name) => {
      if (name !== "cursor") return Promise.resolve();
      reached.resolve();
      return gate.promise;
    };
    const till = await open(bridge);
    till.say(1, "session.open", { token: "till-token" });
    till.say(2, "payment.start", sale);
    await reached.promise;
    bridge.revoke("till");
    gate.resolve();
    while (till.heard.length < 2) await once(till.socket, "message");
    for (const answer of till.heard) expect(answer).toContain('"unauthorized"');
    expect(bridge.payments.requests).toEqual([]);
  });

  it("that came before does not keep a new token of the same register out", async () => {
    await using bridge = await startBridge();
    const till = await open(bridge);
    bridge.revoke("till");
    till.say(1, "session.open", { token: "till-token" });
    await once(till.socket, "message");
    expect(till.heard[0]).toContain('"register":"till"');
  });

  it("is not waited for by sockets that are gone", async () => {
    await using bridge = await startBridge();
    const till = await session(bridge, "till-token");
    till.socket.close();
    await till.closed;
    while (bridge.sockets.count() > 0) await new Promise((later) => setTimeout(later, 5));
    expect(bridge.watching()).toBe(0);
  });
});
