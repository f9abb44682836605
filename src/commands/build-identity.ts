import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

/** The build of the product. */
export interface BuildIdentity {
  /** The short name of its commit, with "+changes" for uncommitted changes; undefined if unknown. */
  readonly commit: string | undefined;
  /** The kind of machine that it runs on. */
  readonly target: string;
}

/** The build of a checkout, from git. In a packaged program packaging/bundle.ts replaces this file. */
export function buildIdentity(): BuildIdentity {
  const { platform, arch } = process;
  return {
    commit: commitOf(path.resolve(import.meta.dirname, "../..")),
    target: `${platform === "win32" ? "win" : platform}-${arch}`,
  };
}

/** The commit of a checkout; undefined if the folder is none, or git is missing. */
export function commitOf(root: string): string | undefined {
  if (!existsSync(path.join(root, ".git"))) return undefined;
  try {
    const told = execFileSync(
      "git",
      ["-C", root, "describe", "--always", "--abbrev=7", "--exclude=*", "--dirty=+changes"],
      {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    return told.trim() || undefined;
  } catch {
    // A version without its commit is better than no version.
    return undefined;
  }
}
