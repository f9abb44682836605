import fs from "node:fs";
import path from "node:path";
import type { SystemAccount } from "../kit/system-accounts.ts";

/** Whom the files are for: the bridge's own user, where that is not the one who runs this. */
export type Owner = Pick<SystemAccount, "uid" | "gid"> | undefined;

export interface Written {
  /** Where the files lie that were there before. */
  readonly copies: readonly string[];
}

export interface SetupFiles {
  readonly file: string;
  readonly text: string;
  /** The token that was typed, and the file for it. */
  readonly token?: { readonly file: string; readonly text: string };
  readonly dataDir: string;
  readonly owner: Owner;
  /** Of the copies: 20261123-200501. */
  readonly stamp: string;
}

/** Each file whole or not at all, the configuration last: whoever waits for it finds everything else there. */
export function writeSetup({ file, text, token, dataDir, owner, stamp }: SetupFiles): Written {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o755 });
  if (!fs.existsSync(dataDir)) {
    fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (owner !== undefined) fs.chownSync(dataDir, owner.uid, owner.gid);
  }
  const copies = [...(token === undefined ? [] : keepCopy(token.file, stamp)), ...keepCopy(file, stamp)];
  if (token !== undefined) replaceFile(token.file, `${token.text}\n`, 0o600, owner);
  // Root's own, so that the bridge cannot change where the money goes.
  replaceFile(file, text, 0o640, owner && { uid: 0, gid: owner.gid });
  return { copies };
}

function keepCopy(file: string, stamp: string): readonly string[] {
  if (!fs.existsSync(file)) return [];
  const copy = `${file}.${stamp}`;
  fs.copyFileSync(file, copy, fs.constants.COPYFILE_EXCL);
  fs.chmodSync(copy, 0o600);
  return [copy];
}

function replaceFile(file: string, text: string, mode: number, owner: Owner): void {
  const fresh = `${file}.new-${process.pid}`;
  try {
    const handle = fs.openSync(fresh, "wx", mode);
    try {
      fs.writeFileSync(handle, text);
      fs.fchmodSync(handle, mode);
      if (owner !== undefined) fs.fchownSync(handle, owner.uid, owner.gid);
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
    fs.renameSync(fresh, file);
  } finally {
    fs.rmSync(fresh, { force: true });
  }
}
