import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { controlFile, type DebianPackage, debianFiles, debianVersion, maintainerScripts } from "./debian-package.ts";

/** What goes into one package. */
export interface DebOn {
  readonly root: string;
  /** The program of the target. */
  readonly program: string;
  readonly sbom: string;
  readonly architecture: DebianPackage["architecture"];
  readonly version: string;
  /** ISO 8601: the time that every file gets, so that a package made twice is the same file. */
  readonly madeAt: string | undefined;
}

const POLICIES = "config/browser-policies";

/** Makes dist/posbridge_VERSION_ARCH.deb by dpkg-deb alone, and returns its path. */
export function makeDeb({ root, program, sbom, architecture, version, madeAt }: DebOn): string {
  const text = (name: string): string => readFileSync(join(root, name), "utf8");
  const folder = join(root, "dist", "deb", architecture);
  rmSync(folder, { recursive: true, force: true });
  const on: DebianPackage = {
    ...{ architecture, version, sbom },
    license: text("LICENSE"),
    documents: Object.fromEntries(documentNames(root).map((name) => [name, text(name)])),
    changelog: gzipSync(text("CHANGELOG.md"), { level: 9 }),
    example: text("config/posbridge.example.yaml"),
    browserPolicies: Object.fromEntries(
      readdirSync(join(root, POLICIES)).map((name) => [name, text(`${POLICIES}/${name}`)]),
    ),
    schema: text("config/posbridge.schema.json"),
    installedKib: Math.ceil(statSync(program).size / 1024),
  };
  for (const { path, mode, content } of debianFiles(on)) put(join(folder, path), content, mode);
  mkdirSync(join(folder, "etc/posbridge"), { recursive: true, mode: 0o755 });
  mkdirSync(join(folder, "usr/bin"), { recursive: true });
  copyFileSync(program, join(folder, "usr/bin/posbridge"));
  chmodSync(join(folder, "usr/bin/posbridge"), 0o755);
  put(join(folder, "DEBIAN/md5sums"), md5sums(folder), 0o644);
  put(join(folder, "DEBIAN/control"), controlFile(on), 0o644);
  for (const [name, script] of Object.entries(maintainerScripts)) put(join(folder, "DEBIAN", name), script, 0o755);
  return packed(folder, join(root, "dist", `posbridge_${debianVersion(version)}_${architecture}.deb`), madeAt);
}

/** Pages for technicians, without the pictures. */
export function documentNames(root: string): readonly string[] {
  const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  return ["README.md", "CHANGELOG.md", "SECURITY.md", ...pages.sort().map((name) => `docs/${name}`)];
}

function packed(folder: string, file: string, madeAt: string | undefined): string {
  const seconds = Math.floor(Date.parse(madeAt ?? "1980-01-01T00:00:00Z") / 1000);
  for (const name of [".", ...readdirSync(folder, { recursive: true, encoding: "utf8" })]) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) chmodSync(path, 0o755);
    utimesSync(path, seconds, seconds);
  }
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(seconds) };
  execFileSync("dpkg-deb", ["--root-owner-group", "-Zzstd", "-z10", "--build", folder, file], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return file;
}

function put(path: string, content: string | Uint8Array, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}

/** A line for every file, by which `dpkg --verify` finds one that was changed. */
function md5sums(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  return names
    .sort()
    .map(
      (name) =>
        `${createHash("md5")
          .update(readFileSync(join(folder, name)))
          .digest("hex")}  ${name}\n`,
    )
    .join("");
}
