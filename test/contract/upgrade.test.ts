import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { LIMITS } from "../../src/register/rpc/limits.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { startBridge } from "./bridge.ts";
import { AT } from "./fake-payments.ts";
import { statusOf, upgrade } from "./raw-http.ts";

/** Opens a socket and reads its greeting. */
async function open(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url);
  await once(socket, "message");
  return socket;
}

async function closeOf(socket: WebSocket): Promise<number> {
  const [code] = await once(socket, "close");
  return Number(code);
}

describe("the upgrade to a register socket", () => {
  it.each([
    ["the address", (port: number) => [`Host: 127.0.0.1:${port}`]],
    ["the name", (port: number) => [`Host: localhost:${port}`]],
    ["the IPv6 address", (port: number) => [`Host: [::1]:${port}`]],
    ["an allowed origin", (port: number) => [`Host: localhost:${port}`, "Origin: https://till.example"]],
    ["a page of this port", (port: number) => [`Host: localhost:${port}`, `Origin: http://localhost:${port}`]],
  ])("is granted to %s", async (_who, headers) => {
    await using bridge = await startBridge();
    expect(statusOf(await upgrade(bridge.server.port, "/v1", headers(bridge.server.port)))).toBe(101);
  });

  it.each([
    ["another Host (DNS rebinding)", (port: number) => [`Host: evil.example:${port}`]],
    ["a Host without the port", () => ["Host: 127.0.0.1"]],
    ["a Host with another port", () => ["Host: 127.0.0.1:1"]],
    ["two Hosts", (port: number) => [`Host: 127.0.0.1:${port}`, `Host: evil.example:${port}`]],
  ])("is refused with 403 for %s", async (_who, headers) => {
    await using bridge = await startBridge();
    expect(statusOf(await upgrade(bridge.server.port, "/v1", headers(bridge.server.port)))).toBe(403);
    expect(bridge.sockets.count()).toBe(0);
  });

  it.each([
    ["a foreign origin", ["https://evil.example"]],
    ["the origin null", ["null"]],
    ["an origin that only begins like an allowed one", ["https://till.example.evil.example"]],
    ["an allowed origin with another scheme", ["http://till.example"]],
    ["an allowed origin with another port", ["https://till.example:8443"]],
    ["two origins", ["https://till.example", "https://evil.example"]],
  ])("is opened for %s, to tell it why and nothing else, and closed with 4403", async (_who, origins) => {
    await using bridge = await startBridge();
    const page = new WebSocket(bridge.url, { headers: { Origin: origins } });
    const heard: string[] = [];
    page.on("message", (data) => heard.push(String(data)));
    page.on("open", () => page.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session.open", params: {} })));
    expect(await closeOf(page)).toBe(4403);
    expect(heard.map((text) => JSON.parse(text))).toEqual([
      {
        jsonrpc: "2.0",
        id: null,
        error: {
          code: -32000,
          message: "this origin may not talk to the bridge: add it to origins in the configuration",
          data: {
            code: "origin-not-allowed",
            message: "this origin may not talk to the bridge: add it to origins in the configuration",
            advice: "fix-config",
          },
        },
      },
    ]);
    expect(bridge.sockets.count()).toBe(0);
    const shown = origins.length === 1 && origins[0] !== "null" ? { origin: origins[0] } : {};
    expect(bridge.events).toEqual([{ from: expect.any(String), why: "origin", ...shown }]);
  });

  it("is refused with 403 for a foreign origin at another path", async () => {
    await using bridge = await startBridge();
    const { port } = bridge.server;
    const headers = [`Host: 127.0.0.1:${port}`, "Origin: https://evil.example"];
    expect(statusOf(await upgrade(port, "/v2", headers))).toBe(403);
  });

  it.each(["/", "/v2", "/v1/", "/v1x"])("is refused with 404 at %s", async (path) => {
    await using bridge = await startBridge();
    expect(statusOf(await upgrade(bridge.server.port, path, [`Host: 127.0.0.1:${bridge.server.port}`]))).toBe(404);
  });
});

describe("a register socket", () => {
  it("is closed by a binary frame (1003), by a frame that is too long (1009) and by text that is not UTF-8 (1007)", async () => {
    await using bridge = await startBridge();
    const binary = await open(bridge.url);
    binary.send(Buffer.from('{"jsonrpc":"2.0"}'));
    expect(await closeOf(binary)).toBe(1003);
    const long = await open(bridge.url);
    long.send("x".repeat(LIMITS.messageBytes + 1));
    expect(await closeOf(long)).toBe(1009);
    const broken = await open(bridge.url);
    broken.send(Buffer.from([0xc3, 0x28]), { binary: false });
    expect(await closeOf(broken)).toBe(1007);
    expect(bridge.problems).toEqual([]);
  });

  it("does nothing of what stands behind a binary frame: nobody would hear what became of it", async () => {
    await using bridge = await startBridge();
    const socket = await open(bridge.url);
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session.open", params: { token: "till-token" } }));
    await once(socket, "message");
    const sale = { reference: "R-1", type: "SALE", terminal: "till-1", currency: "EUR", amount: "12.34" };
    socket.send(Buffer.of(0x00));
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 2, method: "payment.start", params: sale }));
    expect(await closeOf(socket)).toBe(1003);
    expect(bridge.payments.requests).toEqual([]);
    expect(bridge.watching()).toBe(0);
  });

  it("takes a frame of the longest length", async () => {
    await using bridge = await startBridge();
    const socket = await open(bridge.url);
    socket.send("x".repeat(LIMITS.messageBytes));
    const [answer] = await once(socket, "message");
    expect(String(answer)).toContain("parse-error");
  });

  it("is pinged every 20 s and ended after two pings without an answer", async () => {
    const clock = createVirtualClock(Date.parse(AT));
    await using bridge = await startBridge(clock);
    const deaf = new WebSocket(bridge.url, { autoPong: false });
    await once(deaf, "message");
    deaf.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session.open", params: { token: "till-token" } }));
    await once(deaf, "message");
    for (let pings = 0; pings < LIMITS.unansweredPings; pings += 1) {
      const pinged = once(deaf, "ping");
      await clock.advance(LIMITS.pingMs);
      await pinged;
    }
    const closed = closeOf(deaf);
    await clock.advance(LIMITS.pingMs);
    expect(await closed).toBe(1006);
  });

  it("lives on as long as it answers", async () => {
    const clock = createVirtualClock(Date.parse(AT));
    await using bridge = await startBridge(clock);
    const socket = await open(bridge.url);
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session.open", params: { token: "till-token" } }));
    await once(socket, "message");
    for (let at = 2; at < 10; at += 1) {
      const pinged = once(socket, "ping");
      await clock.advance(LIMITS.pingMs);
      await pinged;
      // The pong was sent before this call, so the answer proves that the bridge has it.
      socket.send(JSON.stringify({ jsonrpc: "2.0", id: at, method: "session.ping" }));
      expect(String((await once(socket, "message"))[0])).toContain(`"id":${at}`);
    }
  });

  it("that does not read is closed with 1013 and told nothing more", async () => {
    await using bridge = await startBridge();
    const slow = await open(bridge.url);
    slow.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session.open", params: { token: "till-token" } }));
    await once(slow, "message");
    slow.send(JSON.stringify({ jsonrpc: "2.0", id: 2, method: "events.subscribe", params: {} }));
    await once(slow, "message");
    const request = {
      reference: "r",
      type: "SALE",
      terminal: "till-1",
      currency: "EUR",
      amount: 1,
      allowPartialApproval: false,
      queue: false,
      parameters: {},
      fingerprint: "f",
    } as const;
    await bridge.payments.start({ register: "till", all: false }, request);
    slow.pause();
    const message = "x".repeat(100_000);
    for (let at = 0; at < 1_000 && bridge.payments.listeners() > 0; at += 1) {
      bridge.payments.change("pay_1", { reason: { code: "host-declined", message, advice: "wait" } });
    }
    expect(bridge.payments.listeners()).toBe(0);
    let told = 0;
    slow.on("message", () => {
      told += 1;
    });
    slow.resume();
    expect(await closeOf(slow)).toBe(1013);
    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThan(bridge.payments.log.length);
  });

  it("is told to go (1001) when the bridge stops, and one that does not answer is ended", async () => {
    const bridge = await startBridge();
    const socket = await open(bridge.url);
    const closed = closeOf(socket);
    await bridge.server.close();
    expect(await closed).toBe(1001);

    const clock = createVirtualClock(Date.parse(AT));
    const other = await startBridge(clock);
    const stuck = await open(other.url);
    stuck.pause();
    const stopped = other.server.close();
    await clock.advance(1_000);
    await stopped;
    expect(other.sockets.count()).toBe(0);
  });
});
