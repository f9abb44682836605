import fs from "node:fs";
import { request } from "node:https";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import loopbackTls from "../vectors/loopback-tls.json" with { type: "json" };
import { killProgram, type Program, runProgram, startProgram } from "./program.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-tls-"));
const configFile = path.join(folder, "posbridge.yaml");
const write = (name: string, content: string): void =>
  fs.writeFileSync(path.join(folder, name), content, { mode: 0o600 });

function configuration(webhookPort: number): string {
  return [
    "environment: test",
    "listen: { host: 127.0.0.1, port: 0, names: [bridge.shop.example], tls: { cert: cert.pem, key: key.pem } }",
    "merchant: { name: Corner Shop, country: DE }",
    'gateway: { baseUrl: "http://127.0.0.1:9/", entityId: 8a8294174b7ecb28014b9699220015ca, accessTokenFile: ./gateway-token }',
    `webhooks: { keyFile: webhook-key, listen: { port: ${webhookPort}, tls: { cert: cert.pem, key: key.pem } } }`,
    "",
  ].join("\n");
}

async function ask(
  port: number,
  method: string,
  target: string,
  name = "127.0.0.1",
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  const asking = request({
    host: "127.0.0.1",
    port,
    method,
    path: target,
    ca: loopbackTls.certificate,
    servername: "localhost",
    headers: { host: `${name}:${port}` },
  });
  const answered = new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    asking.once("error", reject);
    asking.once("response", (answer) =>
      text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject),
    );
  });
  asking.end();
  return answered;
}

describe("a bridge with certificates", () => {
  let bridge: Program;
  const portOf = async (line: RegExp): Promise<number> => Number(/"port":([0-9]+)/.exec(await bridge.line(line))?.[1]);

  beforeAll(async () => {
    write("cert.pem", loopbackTls.certificate);
    write("key.pem", loopbackTls.key);
    write("gateway-token", "sandbox-token");
    write("webhook-key", "5A".repeat(32));
    write("posbridge.yaml", configuration(0));
    bridge = startProgram("run", "--config", configFile);
    await bridge.line(/posbridge is ready/);
  }, 60_000);
  afterAll(async () => {
    await killProgram(bridge);
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it("serves registers over TLS", async () => {
    expect(await ask(await portOf(/posbridge is ready/), "GET", "/healthz")).toEqual({ status: 200, body: "ok\n" });
  });

  it("serves registers that ask for a name of listen.names, and for no other", async () => {
    const port = await portOf(/posbridge is ready/);
    expect(await ask(port, "GET", "/healthz", "bridge.shop.example")).toMatchObject({ status: 200 });
    expect(await ask(port, "GET", "/healthz", "evil.example")).toEqual({
      status: 403,
      body: "this host name is not served here: add it to listen.names in the configuration\n",
    });
  });

  it("hears webhooks over TLS, on a listener that serves nothing else", async () => {
    const port = await portOf(/webhooks are heard/);
    expect(await ask(port, "POST", "/webhooks")).toMatchObject({ status: 400 });
    for (const target of ["/", "/healthz", "/metrics", "/v1", "/openrpc.json"])
      expect(await ask(port, "GET", target)).toMatchObject({ status: 404 });
    await expect(fetch(`http://127.0.0.1:${port}/webhooks`, { method: "POST" })).rejects.toThrow();
  });

  it("does not start where the webhooks' port is taken, and says which and what to do", async () => {
    const port = await portOf(/webhooks are heard/);
    write("second.yaml", `${configuration(port)}dataDir: ./second\n`);
    const { code, err } = await runProgram("run", "--config", path.join(folder, "second.yaml"));
    expect(code).toBe(2);
    expect(err).toEqual([
      `posbridge: webhooks.listen: port ${port} on 127.0.0.1 cannot be listened on (EADDRINUSE): stop the program that has it, or choose another`,
    ]);
  });
});
