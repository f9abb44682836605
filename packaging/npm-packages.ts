import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";

/*
 * Packages of package-lock.json for other machines, which npm does not install here. Each tarball is fetched once,
 * checked by the lock's integrity and kept.
 */

/** What a person reads instead of a stack: which package is missing, and the command that fetches it. */
export class PackageMissing extends Error {}

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), integrity: z.string().optional() })),
});

export interface Locked {
  readonly version: string;
  readonly integrity: string;
}

/** Every row of package-lock.json, by its place ("node_modules/zod"). */
export function lockedPackages(root: string): ReadonlyMap<string, Partial<Locked>> {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  return new Map(
    Object.entries(packages).map(([place, { version, integrity }]) => [
      place,
      { ...(version && { version }), ...(integrity && { integrity }) },
    ]),
  );
}

/** A package's row at the top of node_modules. */
export function lockedPackage(root: string, name: string): Locked {
  const { version, integrity } = lockedPackages(root).get(`node_modules/${name}`) ?? {};
  if (version === undefined || integrity === undefined)
    throw new PackageMissing(`package-lock.json has no integrity of ${name}; add it: npm install`);
  return { version, integrity };
}

/** True where these bytes are what the lock says; it names SHA-512 in base 64. */
function fits(bytes: Uint8Array, integrity: string): boolean {
  return `sha512-${createHash("sha512").update(bytes).digest("base64")}` === integrity;
}

/** Puts the tarball NAME@VERSION into a folder. */
export type Fetch = (spec: string, folder: string) => void;

export interface Store {
  readonly root: string;
  /** Where tarballs are kept. */
  readonly kept: string;
  readonly fetch: Fetch;
}

export function systemStore(root: string): Store {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  return {
    root,
    kept: join(XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), ".cache"), "posbridge", "packages"),
    fetch: npmPack,
  };
}

/** Only packs: `npm install --os` would exchange the packages of this checkout. */
function npmPack(spec: string, folder: string): void {
  const { npm_execpath: npm } = process.env;
  const args = [
    "pack",
    spec,
    "--pack-destination",
    folder,
    "--prefer-offline",
    "--loglevel=error",
    "--fetch-retries=1",
    "--fetch-retry-mintimeout=1000",
  ];
  if (npm === undefined) execFileSync("npm", args, { stdio: ["ignore", "pipe", "pipe"] });
  else execFileSync(process.execPath, [npm, ...args], { stdio: ["ignore", "pipe", "pipe"] });
}

/**
 * The folder of a locked package: node_modules where npm has installed it, else unpacked from its kept tarball. Throws
 * PackageMissing without network and tarball.
 */
export function packageFolder(store: Store, name: string): string {
  const { root } = store;
  const locked = lockedPackage(root, name);
  const installed = join(root, "node_modules", name);
  if (versionIn(installed) === locked.version) return installed;
  const unpacked = join(root, "dist", "packages", name);
  const stamp = join(root, "dist", "packages", `${name.replace("/", "+")}.integrity`);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === locked.integrity) return unpacked;
  const tarball = keptTarball(store, name, locked);
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", unpacked, "--strip-components=1"]);
  writeFileSync(stamp, locked.integrity);
  return unpacked;
}

function versionIn(folder: string): string | undefined {
  const file = join(folder, "package.json");
  return existsSync(file)
    ? z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, "utf8"))).version
    : undefined;
}

/** The tarball in the store, fetched where it is missing or damaged. */
function keptTarball({ kept, fetch }: Store, name: string, { version, integrity }: Locked): string {
  const tarball = join(kept, `${name.replace("/", "+")}-${version}.tgz`);
  if (existsSync(tarball) && fits(readFileSync(tarball), integrity)) return tarball;
  mkdirSync(kept, { recursive: true });
  const folder = mkdtempSync(join(kept, "fetched-"));
  try {
    fetch(`${name}@${version}`, folder);
    const [fetched] = readdirSync(folder);
    if (fetched === undefined) throw new Error("npm pack made no file");
    if (!fits(readFileSync(join(folder, fetched)), integrity))
      throw new Error("what came is not what package-lock.json names by its integrity");
    renameSync(join(folder, fetched), tarball);
    return tarball;
  } catch (cause) {
    throw new PackageMissing(
      `${name} ${version} is not kept in ${kept} (${problemOf(cause)}); run once with network: npm run package -- --fetch`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** npm says the reason behind its code; any other error says it itself. */
function problemOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return /^npm error (?!code|errno|syscall)(.+)$/m.exec(message)?.[1] ?? message.trim().split("\n")[0] ?? "";
}
