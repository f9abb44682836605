import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { pairRegister } from "../../src/client/pairing.ts";
import { textPairingStore } from "../../src/client/pairing-store.ts";
import { systemClock } from "../../src/kit/system-clock.ts";
import { LIMITS } from "../../src/register/rpc/limits.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import loopbackTls from "../vectors/loopback-tls.json" with { type: "json" };
import { type Bridge, type BridgeOptions, startBridge } from "./bridge.ts";
import { AT } from "./fake-payments.ts";
import { get, statusOf, upgrade } from "./raw-http.ts";

const sockets: WebSocket[] = [];
const clients: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
  for (const client of clients.splice(0)) client.destroy();
});

/** Opens a socket, and says nothing on it. */
async function stranger({ url }: Bridge, localAddress = "127.0.0.1"): Promise<WebSocket> {
  const socket = new WebSocket(url, { localAddress, ca: loopbackTls.certificate });
  sockets.push(socket);
  await once(socket, "message");
  return socket;
}

async function openSession(socket: WebSocket): Promise<string> {
  socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session.open", params: { token: "till-token" } }));
  const [answer] = await once(socket, "message");
  return String(answer);
}

async function register(bridge: Bridge): Promise<WebSocket> {
  const socket = await stranger(bridge);
  expect(await openSession(socket)).toContain('"register":"till"');
  return socket;
}

async function closeOf(socket: WebSocket): Promise<number> {
  const [code] = await once(socket, "close");
  return Number(code);
}

/** The newest socket has been served once it is answered, and so has all that came before. */
async function answers(socket: WebSocket): Promise<boolean> {
  socket.send(JSON.stringify({ jsonrpc: "2.0", id: 2, method: "session.ping" }));
  const [answer] = await once(socket, "message");
  return String(answer).includes('"id":2');
}

/** Asks on a socket until the bridge has as few sockets as that. */
async function until(bridge: Bridge, open: number, asking: WebSocket): Promise<void> {
  while (bridge.sockets.count() > open) expect(await answers(asking)).toBe(true);
}

/** Connects, and sends nothing. */
async function silent({ server }: Bridge, localAddress = "127.0.0.1"): Promise<Socket> {
  const client = connect({ port: server.port, host: "127.0.0.1", localAddress });
  client.on("error", () => undefined);
  clients.push(client);
  await once(client, "connect");
  return client;
}

const few = (withoutSession: number, perAddress = 99): BridgeOptions => ({
  sockets: {
    sessions: 2,
    withoutSession: { all: withoutSession, perAddress, isOwn: (address) => address === "127.0.0.1" },
  },
});

const healthOf = async ({ server: { port } }: Bridge): Promise<number> =>
  statusOf(await get(port, "/healthz", [`Host: 127.0.0.1:${port}`]));

describe("a socket without a session", () => {
  it("gives way to the newest when all places are taken, and is told so (1013)", async () => {
    await using bridge = await startBridge(systemClock, few(2));
    const [first, second] = [await stranger(bridge), await stranger(bridge)];
    const closed = closeOf(first);
    const third = await stranger(bridge);
    expect(await closed).toBe(1013);
    expect([await answers(second), await answers(third)]).toEqual([true, true]);
  });

  it("keeps its place while a technician decides about its pairing", async () => {
    await using bridge = await startBridge(systemClock, few(2));
    const store = textPairingStore({ read: async () => undefined, write: async () => undefined });
    const shown = Promise.withResolvers<string>();
    const paired = pairRegister({ url: bridge.url, name: "till-7", store, onCode: ({ code }) => shown.resolve(code) });
    const code = await shown.promise;
    for (let more = 0; more < 4; more += 1) await stranger(bridge);
    expect(bridge.registers.registers.approve({ code, by: "root" }).ok).toBe(true);
    expect(await paired).toMatchObject({ register: "till-7" });
  });

  it("is let go at once, also where it does not answer", async () => {
    // Time stands still: nothing is ended because it took too long.
    await using bridge = await startBridge(createVirtualClock(Date.parse(AT)), few(1));
    const deaf = await stranger(bridge);
    deaf.pause();
    const newer = await stranger(bridge);
    await until(bridge, 1, newer);
  });

  it("never takes the place of a session, however many come", async () => {
    await using bridge = await startBridge(systemClock, few(1));
    const [first, second] = [await register(bridge), await register(bridge)];
    expect(statusOf(await upgrade(bridge.server.port, "/v1", [`Host: 127.0.0.1:${bridge.server.port}`]))).toBe(503);
    first.close();
    await until(bridge, 1, second);
    for (let more = 0; more < 5; more += 1) await stranger(bridge);
    expect(await answers(second)).toBe(true);
  });

  it("gets no session beyond the last place, and may try again once one is free", async () => {
    await using bridge = await startBridge(systemClock, few(3));
    const late = await stranger(bridge);
    const [first, second] = [await register(bridge), await register(bridge)];
    expect(await openSession(late)).toContain("too-many-requests");
    first.close();
    await until(bridge, 2, second);
    expect(await openSession(late)).toContain('"register":"till"');
  });

  it("gives way earlier to one of its own address, where that is not this machine's", async () => {
    await using bridge = await startBridge(systemClock, few(9, 1));
    const local = await stranger(bridge);
    const foreign = await stranger(bridge, "127.0.0.2");
    const closed = closeOf(foreign);
    const newer = await stranger(bridge, "127.0.0.2");
    expect(await closed).toBe(1013);
    expect([await answers(local), await answers(newer)]).toEqual([true, true]);
  });
});

describe("a connection that sends no request", () => {
  // So long that none is ended for being slow.
  const requestMs = 600_000;

  it.each([
    ["", {}],
    [" that came over TLS", { tls: { cert: loopbackTls.certificate, key: loopbackTls.key } }],
  ])("gives way to the newest when all places are taken, and no register%s does", async (_how, options) => {
    await using bridge = await startBridge(systemClock, {
      ...options,
      requestMs,
      connections: { all: 2, perAddress: 9 },
    });
    const session = await register(bridge);
    const closed = once((await silent(bridge)).resume(), "close");
    await silent(bridge);
    await silent(bridge);
    await closed;
    expect(await answers(session)).toBe(true);
  });

  it("keeps no request waiting", async () => {
    await using bridge = await startBridge(systemClock, { connections: { all: 1, perAddress: 9 } });
    await silent(bridge);
    expect(await healthOf(bridge)).toBe(200);
  });

  it("gives way earlier to one of its own address, where that is not this machine's", async () => {
    const connections = { all: 9, perAddress: 1, isOwn: (address: string) => address === "127.0.0.1" };
    await using bridge = await startBridge(systemClock, { requestMs, connections });
    const first = await silent(bridge, "127.0.0.2");
    const closed = once(first.resume(), "close");
    await silent(bridge, "127.0.0.2");
    await closed;
    expect(await healthOf(bridge)).toBe(200);
  });
});

describe("a shop in a crowd, with the limits as they are", () => {
  it("lets all its registers in beside as many sockets without a token as there are places", async () => {
    await using bridge = await startBridge();
    for (let more = 0; more < LIMITS.withoutSession; more += 1) await stranger(bridge);
    for (let more = 0; more < 40; more += 1) await register(bridge);
    expect(bridge.sockets.count()).toBeGreaterThanOrEqual(40);
  });

  it("answers, and lets registers in, beside 2,000 connections that send nothing", async () => {
    await using bridge = await startBridge();
    const before = await register(bridge);
    for (let more = 0; more < 2_000; more += 200) await Promise.all(Array.from({ length: 200 }, () => silent(bridge)));
    expect(await healthOf(bridge)).toBe(200);
    await register(bridge);
    expect(await answers(before)).toBe(true);
  });
});
