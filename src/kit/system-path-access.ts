import fs from "node:fs";
import path from "node:path";
import type { AccessChain, ListedPath } from "./path-access.ts";
import { type AccessLists, systemAccessLists } from "./system-access-list.ts";
import { userName } from "./system-accounts.ts";
import { systemPlatform } from "./system-platform.ts";

/** The effective user; undefined on a system without user numbers (Windows). */
export function systemUser(): number | undefined {
  return process.geteuid?.();
}

/**
 * Owner and mode (on Windows: access list) of the path's target, of every folder above it, and of every folder above
 * the path as written. Throws if nothing is there.
 */
export function systemAccess(file: string): AccessChain {
  return systemPlatform === "windows" ? listedAccess(file, systemAccessLists) : modesOf(pathsOf(file));
}

/** Empty: Windows does not tell the current user, so nothing can be judged. */
export function listedAccess(file: string, lists: AccessLists): AccessChain {
  const own = lists.own();
  if (own === undefined) return [];
  const listed = pathsOf(file).map((each): ListedPath => {
    const look = lists.read(each);
    const kind = path.dirname(each) === each ? "root" : fs.statSync(each).isDirectory() ? "folder" : "file";
    return { path: each, kind, list: look.is === "told" ? look.list : undefined };
  });
  return { own, paths: listed };
}

function pathsOf(file: string): readonly string[] {
  const real = fs.realpathSync(file);
  return [...new Set([real, ...foldersAbove(real), ...foldersAbove(path.resolve(file))])];
}

function modesOf(paths: readonly string[]): AccessChain {
  return paths.map((each) => {
    const { uid, gid, mode } = fs.statSync(each);
    const isForeign = uid !== 0 && uid !== systemUser();
    return { path: each, uid, gid, mode: mode & 0o7777, ...(isForeign && { name: userName(uid) }) };
  });
}

function foldersAbove(file: string): readonly string[] {
  const folder = path.dirname(file);
  return folder === file ? [] : [folder, ...foldersAbove(folder)];
}
