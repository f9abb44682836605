import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { z } from "zod";
import type { BuildIdentity } from "../src/commands/build-identity.ts";
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
 * Everything that can decrypt card data, or play a card, a terminal or the gateway: what a shop installs must not hold
 * it, and its bundle's file list proves
 * that it does not.
 */
export const FORBIDDEN_IN_A_SHOP =
  /^(packages\/sandbox\/|src\/(demo|simulator)\/|src\/main\.demo\.ts$|src\/commands\/(demo|sandbox|simulate)\.ts$|drivers\/simulators\.ts$|drivers\/[^/]+\/simulator|test\/|node_modules\/@lydell\/)/;

export const shop: Artefact = {
  name: "posbridge",
  entry: "src/main.ts",
  pages: ["shop"],
  addonsIn: ["every program"],
  forbidden: FORBIDDEN_IN_A_SHOP,
};

export const demo: Artefact = {
  name: "posbridge-demo",
  entry: "src/main.demo.ts",
  pages: ["shop", "demo"],
  addonsIn: ["every program", "the demo"],
  forbidden: undefined,
};

/** Where a bundle is made, and the native code of its machine. */
export interface BundleOn {
  readonly root: string;
  /** Takes main.cjs and the native files. */
  readonly folder: string;
  readonly addons: readonly FoundAddon[];
  readonly identity: BuildIdentity;
}

/** What a bundle was made from, relative to the project. */
export interface Bundled {
  /** Every file that was read. */
  readonly sources: readonly string[];
  /** Those of which something is in the bundle, or in the pages that it holds. */
  readonly inside: readonly string[];
}

/**
 * Texts beside the bundle that go into the program, each read when it is asked for: the list of packages, and the
 * OpenRPC document.
 */
export const LICENSES = "licenses.json";
export const OPENRPC = "openrpc.json";

/** Bundles a program. Throws where one of them is forbidden in it. */
export async function bundle(artefact: Artefact, { root, folder, addons, identity }: BundleOn): Promise<Bundled> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: artefact.entry },
    outdir: folder,
    outExtension: { ".js": ".cjs" },
    assetNames: "[name]",
    loader: { ".node": "copy" },
    bundle: true,
    platform: "node",
    target: "node24",
    // The main script of a one-file program is CommonJS, and knows no other modules than Node's own.
    format: "cjs",
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "__filename" },
    // V8 keeps the text in memory, two bytes a character where one is not Latin. The licenses are a file of their own.
    ...{ minifyWhitespace: true, minifySyntax: true, legalComments: "none", charset: "ascii" },
    sourcemap: false,
    metafile: true,
    logLevel: "warning",
    logOverride: { "direct-eval": "silent" },
    plugins: [withPages(artefact, root), withIdentity(identity), withTexts, withAddons(addons)],
  });
  const ofPages = artefact.pages.flatMap((page) =>
    z.array(z.string()).parse(JSON.parse(readFileSync(pageFile(root, `${page}.modules`), "utf8"))),
  );
  const sources = [...new Set([...Object.keys(metafile.inputs), ...ofPages])].sort();
  const found = forbiddenIn(artefact, sources);
  if (found.length > 0)
    throw new Error(
      `${artefact.name} must not hold ${found.join(", ")}; remove the import that leads there from ${artefact.entry}`,
    );
  const taken = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
  );
  return { sources, inside: [...new Set([...taken.map(([file]) => file), ...ofPages])].sort() };
}

function pageFile(root: string, name: string): string {
  return join(root, "dist", "pages", `${name}.json`);
}

/** Puts what is known when a program is made in the place of what a checkout finds out by itself. */
function withIdentity(identity: BuildIdentity): Plugin {
  return {
    name: "identity",
    setup: ({ onLoad }) => {
      onLoad({ filter: /src[/\\]commands[/\\]build-identity\.ts$/ }, () => ({
        loader: "js",
        contents: `export const buildIdentity = () => (${JSON.stringify(identity)});\n`,
      }));
    },
  };
}

/** Puts texts that a one-file program holds in the place of what a checkout puts together by itself. */
const withTexts: Plugin = {
  name: "texts",
  setup: ({ onLoad }) => {
    const asset = (name: string): string => `getAsset("${name}", "utf8")`;
    const inPlaceOf = (filter: RegExp, code: string): void =>
      onLoad({ filter }, () => ({
        loader: "js",
        contents: `import { getAsset } from "node:sea";\nexport const ${code};\n`,
      }));
    inPlaceOf(/src[/\\]commands[/\\]packages-inside\.ts$/, `packagesInside = () => JSON.parse(${asset(LICENSES)})`);
    inPlaceOf(/src[/\\]register[/\\]rpc[/\\]openrpc-text\.ts$/, `openRpcText = () => ${asset(OPENRPC)}`);
  },
};

/** Puts the built pages in the place of src/commands/built-pages.ts: a packaged program has no folder beside it. */
function withPages({ pages }: Artefact, root: string): Plugin {
  return {
    name: "pages",
    setup: ({ onLoad }) => {
      onLoad({ filter: /src[/\\]commands[/\\]built-pages\.ts$/ }, () => {
        const built = pages.map((name) => `${name}: ${readFileSync(pageFile(root, name), "utf8")}`);
        return {
          loader: "js",
          contents: `const built = { ${built.join(", ")} };\nexport const builtPages = (program) => built[program];\n`,
        };
      });
    },
  };
}

export function forbiddenIn({ forbidden }: Artefact, sources: readonly string[]): readonly string[] {
  return sources.filter((source) => forbidden?.test(source) === true);
}
