import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type LicensedPackage, licenseOf, licenseProblem } from "../src/commands/package-license.ts";
import { nodeItself } from "../src/commands/packages-inside.ts";
import { packageFolder, type Store } from "./npm-packages.ts";
import { TARGETS, type TargetName } from "./targets.ts";

/*
 * The packages inside a program: those whose files esbuild and vite took, and Node.
 */

/** A package inside a program. */
export interface Content extends LicensedPackage {
  readonly folder: string;
  /** Its place in package-lock.json. */
  readonly place: string;
  /** The names of those that it needs. */
  readonly needs: readonly string[];
}

/** Greedy: of a package inside another one's folder, the inner one. */
const IN_PACKAGE = /^(.*(?:node_modules|dist\/packages)\/(?:@[^/]+\/)?[^/]+)\//;

/** The folders of the packages that these files belong to; files of the product itself give none. */
export function foldersOf(files: readonly string[]): readonly string[] {
  return [...new Set(files.flatMap((file) => IN_PACKAGE.exec(file)?.[1] ?? []))].sort();
}

const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});

/**
 * Everything inside a program that was made from these files, the product first. Throws where something may not be
 * given to others.
 */
export function contentsOf(files: readonly string[], target: TargetName, store: Store): readonly Content[] {
  const { root } = store;
  const folders = foldersOf(files).map((folder) => join(root, folder));
  const contents = [root, ...folders].map((folder) => contentOf(folder, root));
  const all = [...contents, nodeOf(target, store)];
  const problems = all.flatMap((content) => licenseProblem(content) ?? []);
  if (problems.length > 0) throw new Error(`what is inside may not be given to others: ${problems.join("; ")}`);
  return all;
}

function contentOf(folder: string, root: string): Content {
  const { dependencies, optionalDependencies } = manifestSchema.parse(
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8")),
  );
  const place = folder.slice(root.length + 1).replace(/^dist\/packages\//, "node_modules/");
  const needs = Object.keys({ ...dependencies, ...optionalDependencies });
  return { ...licenseOf(folder, join(root, "node_modules")), folder, place, needs };
}

/** Node's package for Windows brings no license; that of Linux has the same one. */
function nodeOf(target: TargetName, store: Store): Content {
  const name = TARGETS[target].node.package;
  const folder = packageFolder(store, name);
  const licensed = existsSync(join(folder, "LICENSE"))
    ? folder
    : packageFolder(store, TARGETS["linux-x64"].node.package);
  return {
    ...nodeItself(licenseOf(licensed, join(store.root, "node_modules"))),
    folder,
    place: `node_modules/${name}`,
    needs: [],
  };
}
