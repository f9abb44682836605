import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type ServerOptions } from "node:https";
import type { Socket } from "node:net";
import tls, { TLSSocket } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { openGateway } from "../../../src/agent/gateway.ts";
import type { GatewayOrder } from "../../../src/engine/ports.ts";
import { createGateway } from "../../../src/gateway/gateway.ts";
import { createHttps, type HttpsOptions } from "../../../src/gateway/https.ts";
import { Secret } from "../../../src/kit/secret.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import loopbackTls from "../../vectors/loopback-tls.json" with { type: "json" };
import { bodyOf, httpServer } from "./loopback-server.ts";

const { certificate, key } = loopbackTls;
const ENTITY = "8a8294174b7ecb28014b9699220015ca";
const SALE: GatewayOrder = {
  operation: {
    merchantTransactionId: "0123456789abcdef",
    paymentType: "PA",
    amount: 1234,
    currency: "EUR",
    entityId: ENTITY,
  },
  channel: { environment: "test", entityId: ENTITY, settlement: "dual" },
  device: { terminalId: "87654321", pinEntry: true },
  card: { entryMode: "ICC", icc: "9F0206000000001234" },
  sealed: { sred: { data: new Secret("FC0D53B7EA1FDA9E"), ksn: "FFFF9876543210E00001" } },
  parameters: {},
};
const APPROVED = JSON.stringify({
  id: "8ac7a4a282d522f70182d53e7a873640",
  paymentType: "PA",
  amount: "12.34",
  currency: "EUR",
  result: { code: "000.000.000" },
});

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Seen {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly body: string;
  readonly caller: string | undefined;
}

/** A gateway behind TLS on loopback that notes what it is asked. */
async function secureServer(
  answer: (seen: Seen, response: ServerResponse) => void,
  options: ServerOptions = {},
  host = "127.0.0.1",
) {
  const requests: Seen[] = [];
  const sockets: Socket[] = [];
  const server = createServer({ cert: certificate, key, ...options }, async (request: IncomingMessage, response) => {
    const { socket, method, url: path } = request;
    const caller =
      socket instanceof TLSSocket && socket.authorized ? String(socket.getPeerCertificate().subject.CN) : undefined;
    const seen = { method, path, body: await bodyOf(request), caller };
    requests.push(seen);
    answer(seen, response);
  });
  server.on("connection", (socket: Socket) => sockets.push(socket));
  server.on("tlsClientError", (_, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { baseUrl: `https://${host}:${port}/`, requests, connections: () => sockets.length };
}

function exchangeWith(baseUrl: string, options: Partial<HttpsOptions>) {
  const http = createHttps({ baseUrl, clock: createVirtualClock(0), ...options });
  ends.push(() => http.close());
  return http;
}

const ask = { method: "POST", headers: {}, body: "a=1", deadlineMs: 30_000 } as const;

describe("the gateway's certificate", () => {
  test("is trusted by the authority that the configuration names, and by none else", async () => {
    const { baseUrl, requests } = await secureServer((_, response) => response.end("ok"));
    const trusting = exchangeWith(baseUrl, { ca: certificate });
    expect(await trusting.exchange({ ...ask, url: baseUrl })).toEqual({
      is: "answered",
      status: 200,
      date: expect.any(String),
      body: "ok",
    });
    expect(await exchangeWith(baseUrl, {}).exchange({ ...ask, url: baseUrl })).toMatchObject({ is: "not-sent" });
    expect(requests).toHaveLength(1);
  });

  test("must be for the name that is called, whoever signed it", async () => {
    // This machine too, by an address that the certificate does not have.
    const { baseUrl, requests } = await secureServer((_, response) => response.end("ok"), {}, "127.0.0.2");
    const outcome = await exchangeWith(baseUrl, { ca: certificate }).exchange({ ...ask, url: baseUrl });
    expect(outcome).toMatchObject({ is: "not-sent", detail: expect.stringContaining("ERR_TLS_CERT_ALTNAME_INVALID") });
    expect(requests).toEqual([]);
  });

  test("is verified where the environment asks for it not to be", async () => {
    const { baseUrl, requests } = await secureServer((_, response) => response.end("ok"));
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      expect(await exchangeWith(baseUrl, {}).exchange({ ...ask, url: baseUrl })).toMatchObject({ is: "not-sent" });
    } finally {
      delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    }
    expect(requests).toEqual([]);
  });
});

describe("an old version of TLS", () => {
  const { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS } = tls;
  afterEach(() => Object.assign(tls, { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS }));

  test("is not spoken, also where the environment allows it (NODE_OPTIONS=--tls-min-v1.0)", async () => {
    Object.assign(tls, { DEFAULT_MIN_VERSION: "TLSv1", DEFAULT_CIPHERS: "DEFAULT@SECLEVEL=0" });
    const { baseUrl, requests } = await secureServer((_, response) => response.end("ok"), {
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
    });
    expect(await exchangeWith(baseUrl, { ca: certificate }).exchange({ ...ask, url: baseUrl })).toMatchObject({
      is: "not-sent",
    });
    expect(requests).toEqual([]);
  });
});

describe("a gateway that asks who is calling", () => {
  const asking = { requestCert: true, rejectUnauthorized: true, ca: certificate };

  test("is shown the client certificate", async () => {
    const { baseUrl, requests } = await secureServer((_, response) => response.end("ok"), asking);
    const http = exchangeWith(baseUrl, { ca: certificate, clientCertificate: { cert: certificate, key } });
    expect(await http.exchange({ ...ask, url: baseUrl })).toMatchObject({ is: "answered" });
    expect(requests).toMatchObject([{ caller: "posbridge loopback test" }]);
  });

  test("is asked by the bridge as its configuration says", async () => {
    const { baseUrl, requests } = await secureServer(
      (_, response) => response.writeHead(404).end('{"result":{"code":"700.400.580"}}'),
      asking,
    );
    const channel = {
      baseUrl,
      formerBaseUrls: [],
      entityId: ENTITY,
      accessToken: new Secret("token"),
      settlement: "dual",
      settlementByBrand: {},
      captures: "several",
      timeLimits: {},
    } as const;
    const trust = { ca: certificate, clientCertificate: { cert: certificate, key: new Secret(key) } };
    const log = { debug: () => undefined, warn: () => undefined };
    const { gateway, close } = openGateway(() => ({ gateway: { ...channel, ...trust } }), createVirtualClock(0), log);
    ends.push(close);
    const search = { channel: SALE.channel, of: { merchantTransactionId: "0123456789abcdef" } };
    expect(await gateway.search(search, 30_000)).toEqual({ is: "absent" });
    expect(requests).toMatchObject([{ method: "GET", caller: "posbridge loopback test" }]);
  });

  test("answers nobody else", async () => {
    const { baseUrl, requests } = await secureServer((_, response) => response.end("ok"), asking);
    const outcome = await exchangeWith(baseUrl, { ca: certificate }).exchange({ ...ask, url: baseUrl });
    expect(outcome.is).not.toBe("answered");
    expect(requests).toEqual([]);
  });
});

describe("a redirect over TLS", () => {
  const gatewayAt = (baseUrl: string) => {
    const log = { debug: () => undefined, warn: () => undefined };
    const http = exchangeWith(baseUrl, { ca: certificate });
    return createGateway({
      http,
      baseUrl,
      accessToken: new Secret("sandbox-token"),
      clock: createVirtualClock(0),
      log,
    });
  };

  test("to the same origin is followed, with the same request, on the same connection", async () => {
    const { baseUrl, requests, connections } = await secureServer(({ path }, response) => {
      if (path === "/v1/payments") response.writeHead(307, { location: "/v1/payments?lane=2" }).end();
      else response.end(APPROVED);
    });
    expect(await gatewayAt(baseUrl).post(SALE, 45_000)).toMatchObject({ is: "approved", amount: 1234 });
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /v1/payments",
      "POST /v1/payments?lane=2",
    ]);
    expect(requests[1]?.body).toBe(requests[0]?.body);
    expect(connections()).toBe(1);
  });

  test.each(["https, another port", "the same address without TLS"])(
    "to another origin is not: a POST is sent to nobody else (%s)",
    async (where) => {
      const other = where.startsWith("https") ? await secureServer((_, response) => response.end(APPROVED)) : undefined;
      let clear = 0;
      const plain = await httpServer((_, response) => {
        clear += 1;
        response.end(APPROVED);
      });
      ends.push(plain.stop);
      const location = `${other?.baseUrl ?? plain.baseUrl}v1/payments`;
      const { baseUrl, requests } = await secureServer((_, response) => response.writeHead(307, { location }).end());
      expect(await gatewayAt(baseUrl).post(SALE, 45_000)).toMatchObject({ is: "unknown" });
      expect(requests).toHaveLength(1);
      expect([other?.requests.length ?? 0, clear]).toEqual([0, 0]);
    },
  );
});
