import fs from "node:fs";
import path from "node:path";
import type { AgentFace } from "../agent/agent.ts";
import type { Configuration, LogLevel } from "../config/configuration.ts";
import { systemClock } from "../kit/system-clock.ts";
import type { LinesToFile } from "../observe/lines-to-file.ts";
import { logLevels, logTo } from "../observe/log.ts";
import { createRecentLines } from "../observe/recent-lines.ts";
import { linesToRotatedFile, systemLines } from "./system-lines.ts";
import { UsageProblem } from "./terminal-output.ts";

/** The process's log: JSON lines to stdout or to the configured file; readable lines on a person's screen. */
export async function systemLog(settings: Configuration["log"], level: string | undefined): Promise<AgentFace> {
  const recent = createRecentLines(String(systemClock.now()));
  const said = level === undefined ? undefined : levelNamed(level);
  const isWatched = process.stdout.isTTY === true;
  const lines = settings.file === undefined ? systemLines : await linesToLogFile({ ...settings, file: settings.file });
  const log = logTo(lines, {
    tty: isWatched && lines === systemLines,
    ...{ level: said ?? settings.level, now: systemClock.now, recent },
    screen: isWatched && lines !== systemLines ? systemLines.stream : undefined,
  });
  // A level of the command line overrides all later configurations.
  return {
    log,
    linesLost: lines.lost,
    recent,
    setLevel: (next) => (said === undefined ? log.setLevel(next) : undefined),
  };
}

function levelNamed(level: string): LogLevel {
  const known = logLevels.find((one) => one === level);
  if (known === undefined) throw new UsageProblem(`--log-level ${level} is not one of ${logLevels.join(", ")}`);
  return known;
}

async function linesToLogFile(settings: Parameters<typeof linesToRotatedFile>[0]): Promise<LinesToFile> {
  try {
    fs.mkdirSync(path.dirname(settings.file), { recursive: true, mode: 0o700 });
    return await linesToRotatedFile(settings);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageProblem(
      `log.file: ${settings.file} cannot be opened (${why}); name a file in a folder that this user may write in`,
    );
  }
}
