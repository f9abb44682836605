import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { commitOf } from "../src/commands/build-identity.ts";
import { demo, shop } from "./bundle.ts";
import { CHECKSUMS, checksumsOf } from "./checksums.ts";
import { fetchAll, makeProgram, nodeProblem, programName } from "./make.ts";
import { lockedPackages, PackageMissing, systemStore } from "./npm-packages.ts";
import { commitTime, sbom } from "./sbom.ts";
import { isTargetName, ownTarget, type TargetName, targetNames } from "./targets.ts";

/*
 * npm run package                                   dist/posbridge-TARGET: what a shop runs, for this machine; beside it its SBOM, and SHA256SUMS
 * npm run package -- --demo                         dist/posbridge-demo-TARGET: the same plus demo, sandbox, simulate
 * npm run package -- --target win-x64               the same for another machine
 * npm run package -- --fetch                        fetches once what other machines need, and makes nothing
 */

class Usage extends Error {}

const store = systemStore(dirname(dirname(fileURLToPath(import.meta.url))));
try {
  const { target, isDemo, isFetch } = asked();
  const problem = nodeProblem(store, process.versions.node);
  if (problem !== undefined) throw new Usage(problem);
  if (isFetch) fetchAll(store);
  else await make(target, isDemo);
} catch (error) {
  if (!(error instanceof Usage || error instanceof PackageMissing)) throw error;
  console.error(`package: ${error.message}`);
  process.exitCode = error instanceof Usage ? 2 : 1;
}

async function make(target: TargetName, isDemo: boolean): Promise<void> {
  execFileSync(process.execPath, [join(store.root, "packaging", "pages.ts")], { stdio: "inherit" });
  const artefact = isDemo ? demo : shop;
  const made = await makeProgram(artefact, target, store);
  const dist = join(store.root, "dist");
  const bom = sbom({ ...made, name: artefact.name, target, commit: commitOf(store.root), madeAt: commitTime(store.root) }, lockedPackages(store.root));
  writeFileSync(join(dist, `${programName(artefact, target)}.cdx.json`), `${JSON.stringify(bom, null, 2)}\n`);
  writeFileSync(join(dist, CHECKSUMS), checksumsOf(dist));
  console.log(`${made.file}: ${Math.round(made.bytes / 1e6)} MB, ${made.contents.length} packages, SHA-256 ${made.sha256}`);
}

function asked(): { readonly target: TargetName; readonly isDemo: boolean; readonly isFetch: boolean } {
  const { values } = parsed();
  const { target = ownTarget(process) ?? "" } = values;
  if (!isTargetName(target)) throw new Usage(`no program is made for ${target || `${process.platform}-${process.arch}`}: --target ${targetNames.join(" | ")}`);
  return { target, isDemo: values.demo === true, isFetch: values.fetch === true };
}

function parsed() {
  try {
    return parseArgs({ options: { target: { type: "string" }, demo: { type: "boolean" }, fetch: { type: "boolean" } } });
  } catch (cause) {
    throw new Usage(`${cause instanceof Error ? cause.message : String(cause)}; use --target NAME, --demo, --fetch`);
  }
}
