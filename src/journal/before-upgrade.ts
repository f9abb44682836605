import fs from "node:fs";
import path from "node:path";
import { type DataFolder, syncFolder } from "./data-folder.ts";
import { moveFile } from "./durable-file.ts";
import { JournalRefused, reasonOf } from "./refusal.ts";
import { mendOf } from "./sqlite-error.ts";

/** Copies that are kept, the newest versions first. */
const KEPT = 2;
const NAME = /^before-version-([1-9][0-9]{0,5})$/;
/** Everything of a data folder that an older program needs to go on. The index of the log is made anew by whoever opens it. */
const COPIED = ["journal.db", "journal.db-wal", "journal.witness", "tokens.db", "tokens.db-journal", "deletions.db", "deletions.db-journal"] as const;
const COPIED_TEXTS = ["terminals.json", "paired-terminals.json"] as const;

/**
 * Copies the files of a folder, as they were found, into `before-version-VERSION` in it: the way back to the program before. The caller holds the folder's lock and has no connection to
 * its databases. The copy appears under its name complete and durable, or not at all. Gives its path; throws JournalRefused where it could not be made, and nothing has changed then.
 */
export function copyBeforeUpgrade(folder: DataFolder, version: number): string {
  const copy = path.join(folder.path, `before-version-${version}`);
  const draft = `${copy}.new`;
  try {
    fs.rmSync(draft, { recursive: true, force: true });
    const files = [...COPIED, ...COPIED_TEXTS].filter((name) => fs.existsSync(path.join(folder.path, name)));
    makeRoom(folder, copy, files);
    fs.mkdirSync(draft, { mode: 0o700 });
    for (const name of files) copyDurably(path.join(folder.path, name), path.join(draft, name));
    syncFolder(draft);
    fs.rmSync(copy, { recursive: true, force: true });
    moveFile(draft, copy);
    syncFolder(folder.path);
  } catch (cause) {
    fs.rmSync(draft, { recursive: true, force: true });
    if (cause instanceof JournalRefused) throw cause;
    throw new JournalRefused("unreadable", `${copy}, the copy before the upgrade, cannot be made: ${reasonOf(cause)}; ${mendOf(cause)}, then try again`, {
      cause,
    });
  }
  removeOlder(folder);
  return copy;
}

/** A copy of this version is an upgrade's that was broken off. It stays until the new one is whole, unless the disk has no room for both. */
function makeRoom(folder: DataFolder, copy: string, files: readonly string[]): void {
  const needed = files.reduce((sum, name) => sum + fs.statSync(path.join(folder.path, name)).size, 0);
  if (freeIn(folder) < needed) fs.rmSync(copy, { recursive: true, force: true });
  const free = freeIn(folder);
  if (free >= needed) return;
  const what = `${copy}, the copy before the upgrade, needs ${megabytes(needed)}, and ${megabytes(free)} are free`;
  throw new JournalRefused("unreadable", `${what}; make room on its disk, then try again`);
}

function freeIn(folder: DataFolder): number {
  const { bavail, bsize } = fs.statfsSync(folder.path);
  return bavail * bsize;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function copyDurably(from: string, to: string): void {
  fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
  fs.chmodSync(to, 0o600);
  const handle = fs.openSync(to, "r+");
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

function removeOlder(folder: DataFolder): void {
  const copies = fs.readdirSync(folder.path).flatMap((name) => {
    const version = NAME.exec(name)?.[1];
    return version === undefined ? [] : [{ name, version: Number(version) }];
  });
  const old = copies.toSorted((a, b) => b.version - a.version).slice(KEPT);
  for (const { name } of old) fs.rmSync(path.join(folder.path, name), { recursive: true, force: true });
}
