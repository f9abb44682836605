import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * Loads koffi's native part, which calls functions of Windows. In a packaged program packaging/addons-plugin.ts
 * replaces this file by the native file.
 */
export function load(): unknown {
  return require("@koromix/koffi-win32-x64");
}
