import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LICENSES, OPENRPC } from "./bundle.ts";
import { ownTarget, type TargetName } from "./targets.ts";

/** The parts of one program. */
export interface Parts {
  readonly root: string;
  /** Holds main.cjs and all that goes into the program with it. */
  readonly folder: string;
  readonly target: TargetName;
  /** The Node that becomes the program: one of the target, of the version that runs this script. */
  readonly node: string;
}

/**
 * Options of the program's own Node. V8 lets the space for young objects grow to 32 MB and more while a program starts,
 * and never gives it back; a bridge needs 2 MB.
 */
const NODE_OPTIONS = ["--max-semi-space-size=2"];

const TEXTS = [LICENSES, OPENRPC];
const MAIN = "main.cjs";
const BLOB = "program.blob";
const CONFIG = "sea-config.json";
/** Stands in each Node, and says behind it whether the file is a program. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/**
 * Packs a folder and a Node into one file, a single executable application of Node. Needs no network. V8's code cache
 * belongs to one kind of machine: only a program for
 * the machine that makes it holds one.
 */
export function pack({ root, folder, target, node }: Parts, output: string): void {
  const assets = readdirSync(folder).filter((name) => name.endsWith(".node") || TEXTS.includes(name));
  const config = {
    ...{ main: MAIN, output: BLOB, disableExperimentalSEAWarning: true },
    useCodeCache: target === ownTarget(process),
    execArgv: NODE_OPTIONS,
    assets: Object.fromEntries(assets.map((name) => [name, name])),
  };
  writeFileSync(join(folder, CONFIG), JSON.stringify(config));
  // A fixed seed and names without a folder: made twice from the same sources, a program is the same file.
  execFileSync(process.execPath, ["--random-seed=1", "--experimental-sea-config", CONFIG], {
    cwd: folder,
    stdio: "pipe",
  });
  copyFileSync(node, output);
  chmodSync(output, 0o755);
  const inject = [output, "NODE_SEA_BLOB", join(folder, BLOB), "--sentinel-fuse", FUSE];
  // Its warnings about names of sections are no fault. Where it fails, what it said is in the error.
  execFileSync(process.execPath, [join(root, "node_modules", "postject", "dist", "cli.js"), ...inject], {
    stdio: "pipe",
  });
}
