import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { bundle, demo, shop } from "../../packaging/bundle.ts";
import { CHECKSUMS, checksumsOf } from "../../packaging/checksums.ts";
import { type Content, contentsOf, foldersOf } from "../../packaging/contents.ts";
import { addonsOf } from "../../packaging/make.ts";
import { lockedPackages, systemStore } from "../../packaging/npm-packages.ts";
import { sbom } from "../../packaging/sbom.ts";
import { ownTarget } from "../../packaging/targets.ts";

const root = process.cwd();
const store = systemStore(root);
const target = ownTarget(process) ?? "linux-x64";
let folder = "";
let inShop: readonly Content[] = [];
let inDemo: readonly Content[] = [];

/** What is really inside both programs of this machine, as esbuild and vite tell it. */
beforeAll(async () => {
  execFileSync(process.execPath, ["packaging/pages.ts"]);
  folder = mkdtempSync(join(tmpdir(), "posbridge-contents-"));
  [inShop = [], inDemo = []] = await Promise.all(
    [shop, demo].map(async (artefact) => {
      const on = {
        root,
        folder: join(folder, artefact.name),
        addons: addonsOf(artefact, target, store),
        identity: { commit: undefined, target },
      };
      return contentsOf((await bundle(artefact, on)).inside, target, store);
    }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const named = (contents: readonly Content[]): readonly string[] => contents.map(({ name }) => name);

describe("what is inside a program", () => {
  it("are the packages of its sources and of its pages, and Node", () => {
    for (const name of ["posbridge", "zod", "serialport", "debug", "preact", "node"])
      expect(named(inShop)).toContain(name);
    expect(named(inShop).filter((name) => name.startsWith("@node-usb/"))).toHaveLength(1);
  });

  it("is nothing that only builds and tests, and in a shop no pseudo-terminal and no cron", () => {
    for (const name of ["esbuild", "vitest", "typescript", "node-gyp-build"]) expect(named(inDemo)).not.toContain(name);
    expect(named(inDemo).filter((name) => !named(inShop).includes(name))).toEqual(expect.arrayContaining(["croner"]));
    expect(named(inShop).filter((name) => name.startsWith("@lydell/"))).toEqual([]);
  });

  it("has a license of each part, with its text", () => {
    for (const { name, license, text } of inDemo)
      expect({ name, license: license.length > 1, text: text.length > 100 }).toEqual({
        name,
        license: true,
        text: true,
      });
  });

  it("is not packaged where a package names no license", () => {
    const bare = join(folder, "node_modules/bare");
    mkdirSync(bare, { recursive: true });
    writeFileSync(join(bare, "package.json"), '{"name":"bare","version":"1.0.0"}');
    const other = { ...store, root: folder };
    writeFileSync(join(folder, "package.json"), readFileSync("package.json"));
    writeFileSync(join(folder, "package-lock.json"), readFileSync("package-lock.json"));
    copyManifest(`node-${target}`);
    expect(() => contentsOf(["node_modules/bare/index.js"], target, other)).toThrow(
      "bare 1.0.0 names no license in its package.json",
    );
  });

  function copyManifest(name: string): void {
    mkdirSync(join(folder, "node_modules", name), { recursive: true });
    for (const file of ["package.json", "LICENSE"])
      writeFileSync(join(folder, "node_modules", name, file), readFileSync(join("node_modules", name, file)));
  }

  it("is found by the innermost package folder", () => {
    expect(
      foldersOf([
        "src/main.ts",
        "node_modules/a/lib/x.js",
        "node_modules/a/node_modules/@b/c/index.js",
        "dist/packages/@d/e/f.node",
      ]),
    ).toEqual(["dist/packages/@d/e", "node_modules/a", "node_modules/a/node_modules/@b/c"]);
  });
});

describe("the SBOM of a program", () => {
  const made = (contents: readonly Content[]) =>
    sbom(
      {
        name: "posbridge",
        target,
        commit: "1234567",
        madeAt: "2026-11-23T19:50:50+00:00",
        sha256: "0123456789abcdef".repeat(4),
        contents,
      },
      lockedPackages(root),
    );
  /**
   * Files of the official specification, release 1.6, as @cyclonedx/cyclonedx-library 10.3.0 brings them; by the names
   * that they have for each other.
   */
  const schema = (name: string): object => ({
    ...z.looseObject({}).parse(JSON.parse(readFileSync(`test/vectors/cyclonedx/${name}.SNAPSHOT.schema.json`, "utf8"))),
    $id: `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`,
  });
  const ajv = new Ajv({ strict: false, allErrors: true, schemas: [schema("spdx"), schema("jsf-0.82")] });
  addFormats.default(ajv);
  // The formats of RFC 6531 and RFC 3987, which no string of ours has.
  for (const format of ["idn-email", "iri-reference"]) ajv.addFormat(format, true);
  const isValid = ajv.compile(schema("bom-1.6"));

  it("is CycloneDX 1.6, as the official schema has it", () => {
    for (const contents of [inShop, inDemo])
      expect({ valid: isValid(made(contents)), errors: isValid.errors }).toEqual({ valid: true, errors: null });
  });

  it("would be refused with a license that nobody knows, or without a name", () => {
    expect(isValid(made(inShop.map((content) => ({ ...content, license: "Beerware-2" }))))).toBe(false);
    expect(isValid({ ...made(inShop), components: [{ type: "library" }] })).toBe(false);
  });

  it("names what is inside and nothing else, each with the checksum of package-lock.json", () => {
    const { components } = made(inDemo);
    const inside = inDemo.slice(1).map(({ name, version }) => `${name} ${version}`);
    const full = components.map(
      ({ group, name, version }) => `${group === undefined ? "" : `${group}/`}${name} ${version}`,
    );
    expect([...full].sort()).toEqual([...new Set(inside)].sort());
    for (const { name, hashes } of components)
      expect({ name, alg: hashes?.[0]?.alg }).toEqual({ name, alg: "SHA-512" });
  });

  it("tells who needs whom among them alone", () => {
    const { components, dependencies, metadata } = made(inDemo);
    const refs = [metadata.component["bom-ref"], ...components.map((component) => component["bom-ref"])];
    expect(new Set(refs).size).toBe(refs.length);
    expect(dependencies.map(({ ref }) => ref)).toEqual(refs);
    for (const { dependsOn } of dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
    expect(dependencies.find(({ ref }) => ref.startsWith("pkg:npm/serialport@"))?.dependsOn.length).toBeGreaterThan(5);
  });
});

it("the checksums are those that sha256sum checks, of programs, SBOMs and Debian packages alone", () => {
  const dist = mkdtempSync(join(folder, "dist-"));
  for (const name of [
    "posbridge-linux-x64",
    "posbridge-demo-win-x64.exe",
    "posbridge-linux-x64.cdx.json",
    "posbridge_0.1.0_amd64.deb",
    "notes.txt",
    "posbridge",
  ])
    writeFileSync(join(dist, name), name);
  writeFileSync(join(dist, CHECKSUMS), checksumsOf(dist));
  expect(execFileSync("sha256sum", ["-c", CHECKSUMS], { cwd: dist, encoding: "utf8" }).trim().split("\n")).toEqual([
    "posbridge-demo-win-x64.exe: OK",
    "posbridge-linux-x64: OK",
    "posbridge-linux-x64.cdx.json: OK",
    "posbridge_0.1.0_amd64.deb: OK",
  ]);
});
