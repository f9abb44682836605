import fs from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";

const packageSchema = z.looseObject({
  version: z.string().optional(),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  link: z.boolean().optional(),
  dev: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
});
const lockSchema = z.looseObject({ packages: z.record(z.string(), packageSchema) });
const manifestSchema = z.looseObject({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
  allowScripts: z.record(z.string(), z.boolean()),
});

const read = (name: string): unknown => JSON.parse(fs.readFileSync(name, "utf8"));
const manifest = manifestSchema.parse(read("package.json"));
/** Each package that npm fetches: neither this tree nor a package inside of it. */
const fetched = Object.entries(lockSchema.parse(read("package-lock.json")).packages).filter(
  ([place, { link }]) => place.startsWith("node_modules/") && link !== true,
);
/** The linter for machines on which the lock was never made: their registry entries were not there. */
const WITHOUT_CHECKSUM = /^node_modules\/@biomejs\/cli-/;

it("every package that is fetched is locked with its SHA-512, and comes from the registry", () => {
  expect(fetched.length).toBeGreaterThan(200);
  const open = fetched.filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ""));
  expect(open.filter(([place, { dev }]) => dev !== true || !WITHOUT_CHECKSUM.test(place))).toEqual([]);
  const elsewhere = fetched.filter(
    ([, { resolved = "https://registry.npmjs.org/" }]) => !resolved.startsWith("https://registry.npmjs.org/"),
  );
  expect(elsewhere).toEqual([]);
});

it("each dependency is one version, not a range", () => {
  const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(all.filter(([, version]) => !/^[0-9]+\.[0-9]+\.[0-9]+(-[a-z0-9.]+)?$/.test(version))).toEqual([]);
});

it("no package runs a script of its own when it is installed", () => {
  const scripts = fetched.filter(([, { hasInstallScript }]) => hasInstallScript).map(([place]) => place);
  const names = scripts.map((place) => place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length));
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => manifest.allowScripts[name] !== false)).toEqual([]);
});
