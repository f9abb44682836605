import { readFileSync, writeFileSync } from "node:fs";
import { seaEnhanced } from "@yao-pkg/pkg/lib-es5/sea.js";
import type { Artefact } from "./bundle.ts";
import { withoutHome } from "./without-home.ts";

/** pkg's words for this machine. */
function target(): { nodeRange: string; arch: string; platform: "linux" | "macos" | "win" } {
  const { platform, arch, versions } = process;
  const node = { nodeRange: `node${versions.node}`, arch };
  switch (platform) {
    case "linux":
      return { ...node, platform: "linux" };
    case "darwin":
      return { ...node, platform: "macos" };
    case "win32":
      return { ...node, platform: "win" };
    default:
      throw new Error(`no binary can be made on ${platform}; use linux, macOS or Windows`);
  }
}

/** Packs a bundle, its native files and the Node that runs this script into one file. Needs no network. */
export async function pack(artefact: Artefact, root: string, bundled: string, output: string): Promise<void> {
  const marker = {
    config: { name: artefact.name, pkg: { scripts: [...artefact.scripts], assets: [...artefact.assets] } },
    base: root,
    configPath: `${root}/package.json`,
    toplevel: true,
  };
  await seaEnhanced(bundled, { targets: [{ ...target(), output }], useLocalNode: true, marker, params: { seaMode: true } });
  if (target().platform === "linux") writeFileSync(output, withoutHome(readFileSync(output)), { mode: 0o755 });
}
