import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { type AccessList, closingArguments, othersWith, type Right, readSddl } from "./access-list.ts";
import { systemPlatform } from "./system-platform.ts";

/** The access list of a file; `untold`: Windows did not return it, and why. */
export type AccessListLook =
  | { readonly is: "told"; readonly list: AccessList }
  | { readonly is: "untold"; readonly why: string };

/** Runs a program of Windows and returns its output; throws if it cannot be run or fails. */
export type RunTool = (tool: "icacls" | "whoami", args: readonly string[]) => string;

const TOOL_MS = 10_000;

/**
 * Windows first looks for a program in the working folder. In the program's own, nobody can put another icacls who
 * cannot replace the program itself.
 */
const runTool: RunTool = (tool, args) => {
  const cwd = path.dirname(process.execPath);
  const { error, status, stdout, stderr } = spawnSync(`${tool}.exe`, args, {
    cwd,
    encoding: "utf8",
    windowsHide: true,
    timeout: TOOL_MS,
  });
  if (error !== undefined) throw error;
  if (status !== 0)
    throw new Error(`${tool} ended with ${status ?? "no status"}${stderr.trim() === "" ? "" : `: ${stderr.trim()}`}`);
  return stdout;
};

/** The SID of the current user in the output of `whoami /user /fo csv /nh`; undefined if it is missing. */
export function ownSid(printed: string): string | undefined {
  return /"(S-1-[0-9-]+)"\s*$/.exec(printed)?.[1];
}

/** The security descriptor in the file of `icacls /save`: a line with the name, a line with the descriptor. */
export function savedSddl(bytes: Uint8Array): string | undefined {
  const lines = Buffer.from(bytes)
    .toString("utf16le")
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .filter((line) => line !== "");
  return lines[1]?.trim();
}

/** Access lists of this machine. */
export interface AccessLists {
  /** The SID of the current user; undefined if Windows does not return it. */
  own(): string | undefined;
  read(path: string): AccessListLook;
  /**
   * Closes a new file or folder to all but this user, the system, administrators, and services in its list. Returns the
   * problem, if any.
   */
  close(path: string, kind: "file" | "folder", list?: AccessList): string | undefined;
}

export function accessListsBy(run: RunTool): AccessLists {
  let known: string | undefined;
  const own = (): string | undefined => {
    known ??= problemOf(() => ownSid(run("whoami", ["/user", "/fo", "csv", "/nh"]))).value;
    return known;
  };
  return {
    own,
    read: (file) => {
      const { value, problem } = problemOf(() => saved(run, file));
      const list = value === undefined ? undefined : readSddl(value);
      return list === undefined ? { is: "untold", why: problem ?? "icacls told no access list" } : { is: "told", list };
    },
    close: (file, kind, list) => {
      const user = own();
      if (user === undefined) return "whoami tells no SID";
      return problemOf(() => run("icacls", [file, ...closingArguments(kind, list, user)])).problem;
    },
  };
}

export const systemAccessLists: AccessLists = accessListsBy(runTool);

/** Closes a new file to others on Windows, where mode 0600 has no effect. Returns the problem, if any. */
export function closeNewFile(file: string, platform = systemPlatform, lists = systemAccessLists): string | undefined {
  return platform === "windows" ? lists.close(file, "file") : undefined;
}

/**
 * The rule of `closeNewFile` for files and folders that a service needs too. A harmless inherited list stays; a service
 * keeps its access.
 */
export function closeNewTo(
  right: Right,
  path: string,
  kind: "file" | "folder",
  platform = systemPlatform,
  lists = systemAccessLists,
): string | undefined {
  if (platform !== "windows") return undefined;
  const [own, look] = [lists.own(), lists.read(path)];
  const list = look.is === "told" ? look.list : undefined;
  if (own !== undefined && list !== undefined && othersWith(right, list, own).length === 0) return undefined;
  return lists.close(path, kind, list);
}

/** icacls saves to a file only; its output on the screen depends on the language. */
function saved(run: RunTool, file: string): string | undefined {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-acl-"));
  try {
    const answer = path.join(folder, "saved");
    run("icacls", [file, "/save", answer, "/q"]);
    return fs.existsSync(answer) ? savedSddl(fs.readFileSync(answer)) : undefined;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function problemOf<T>(run: () => T): { readonly value?: T; readonly problem?: string } {
  try {
    return { value: run() };
  } catch (cause) {
    return { problem: cause instanceof Error ? cause.message : String(cause) };
  }
}
