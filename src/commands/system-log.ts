import type { AgentFace } from "../agent.ts";
import { systemClock } from "../kit/system-clock.ts";
import { logLevels, logTo } from "../observe/log.ts";
import { createRecentLines } from "../observe/recent-lines.ts";
import { systemLines } from "./system-lines.ts";
import { UsageProblem } from "./terminal-output.ts";

/** The process's log: JSON lines to stdout, readable lines where a person watches. */
export function systemLog(level: string): AgentFace {
  const known = logLevels.find((one) => one === level);
  if (known === undefined) throw new UsageProblem(`--log-level ${level} is not one of ${logLevels.join(", ")}`);
  const recent = createRecentLines(String(systemClock.now()));
  const log = logTo(systemLines, { tty: process.stdout.isTTY === true, level: known, now: systemClock.now, recent });
  return { log, linesLost: systemLines.lost, recent };
}
