import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pack } from "./binary.ts";
import { type Artefact, bundle, demo, shop } from "./bundle.ts";

/*
 * npm run package             dist/posbridge: what a shop runs
 * npm run package -- --demo   dist/posbridge-demo: the same plus demo, sandbox, simulate
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const unknown = process.argv.slice(2).filter((argument) => argument !== "--demo");
if (unknown.length > 0) {
  console.error(`package: unknown argument ${unknown.join(" ")}; use --demo or nothing`);
  process.exit(2);
}
await make(process.argv.includes("--demo") ? demo : shop);

async function make(artefact: Artefact): Promise<void> {
  execFileSync(process.execPath, [join(root, "packaging", "pages.ts")], { stdio: "inherit" });
  const bundled = join(root, "dist", "bundle", artefact.name, "main.mjs");
  const output = join(root, "dist", process.platform === "win32" ? `${artefact.name}.exe` : artefact.name);
  mkdirSync(dirname(bundled), { recursive: true });
  rmSync(output, { force: true });
  const sources = await bundle(artefact, root, bundled);
  writeFileSync(join(dirname(bundled), "sources.txt"), `${sources.join("\n")}\n`);
  await pack(artefact, root, bundled, output);
  const version = execFileSync(output, ["--version"], { encoding: "utf8" }).trim();
  console.log(`${output}: version ${version}, ${Math.round(statSync(output).size / 1e6)} MB, of ${sources.length} sources (${dirname(bundled)}/sources.txt)`);
}
