import { readFileSync, writeFileSync } from "node:fs";
import { seaEnhanced } from "@yao-pkg/pkg/lib-es5/sea.js";
import { sameEachTime } from "./same-each-time.ts";
import type { Target } from "./targets.ts";
import { withoutHome } from "./without-home.ts";

/** The parts of one program. */
export interface Parts {
  readonly name: string;
  /** Holds main.mjs and all that goes into the program with it. */
  readonly folder: string;
  readonly target: Target;
  /** The Node that becomes the program: one of the target, of the version that runs this script. */
  readonly node: string;
}

/** Packs a folder and a Node into one file. Needs no network. */
export async function pack({ name, folder, target, node }: Parts, output: string): Promise<void> {
  const { platform, arch } = target;
  await seaEnhanced(`${folder}/main.mjs`, {
    targets: [{ nodeRange: `node${process.versions.node}`, arch, platform, output }],
    // The file that is copied; and it is of this Node's version, so that pkg neither starts a foreign program nor downloads one.
    ...{ nodePath: node, useLocalNode: true },
    marker: {
      config: { name, pkg: { assets: ["*.node", "*.json"] } },
      base: folder,
      configPath: `${folder}/package.json`,
      toplevel: true,
    },
    params: { seaMode: true },
  });
  const program = sameEachTime(readFileSync(output));
  writeFileSync(output, platform === "linux" ? withoutHome(program) : program, { mode: 0o755 });
}
