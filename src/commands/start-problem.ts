import { TerminalUnusable } from "../agent/lines.ts";
import { PairedTerminalsRefused } from "../agent/roster.ts";
import { ControlFailed } from "../control/address.ts";
import { ListenFailed } from "../http/server.ts";
import { KnownTerminalsUnreadable } from "../journal/known-terminals.ts";
import { TokensUnusable } from "../register/tokens/token-database.ts";
import { WebhooksUnheard } from "../webhook/listener.ts";
import { journalProblem } from "./journal-problem.ts";
import { UsageProblem } from "./terminal-output.ts";

/** Errors of a start that the configuration or the machine can fix. */
const USAGE = [
  ListenFailed,
  TerminalUnusable,
  KnownTerminalsUnreadable,
  PairedTerminalsRefused,
  TokensUnusable,
  ControlFailed,
  WebhooksUnheard,
];

/** Maps a failed start to an error of the command line. */
export function startProblem(cause: unknown): unknown {
  const usage = USAGE.some((problem) => cause instanceof problem);
  return usage && cause instanceof Error ? new UsageProblem(cause.message) : journalProblem(cause);
}
