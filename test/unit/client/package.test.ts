import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import own from "../../../packages/client/package.json" with { type: "json" };
import { clientScript } from "../../../packaging/client.ts";
import { apiTypes, passedTypes } from "../../../packaging/client-types.ts";

const MOST_BYTES = 25_000;

/** The formatter moves lines, and puts a bar before the first of many. */
function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, "")
    .replaceAll(/([:=(])\|/g, "$1")
    .replaceAll(";}", "}");
}

it.each(Object.entries({ api: apiTypes(), ...passedTypes() }))(
  "src/client/%s.ts says what the schemas say; if not: npm run client-types",
  (name, text) => {
    expect(plain(readFileSync(`src/client/${name}.ts`, "utf8")) === plain(text)).toBe(true);
  },
);

it("takes a browser less than 25 kB, and needs no other package", async () => {
  const script = await clientScript();
  expect(gzipSync(script, { level: 9 }).length).toBeLessThan(MOST_BYTES);
  expect(script).not.toMatch(/^import |\bfrom "|\brequire\(/m);
  expect(own).not.toHaveProperty("dependencies");
});

it("has the version of the bridge", () => expect(own.version).toBe(manifest.version));
