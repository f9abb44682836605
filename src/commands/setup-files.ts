import fs from "node:fs";
import path from "node:path";
import { closeNewTo } from "../kit/system-access-list.ts";
import type { SystemAccount } from "../kit/system-accounts.ts";
import { OperationFailed } from "./terminal-output.ts";

/** The bridge's user, if another than the current one. */
export type Owner = Pick<SystemAccount, "uid" | "gid"> | undefined;

export interface Written {
  /** Copies of the previous files. */
  readonly copies: readonly string[];
}

export interface SetupFiles {
  readonly file: string;
  readonly text: string;
  /** The typed token, and its file. */
  readonly token?: { readonly file: string; readonly text: string };
  readonly dataDir: string;
  readonly owner: Owner;
  /** For the names of the copies: 20261123-200501. */
  readonly stamp: string;
}

/** Takes that right on a new file or folder from others (Windows); returns the problem, if any. */
export type CloseTo = (right: "any" | "change", path: string, kind: "file" | "folder") => string | undefined;

interface Content {
  readonly text: string | Uint8Array;
  readonly mode: number;
  readonly owner: Owner;
  /** The right that nobody else may have. */
  readonly closedTo: "any" | "change";
}

/**
 * Writes each file completely or not at all. The configuration is last, so that a waiting bridge finds all other files.
 */
export function writeSetup(
  { file, text, token, dataDir, owner, stamp }: SetupFiles,
  close: CloseTo = closeNewTo,
): Written {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o755 });
  if (!fs.existsSync(dataDir)) {
    fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (owner !== undefined) fs.chownSync(dataDir, owner.uid, owner.gid);
    const problem = close("any", dataDir, "folder");
    if (problem !== undefined) {
      fs.rmdirSync(dataDir);
      throw new OperationFailed(`${dataDir} cannot be closed to others (${problem}); name another place by --data-dir`);
    }
  }
  const copies = [...(token === undefined ? [] : keepCopy(token.file, stamp, close)), ...keepCopy(file, stamp, close)];
  if (token !== undefined)
    replaceFile(token.file, { text: `${token.text}\n`, mode: 0o600, owner, closedTo: "any" }, close);
  // Owned by root, so that the bridge cannot change where the money goes.
  replaceFile(file, { text, mode: 0o640, owner: owner && { uid: 0, gid: owner.gid }, closedTo: "change" }, close);
  return { copies };
}

function keepCopy(file: string, stamp: string, close: CloseTo): readonly string[] {
  if (!fs.existsSync(file)) return [];
  const copy = `${file}.${stamp}`;
  writeNew(copy, { text: fs.readFileSync(file), mode: 0o600, owner: undefined, closedTo: "any" }, close);
  return [copy];
}

function replaceFile(file: string, content: Content, close: CloseTo): void {
  const fresh = `${file}.new-${process.pid}`;
  writeNew(fresh, content, close);
  try {
    fs.renameSync(fresh, file);
  } finally {
    fs.rmSync(fresh, { force: true });
  }
}

/** Closes the file while it is still empty, and removes it if that fails. */
function writeNew(file: string, { text, mode, owner, closedTo }: Content, close: CloseTo): void {
  const handle = fs.openSync(file, "wx", mode);
  try {
    try {
      const problem = close(closedTo, file, "file");
      if (problem !== undefined)
        throw new OperationFailed(`${file} cannot be closed to others (${problem}); name another place by --config`);
      fs.writeFileSync(handle, text);
      fs.fchmodSync(handle, mode);
      if (owner !== undefined) fs.fchownSync(handle, owner.uid, owner.gid);
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
  } catch (cause) {
    fs.rmSync(file, { force: true });
    throw cause;
  }
}
