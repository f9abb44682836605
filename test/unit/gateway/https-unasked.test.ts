import { createServer as createNetServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { AHEAD_MS, createHttps } from "../../../src/gateway/https.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";
import loopbackTls from "../../vectors/loopback-tls.json" with { type: "json" };

const { certificate, key } = loopbackTls;
const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
/** What HAProxy says where no request came in time (`timeout http-request`), before it hangs up. */
const TOO_LATE = "HTTP/1.0 408 Request Time-out\r\nconnection: close\r\n\r\n";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A front that answers every request; its connections can be made to say what nobody asked for. */
async function openFront(secure: boolean) {
  const sockets: Socket[] = [];
  let requests = 0;
  const accept = (socket: Socket): void => {
    sockets.push(socket);
    socket.on("error", () => socket.destroy());
    socket.on("data", () => {
      requests += 1;
      if (socket.writable) socket.write(OK);
    });
  };
  // Without a delay, so that what is said has arrived a turn of the loop later.
  const server: Server = secure
    ? createTlsServer({ cert: certificate, key, noDelay: true }, accept)
    : createNetServer({ noDelay: true }, accept);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const baseUrl = `${secure ? "https" : "http"}://127.0.0.1:${typeof address === "object" ? address?.port : undefined}/`;
  const clock = createVirtualClock(0);
  let opened = 0;
  const after: VirtualClock["after"] = (delayMs, run) => {
    if (delayMs === AHEAD_MS) opened += 1;
    return clock.after(delayMs, run);
  };
  const http = createHttps({ baseUrl, clock: { ...clock, after }, ca: certificate });
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  ends.push(() => http.close());
  return {
    ahead: async () => {
      http.warm();
      while (opened === 0 || sockets.length === 0) await turn();
    },
    ask: () =>
      http.exchange({ method: "POST", url: `${baseUrl}v1/payments`, headers: {}, body: "a=1", deadlineMs: 30_000 }),
    /** Says it on the first connection, and waits until it has arrived. */
    say: async (text: string, how: "write" | "end") => {
      await new Promise<void>((resolve) => sockets[0]?.[how](text, resolve));
      for (let turns = 0; turns < 5; turns += 1) await turn();
    },
    seen: () => ({ requests, connections: sockets.length }),
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const ANSWERED = { is: "answered", status: 200, body: "ok" };

describe.each([
  ["plain", false],
  ["over TLS", true],
])("a connection on which the server spoke without being asked (%s)", (_, secure) => {
  test.each([
    ["and hung up", TOO_LATE, "end"],
    ["and went on waiting", TOO_LATE, "write"],
    ["half a line", "HTTP/1.1 4", "write"],
  ] as const)("carries no request: %s", async (_what, text, how) => {
    const ahead = await openFront(secure);
    await ahead.ahead();
    await ahead.say(text, how);
    expect(await ahead.ask()).toEqual(ANSWERED);
    expect(ahead.seen()).toEqual({ requests: 1, connections: 2 });

    const resting = await openFront(secure);
    expect(await resting.ask()).toEqual(ANSWERED);
    await resting.say(text, how);
    expect(await resting.ask()).toEqual(ANSWERED);
    expect(resting.seen()).toEqual({ requests: 2, connections: 2 });
  });
});
