import { expect, it } from "vitest";
import { openTelemetry } from "../../../src/agent/telemetry.ts";
import { Secret } from "../../../src/kit/secret.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { openCounter, startRequest, till } from "../../support/counter.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { bodyOf, httpServer } from "../gateway/loopback-server.ts";

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

it("without a collector nothing is traced", () => {
  const ports = {
    clock: systemClock,
    log,
    metrics: { spansSent: () => undefined, spansDropped: () => undefined },
    version: "1",
    bridge: "brg_1",
  };
  expect(openTelemetry({ environment: "test" }, ports, { add: () => undefined })).toBeUndefined();
});

it("a sale of an engine arrives at the collector as one trace, with the key that the configuration names", async () => {
  const requests: { readonly key: unknown; readonly authorization: unknown; readonly body: string }[] = [];
  const server = await httpServer(async (request, response) => {
    requests.push({
      key: request.headers["api-key"],
      authorization: request.headers.authorization,
      body: await bodyOf(request),
    });
    response.end("{}");
  });
  let sent = 0;
  let close = async (): Promise<void> => undefined;
  const counter = openCounter();
  const traced = openTelemetry(
    {
      environment: "test",
      telemetry: { otlpEndpoint: server.baseUrl, headers: new Secret("api-key=k-1,authorization=Bearer%20k%2C2") },
    },
    {
      clock: createVirtualClock(0),
      log,
      metrics: {
        spansSent: (count) => {
          sent += count;
        },
        spansDropped: () => undefined,
      },
      version: "1",
      bridge: "brg_1",
    },
    {
      add: (_, stop) => {
        close = async () => stop();
      },
    },
  );
  void counter.payments.start(till, startRequest("R-1"));
  await counter.clock.advance(60_000);
  for (const step of counter.appended) traced?.(step);
  await close();
  await server.stop();
  expect(requests.map(({ key, authorization }) => [key, authorization])).toEqual([["k-1", "Bearer k,2"]]);
  const body = requests[0]?.body ?? "";
  const names = [...body.matchAll(/"name":"([^"]+)","kind"/g)].map(([, name]) => name);
  expect(names).toEqual(["card entry", "gateway PA", "card completion", "payment SALE", "gateway CP"]);
  expect(new Set([...body.matchAll(/"traceId":"([0-9a-f]{32})"/g)].map(([, id]) => id)).size).toBe(1);
  expect(sent).toBe(names.length);
});
