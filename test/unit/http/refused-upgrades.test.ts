import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { refuse } from "../../../src/http/refuse.ts";
import { startHttp } from "../../../src/http/server.ts";
import { sleep } from "../../../src/kit/clock.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { startBridge } from "../../contract/bridge.ts";
import { AT } from "../../contract/fake-payments.ts";
import { get, statusOf } from "../../contract/raw-http.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import loopbackTls from "../../vectors/loopback-tls.json" with { type: "json" };

const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

/** A client that leaves its own side open whatever the bridge does with the other one. */
function holding(port: number): Socket {
  const client = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
  client.on("error", () => undefined);
  clients.push(client);
  return client;
}

/** Asks for an upgrade, reads all of the answer, and holds on. */
async function refused(
  port: number,
  path: string,
  host = `127.0.0.1:${port}`,
): Promise<{ readonly client: Socket; readonly answer: string }> {
  const client = holding(port);
  let answer = "";
  client.on("data", (data) => {
    answer += String(data);
  });
  const headers = [
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  client.write([`GET ${path} HTTP/1.1`, `Host: ${host}`, ...headers, "", ""].join("\r\n"));
  await once(client, "end");
  return { client, answer };
}

/** Whether the bridge has let go of it: what is sent then is answered by a reset, which the next write meets. */
async function isLetGo(client: Socket): Promise<boolean> {
  for (let tries = 0; tries < 50 && !client.destroyed; tries += 1) {
    client.write("x");
    await sleep(systemClock, 10);
  }
  return client.destroyed;
}

describe("a client whose upgrade was refused, and who holds on", () => {
  it.each([
    [404, "/v2", undefined, "the register's socket is at /v1"],
    [403, "/v1", "evil.example", "this host name is not served here: add it to listen.names in the configuration"],
  ])("has the whole answer (%i) and is let go", async (status, path, host, words) => {
    await using bridge = await startBridge();
    const { client, answer } = await refused(bridge.server.port, path, host);
    expect(statusOf(answer)).toBe(status);
    expect(answer).toContain(words);
    expect(await isLetGo(client)).toBe(true);
  });

  it("is let go as well where all sessions are open that may be (503)", async () => {
    await using bridge = await startBridge(systemClock, {
      sockets: { sessions: 0, withoutSession: { all: 1, perAddress: 1 } },
    });
    const { client, answer } = await refused(bridge.server.port, "/v1");
    expect(statusOf(answer)).toBe(503);
    expect(answer).toContain("Retry-After: 5");
    expect(await isLetGo(client)).toBe(true);
  });

  it("takes no place from others, however many do so", async () => {
    await using bridge = await startBridge();
    const { port } = bridge.server;
    for (let opened = 0; opened < 300; opened += 50)
      await Promise.all(Array.from({ length: 50 }, () => refused(port, "/v2")));
    expect(statusOf(await get(port, "/healthz", [`Host: 127.0.0.1:${port}`]))).toBe(200);
  });

  it("is let go after a second even where the answer does not get through", async () => {
    const clock = createVirtualClock(Date.parse(AT));
    const stuck = new Duplex({ read: () => undefined, write: () => undefined });
    refuse(stuck, clock, { status: "404 Not Found", why: "nothing" });
    await clock.advance(999);
    expect(stuck.destroyed).toBe(false);
    await clock.advance(1);
    expect(stuck.destroyed).toBe(true);
  });
});

const silentPage = {
  names: () => ["127.0.0.1"],
  origins: [],
  page: { version: "1", environment: "test" },
  ready: () => [],
  metrics: async () => "",
  openRpc: () => "{}",
  problem: () => undefined,
  refused: () => undefined,
} as const;
/** A server that waits for its own time to go by waits for ever. */
const standing = () => ({ ...silentPage, clock: createVirtualClock(Date.parse(AT)) });
const noSockets = { upgrade: () => false, turnAway: () => false, close: async () => undefined };
const tls = { cert: loopbackTls.certificate, key: loopbackTls.key };

/** Takes every upgrade, and does nothing about it. */
function forgetful(close: () => Promise<void>) {
  const upgraded = Promise.withResolvers<void>();
  const upgrade = (): boolean => {
    upgraded.resolve();
    return true;
  };
  return { upgraded: upgraded.promise, sockets: { upgrade, turnAway: upgrade, close } };
}

describe("the end of the HTTP server", () => {
  it("waits for no client that holds a connection which was upgraded and forgotten", async () => {
    const { upgraded, sockets } = forgetful(async () => undefined);
    const server = await startHttp({ ...standing(), listen: { host: "127.0.0.1", port: 0 }, sockets });
    const asking = refused(server.port, "/v1");
    await upgraded;
    await server.close();
    expect((await asking).answer).toBe("");
  });

  it("waits for no connection that never begins with TLS", async () => {
    const server = await startHttp({ ...standing(), listen: { host: "127.0.0.1", port: 0, tls }, sockets: noSockets });
    await once(holding(server.port), "connect");
    // The next connection is served, so that the silent one before it has been accepted.
    await expect(fetch(`https://127.0.0.1:${server.port}/healthz`)).rejects.toThrow();
    await server.close();
  });

  it("cuts every connection off after two seconds, even where the register's sockets do not end", async () => {
    const { upgraded, sockets } = forgetful(() => new Promise<void>(() => undefined));
    const on = standing();
    const server = await startHttp({ ...on, listen: { host: "127.0.0.1", port: 0 }, sockets });
    const asking = refused(server.port, "/v1");
    await upgraded;
    const closed = server.close();
    await on.clock.advance(2_000);
    await closed;
    expect((await asking).answer).toBe("");
  });
});

describe("a client that is too slow", () => {
  it.each([
    ["says nothing", "", false],
    ["never ends its headers", "GET / HTTP/1.1\r\nHost: a\r\n", false],
    ["never begins with TLS", "", true],
  ])("is cut off in time where it %s", async (_, words, isSecure) => {
    const listen = { host: "127.0.0.1", port: 0, ...(isSecure && { tls }) };
    const server = await startHttp({ ...standing(), listen, sockets: noSockets, requestMs: 300 });
    const client = holding(server.port);
    client.write(words);
    const began = performance.now();
    await once(client.resume(), "end");
    // Node itself would wait for a minute and more.
    expect(performance.now() - began).toBeLessThan(30_000);
    client.destroy();
    await server.close();
  });
});
