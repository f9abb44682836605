import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import packed from "../pkg.json" with { type: "json" };

/** What a packaged program is made from: the entry point, and native packages that stay beside the bundle. */
export interface Artefact {
  readonly name: string;
  readonly entry: string;
  /** Packages with native code; they are packed as files and loaded by their own loaders. */
  readonly external: readonly string[];
  /** Their own entry points, from which what they load is found; relative to the project. */
  readonly scripts: readonly string[];
  /** Globs of the native files themselves, which no import names; relative to the project. */
  readonly assets: readonly string[];
  /** Which of the built pages its own program serves. */
  readonly pages: readonly ("shop" | "demo")[];
  /** Sources that must not be in it. */
  readonly forbidden: RegExp | undefined;
}

const platform = `${process.platform}-${process.arch}`;
/** The native packages of a shop; pkg.json names their files. */
const NATIVE = ["@serialport/bindings-cpp", "usb"];
const pty = { external: `@lydell/node-pty-${platform}`, assets: `node_modules/@lydell/node-pty-${platform}/*` };

/**
 * Everything that can decrypt card data, or play a card, a terminal or the gateway: what a shop installs must not hold it, and its bundle's file list proves
 * that it does not.
 */
export const FORBIDDEN_IN_A_SHOP =
  /^(src\/(demo|sandbox|simulator|testbed)\/|src\/main\.demo\.ts$|src\/commands\/(demo|sandbox|simulate)\.ts$|drivers\/simulators\.ts$|drivers\/[^/]+\/simulator|test\/|node_modules\/@lydell\/)/;

export const shop: Artefact = {
  name: "posbridge",
  entry: "src/main.ts",
  external: NATIVE,
  scripts: packed.pkg.scripts,
  assets: packed.pkg.assets,
  pages: ["shop"],
  forbidden: FORBIDDEN_IN_A_SHOP,
};

export const demo: Artefact = {
  name: "posbridge-demo",
  entry: "src/main.demo.ts",
  external: [...NATIVE, pty.external],
  scripts: packed.pkg.scripts,
  assets: [...packed.pkg.assets, pty.assets],
  pages: ["shop", "demo"],
  forbidden: undefined,
};

/** CommonJS packages inside an ES module bundle ask for Node's own modules by `require`. */
export const REQUIRE = 'import { createRequire as bundleRequire } from "node:module"; const require = bundleRequire(import.meta.url);';

/** Bundles an artefact into one file and returns the sources it was made from. Throws where one of them is forbidden in it. */
export async function bundle(artefact: Artefact, root: string, outfile: string): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [artefact.entry],
    outfile,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    banner: { js: REQUIRE },
    external: [...artefact.external],
    sourcemap: false,
    legalComments: "inline",
    metafile: true,
    logLevel: "warning",
    logOverride: { "direct-eval": "silent" },
    plugins: [withPages(artefact, root)],
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
