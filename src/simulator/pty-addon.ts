import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * Loads this machine's native code. In a packaged program packaging/addons-plugin.ts replaces this file by the addon
 * itself.
 */
export function load(): unknown {
  return require(`@lydell/node-pty-${process.platform}-${process.arch}/pty.node`);
}
