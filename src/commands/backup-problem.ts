import { BackupRefused } from "../journal/backup-file.ts";
import { journalProblem } from "./journal-problem.ts";
import { OperationFailed, UsageProblem } from "./terminal-output.ts";

/** Maps a refused backup to an error of the command line. */
export function backupProblem(cause: unknown): unknown {
  if (!(cause instanceof BackupRefused)) return journalProblem(cause);
  return cause.isUsage ? new UsageProblem(cause.message) : new OperationFailed(cause.message);
}
