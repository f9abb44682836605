import { basename, join } from "node:path";
import type { Plugin } from "esbuild";
import { PACKED_FOLDER } from "../src/commands/packed-folder.ts";
import { type Addon, TARGETS } from "./targets.ts";

/** An addon and the folder of the package that brings it. */
export interface FoundAddon extends Addon {
  readonly folder: string;
}

const LOADER = "addon-loader";

/**
 * Loads a native file from beside the bundle. A one-file program has nothing beside it: it names the file by
 * PACKED_FOLDER, and src/commands/packed-addons.ts loads it.
 */
const loading = (name: string): string => `
const load = () => {
  if (!require("node:sea").isSea()) return require("./addon.node");
  const addon = { exports: {} };
  process.dlopen(addon, ${JSON.stringify(`${PACKED_FOLDER}${name}`)});
  return addon.exports;
};
`;
const GIVES = {
  addon: "module.exports = load();\n",
  loader: "module.exports = load;\nmodule.exports.load = load;\n",
} as const;

/** Packages that bring native code for some machine. */
const BRINGERS = [...new Set(Object.values(TARGETS).flatMap(({ addons }) => addons.map((addon) => addon.package)))];

/**
 * Puts a target's native files into the bundle's folder, and has their packages load them from there. Imports of
 * another machine's files are never reached.
 */
export function withAddons(addons: readonly FoundAddon[]): Plugin {
  return {
    name: "addons",
    setup: ({ onResolve, onLoad }) => {
      const names = [...new Set([...addons.map((addon) => addon.import), ...BRINGERS])].map((name) =>
        name.replaceAll(/[.+]/g, "\\$&"),
      );
      onResolve({ filter: new RegExp(`^(${names.join("|")})(/package\\.json)?$`) }, ({ path, importer }) => {
        const within = importer.replaceAll("\\", "/");
        const addon = addons.find(
          (one) =>
            one.import === path && (within.includes(`/node_modules/${one.by}/`) || within.includes(`/${one.by}/`)),
        );
        // Not the file's own path, which would stand in the bundle and differ from checkout to checkout.
        if (addon !== undefined) return { path: `${addon.package}/${addon.file}`, namespace: LOADER };
        const own = addons.find((one) => path === `${one.package}/package.json`);
        if (own !== undefined) return { path: join(own.folder, "package.json") };
        return BRINGERS.some((name) => path === name || path === `${name}/package.json`) &&
          !path.startsWith("@serialport/")
          ? { path, external: true }
          : undefined;
      });
      onResolve({ filter: /^\.\/usb\.[^/]*\.node$/ }, ({ path }) => ({ path, external: true }));
      const named = (path: string): FoundAddon | undefined =>
        addons.find((one) => `${one.package}/${one.file}` === path);
      onLoad({ filter: /./, namespace: LOADER }, ({ path }) => {
        const addon = named(path);
        return addon && { contents: loading(basename(addon.file)) + GIVES[addon.gives], loader: "js" };
      });
      onResolve({ filter: /^\.\/addon\.node$/, namespace: LOADER }, ({ importer }) => {
        const addon = named(importer);
        return addon && { path: join(addon.folder, addon.file) };
      });
    },
  };
}
