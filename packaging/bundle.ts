import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { type FoundAddon, withAddons } from "./addons-plugin.ts";
import type { Addon } from "./targets.ts";

/** What a program is made from. */
export interface Artefact {
  readonly name: string;
  readonly entry: string;
  /** Which of the built pages its own program serves. */
  readonly pages: readonly ("shop" | "demo")[];
  /** Whose native code it holds. */
  readonly addonsIn: readonly Addon["in"][];
  /** Sources that must not be in it. */
  readonly forbidden: RegExp | undefined;
}

/** Packages with native code, which stay beside a bundle that runs from a checkout. */
export const NATIVE_PACKAGES = ["@serialport/bindings-cpp", "usb", "@lydell/*"];

/**
 * Everything that can decrypt card data, or play a card, a terminal or the gateway: what a shop installs must not hold it, and its bundle's file list proves
 * that it does not.
 */
export const FORBIDDEN_IN_A_SHOP =
  /^(src\/(demo|sandbox|simulator|testbed)\/|src\/main\.demo\.ts$|src\/commands\/(demo|sandbox|simulate)\.ts$|drivers\/simulators\.ts$|drivers\/[^/]+\/simulator|test\/|node_modules\/@lydell\/)/;

export const shop: Artefact = { name: "posbridge", entry: "src/main.ts", pages: ["shop"], addonsIn: ["every program"], forbidden: FORBIDDEN_IN_A_SHOP };

export const demo: Artefact = {
  name: "posbridge-demo",
  entry: "src/main.demo.ts",
  pages: ["shop", "demo"],
  addonsIn: ["every program", "the demo"],
  forbidden: undefined,
};

/** CommonJS packages inside an ES module bundle ask for Node's own modules by `require`, and for their own folder. */
export const REQUIRE =
  'import { createRequire as bundleRequire } from "node:module"; const require = bundleRequire(import.meta.url); const __dirname = import.meta.dirname;';

/** Where a bundle is made, and the native code of its machine. */
export interface BundleOn {
  readonly root: string;
  /** Takes main.mjs and the native files. */
  readonly folder: string;
  readonly addons: readonly FoundAddon[];
}

/** Bundles a program and returns the files that it was made from. Throws where one of them is forbidden in it. */
export async function bundle(artefact: Artefact, { root, folder, addons }: BundleOn): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: artefact.entry },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    assetNames: "[name]",
    loader: { ".node": "copy" },
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    banner: { js: REQUIRE },
    sourcemap: false,
    legalComments: "inline",
    metafile: true,
    logLevel: "warning",
    logOverride: { "direct-eval": "silent" },
    plugins: [withPages(artefact, root), withAddons(addons)],
  });
  const sources = Object.keys(metafile.inputs).sort();
  const found = forbiddenIn(artefact, sources);
  if (found.length > 0) throw new Error(`${artefact.name} must not hold ${found.join(", ")}; remove the import that leads there from ${artefact.entry}`);
  return sources;
}

/** Puts the built pages in the place of src/commands/built-pages.ts: a packaged program has no folder beside it. */
function withPages({ pages }: Artefact, root: string): Plugin {
  return {
    name: "pages",
    setup: ({ onLoad }) => {
      onLoad({ filter: /src[/\\]commands[/\\]built-pages\.ts$/ }, () => {
        const built = pages.map((name) => `${name}: ${readFileSync(join(root, "dist", "pages", `${name}.json`), "utf8")}`);
        return { loader: "js", contents: `const built = { ${built.join(", ")} };\nexport const builtPages = (program) => built[program];\n` };
      });
    },
  };
}

export function forbiddenIn({ forbidden }: Artefact, sources: readonly string[]): readonly string[] {
  return sources.filter((source) => forbidden?.test(source) === true);
}
