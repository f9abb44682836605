import fs from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type DataFolder, makePrivateFile } from "./data-folder.ts";
import { JournalRefused, reasonOf } from "./refusal.ts";
import { isBusy, mendOf } from "./sqlite-error.ts";

/** The one right to write in a data folder. The operating system takes it back when the process ends, however it ends. */
export interface FolderLock {
  release(): void;
}

/** A command that only looks who holds the folder has it for some milliseconds: a bridge that starts in these goes on. */
const PATIENCE_MS = 1_000;

function holderOf(folder: DataFolder): string {
  try {
    const text = fs.readFileSync(folder.lockHolder, "utf8").trim();
    return /^[0-9]{1,10}$/.test(text) ? `pid ${text}` : "pid unknown";
  } catch {
    // The holder writes its number just after it took the lock: without the file the answer is still "in use".
    return "pid unknown";
  }
}

function nameHolder(folder: DataFolder): void {
  try {
    fs.writeFileSync(folder.lockHolder, `${process.pid}\n`, { mode: 0o600 });
  } catch {
    // A disk that is full has no room for the number either; the lock holds without it, and the journal's own check says what is wrong.
  }
}

function forgetHolder(folder: DataFolder): void {
  try {
    fs.rmSync(folder.lockHolder, { force: true });
  } catch {
    // A folder that takes no writing keeps the number. The lock itself tells whether somebody holds it, and what is wrong with the folder is said by whoever met it first.
  }
}

/**
 * Takes the folder for this process alone, by holding BEGIN EXCLUSIVE on lock.db, or throws JournalRefused "in-use" after a second. The number of the process
 * stands in a file of its own, because a database that is locked exclusively cannot be read.
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
    if (isBusy(cause)) throw new JournalRefused("in-use", `another posbridge (${holderOf(folder)}) uses ${folder.path}; stop it first`, { cause });
    throw new JournalRefused("unreadable", `${folder.lock} cannot be locked: ${reasonOf(cause)}; ${mendOf(cause)}, then try again`, { cause });
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
