import { mendOf } from "./sqlite-error.ts";

/** Matters of usage or configuration: another folder, another process, another permission mends them. */
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
/** What was acknowledged may not be all there: nothing may be sold from this folder until a person has looked (docs/journal.md has a section for each). */
const UNSOUND = ["facts-missing", "witness-missing", "witness-damaged", "chain-broken", "view-damaged", "database-damaged", "archive-damaged"] as const;

/** Why a data folder cannot be used. */
export type JournalProblem = (typeof USAGE)[number] | (typeof UNSOUND)[number];

export function isUsage(problem: JournalProblem): boolean {
  return USAGE.some((usage) => usage === problem);
}

/** The journal refuses to open: one line that names the file, what is wrong with it and the mend. */
export class JournalRefused extends Error {
  readonly problem: JournalProblem;

  constructor(problem: JournalProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "JournalRefused";
    this.problem = problem;
  }
}

/** The message of whatever was thrown. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Whatever went wrong while a data folder was opened, as a refusal of that folder. */
export function refusalOf(folder: string, thrown: unknown): JournalRefused {
  if (thrown instanceof JournalRefused) return thrown;
  return new JournalRefused("unreadable", `${folder} cannot be used: ${reasonOf(thrown)}; ${mendOf(thrown)}, then try again`, { cause: thrown });
}
