import { once } from "node:events";
import { connect } from "node:tls";
import { describe, expect, it } from "vitest";
import { ListenFailed, startHttp } from "../../../src/http/server.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { startBridge } from "../../contract/bridge.ts";
import { get, statusOf } from "../../contract/raw-http.ts";
import loopbackTls from "../../vectors/loopback-tls.json" with { type: "json" };

const paths = ["/", "/healthz", "/readyz", "/metrics", "/openrpc.json"];

describe("the HTTP face", () => {
  it.each([
    ["/", 200, "text/html", "posbridge <strong>TEST</strong>"],
    ["/healthz", 200, "text/plain", "ok\n"],
    ["/readyz", 200, "application/json", '{"ready":true,"reasons":[]}'],
    ["/metrics", 200, "text/plain; version=0.0.4", "posbridge_up 1\n"],
    ["/openrpc.json", 200, "application/json", '{"openrpc":"1.3.2"}'],
    ["/nothing", 404, "text/plain", "there is nothing here"],
  ])("answers %s with %i", async (path, status, type, text) => {
    await using bridge = await startBridge();
    const answer = await fetch(`http://127.0.0.1:${bridge.server.port}${path}`);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toContain(type);
    expect(await answer.text()).toContain(text);
  });

  it("says 503 and why while it is not ready", async () => {
    await using bridge = await startBridge();
    bridge.reasons = ["the journal cannot be written"];
    const answer = await fetch(`http://127.0.0.1:${bridge.server.port}/readyz`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ ready: false, reasons: ["the journal cannot be written"] });
  });

  it("checks Host and Origin before anything else, on every path", async () => {
    await using bridge = await startBridge();
    const { port } = bridge.server;
    for (const path of [...paths, "/nothing"]) {
      expect(statusOf(await get(port, path, [`Host: evil.example:${port}`])), path).toBe(403);
      expect(statusOf(await get(port, path, [`Host: 127.0.0.1:${port}`, "Origin: null"])), path).toBe(403);
      expect(statusOf(await get(port, path, [`Host: 127.0.0.1:${port}`, "Origin: https://evil.example"])), path).toBe(
        403,
      );
    }
    expect(statusOf(await get(port, "/healthz", [`Host: LOCALHOST:${port}`]))).toBe(200);
    expect(statusOf(await get(port, "/healthz", [`Host: 127.0.0.1:${port}`, "Origin: https://till.example"]))).toBe(
      200,
    );
  });

  it("forbids browsers everything that the pages do not need, also on refusals", async () => {
    await using bridge = await startBridge();
    const { port } = bridge.server;
    for (const host of [`127.0.0.1:${port}`, "evil.example"]) {
      const answer = (await get(port, "/", [`Host: ${host}`])).toLowerCase();
      for (const header of [
        "x-content-type-options: nosniff",
        "x-frame-options: deny",
        "content-security-policy: default-src 'none'",
        "cache-control: no-store",
      ]) {
        expect(answer).toContain(header);
      }
      expect(answer).not.toContain("access-control-allow");
    }
  });

  it.each(["POST", "PUT", "DELETE", "PATCH"])("knows no %s", async (method) => {
    await using bridge = await startBridge();
    for (const path of paths)
      expect(
        statusOf(
          await get(bridge.server.port, path, [`Host: 127.0.0.1:${bridge.server.port}`, "Content-Length: 0"], method),
        ),
      ).toBe(404);
  });

  it("hides what failed inside, and tells the log", async () => {
    const problems: string[] = [];
    const server = await startHttp({
      names: () => ["127.0.0.1"],
      listen: { host: "127.0.0.1", port: 0 },
      origins: [],
      page: { version: "1", environment: "live" },
      ready: () => [],
      metrics: () => Promise.reject(new Error("secret detail")),
      openRpc: () => "{}",
      sockets: { upgrade: () => false, turnAway: () => false, close: async () => undefined },
      clock: systemClock,
      refused: () => undefined,
      problem: (error, where) => problems.push(`${where}: ${String(error)}`),
    });
    const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("secret");
    expect(problems).toEqual(["/metrics: Error: secret detail"]);
    expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).not.toContain("TEST");
    await server.close();
  });

  it("shows a new certificate without being opened anew", async () => {
    const { certificate: cert, key, renewed } = loopbackTls;
    const ports = {
      names: () => ["127.0.0.1"],
      origins: [],
      page: { version: "1", environment: "test" } as const,
      ready: () => [],
      openRpc: () => "{}",
    };
    const rest = {
      metrics: async () => "",
      sockets: { upgrade: () => false, turnAway: () => false, close: async () => undefined },
      clock: systemClock,
    };
    const silent = { problem: () => undefined, refused: () => undefined };
    const server = await startHttp({
      ...ports,
      ...rest,
      ...silent,
      listen: { host: "127.0.0.1", port: 0, tls: { cert, key } },
    });
    const shown = async (ca: string): Promise<string> => {
      const socket = connect({ host: "127.0.0.1", port: server.port, ca });
      await once(socket, "secureConnect");
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    };
    const before = await shown(cert);
    server.certify({ cert: renewed.certificate, key: renewed.key });
    expect(await shown(renewed.certificate)).not.toBe(before);
    await server.close();
    const plain = await startHttp({ ...ports, ...rest, ...silent, listen: { host: "127.0.0.1", port: 0 } });
    expect(() => plain.certify({ cert, key })).toThrow(RangeError);
    await plain.close();
  });

  it("says in one line that its port is taken, and how to mend it", async () => {
    await using bridge = await startBridge();
    const { port } = bridge.server;
    const second = startHttp({
      names: () => ["127.0.0.1"],
      listen: { host: "127.0.0.1", port },
      origins: [],
      page: { version: "1", environment: "test" },
      ready: () => [],
      metrics: async () => "",
      openRpc: () => "{}",
      sockets: { upgrade: () => false, turnAway: () => false, close: async () => undefined },
      clock: systemClock,
      problem: () => undefined,
      refused: () => undefined,
    });
    await expect(second).rejects.toThrow(
      new ListenFailed(
        "busy",
        `port ${port} on 127.0.0.1 is taken: stop the program that has it, or choose another listen.port`,
      ),
    );
  });
});
