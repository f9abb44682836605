import fs from "node:fs";
import path from "node:path";
import type { AccessChain } from "./path-access.ts";

/** The user that this process acts as; undefined on a system without numbers for users (Windows). */
export function systemUser(): number | undefined {
  return process.geteuid?.();
}

/** Owner and mode of what a path leads to, of every folder above that, and of every folder above the path as written. Throws where nothing is there. */
export function systemAccess(file: string): AccessChain {
  if (systemUser() === undefined) return [];
  const real = fs.realpathSync(file);
  const paths = new Set([real, ...foldersAbove(real), ...foldersAbove(path.resolve(file))]);
  return [...paths].map((each) => {
    const { uid, mode } = fs.statSync(each);
    return { path: each, uid, mode: mode & 0o7777 };
  });
}

function foldersAbove(file: string): readonly string[] {
  const folder = path.dirname(file);
  return folder === file ? [] : [folder, ...foldersAbove(folder)];
}
