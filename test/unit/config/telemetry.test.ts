import { expect, it } from "vitest";
import { parseConfiguration } from "../../../src/config/parse.ts";
import { fileOf, SMALLEST, surroundings } from "./surroundings.ts";

const read = (telemetry: string, change: Parameters<typeof surroundings>[0] = {}) =>
  parseConfiguration(`${SMALLEST}\ntelemetry: ${telemetry}\n`, "/etc/posbridge/posbridge.yaml", surroundings(change));

function problems(telemetry: string, change: Parameters<typeof surroundings>[0] = {}): readonly string[] {
  const reading = read(telemetry, change);
  return reading.ok ? [] : reading.problems.map(({ path, message }) => `${path}: ${message}`);
}

const files = { "/etc/posbridge/otlp-headers": fileOf("api-key=k-1,x=y\n") };

it("names a collector, and a private file with the headers", () => {
  const reading = read("{ otlpEndpoint: 'https://collector.example/otlp', headersFile: ./otlp-headers }", { files });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const { telemetry } = reading.configuration;
  expect([telemetry?.otlpEndpoint, telemetry?.headers?.reveal()]).toEqual([
    "https://collector.example/otlp",
    "api-key=k-1,x=y",
  ]);
  expect(JSON.stringify(reading.configuration)).not.toContain("k-1");
});

it.each([
  [
    "{ otlpEndpoint: 'collector:4318' }",
    "telemetry.otlpEndpoint: must be an address that begins with https:// or http://; change it",
  ],
  [
    "{ otlpEndpoint: 'https://u:p@collector.example' }",
    "telemetry.otlpEndpoint: must not carry a user or password; put the key into headersFile",
  ],
  [
    "{ otlpEndpoint: 'https://collector.example/v1/traces' }",
    "telemetry.otlpEndpoint: must not end with v1/traces, which is added; remove that",
  ],
  [
    "{ otlpEndpoint: 'https://collector.example/?key=1' }",
    "telemetry.otlpEndpoint: must not have a query (?) or fragment (#); remove it",
  ],
  [
    "{ otlpEndpoint: 'http://192.0.2.1:4318', headersFile: ./otlp-headers }",
    "telemetry.otlpEndpoint: is http to another machine, which shows the headers to everybody on the way; use https",
  ],
])("%s is refused", (telemetry, problem) => expect(problems(telemetry, { files })).toEqual([problem]));

it("http without headers is allowed: no secret is on the way", () =>
  expect(problems("{ otlpEndpoint: 'http://192.0.2.1:4318' }")).toEqual([]));

it.each(["authorization=Bearer%20k", "a=%2C%7e,b=x"])("headers may be written by percent codes: %s", (text) => {
  const named = "{ otlpEndpoint: 'https://c.example', headersFile: ./otlp-headers }";
  expect(problems(named, { files: { "/etc/posbridge/otlp-headers": fileOf(text) } })).toEqual([]);
});

it.each(["a=x%0d%0ab", "a=%", "a=%zz", "a=%7f", "a=%c3%a4"])("headers with %s are refused", (text) => {
  const named = "{ otlpEndpoint: 'https://c.example', headersFile: ./otlp-headers }";
  expect(problems(named, { files: { "/etc/posbridge/otlp-headers": fileOf(text) } })).toHaveLength(1);
});

it("headers that others may read, or that are none, are refused, and never repeated", () => {
  const named = "{ otlpEndpoint: 'https://c.example', headersFile: ./otlp-headers }";
  expect(problems(named, { files: { "/etc/posbridge/otlp-headers": fileOf("a=b", 0o644) } })[0]).toContain("chmod 600");
  const [problem = ""] = problems(named, { files: { "/etc/posbridge/otlp-headers": fileOf("my secret") } });
  expect(problem).toContain("as name=value,name=value");
  expect(problem).not.toContain("my secret");
});
