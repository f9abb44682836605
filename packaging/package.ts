import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { demo, shop } from "./bundle.ts";
import { fetchAll, makeProgram, nodeProblem } from "./make.ts";
import { PackageMissing, systemStore } from "./npm-packages.ts";
import { isTargetName, ownTarget, type TargetName, targetNames } from "./targets.ts";

/*
 * npm run package                                   dist/posbridge-TARGET: what a shop runs, for this machine
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
  const { file, bytes, sources } = await makeProgram(isDemo ? demo : shop, target, store);
  console.log(`${file}: ${Math.round(bytes / 1e6)} MB, of ${sources} files`);
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
