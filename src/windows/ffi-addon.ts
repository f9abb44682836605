import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Loads koffi's native part, which calls functions of Windows. In a packaged program packaging/addons-plugin.ts puts the file itself in the place of this one. */
export function load(): unknown {
  return require("@koromix/koffi-win32-x64");
}
