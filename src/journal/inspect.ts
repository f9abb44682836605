import fs from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { DataFolder } from "./data-folder.ts";
import { openForReading } from "./database.ts";
import { JournalRefused, RESTORE } from "./refusal.ts";
import { type Extent, type Verified, verify } from "./verification/verify.ts";
import { readWitness, type WitnessFound } from "./witness.ts";

/** SQLite's default, which no journal changes (sqlite.org/pragma, page_size). */
const PAGE_BYTES = 4096;

type Opening = typeof openForReading;

/** A verified journal, and the read-only connection that read it. */
export interface Inspected extends Verified {
  readonly database: DatabaseSync;
  /** The witness was read with one flipped bit corrected; the file still has it. */
  readonly isBitFlipped: boolean;
}

export interface InspectionOrder {
  readonly extent: Extent;
  /** A technician's word on the last fact, if the witness cannot tell. */
  readonly accepted?: number | undefined;
  readonly open?: Opening;
}

/** Undefined without a journal. Throws JournalRefused on damage or lost facts, changing nothing. */
export function inspect(
  folder: DataFolder,
  { extent, accepted, open = openForReading }: InspectionOrder,
): Inspected | undefined {
  // Read the witness before the database, so that the database can only be ahead of it.
  const witness = readWitness(folder.witness);
  requireOnePage(folder);
  const found = sizeOf(folder.journal) === 0 ? undefined : look(folder, witness, { extent, open });
  if (found === undefined) requireNothingElse(folder, witness);
  if (found?.doubt !== undefined && found.tip.number !== accepted) {
    found.database.close();
    throw found.doubt;
  }
  return found;
}

function look(
  folder: DataFolder,
  witness: WitnessFound,
  { extent, open }: { readonly extent: Extent; readonly open: Opening },
): Inspected | undefined {
  const database = open(folder.journal);
  try {
    // One read transaction for the whole check, while a daemon may write.
    database.exec("BEGIN");
    const found = verify(database, folder, witness, extent);
    database.exec("COMMIT");
    if (found !== undefined)
      return { ...found, database, isBitFlipped: witness.is === "sound" && witness.mended === true };
  } catch (cause) {
    database.close();
    throw cause;
  }
  database.close();
  return undefined;
}

/**
 * SQLite deletes a log beside an empty database, and its facts. Allowed: the log of a verified database without tables,
 * from a first start killed in its first transaction.
 */
function requireNothingElse(folder: DataFolder, witness: WitnessFound): void {
  const state = fs.existsSync(folder.journal) ? "holds no payments" : "is missing";
  if (witness.is !== "missing") {
    const acknowledged =
      witness.is === "sound" ? `${witness.tip.number} facts were acknowledged` : "there was a journal";
    throw new JournalRefused(
      "facts-missing",
      `${folder.journal} ${state}, but ${folder.witness} says that ${acknowledged}; ${RESTORE}`,
    );
  }
  if (sizeOf(folder.journal) === 0 && sizeOf(folder.log) > 0) {
    throw new JournalRefused(
      "database-damaged",
      `${folder.journal} ${state}, but its log ${folder.log} is there; put it back, or ${RESTORE}`,
    );
  }
}

/** SQLite treats a file shorter than a page as empty, and deletes its log too. */
function requireOnePage(folder: DataFolder): void {
  const size = sizeOf(folder.journal);
  if (size === 0 || size >= PAGE_BYTES) return;
  throw new JournalRefused("database-damaged", `${folder.journal} is damaged (cut to ${size} bytes); ${RESTORE}`);
}

/** 0 if the file is missing. */
function sizeOf(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
