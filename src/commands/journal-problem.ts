import { JournalUnwritable } from "../engine/ports.ts";
import { UnreadableFact } from "../engine/shell/journal-replay.ts";
import { isUsage, JournalRefused } from "../journal/refusal.ts";
import { OperationFailed, UsageProblem } from "./terminal-output.ts";

/**
 * Maps a refused data folder to an error: exit code 2 if the command or the configuration can fix it, 1 if the journal
 * is damaged.
 */
export function journalProblem(cause: unknown): unknown {
  if (cause instanceof UnreadableFact) return new UsageProblem(cause.message);
  if (cause instanceof JournalUnwritable) return new OperationFailed(cause.message);
  if (!(cause instanceof JournalRefused)) return cause;
  return isUsage(cause.problem) ? new UsageProblem(cause.message) : new OperationFailed(cause.message);
}
