import { UnreadableFact } from "../engine/history.ts";
import { JournalUnwritable } from "../engine/ports.ts";
import { isUsage, JournalRefused } from "../journal/refusal.ts";
import { OperationFailed, UsageProblem } from "./terminal-output.ts";

/**
 * A refusal of the data folder as the command line tells it: exit code 2 where the command or the configuration mends it, 1 where the journal itself is not
 * sound.
 */
export function journalProblem(cause: unknown): unknown {
  if (cause instanceof UnreadableFact) return new UsageProblem(cause.message);
  if (cause instanceof JournalUnwritable) return new OperationFailed(cause.message);
  if (!(cause instanceof JournalRefused)) return cause;
  return isUsage(cause.problem) ? new UsageProblem(cause.message) : new OperationFailed(cause.message);
}
