import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { type LicensedPackage, licenseOf } from "./package-license.ts";

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean().optional(), link: z.boolean().optional() })),
});

/**
 * The product, Node and their packages: in a checkout, those installed by npm. In a packaged program
 * packaging/bundle.ts replaces this file by the real list.
 */
export function packagesInside(): readonly LicensedPackage[] {
  const root = path.resolve(import.meta.dirname, "../..");
  const lock = path.join(root, "package-lock.json");
  if (!existsSync(lock)) return [];
  const nodeModules = path.join(root, "node_modules");
  // A workspace (packages/sandbox) is the product itself, and the link to it too.
  const used = Object.entries(lockSchema.parse(JSON.parse(readFileSync(lock, "utf8"))).packages).filter(
    ([place, { dev, link }]) => dev !== true && link !== true && !place.startsWith("packages/"),
  );
  const folders = used
    .map(([place]) => path.join(root, place))
    .filter((folder) => existsSync(path.join(folder, "package.json")));
  const found = folders.map((folder) => nodeItself(licenseOf(folder, nodeModules)));
  // npm may have installed one version in several places.
  return [...new Map(found.map((one) => [`${one.name} ${one.version}`, one])).values()];
}

/** Node comes as a package for each machine. */
export function nodeItself(found: LicensedPackage): LicensedPackage {
  return /^node-(linux|win)-/.test(found.name) ? { ...found, name: "node" } : found;
}
