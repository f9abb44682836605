import fs from "node:fs";
import path from "node:path";
import { type DataFolder, syncFolder } from "./data-folder.ts";
import { moveFile } from "./durable-file.ts";
import { JournalRefused, reasonOf } from "./refusal.ts";
import { mendOf } from "./sqlite-error.ts";

/** Copies kept, newest versions first. */
const KEPT = 2;
const NAME = /^before-version-([1-9][0-9]{0,5})$/;
/** Files an older program needs. SQLite rebuilds the -shm index of the log when it opens the database. */
const COPIED = [
  "journal.db",
  "journal.db-wal",
  "journal.witness",
  "tokens.db",
  "tokens.db-journal",
  "deletions.db",
  "deletions.db-journal",
] as const;
const COPIED_TEXTS = ["terminals.json", "paired-terminals.json"] as const;

/**
 * Copies a folder into `before-version-VERSION`, to return to the older program. The caller holds the lock, with no
 * database open. Throws JournalRefused, changing nothing.
 */
export function copyBeforeUpgrade(folder: DataFolder, version: number): string {
  const copy = path.join(folder.path, `before-version-${version}`);
  // The rename makes the copy appear complete and durable, or not at all.
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
    throw new JournalRefused(
      "unreadable",
      `${copy}, the copy before the upgrade, cannot be made: ${reasonOf(cause)}; ${mendOf(cause)}, then try again`,
      {
        cause,
      },
    );
  }
  removeOlder(folder);
  return copy;
}

/** A copy from an interrupted upgrade stays until the new one is complete, unless the disk has no room for both. */
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
