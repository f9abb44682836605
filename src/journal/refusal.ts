import { mendOf } from "./sqlite-error.ts";

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
