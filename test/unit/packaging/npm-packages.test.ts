import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fetch, PackageMissing, packageFolder } from "../../../packaging/npm-packages.ts";

let root = "";
let kept = "";
let tarball = Buffer.alloc(0);

/** A checkout whose lock names one package for another machine, and npm's tarball of it. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "posbridge-packages-"));
  kept = join(root, "kept");
  mkdirSync(join(root, "made/package"), { recursive: true });
  writeFileSync(join(root, "made/package/foreign.node"), "native code");
  execFileSync("tar", ["-czf", join(root, "made.tgz"), "-C", join(root, "made"), "package"]);
  tarball = readFileSync(join(root, "made.tgz"));
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  writeFileSync(
    join(root, "package-lock.json"),
    JSON.stringify({ packages: { "node_modules/@far/away": { version: "1.2.3", integrity } } }),
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const gives =
  (bytes: Uint8Array, asked: string[] = []): Fetch =>
  (spec, folder) => {
    asked.push(spec);
    writeFileSync(join(folder, "far-away.tgz"), bytes);
  };
const offline: Fetch = () => {
  throw new Error(
    "Command failed: npm pack\nnpm error code ENOTFOUND\nnpm error network request to the registry failed\nnpm error A complete log of this run",
  );
};

describe("a package for another machine", () => {
  it("is fetched once in its locked version, kept, and used again without network, also by another checkout", () => {
    const asked: string[] = [];
    const folder = packageFolder({ root, kept, fetch: gives(tarball, asked) }, "@far/away");
    expect(readFileSync(join(folder, "foreign.node"), "utf8")).toBe("native code");
    expect(asked).toEqual(["@far/away@1.2.3"]);
    expect(packageFolder({ root, kept, fetch: offline }, "@far/away")).toBe(folder);
    rmSync(join(root, "dist"), { recursive: true });
    expect(readFileSync(join(packageFolder({ root, kept, fetch: offline }, "@far/away"), "foreign.node"), "utf8")).toBe(
      "native code",
    );
  });

  it("without network and without a kept tarball is one line that names the command to run", () => {
    const make = (): string => packageFolder({ root, kept, fetch: offline }, "@far/away");
    expect(make).toThrow(PackageMissing);
    expect(make).toThrow(
      `@far/away 1.2.3 is not kept in ${kept} (network request to the registry failed); run once with network: npm run package -- --fetch`,
    );
    expect(readdirSync(kept)).toEqual([]);
  });

  it("is refused where it is not what the lock names, and nothing of it is kept", () => {
    const forged = { root, kept, fetch: gives(Buffer.concat([tarball, Buffer.from("x")])) };
    expect(() => packageFolder(forged, "@far/away")).toThrow(
      "what came is not what package-lock.json names by its integrity",
    );
    expect(readdirSync(kept)).toEqual([]);
    expect(existsSync(join(root, "dist"))).toBe(false);
  });

  it("is fetched again where the kept tarball was damaged", () => {
    packageFolder({ root, kept, fetch: gives(tarball) }, "@far/away");
    for (const name of readdirSync(kept)) writeFileSync(join(kept, name), "damaged");
    rmSync(join(root, "dist"), { recursive: true });
    const asked: string[] = [];
    packageFolder({ root, kept, fetch: gives(tarball, asked) }, "@far/away");
    expect(asked).toEqual(["@far/away@1.2.3"]);
  });

  it("is taken from node_modules where npm has installed that version of it", () => {
    const installed = join(root, "node_modules/@far/away");
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, "package.json"), '{"version":"1.2.3"}');
    expect(packageFolder({ root, kept, fetch: offline }, "@far/away")).toBe(installed);
    writeFileSync(join(installed, "package.json"), '{"version":"1.2.2"}');
    expect(() => packageFolder({ root, kept, fetch: offline }, "@far/away")).toThrow(PackageMissing);
  });
});
