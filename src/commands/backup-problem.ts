import { BackupRefused } from "../journal/backup-file.ts";
import { journalProblem } from "./journal-problem.ts";
import { OperationFailed, UsageProblem } from "./terminal-output.ts";

/** Why a backup cannot be made or used, as the command line tells it. */
export function backupProblem(cause: unknown): unknown {
  if (!(cause instanceof BackupRefused)) return journalProblem(cause);
  return cause.isUsage ? new UsageProblem(cause.message) : new OperationFailed(cause.message);
}
