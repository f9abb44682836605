import { once } from "node:events";
import { request } from "node:http";
import { request as secureRequest } from "node:https";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { type Listener, listenForWebhooks, WebhooksUnheard } from "../../../src/webhook/listener.ts";
import type { Receiver } from "../../../src/webhook/receiver.ts";
import loopbackTls from "../../vectors/loopback-tls.json" with { type: "json" };

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Well before Node itself ends a slow client (60 s), and well after a busy machine gets round to it. */
const NODES_OWN_MS = 30_000;

const takesAll: Receiver = { receive: () => ({ status: 200, words: "hinted" }) };

async function listening(
  receiver: Receiver,
  tls?: { cert: string; key: string },
  problems: unknown[] = [],
): Promise<Listener> {
  const on = { host: "127.0.0.1", port: 0, path: "/webhooks", ...(tls && { tls }) };
  const listener = await listenForWebhooks(on, receiver, (problem) => problems.push(problem));
  ends.push(listener.close);
  return listener;
}

async function send(
  port: number,
  options: { method?: string; path?: string; headers?: Record<string, string>; ca?: string } = {},
  body = "00",
) {
  const { method = "POST", path = "/webhooks", headers = {}, ca } = options;
  const open = ca === undefined ? request : secureRequest;
  const asking = open({ host: "127.0.0.1", port, method, path, headers, ...(ca !== undefined && { ca }) });
  asking.end(body);
  const [answer] = await once(asking, "response");
  return { status: answer.statusCode, connection: answer.headers.connection, words: await text(answer) };
}

describe("the listener", () => {
  it("hands headers and body on and answers what comes of them", async () => {
    const seen: unknown[] = [];
    const { port } = await listening({
      receive: (envelope) => {
        seen.push(envelope);
        return { status: 400, words: "no" };
      },
    });
    expect(await send(port, { headers: { "X-Authentication-Tag": "AB" } }, "F8E2")).toEqual({
      status: 400,
      connection: "close",
      words: "no\n",
    });
    expect(seen).toMatchObject([{ headers: { "x-authentication-tag": "AB" }, body: "F8E2" }]);
  });

  it.each([
    ["another path", { path: "/" }, 404],
    ["a path below", { path: "/webhooks/more" }, 404],
    ["a path that is none", { path: "*" }, 404],
    ["another method", { method: "GET" }, 405],
    ["a method that changes", { method: "DELETE" }, 405],
    ["its headers alone", { method: "HEAD" }, 405],
    ["its path with a query", { path: "/webhooks?a=1" }, 200],
  ])("asked for %s says so", async (_, options, status) => {
    const { port } = await listening(takesAll);
    expect(await send(port, options)).toMatchObject({ status });
  });

  it("names the method that it takes", async () => {
    const { port } = await listening(takesAll);
    expect((await fetch(`http://127.0.0.1:${port}/webhooks`)).headers.get("allow")).toBe("POST");
  });

  it("reads no body that is too long", async () => {
    const { port } = await listening(takesAll);
    expect(await send(port, {}, "0".repeat(131_072))).toMatchObject({ status: 200 });
    expect(await send(port, {}, "0".repeat(131_073))).toMatchObject({ status: 413 });
  });

  it("cuts one off that does not say how long it is and never ends", async () => {
    const { port } = await listening(takesAll);
    const socket = connect(port, "127.0.0.1");
    socket.write("POST /webhooks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    const more = (): void =>
      void (socket.writable && socket.write(`2000\r\n${"0".repeat(0x2000)}\r\n`, () => setImmediate(more)));
    more();
    socket.on("error", () => socket.destroy());
    await once(socket, "close");
    expect(await send(port)).toMatchObject({ status: 200 });
  });

  it("bears a sender that goes in the middle, and headers without end", async () => {
    const problems: unknown[] = [];
    const { port } = await listening(takesAll, undefined, problems);
    const socket = connect(port, "127.0.0.1");
    socket.end("POST /webhooks HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n00");
    await once(socket.resume(), "close");
    expect(await send(port, { headers: { "x-long": "0".repeat(9000) } })).toMatchObject({ status: 431 });
    expect(await send(port)).toMatchObject({ status: 200 });
    expect(problems).toEqual([]);
  });

  it("answers 500 where the receiver breaks, so that it comes again, and says nothing of why", async () => {
    const problems: unknown[] = [];
    const fails: Receiver = {
      receive() {
        throw new RangeError("secret detail");
      },
    };
    const { port } = await listening(fails, undefined, problems);
    expect(await send(port)).toMatchObject({ status: 500, words: "the bridge failed at this request\n" });
    expect(problems).toHaveLength(1);
  });

  it("speaks TLS with the certificate that it is given", async () => {
    const { port } = await listening(takesAll, { cert: loopbackTls.certificate, key: loopbackTls.key });
    expect(await send(port, { ca: loopbackTls.certificate })).toMatchObject({ status: 200, words: "hinted\n" });
    await expect(send(port)).rejects.toThrow();
  });

  it.each([
    ["says nothing", "", false],
    ["never ends its headers", "POST /webhooks HTTP/1.1\r\nHost: a\r\n", false],
    ["never ends its body", "POST /webhooks HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0", false],
    ["never begins with TLS", "", true],
  ])("cuts one off in time who %s", async (_, words, isSecure) => {
    const tls = isSecure ? { tls: { cert: loopbackTls.certificate, key: loopbackTls.key } } : {};
    const listener = await listenForWebhooks(
      { host: "127.0.0.1", port: 0, path: "/webhooks", requestMs: 300, ...tls },
      takesAll,
      () => undefined,
    );
    ends.push(listener.close);
    const socket = connect(listener.port, "127.0.0.1");
    socket.write(words);
    const began = performance.now();
    await once(socket.resume(), "close");
    expect(performance.now() - began).toBeLessThan(NODES_OWN_MS);
  });

  it("ends without waiting for a connection that never begins with TLS", async () => {
    const listener = await listening(takesAll, { cert: loopbackTls.certificate, key: loopbackTls.key });
    const socket = connect(listener.port, "127.0.0.1");
    socket.on("error", () => undefined);
    await once(socket, "connect");
    // One that comes later is served, so that the silent one has been accepted.
    expect(await send(listener.port, { ca: loopbackTls.certificate })).toMatchObject({ status: 200 });
    const began = performance.now();
    await listener.close();
    expect(performance.now() - began).toBeLessThan(NODES_OWN_MS);
    socket.destroy();
  });

  it("that cannot have its port says which and what to do", async () => {
    const { port } = await listening(takesAll);
    const again = listenForWebhooks({ host: "127.0.0.1", port, path: "/" }, takesAll, () => undefined);
    await expect(again).rejects.toBeInstanceOf(WebhooksUnheard);
    await expect(again).rejects.toThrow(
      `webhooks.listen: port ${port} on 127.0.0.1 cannot be listened on (EADDRINUSE): stop the program that has it, or choose another`,
    );
  });
});
