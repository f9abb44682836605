import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { demo, NATIVE_PACKAGES } from "../../packaging/bundle.ts";

/*
 * The program as one run of tests starts it some three hundred times: bundled once, which halves what a start costs.
 * Vitest calls `setup` before the tests of real processes.
 */

const PROJECT = path.resolve(import.meta.dirname, "../..");
/** Below node_modules, where native packages are found. */
const FOLDER = path.join(PROJECT, "node_modules/.cache/built-program");
const DAY_MS = 86_400_000;
/** CommonJS packages inside an ES module bundle ask for Node's own modules by `require`, and for their own folder. */
const REQUIRE =
  'import { createRequire as bundleRequire } from "node:module"; const require = bundleRequire(import.meta.url); const __dirname = import.meta.dirname;';

export async function setup(): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: PROJECT,
    entryPoints: [demo.entry],
    outdir: "/",
    outExtension: { ".js": ".mjs" },
    write: false,
    bundle: true,
    // A command loads what it needs and no more, as it does from the sources.
    splitting: true,
    platform: "node",
    target: "node24",
    format: "esm",
    banner: { js: REQUIRE },
    external: [...NATIVE_PACKAGES],
    logLevel: "error",
    logOverride: { "direct-eval": "silent" },
  });
  const hash = createHash("sha256");
  for (const { path: name, contents } of outputFiles) hash.update(name).update(contents);
  const folder = path.join(FOLDER, hash.digest("hex").slice(0, 16));
  if (!fs.existsSync(folder)) {
    const fresh = `${folder}.${process.pid}`;
    fs.mkdirSync(fresh, { recursive: true });
    for (const { path: name, contents } of outputFiles)
      fs.writeFileSync(path.join(fresh, path.basename(name)), contents);
    // Another run may have been as fast, with the same sources.
    if (fs.existsSync(folder)) fs.rmSync(fresh, { recursive: true });
    else fs.renameSync(fresh, folder);
  }
  fs.utimesSync(folder, new Date(), new Date());
  forgetOld();
  process.env["POSBRIDGE_BUILT_PROGRAM"] = path.join(folder, `${path.basename(demo.entry, ".ts")}.mjs`);
}

function forgetOld(): void {
  for (const name of fs.readdirSync(FOLDER)) {
    const folder = path.join(FOLDER, name);
    if (Date.now() - fs.statSync(folder).mtimeMs > DAY_MS) fs.rmSync(folder, { recursive: true, force: true });
  }
}
