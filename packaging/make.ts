import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { commitOf } from "../src/commands/build-identity.ts";
import { licensedPackageSchema } from "../src/commands/package-license.ts";
import { openRpcText } from "../src/register/rpc/openrpc-text.ts";
import type { FoundAddon } from "./addons-plugin.ts";
import { pack } from "./binary.ts";
import { type Artefact, bundle, LICENSES, OPENRPC } from "./bundle.ts";
import { sha256Of } from "./checksums.ts";
import { type Content, contentsOf } from "./contents.ts";
import { lockedPackage, packageFolder, type Store } from "./npm-packages.ts";
import { TARGETS, type TargetName } from "./targets.ts";

/** A program that was made. */
export interface Made {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly contents: readonly Content[];
}

export function programName(artefact: Artefact, target: TargetName): string {
  return `${artefact.name}-${target}`;
}

/** Makes dist/NAME-TARGET. Throws PackageMissing where something of the target was never fetched. */
export async function makeProgram(artefact: Artefact, name: TargetName, store: Store): Promise<Made> {
  const { root } = store;
  const target = TARGETS[name];
  const folder = join(root, "dist", "bundle", programName(artefact, name));
  const file = join(root, "dist", `${programName(artefact, name)}${target.suffix}`);
  const node = join(packageFolder(store, target.node.package), target.node.file);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  rmSync(file, { force: true });
  const { sources, inside } = await bundle(artefact, {
    ...{ root, folder },
    addons: addonsOf(artefact, name, store),
    identity: { commit: commitOf(root), target: name },
  });
  const contents = contentsOf(inside, name, store);
  writeFileSync(join(folder, "sources.txt"), `${sources.join("\n")}\n`);
  writeFileSync(
    join(folder, LICENSES),
    JSON.stringify(contents.map((content) => licensedPackageSchema.strip().parse(content))),
  );
  writeFileSync(join(folder, OPENRPC), openRpcText(manifest.version));
  pack({ root, folder, target: name, node }, file);
  return { file, bytes: statSync(file).size, sha256: sha256Of(file), contents };
}

/** The native code of a program for one machine. */
export function addonsOf({ addonsIn }: Artefact, target: TargetName, store: Store): readonly FoundAddon[] {
  const addons = TARGETS[target].addons.filter((addon) => addonsIn.includes(addon.in));
  return addons.map((addon) => ({ ...addon, folder: packageFolder(store, addon.package) }));
}

/** Fetches what any target needs and npm does not install here. */
export function fetchAll(store: Store): void {
  for (const { node, addons } of Object.values(TARGETS))
    for (const name of [node.package, ...addons.map((addon) => addon.package)]) packageFolder(store, name);
}

/**
 * What keeps this Node from making programs: the program's own is of the pinned version, and its form belongs to that
 * version.
 */
export function nodeProblem(store: Store, running: string): string | undefined {
  const { version } = lockedPackage(store.root, TARGETS["linux-x64"].node.package);
  return running === version
    ? undefined
    : `this is Node ${running}, and programs are made by Node ${version}: npm ci, then npm run package`;
}
