import { afterEach, expect, it } from "vitest";
import { postOtlp } from "../../../src/telemetry/otlp-http.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { bodyOf, httpServer, type LoopbackServer } from "../gateway/loopback-server.ts";

const servers: LoopbackServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function serve(...args: Parameters<typeof httpServer>): Promise<LoopbackServer> {
  const server = await httpServer(...args);
  servers.push(server);
  return server;
}

it("a batch is one POST of JSON to v1/traces, with the headers of the configuration", async () => {
  let seen: unknown;
  const server = await serve(async (request, response) => {
    const { method, url, headers } = request;
    seen = { method, url, type: headers["content-type"], key: headers["api-key"], body: await bodyOf(request) };
    response.end("{}");
  });
  const sent = { endpoint: `${server.baseUrl}otlp`, headers: { "api-key": "k" }, clock: createVirtualClock(0) };
  expect(await postOtlp(sent, '{"a":"ä"}')).toEqual({ is: "taken" });
  expect(seen).toEqual({
    method: "POST",
    url: "/otlp/v1/traces",
    type: "application/json",
    key: "k",
    body: '{"a":"ä"}',
  });
  expect(sent.clock.pending()).toBe(0);
});

it("headers that HTTP itself refuses are told, and nothing is thrown", async () => {
  const sent = { endpoint: "http://127.0.0.1:9/", headers: { trailer: "x" }, clock: createVirtualClock(0) };
  expect(await postOtlp(sent, "{}")).toEqual({ is: "refused", detail: expect.stringContaining("Trailers") });
  expect(sent.clock.pending()).toBe(0);
});

it.each([
  [503, "again"],
  [429, "again"],
  [400, "refused"],
  [301, "refused"],
])("status %i is %s, and its body is not read", async (status, is) => {
  const server = await serve((_, response) => {
    response.writeHead(status);
    const more = (): void => {
      if (!response.destroyed) response.write("x".repeat(65_536), () => more());
    };
    more();
  });
  expect(await postOtlp({ endpoint: server.baseUrl, headers: {}, clock: createVirtualClock(0) }, "{}")).toEqual({
    is,
    detail: `HTTP ${status}`,
  });
});

it("a collector that says nothing is given up after ten seconds, one that is not there at once", async () => {
  const clock = createVirtualClock(0);
  const asked = Promise.withResolvers<void>();
  const server = await serve(() => asked.resolve());
  const outcome = postOtlp({ endpoint: server.baseUrl, headers: {}, clock }, "{}");
  await asked.promise;
  await clock.advance(10_000);
  expect(await outcome).toEqual({ is: "again", detail: "no answer within 10000 ms" });
  await server.stop();
  expect(await postOtlp({ endpoint: server.baseUrl, headers: {}, clock }, "{}")).toMatchObject({
    is: "again",
    detail: expect.stringContaining("ECONNREFUSED"),
  });
});
