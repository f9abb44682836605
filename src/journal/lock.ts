import fs from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type DataFolder, makePrivateFile } from "./data-folder.ts";
import { JournalRefused, reasonOf } from "./refusal.ts";
import { isBusy, mendOf } from "./sqlite-error.ts";

/** The exclusive right to write in a data folder. The operating system releases it when the process ends in any way. */
export interface FolderLock {
  release(): void;
}

/**
 * A command that checks who holds the folder locks it for some milliseconds. A starting bridge waits longer than that.
 */
const PATIENCE_MS = 1_000;

function holderOf(folder: DataFolder): string {
  try {
    const text = fs.readFileSync(folder.lockHolder, "utf8").trim();
    return /^[0-9]{1,10}$/.test(text) ? `pid ${text}` : "pid unknown";
  } catch {
    // The holder writes its number just after taking the lock. Without the file, the answer is still "in use".
    return "pid unknown";
  }
}

function nameHolder(folder: DataFolder): void {
  try {
    fs.writeFileSync(folder.lockHolder, `${process.pid}\n`, { mode: 0o600 });
  } catch {
    // A full disk has no room for the number. The lock works without it, and the journal's own check reports the disk.
  }
}

function forgetHolder(folder: DataFolder): void {
  try {
    fs.rmSync(folder.lockHolder, { force: true });
  } catch {
    // A read-only folder keeps the number. The lock itself tells whether it is held, and the folder's problem was
    // reported before.
  }
}

/**
 * Holds BEGIN EXCLUSIVE on lock.db; throws JournalRefused "in-use" after a second. The pid has its own file: an
 * exclusively locked database is unreadable.
 */
export function lockDataFolder(folder: DataFolder): FolderLock {
  let database: DatabaseSync | undefined;
  try {
    makePrivateFile(folder.lock);
    database = new DatabaseSync(folder.lock, { timeout: PATIENCE_MS });
    database.exec("BEGIN EXCLUSIVE");
    nameHolder(folder);
  } catch (cause) {
    database?.close();
    if (isBusy(cause))
      throw new JournalRefused("in-use", `another posbridge (${holderOf(folder)}) uses ${folder.path}; stop it first`, {
        cause,
      });
    throw new JournalRefused(
      "unreadable",
      `${folder.lock} cannot be locked: ${reasonOf(cause)}; ${mendOf(cause)}, then try again`,
      { cause },
    );
  }
  const held = database;
  return {
    release: () => {
      if (!held.isOpen) return;
      forgetHolder(folder);
      held.close();
    },
  };
}
