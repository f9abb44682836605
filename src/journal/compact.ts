import fs from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { type DataFolder, makePrivateFile, syncFolder } from "./data-folder.ts";
import { openForReading, openForWriting } from "./database.ts";
import { moveFile } from "./durable-file.ts";
import { reasonOf } from "./refusal.ts";
import { verify } from "./verification/verify.ts";
import { readWitness } from "./witness.ts";

/** SQLite's value for INCREMENTAL (sqlite.org/pragma, auto_vacuum). */
const INCREMENTAL = 2;

const vacuumSchema = z.object({ auto_vacuum: z.int() });

/** Whether the journal can return free pages to the disk. Journals of versions without an archive cannot. */
export function canShrink(database: DatabaseSync): boolean {
  return vacuumSchema.parse(database.prepare("PRAGMA auto_vacuum").get()).auto_vacuum === INCREMENTAL;
}

/**
 * Replaces the journal by a checked copy that can shrink. The caller holds the lock, with no connection. Returns the
 * reason on failure; the next start retries.
 */
export function makeShrinkable(folder: DataFolder): string | undefined {
  const draft = `${folder.journal}.new`;
  try {
    fs.rmSync(draft, { force: true });
    makePrivateFile(draft);
    writeAnew(folder, draft);
    // The last connection removes the log. A log that exists means that another process reads the old file.
    if (fs.existsSync(folder.log)) return "a command reads it";
    if (!isWhole(folder, draft)) return "its copy is not whole";
    moveFile(draft, folder.journal);
    syncFolder(folder.path);
    return undefined;
  } catch (cause) {
    return reasonOf(cause);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

function writeAnew(folder: DataFolder, draft: string): void {
  const database = openForWriting(folder.journal);
  try {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA auto_vacuum = INCREMENTAL");
    database.prepare("VACUUM INTO ?").run(draft);
  } finally {
    database.close();
  }
  const handle = fs.openSync(draft, "r+");
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

function isWhole(folder: DataFolder, draft: string): boolean {
  const database = openForReading(draft);
  try {
    return canShrink(database) && verify(database, folder, readWitness(folder.witness), "whole") !== undefined;
  } finally {
    database.close();
  }
}
