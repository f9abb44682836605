import { systemClock } from "../kit/system-clock.ts";
import { createLog, type Log, logLevels } from "../observe/log.ts";
import { UsageProblem } from "./terminal-output.ts";

/** The process's log: JSON lines to stdout, readable lines where a person watches. */
export function systemLog(level: string): Log {
  const known = logLevels.find((one) => one === level);
  if (known === undefined) throw new UsageProblem(`--log-level ${level} is not one of ${logLevels.join(", ")}`);
  return createLog({ to: process.stdout, tty: process.stdout.isTTY === true, level: known, now: systemClock.now });
}
