import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Configuration } from "../../../src/config/configuration.ts";
import { parseConfiguration } from "../../../src/config/parse.ts";
import { RELOAD_TABLE, reloading } from "../../../src/config/reload.ts";
import { fileSchema } from "../../../src/config/schema.ts";
import loopbackTls from "../../vectors/loopback-tls.json" with { type: "json" };
import { fileOf, SMALLEST, surroundings } from "./surroundings.ts";

/** The keys that hold values: a list, and a mapping of names, count as one. */
function keysOf(schema: unknown, path: string): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return keysOf(schema.unwrap(), path);
  if (!(schema instanceof z.ZodObject) || path.endsWith("settlementByBrand")) return [path];
  return Object.entries(schema.shape).flatMap(([key, inner]) => keysOf(inner, path === "" ? key : `${path}.${key}`));
}

it("every key of the configuration is either applied or waits for a restart: a new one needs an entry in src/config/reload.ts", () => {
  expect(RELOAD_TABLE.flatMap(({ keys }) => keys).toSorted()).toEqual([...keysOf(fileSchema, "")].toSorted());
});

const files = {
  "/etc/posbridge/other-token": fileOf("another-token\n"),
  "/etc/posbridge/cert.pem": fileOf(loopbackTls.certificate),
  "/etc/posbridge/key.pem": fileOf(loopbackTls.key),
  "/etc/posbridge/webhook-key": fileOf(`${"ab".repeat(32)}\n`),
  "/etc/posbridge/other-key": fileOf(`${"cd".repeat(32)}\n`),
};

function read(text: string): Configuration {
  const reading = parseConfiguration(text, "/etc/posbridge/posbridge.yaml", surroundings({ files }));
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.configuration;
}

/** Both ways: `from` is a line of the smallest configuration, or nothing. */
const changes: readonly (readonly [keys: string, when: "now" | "restart", from: string, to: string])[] = [
  ["environment", "restart", "environment: test", "environment: live"],
  ["listen.host", "restart", "", "listen: { host: 127.0.0.2 }"],
  ["listen.port", "restart", "", "listen: { port: 7000 }"],
  ["listen.names", "now", "", "listen: { names: [bridge.shop] }"],
  ["dataDir", "restart", "", "dataDir: /srv/data"],
  ["merchant.name", "now", "name: Corner Shop", "name: The Shop"],
  ["merchant.address", "now", "country: DE", "country: DE\n  address: [Street 1]"],
  ["merchant.vatId", "now", "country: DE", "country: DE\n  vatId: DE1"],
  ["merchant.country", "now", "country: DE", "country: AT"],
  ["gateway.baseUrl", "restart", "7718/", "7719/"],
  [
    "gateway.formerBaseUrls",
    "restart",
    "  accessTokenFile",
    '  formerBaseUrls: ["http://127.0.0.1:1/"]\n  accessTokenFile',
  ],
  ["gateway.entityId", "restart", "8a8294174b7ecb28014b9699220015ca", "8a8294174b7ecb28014b9699220015cb"],
  ["gateway.accessTokenFile or gateway.accessTokenEnv", "now", "./gateway-token", "./other-token"],
  ["gateway.testMode", "restart", "  accessTokenFile", "  testMode: INTERNAL\n  accessTokenFile"],
  ["gateway.captures", "now", "  accessTokenFile", "  captures: one\n  accessTokenFile"],
  ["gateway.timeLimits.queryMs", "now", "  accessTokenFile", "  timeLimits: { queryMs: 2000 }\n  accessTokenFile"],
  ["terminals", "now", '"12345678"', '"12345679"'],
  ["timeouts.cardMs", "now", "", "timeouts: { cardMs: 5000 }"],
  ["timeouts.removalMs", "restart", "", "timeouts: { removalMs: 5000 }"],
  ["timeouts.unknownWindowMs", "now", "", "timeouts: { unknownWindowMs: 5000 }"],
  ["fallback.allowed", "now", "", "fallback: { allowed: false }"],
  ["origins", "now", "", 'origins: ["https://till.example"]'],
  ["log.level", "now", "", "log: { level: debug }"],
  ["log.file", "restart", "", "log: { file: ./l }"],
];

function changed([, , from, to]: (typeof changes)[number]): string {
  if (from === "") return `${SMALLEST}${to}\n`;
  if (!SMALLEST.includes(from)) throw new Error(`${from} is not in the smallest configuration`);
  return SMALLEST.replace(from, to);
}

describe("a configuration that was read anew", () => {
  it("says nothing where nothing has changed", () => {
    expect(reloading(read(SMALLEST), read(SMALLEST))).toMatchObject({
      applied: [],
      needsRestart: [],
      configuration: read(SMALLEST),
    });
  });

  it.each(changes.filter(([key]) => key !== "environment"))("has %s: %s", (key, when, from, to) => {
    const [before, after] = [read(SMALLEST), read(changed([key, when, from, to]))];
    for (const [a, b] of [
      [before, after],
      [after, before],
    ] as const) {
      const { applied, needsRestart, configuration } = reloading(a, b);
      expect({ applied, needsRestart }).toEqual(
        when === "now" ? { applied: [key], needsRestart: [] } : { applied: [], needsRestart: [key] },
      );
      // Read once more, nothing is left to apply, and what waits for a restart is told again.
      expect(reloading(configuration, b)).toMatchObject({ applied: [], needsRestart });
      expect(JSON.stringify(configuration) === JSON.stringify(a)).toBe(
        when === "restart" || key.startsWith("gateway.accessToken"),
      );
    }
  });

  it("takes a new token without showing it", () => {
    const after = reloading(read(SMALLEST), read(SMALLEST.replace("./gateway-token", "./other-token")));
    expect(after.configuration.gateway.accessToken.reveal()).toBe("another-token");
    expect(JSON.stringify(after)).not.toContain("another-token");
  });

  it.each([
    ["address", "http://127.0.0.1:7718/", "http://127.0.0.1:7799/", "gateway.baseUrl"],
    ["entity", "8a8294174b7ecb28014b9699220015ca", "8a8294174b7ecb28014b9699220015cb", "gateway.entityId"],
  ])(
    "keeps the token of before where the gateway's %s changes with it: it is another gateway's",
    (_what, old, fresh, key) => {
      const after = reloading(
        read(SMALLEST),
        read(SMALLEST.replace(old, fresh).replace("./gateway-token", "./other-token")),
      );
      expect(after.configuration.gateway.accessToken.reveal()).not.toBe("another-token");
      expect(after).toMatchObject({
        applied: [],
        needsRestart: [key, "gateway.accessTokenFile or gateway.accessTokenEnv"],
      });
    },
  );

  it("takes terminals of the gateway's own channel with the entity of before, until the restart", () => {
    const [old, fresh] = ["8a8294174b7ecb28014b9699220015ca", "8a8294174b7ecb28014b9699220015cb"];
    const { configuration, applied } = reloading(
      read(SMALLEST),
      read(SMALLEST.replace(old, fresh).replace('"12345678"', '"12345679"')),
    );
    expect(applied).toEqual(["terminals"]);
    expect(configuration.terminals).toMatchObject([{ terminalId: "12345679", entityId: old }]);
  });

  it("leaves a terminal its own entity, also where the gateway's becomes the same", () => {
    const [old, fresh] = ["8a8294174b7ecb28014b9699220015ca", "8a8294174b7ecb28014b9699220015cb"];
    const own = `${SMALLEST}    entityId: ${fresh}\n`;
    const { configuration, applied, needsRestart } = reloading(read(own), read(own.replace(old, fresh)));
    expect({ applied, needsRestart }).toEqual({ applied: [], needsRestart: ["gateway.entityId"] });
    expect(configuration.terminals).toMatchObject([{ entityId: fresh }]);
  });

  it("cannot begin or end TLS without a restart", () => {
    const withTls = read(`${SMALLEST}listen: { tls: { cert: ./cert.pem, key: ./key.pem } }\n`);
    expect(reloading(read(SMALLEST), withTls)).toMatchObject({
      applied: [],
      needsRestart: ["listen.tls.cert", "listen.tls.key"],
    });
    expect(reloading(withTls, read(SMALLEST)).configuration.listen.tls).toBe(withTls.listen.tls);
  });

  it("hears webhooks, and takes another key for them, after a restart", () => {
    const hears = (key: string) => read(`${SMALLEST}webhooks: { keyFile: ${key} }\n`);
    expect(reloading(hears("./webhook-key"), hears("./other-key")).needsRestart).toEqual([
      "webhooks.keyFile or webhooks.keyEnv",
    ]);
  });
});
