import { z } from "zod";
import { isDamage, isSqliteError, mendOf } from "./sqlite-error.ts";

export const RESTORE = "restore the last backup (docs/journal.md)";

/** Usage or configuration: fixed by another folder, process or permission. */
const USAGE = [
  "folder-missing",
  "folder-foreign",
  "journal-missing",
  "folder-unsafe",
  "environment-changed",
  "schema-newer",
  "in-use",
  "unreadable",
  "unconfirmed",
] as const;
/**
 * Acknowledged facts may be missing: no sale from this folder until a technician has looked (docs/journal.md has a
 * section for each).
 */
const UNSOUND = [
  "facts-missing",
  "witness-missing",
  "witness-damaged",
  "chain-broken",
  "view-damaged",
  "database-damaged",
  "archive-damaged",
] as const;

export type JournalProblem = (typeof USAGE)[number] | (typeof UNSOUND)[number];

export function isUsage(problem: JournalProblem): boolean {
  return USAGE.some((usage) => usage === problem);
}

/** Facts or rows in journal.db are not as they were written. A damaged file of the archive is not meant: only old facts are in it. */
export function isOfJournal(problem: JournalProblem): boolean {
  return !isUsage(problem) && problem !== "archive-damaged";
}

/** The journal refuses to open. The message is one line: the file, the problem and the mend. */
export class JournalRefused extends Error {
  readonly problem: JournalProblem;

  constructor(problem: JournalProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "JournalRefused";
    this.problem = problem;
  }
}

export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Turns any error from opening a data folder into a refusal of that folder. */
export function refusalOf(folder: string, thrown: unknown): JournalRefused {
  if (thrown instanceof JournalRefused) return thrown;
  return new JournalRefused(
    "unreadable",
    `${folder} cannot be used: ${reasonOf(thrown)}; ${mendOf(thrown)}, then try again`,
    { cause: thrown },
  );
}

/** A disk that cannot be read now says nothing about its content, so do not suggest restoring a backup. */
export function refusalOfReading(file: string, cause: unknown): unknown {
  // RangeError: a number no column of ours holds (node:sqlite gives none beyond 2^53).
  const isNonsense = cause instanceof z.ZodError || cause instanceof RangeError;
  if (!isSqliteError(cause) && !isNonsense) return cause;
  if (!isNonsense && !isDamage(cause)) {
    return new JournalRefused(
      "unreadable",
      `${file} cannot be read now (${reasonOf(cause)}): ${mendOf(cause)}, then try again`,
      { cause },
    );
  }
  const what = isNonsense ? "a column holds what was never written there" : reasonOf(cause);
  return new JournalRefused("database-damaged", `${file} is damaged (${what}); ${RESTORE}`, { cause });
}
