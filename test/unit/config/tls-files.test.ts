import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Configuration } from "../../../src/config/configuration.ts";
import { parseConfiguration } from "../../../src/config/parse.ts";
import type { Look } from "../../../src/config/surroundings.ts";
import loopbackTls from "../../vectors/loopback-tls.json" with { type: "json" };
import { fileOf, LIVE, SMALLEST, surroundings } from "./surroundings.ts";

const KEY = "0123456789abcdefABCDEF0123456789abcdefABCDEF0123456789abcdefABCD";

const file = (text: string, isOpen = false): Look => fileOf(text, isOpen ? 0o644 : 0o600);
const { privateKey: otherKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const encrypted = otherKey
  .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "secret" })
  .toString();

const FILES: Readonly<Record<string, Look>> = {
  "/etc/posbridge/cert.pem": file(loopbackTls.certificate, true),
  "/etc/posbridge/two.pem": file(`${loopbackTls.certificate}\n${loopbackTls.certificate}`, true),
  "/etc/posbridge/torn.pem": file(
    `${loopbackTls.certificate}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
    true,
  ),
  "/etc/posbridge/key.pem": file(loopbackTls.key),
  "/etc/posbridge/open.pem": file(loopbackTls.key, true),
  "/etc/posbridge/other.pem": file(otherKey.export({ type: "pkcs8", format: "pem" }).toString()),
  "/etc/posbridge/locked.pem": file(encrypted),
  "/etc/posbridge/empty.pem": file(""),
  "/etc/posbridge/loose.pem": fileOf(loopbackTls.certificate, 0o664),
  "/etc/posbridge/eve.pem": fileOf(loopbackTls.key, 0o600, 1001),
  "/etc/posbridge/eve-key": fileOf(KEY, 0o600, 1001),
  "/etc/posbridge/webhook-key": file(`${KEY}\n`),
  "/etc/posbridge/open-key": file(KEY, true),
  "/etc/posbridge/short-key": file(KEY.slice(1)),
};

const parse = (text: string, env: Record<string, string> = {}) =>
  parseConfiguration(text, "/etc/posbridge/posbridge.yaml", surroundings({ files: { ...FILES }, env }));

function configurationOf(text: string, env: Record<string, string> = {}): Configuration {
  const reading = parse(text, env);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.configuration;
}

function problems(text: string, env: Record<string, string> = {}): readonly string[] {
  const reading = parse(text, env);
  return reading.ok ? [] : reading.problems.map(({ path, message }) => `${path}: ${message}`);
}

const withGateway = (...lines: readonly string[]): string =>
  SMALLEST.replace("accessTokenFile: ./gateway-token", ["accessTokenFile: ./gateway-token", ...lines].join("\n  "));
const client = (certFile: string, keyFile: string): string =>
  withGateway(`clientCertificate: { certFile: ${certFile}, keyFile: ${keyFile} }`);

describe("the files of a listener's certificate", () => {
  it("are read: the server is given what they hold, and the key is a secret", () => {
    const configuration = configurationOf(
      `${SMALLEST}listen: { host: 0.0.0.0, tls: { cert: cert.pem, key: key.pem } }\n`,
    );
    const { listen } = configuration;
    expect(listen).toMatchObject({ host: "0.0.0.0", port: 7717, tls: { cert: loopbackTls.certificate } });
    expect(listen.tls?.key.reveal()).toBe(loopbackTls.key);
    expect(JSON.stringify(configuration)).not.toContain("PRIVATE KEY");
  });

  it.each([
    [
      "nowhere.pem",
      "key.pem",
      "listen.tls.cert: names /etc/posbridge/nowhere.pem, which does not exist; create it or change the path",
    ],
    [
      "cert.pem",
      "open.pem",
      "listen.tls.key: names /etc/posbridge/open.pem, which is open to others; run: chmod 600 /etc/posbridge/open.pem",
    ],
    ["key.pem", "key.pem", "listen.tls.cert: names /etc/posbridge/key.pem, which holds no certificate in PEM form"],
    [
      "torn.pem",
      "key.pem",
      "listen.tls.cert: names /etc/posbridge/torn.pem, which holds a certificate that cannot be read; export it anew",
    ],
    [
      "loose.pem",
      "key.pem",
      "listen.tls.cert: names /etc/posbridge/loose.pem, which may be changed by others (mode 0664); run: chmod go-w /etc/posbridge/file",
    ],
    [
      "cert.pem",
      "eve.pem",
      "listen.tls.key: names /etc/posbridge/eve.pem, which belongs to user 1001 and this is user 999; run as its owner (sudo -u '#1001' posbridge ...), or give it to the service: sudo chown 999",
    ],
    ["cert.pem", "empty.pem", "listen.tls.key: names /etc/posbridge/empty.pem, which holds no private key in PEM form"],
    ["cert.pem", "locked.pem", "listen.tls.key: names /etc/posbridge/locked.pem, which is encrypted with a passphrase"],
    [
      "cert.pem",
      "other.pem",
      "listen.tls.key: names /etc/posbridge/other.pem, which is not the key of the certificate beside it",
    ],
  ])("%s and %s are refused with the mend", (cert, key, problem) => {
    const found = problems(`${SMALLEST}listen: { tls: { cert: ${cert}, key: ${key} } }\n`);
    expect(found).toEqual([expect.stringContaining(problem)]);
    expect(found.join()).not.toContain("BEGIN EC");
  });
});

describe("the way to the gateway", () => {
  it("may name an authority of its own, a client certificate and time limits", () => {
    const limits =
      "timeLimits: { queryMs: 10000, captureMs: 90000, reversalMs: 60000, refundMs: 61000, registrationMs: 20000 }";
    const { gateway } = configurationOf(
      withGateway("caFile: two.pem", "clientCertificate: { certFile: cert.pem, keyFile: key.pem }", limits),
    );
    expect(gateway).toMatchObject({
      ca: `${loopbackTls.certificate}\n${loopbackTls.certificate}`,
      clientCertificate: { cert: loopbackTls.certificate },
      timeLimits: { queryMs: 10_000, captureMs: 90_000, reversalMs: 60_000, refundMs: 61_000, registrationMs: 20_000 },
    });
    expect(gateway.clientCertificate?.key.reveal()).toBe(loopbackTls.key);
  });

  it("needs none of them", () => {
    const { gateway, webhooks } = configurationOf(SMALLEST);
    expect([gateway.ca, gateway.clientCertificate, gateway.timeLimits, webhooks]).toEqual([
      undefined,
      undefined,
      {},
      undefined,
    ]);
  });

  it.each([
    [withGateway("caFile: nowhere.pem"), "gateway.caFile: names /etc/posbridge/nowhere.pem, which does not exist"],
    [
      withGateway("caFile: loose.pem"),
      "gateway.caFile: names /etc/posbridge/loose.pem, which may be changed by others (mode 0664)",
    ],
    [
      withGateway("caFile: key.pem"),
      "gateway.caFile: names /etc/posbridge/key.pem, which holds no certificate in PEM form",
    ],
    [withGateway('caFile: ""'), "gateway.caFile: is empty; name a file or folder"],
    [
      client("cert.pem", "open.pem"),
      "gateway.clientCertificate.keyFile: names /etc/posbridge/open.pem, which is open to others",
    ],
    [
      client("cert.pem", "other.pem"),
      "gateway.clientCertificate.keyFile: names /etc/posbridge/other.pem, which is not the key of the certificate beside it",
    ],
    [withGateway("clientCertificate: { certFile: cert.pem }"), "gateway.clientCertificate.keyFile: is missing; add it"],
    [
      withGateway("timeLimits: { queryMs: 10 }"),
      "gateway.timeLimits.queryMs: must be a whole number from 1000 to 120000 (milliseconds); change it",
    ],
  ])("%# is refused with the mend", (text, problem) => {
    expect(problems(text)).toEqual([expect.stringContaining(problem)]);
  });
});

describe("webhooks", () => {
  const own = (text: string): string => `${SMALLEST}webhooks: ${text}\n`;

  it("are heard on this machine alone unless said otherwise", () => {
    const { webhooks } = configurationOf(own("{ keyFile: ./webhook-key }"));
    expect(webhooks).toMatchObject({ listen: { host: "127.0.0.1", port: 7719 }, path: "/webhooks" });
    expect(webhooks?.key.reveal()).toBe(KEY);
  });

  it("may be heard elsewhere with a certificate, their key in the environment", () => {
    const text = own(
      "{ keyEnv: HOOK_KEY, path: /opp/v1, listen: { host: 0.0.0.0, port: 8443, tls: { cert: cert.pem, key: key.pem } } }",
    );
    const { webhooks } = configurationOf(text, { HOOK_KEY: KEY });
    expect(webhooks).toMatchObject({
      listen: { host: "0.0.0.0", port: 8443, tls: { cert: loopbackTls.certificate } },
      path: "/opp/v1",
    });
    expect(webhooks?.key.reveal()).toBe(KEY);
  });

  it.each([
    [own("{}"), "webhooks: has no key; add keyFile: ./webhook-key (a file of mode 600), or keyEnv: NAME"],
    [
      own("{ keyFile: nowhere }"),
      "webhooks.keyFile: names /etc/posbridge/nowhere, which does not exist; create it or change the path",
    ],
    [
      own("{ keyFile: open-key }"),
      "webhooks.keyFile: names /etc/posbridge/open-key, which is open to others; run: chmod 600 /etc/posbridge/open-key",
    ],
    [
      own("{ keyFile: eve-key }"),
      "webhooks.keyFile: names /etc/posbridge/eve-key, which belongs to user 1001 and this is user 999",
    ],
    [
      own("{ keyFile: short-key }"),
      "webhooks.keyFile: names /etc/posbridge/short-key, which must hold the webhook's key alone, 64 hexadecimal digits; write it there",
    ],
    [own("{ keyFile: webhook-key, keyEnv: KEY }"), "webhooks.keyEnv: stands beside keyFile; keep one of them"],
    [own("{ keyEnv: KEY }"), "webhooks.keyEnv: names an environment variable that is not set; set it, or use keyFile"],
    [own("{ keyFile: 1 }"), "webhooks.keyFile: must be text; put it in quotes"],
    [
      own("{ keyFile: webhook-key, listen: { host: 0.0.0.0 } }"),
      "webhooks.listen.host: is open to other machines without encryption; use 127.0.0.1, or add webhooks.listen.tls with cert and key",
    ],
    [
      own("{ keyFile: webhook-key, listen: { tls: { cert: cert.pem, key: other.pem } } }"),
      "webhooks.listen.tls.key: names /etc/posbridge/other.pem, which is not the key of the certificate beside it; name the one that is",
    ],
    [
      `${own("{ keyFile: webhook-key, listen: { port: 7800 } }")}listen: { port: 7800 }\n`,
      "webhooks.listen.port: is the port of listen already",
    ],
    [own("{ keyFile: webhook-key, path: webhooks }"), "webhooks.path: must begin with a slash"],
    [own("{ keyFile: webhook-key, kyeEnv: A }"), "webhooks.kyeEnv: is not a known key; did you mean keyEnv?"],
  ])("%# is refused with the mend, and nothing of the key is shown", (text, problem) => {
    const found = problems(text);
    expect(found).toEqual([expect.stringContaining(problem)]);
    expect(found.join()).not.toContain(KEY.slice(1));
  });

  it("whose key everybody knows are refused in a live environment alone", () => {
    const published = { KEY: "000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f" };
    expect(problems(`${LIVE}webhooks: { keyEnv: KEY }\n`, published)).toEqual([
      "webhooks: has the key that the gateway's guides print, which environment: live refuses; make one: openssl rand -hex 32",
    ]);
    expect(problems(`${LIVE}webhooks: { keyEnv: KEY }\n`, { KEY })).toEqual([]);
    expect(problems(own("{ keyEnv: KEY }"), published)).toEqual([]);
  });

  it("on the port of the registers by default or by the defaults' meeting are refused too", () => {
    expect(problems(own("{ keyFile: webhook-key, listen: { port: 7717 } }"))).toEqual([
      expect.stringContaining("webhooks.listen.port: is the port of listen already"),
    ]);
    expect(problems(`${own("{ keyFile: webhook-key }")}listen: { port: 7719 }\n`)).toEqual([
      expect.stringContaining("is the port of listen already"),
    ]);
  });
});
