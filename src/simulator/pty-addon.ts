import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Loads the native code of this machine. In a packaged program packaging/addons-plugin.ts puts the file itself in the place of this one. */
export function load(): unknown {
  return require(`@lydell/node-pty-${process.platform}-${process.arch}/pty.node`);
}
