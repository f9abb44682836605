import type { RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { HttpExchange, HttpOutcome, HttpRequest } from "../../../src/gateway/http-exchange.ts";
import { AHEAD_MS, createHttps, KEEP_MS, MAX_BODY_BYTES } from "../../../src/gateway/https.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";
import loopbackTls from "../../vectors/loopback-tls.json" with { type: "json" };
import { bodyOf, httpServer, type LoopbackServer, rawServer, tlsServer } from "./loopback-server.ts";

const date: unknown = expect.stringMatching(/ GMT$/);
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface World {
  readonly clock: VirtualClock;
  readonly server: LoopbackServer;
  readonly http: HttpExchange;
  /** Resolves once a connection that was opened ahead stands ready. */
  ahead(): Promise<void>;
  ask(changes?: Partial<HttpRequest>): Promise<HttpOutcome>;
}

async function worldOf(serving: Promise<LoopbackServer>, ca?: string): Promise<World> {
  const server = await serving;
  const clock = createVirtualClock(0);
  const delays: number[] = [];
  const after: VirtualClock["after"] = (delayMs, run) => {
    delays.push(delayMs);
    return clock.after(delayMs, run);
  };
  const http = createHttps({ baseUrl: server.baseUrl, clock: { ...clock, after }, ...(ca !== undefined && { ca }) });
  ends.push(server.stop, () => http.close());
  const ahead = (): Promise<void> => until(() => delays.includes(AHEAD_MS));
  const ask = (changes: Partial<HttpRequest> = {}): Promise<HttpOutcome> =>
    http.exchange({
      method: "POST",
      url: `${server.baseUrl}v1/payments`,
      headers: {},
      body: "a=1",
      deadlineMs: 30_000,
      ...changes,
    });
  return { clock, server, http, ahead, ask };
}

const serving = (serve: RequestListener): Promise<World> => worldOf(httpServer(serve));
const raw = (accept: (socket: Socket) => void): Promise<World> => worldOf(rawServer(accept));

/** Waits for real input and output by its own sign. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

describe("a whole answer", () => {
  test("comes back as it is, whatever its status or kind", async () => {
    const { ask } = await serving((_, response) =>
      response.writeHead(502, { "content-type": "text/html" }).end("<html>Bad Gäteway</html>"),
    );
    expect(await ask()).toEqual({ is: "answered", status: 502, date, body: "<html>Bad Gäteway</html>" });
  });

  test("to a request that arrived as it was meant", async () => {
    const { ask } = await serving(async (request, response) => {
      const body = await bodyOf(request);
      response.end(
        JSON.stringify({
          method: request.method,
          url: request.url,
          type: request.headers["content-type"],
          length: request.headers["content-length"],
          body,
        }),
      );
    });
    const outcome = await ask({
      headers: { "content-type": "application/x-www-form-urlencoded; charset=UTF-8" },
      body: "a=K%C3%A4se",
    });
    expect(outcome).toMatchObject({ is: "answered", status: 200 });
    expect(outcome.is === "answered" && JSON.parse(outcome.body)).toEqual({
      method: "POST",
      url: "/v1/payments",
      type: "application/x-www-form-urlencoded; charset=UTF-8",
      length: "11",
      body: "a=K%C3%A4se",
    });
  });

  test("to a deletion, which has no body", async () => {
    const { http, server } = await serving(async (request, response) => {
      response.end(JSON.stringify({ method: request.method, url: request.url, body: await bodyOf(request) }));
    });
    const outcome = await http.exchange({
      method: "DELETE",
      url: `${server.baseUrl}v1/registrations/ab?entityId=1`,
      headers: {},
      deadlineMs: 30_000,
    });
    expect(outcome.is === "answered" && JSON.parse(outcome.body)).toEqual({
      method: "DELETE",
      url: "/v1/registrations/ab?entityId=1",
      body: "",
    });
  });

  test("that redirects is handed back, not followed", async () => {
    let requests = 0;
    const { ask } = await serving((_, response) => {
      requests += 1;
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    expect(await ask()).toEqual({ is: "answered", status: 307, date, location: "/elsewhere", body: "" });
    expect(requests).toBe(1);
  });

  test("of exactly the largest size is read, and one byte more is broken", async () => {
    let size = MAX_BODY_BYTES;
    const { ask } = await serving((_, response) => response.end("x".repeat(size)));
    const largest = await ask();
    expect(largest.is === "answered" && largest.body.length).toBe(MAX_BODY_BYTES);
    size += 1;
    expect((await ask()).is).toBe("broken");
  });

  test("that never ends is broken at the size limit", async () => {
    const { ask } = await serving((_, response) => {
      const more = (): void => {
        if (!response.destroyed) response.write("x".repeat(65_536), () => more());
      };
      more();
    });
    expect(await ask()).toMatchObject({ is: "broken" });
  });
});

describe("not sent is a proof", () => {
  test("a port that nobody listens on", async () => {
    const { server, ask } = await serving((_, response) => response.end());
    await server.stop();
    expect(await ask()).toMatchObject({ is: "not-sent", detail: expect.stringContaining("ECONNREFUSED") });
  });

  test("a server that does not talk TLS", async () => {
    const server = await rawServer((socket) => socket.end("no TLS here\r\n"));
    const baseUrl = server.baseUrl.replace("http:", "https:");
    const http = createHttps({ baseUrl, clock: createVirtualClock(0) });
    ends.push(server.stop, () => http.close());
    expect(await http.exchange({ method: "GET", url: baseUrl, headers: {}, deadlineMs: 1000 })).toMatchObject({
      is: "not-sent",
      fault: "tls",
    });
  });

  test("a certificate that is not trusted", async () => {
    let requests = 0;
    const { ask } = await worldOf(
      tlsServer(() => {
        requests += 1;
        return "";
      }),
    );
    expect(await ask()).toMatchObject({ is: "not-sent", fault: "tls", detail: expect.stringMatching(/self.signed/i) });
    expect(requests).toBe(0);
  });

  test("a deadline that passes while the connection is being made", async () => {
    const server = await rawServer(() => undefined);
    const clock = createVirtualClock(0);
    const baseUrl = server.baseUrl.replace("http:", "https:");
    const http = createHttps({ baseUrl, clock });
    ends.push(server.stop, () => http.close());
    const outcome = http.exchange({
      method: "POST",
      url: `${baseUrl}v1/payments`,
      headers: {},
      body: "a=1",
      deadlineMs: 1000,
    });
    await until(() => server.connections() === 1);
    await clock.advance(1000);
    expect(await outcome).toMatchObject({
      is: "not-sent",
      fault: "timeout",
      detail: expect.stringContaining("within 1000 ms"),
    });
  });

  test("a connection that is made only after the deadline, which is closed unused", async () => {
    let requests = 0;
    const backend = await tlsServer(() => {
      requests += 1;
      return "";
    });
    let release = (): void => undefined;
    const front = await rawServer((socket) => {
      release = () => {
        const behind = connect(Number(new URL(backend.baseUrl).port), "127.0.0.1");
        socket.pipe(behind).pipe(socket);
      };
    });
    const clock = createVirtualClock(0);
    const baseUrl = front.baseUrl.replace("http:", "https:");
    const http = createHttps({ baseUrl, clock, ca: loopbackTls.certificate });
    ends.push(backend.stop, front.stop, () => http.close());
    const outcome = http.exchange({
      method: "POST",
      url: `${baseUrl}v1/payments`,
      headers: {},
      body: "a=1",
      deadlineMs: 1000,
    });
    await until(() => front.connections() === 1);
    await clock.advance(1000);
    expect(await outcome).toMatchObject({ is: "not-sent" });
    release();
    await until(() => front.sockets[0]?.destroyed === true);
    expect(requests).toBe(0);
  });

  test("a connection that took all the time there was", async () => {
    let requests = 0;
    const server = await httpServer((_, response) => {
      requests += 1;
      response.end();
    });
    let now = 0;
    const monotonic = (): number => {
      now += 1001;
      return now;
    };
    const http = createHttps({ baseUrl: server.baseUrl, clock: { ...createVirtualClock(0), monotonic } });
    ends.push(server.stop, () => http.close());
    const outcome = await http.exchange({
      method: "POST",
      url: `${server.baseUrl}v1/payments`,
      headers: {},
      body: "a=1",
      deadlineMs: 1000,
    });
    expect(outcome).toEqual({ is: "not-sent", fault: "timeout", detail: "no time was left to send it" });
    expect(requests).toBe(0);
  });

  test.each([
    ["a deadline that is over already", { deadlineMs: 0 }],
    ["an address of another origin", { url: "http://127.0.0.1:1/v1/payments" }],
    ["an address that is none", { url: "v1/payments" }],
  ])("%s", async (_, changes) => {
    const { ask, server } = await serving((_, response) => response.end());
    expect(await ask(changes)).toMatchObject({ is: "not-sent" });
    expect(server.connections()).toBe(0);
  });

  test("a client that was closed", async () => {
    const { ask, http, server } = await serving((_, response) => response.end());
    await http.close();
    http.warm();
    expect(await ask()).toMatchObject({ is: "not-sent" });
    expect(server.connections()).toBe(0);
  });
});

describe("everything else is broken, and sent only once", () => {
  test("a connection cut before the first byte of the answer", async () => {
    let requests = 0;
    const { ask, server } = await serving((request) => {
      requests += 1;
      request.socket.resetAndDestroy();
    });
    expect(await ask()).toMatchObject({ is: "broken" });
    expect([requests, server.connections()]).toEqual([1, 1]);
  });

  test("a GET that was cut is not repeated either", async () => {
    const { ask, server } = await serving((request) => request.socket.destroy());
    expect(await ask({ method: "GET", body: "" })).toMatchObject({ is: "broken" });
    expect(server.connections()).toBe(1);
  });

  test("a connection reset in the middle of the body", async () => {
    const { ask } = await raw((socket) => {
      socket.once("data", () =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"result":', () => socket.resetAndDestroy()),
      );
    });
    expect(await ask()).toMatchObject({ is: "broken" });
  });

  test("a body that ends before its length", async () => {
    const { ask } = await raw((socket) => {
      socket.once("data", () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"result":'));
    });
    expect(await ask()).toMatchObject({ is: "broken" });
  });

  test("an answer that is not HTTP", async () => {
    const { ask } = await raw((socket) => {
      socket.once("data", () => socket.end("220 mail.example ESMTP\r\n"));
    });
    expect(await ask()).toMatchObject({ is: "broken" });
  });

  test("an answer that does not come within the deadline", async () => {
    let requests = 0;
    const { ask, clock } = await serving(() => {
      requests += 1;
    });
    const outcome = ask({ deadlineMs: 45_000 });
    await until(() => requests === 1);
    await clock.advance(44_999);
    expect(await Promise.race([outcome, clock.settle()])).toBeUndefined();
    await clock.advance(1);
    expect(await outcome).toEqual({ is: "broken", fault: "timeout", detail: "no whole answer within 45000 ms" });
  });

  test("an answer whose body stalls beyond the deadline", async () => {
    let written = false;
    const { ask, clock } = await serving((_, response) => {
      response.writeHead(200, { "content-length": "10" }).write("half", () => {
        written = true;
      });
    });
    const outcome = ask({ deadlineMs: 1000 });
    await until(() => written);
    await clock.advance(1000);
    expect(await outcome).toMatchObject({ is: "broken" });
  });

  test("a client that is closed meanwhile", async () => {
    let requests = 0;
    const { ask, http } = await serving(() => {
      requests += 1;
    });
    const outcome = ask();
    await until(() => requests === 1);
    await http.close();
    expect(await outcome).toMatchObject({ is: "broken" });
  });
});

describe("connections", () => {
  const ok: RequestListener = (_, response) => response.end("ok");

  test("opened ahead are used by the next request", async () => {
    const { http, server, ahead, ask } = await serving(ok);
    http.warm();
    http.warm();
    await ahead();
    http.warm();
    expect(await ask()).toMatchObject({ is: "answered" });
    expect(server.connections()).toBe(1);
  });

  test("opened ahead too long ago are not used", async () => {
    const { http, server, ahead, ask, clock } = await serving(ok);
    http.warm();
    await ahead();
    await until(() => server.connections() === 1);
    await clock.advance(AHEAD_MS);
    expect(await ask()).toMatchObject({ is: "answered" });
    expect(server.connections()).toBe(2);
  });

  test("opened ahead and closed by the server are not used", async () => {
    const { http, server, ahead, ask } = await serving(ok);
    http.warm();
    await ahead();
    await until(() => server.connections() === 1);
    let closed = false;
    server.sockets[0]?.once("close", () => {
      closed = true;
    });
    server.sockets[0]?.end();
    await until(() => closed);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await ask()).toMatchObject({ is: "answered" });
    expect(server.connections()).toBe(2);
  });

  test("just used carry another request, older ones do not", async () => {
    const { server, ask, clock } = await serving(ok);
    await ask();
    await clock.advance(KEEP_MS - 1);
    await ask();
    expect(server.connections()).toBe(1);
    await clock.advance(KEEP_MS);
    await ask();
    expect(server.connections()).toBe(2);
  });

  test.each([
    ["timeout=3, max=100", 2_000],
    ["timeout=1", 0],
    ["timeout=75", KEEP_MS],
  ])("are used again as long as the server says (%s), but for a second", async (said, keepMs) => {
    const { server, ask, clock } = await serving((_, response) =>
      response.writeHead(200, { "keep-alive": said }).end("ok"),
    );
    await ask();
    await clock.advance(Math.max(0, keepMs - 1));
    await ask();
    await clock.advance(keepMs);
    await ask();
    expect(server.connections()).toBe(keepMs === 0 ? 3 : 2);
  });

  // The server says 3 s, undici takes off two by itself. Real time, since that timer knows no other.
  test("are never ended by anything else at the moment at which a request is given to them", async () => {
    const kept: RequestListener = (_, response) => response.writeHead(200, { "keep-alive": "timeout=3" }).end("ok");
    const worlds = await Promise.all(Array.from({ length: 150 }, () => serving(kept)));
    for (const { ask } of worlds) await ask();
    const pause = (at: number) => new Promise<void>((resolve) => setTimeout(resolve, 900 + (at % 50) * 4));
    const outcomes = worlds.map(async ({ ask }, at) => pause(at).then(async () => (await ask()).is));
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(["answered"]));
  });

  test("are not shared by two requests at once", async () => {
    const waiting: (() => void)[] = [];
    const { server, ask } = await serving((_, response) => {
      waiting.push(() => response.end("ok"));
    });
    const both = [ask(), ask()];
    await until(() => waiting.length === 2);
    for (const answer of waiting) answer();
    expect(await Promise.all(both)).toMatchObject([{ is: "answered" }, { is: "answered" }]);
    expect(server.connections()).toBe(2);
  });

  test("are not used again after a failure, nor where the server says so", async () => {
    let requests = 0;
    const { server, ask } = await serving((request, response) => {
      requests += 1;
      if (requests === 1) request.socket.destroy();
      else response.writeHead(200, { connection: "close" }).end("ok");
    });
    expect([(await ask()).is, (await ask()).is, (await ask()).is]).toEqual(["broken", "answered", "answered"]);
    expect(server.connections()).toBe(3);
  });

  test("speak HTTP/1.1 over verified TLS, even where HTTP/2 is offered", async () => {
    const { ask } = await worldOf(
      tlsServer((httpVersion) => httpVersion),
      loopbackTls.certificate,
    );
    expect(await ask()).toEqual({ is: "answered", status: 200, date, body: "1.1" });
  });

  test("leave no timer behind once closed", async () => {
    const { ask, http, clock } = await serving(ok);
    await ask();
    await http.close();
    expect(clock.pending()).toBe(0);
  });
});
