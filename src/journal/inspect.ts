import fs from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { DataFolder } from "./data-folder.ts";
import { openForReading } from "./database.ts";
import { JournalRefused } from "./refusal.ts";
import { RESTORE, type Verified, verify } from "./verify.ts";
import { readWitness, type WitnessFound } from "./witness.ts";

/** SQLite's own, which no journal changes (sqlite.org/pragma, page_size). */
const PAGE_BYTES = 4096;

type Opening = typeof openForReading;

/** A journal that was looked through and found whole, and the connection that looked: it cannot write. */
export interface Inspected extends Verified {
  readonly database: DatabaseSync;
  /** A flipped bit of the witness was turned back to read it; in the file it still stands. */
  readonly isBitFlipped: boolean;
}

/**
 * What the folder holds, or undefined where no journal was made in it yet. Throws JournalRefused where it is not exactly what was written, or less than was
 * acknowledged; whatever is refused is left as it was found. The witness is read before the database, which therefore can only be ahead of it. `accepted`: the fact that a technician
 * says was the last one, for a witness that cannot tell.
 */
export function inspect(folder: DataFolder, accepted?: number, open: Opening = openForReading): Inspected | undefined {
  const witness = readWitness(folder.witness);
  requireOnePage(folder);
  const found = sizeOf(folder.journal) === 0 ? undefined : look(folder, witness, open);
  if (found === undefined) requireNothingElse(folder, witness);
  if (found?.doubt !== undefined && found.tip.number !== accepted) {
    found.database.close();
    throw found.doubt;
  }
  return found;
}

function look(folder: DataFolder, witness: WitnessFound, open: Opening): Inspected | undefined {
  const database = open(folder.journal);
  try {
    // One view of the journal for the whole look, also while a daemon writes.
    database.exec("BEGIN");
    const found = verify(database, folder, witness);
    database.exec("COMMIT");
    if (found !== undefined) return { ...found, database, isBitFlipped: witness.is === "sound" && witness.mended === true };
  } catch (cause) {
    database.close();
    throw cause;
  }
  database.close();
  return undefined;
}

/**
 * Without a database nothing of a journal may be there: SQLite throws the log away that lies beside an empty one, and the last facts with it. A log beside a database that
 * was looked through with it, and in which no tables are, is what a first start leaves that was killed in its first transaction.
 */
function requireNothingElse(folder: DataFolder, witness: WitnessFound): void {
  const state = fs.existsSync(folder.journal) ? "holds no payments" : "is missing";
  if (witness.is !== "missing") {
    const acknowledged = witness.is === "sound" ? `${witness.tip.number} facts were acknowledged` : "there was a journal";
    throw new JournalRefused("facts-missing", `${folder.journal} ${state}, but ${folder.witness} says that ${acknowledged}; ${RESTORE}`);
  }
  if (sizeOf(folder.journal) === 0 && sizeOf(folder.log) > 0) {
    throw new JournalRefused("database-damaged", `${folder.journal} ${state}, but its log ${folder.log} is there; put it back, or ${RESTORE}`);
  }
}

/** SQLite takes a file shorter than a page for an empty one, and throws its log away too. */
function requireOnePage(folder: DataFolder): void {
  const size = sizeOf(folder.journal);
  if (size === 0 || size >= PAGE_BYTES) return;
  throw new JournalRefused("database-damaged", `${folder.journal} is damaged (cut to ${size} bytes); ${RESTORE}`);
}

/** 0 where there is no such file. */
function sizeOf(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
