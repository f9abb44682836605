import { execFileSync } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { commitOf } from "../src/commands/build-identity.ts";
import { type Artefact, demo, shop } from "./bundle.ts";
import { CHECKSUMS, checksumsOf } from "./checksums.ts";
import { makeDeb } from "./deb.ts";
import { fetchAll, makeProgram, nodeProblem, programName } from "./make.ts";
import { lockedPackages, PackageMissing, systemStore } from "./npm-packages.ts";
import { commitTime, sbom } from "./sbom.ts";
import { isTargetName, ownTarget, TARGETS, type TargetName, targetNames } from "./targets.ts";

/*
 * npm run package                           dist/posbridge-TARGET: what a shop runs, for this machine; beside it its
 * SBOM, and SHA256SUMS
 * npm run package -- --demo                 dist/posbridge-demo-TARGET: the same plus demo, sandbox, simulate
 * npm run package -- --deb                  the shop's program, and dist/posbridge_VERSION_ARCHITECTURE.deb with it
 * npm run package -- --target win-x64       the same for another machine
 * npm run package -- --fetch                fetches once what other machines need, and makes nothing
 */

const OPTIONS = {
  target: { type: "string" },
  demo: { type: "boolean" },
  deb: { type: "boolean" },
  fetch: { type: "boolean" },
} as const;

class Usage extends Error {}

const store = systemStore(dirname(dirname(fileURLToPath(import.meta.url))));
try {
  const { target, artefact, isDeb, isFetch } = asked();
  const problem = nodeProblem(store, process.versions.node);
  if (problem !== undefined) throw new Usage(problem);
  if (isFetch) fetchAll(store);
  else await make(target, artefact, isDeb);
} catch (error) {
  if (!(error instanceof Usage || error instanceof PackageMissing)) throw error;
  console.error(`package: ${error.message}`);
  process.exitCode = error instanceof Usage ? 2 : 1;
}

async function make(target: TargetName, artefact: Artefact, isDeb: boolean): Promise<void> {
  const { root } = store;
  const dist = join(root, "dist");
  execFileSync(process.execPath, [join(root, "packaging", "pages.ts")], { stdio: "inherit" });
  const made = await makeProgram(artefact, target, store);
  const madeAt = commitTime(root);
  const list = sbom({ ...made, name: artefact.name, target, commit: commitOf(root), madeAt }, lockedPackages(root));
  const text = `${JSON.stringify(list, null, 2)}\n`;
  writeFileSync(join(dist, `${programName(artefact, target)}.cdx.json`), text);
  console.log(
    `${made.file}: ${Math.round(made.bytes / 1e6)} MB, ${made.contents.length} packages, SHA-256 ${made.sha256}`,
  );
  const { debian } = TARGETS[target];
  if (isDeb && debian !== undefined) {
    const deb = makeDeb({
      root,
      program: made.file,
      sbom: text,
      architecture: debian,
      version: manifest.version,
      madeAt,
    });
    console.log(`${deb}: ${Math.round(statSync(deb).size / 1e6)} MB`);
  }
  writeFileSync(join(dist, CHECKSUMS), checksumsOf(dist));
}

interface Asked {
  readonly target: TargetName;
  readonly artefact: Artefact;
  readonly isDeb: boolean;
  readonly isFetch: boolean;
}

function asked(): Asked {
  const { values } = parsed();
  const { target = ownTarget(process) ?? "" } = values;
  if (!isTargetName(target))
    throw new Usage(
      `no program is made for ${target || `${process.platform}-${process.arch}`}: --target ${targetNames.join(" | ")}`,
    );
  const isDeb = values.deb === true;
  if (isDeb && values.demo === true)
    throw new Usage("a Debian package holds the shop's program: --deb goes without --demo");
  if (isDeb && TARGETS[target].debian === undefined)
    throw new Usage(`${target} is no Debian: --deb goes with linux-x64 and linux-arm64`);
  return { target, artefact: values.demo === true ? demo : shop, isDeb, isFetch: values.fetch === true };
}

function parsed() {
  try {
    return parseArgs({ options: OPTIONS });
  } catch (cause) {
    throw new Usage(
      `${cause instanceof Error ? cause.message : String(cause)}; use --target NAME, --demo, --deb, --fetch`,
    );
  }
}
