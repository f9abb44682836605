import { systemClock } from "../kit/system-clock.ts";
import { type LinesToFile, linesTo, linesToFile } from "../observe/lines-to-file.ts";
import { openRotatedFile, type RotatedFileSettings } from "../observe/rotated-file.ts";

const STDOUT = 1;
const STDERR = 2;

/** This process's log on stdout; stderr gets its failures. Unused by a command without a log. */
export const systemLines = linesToFile(STDOUT, STDERR, systemClock);

const logs: LinesToFile[] = [systemLines];

/** This process's log in a file of its own; stderr gets its failures. Rejects if the file cannot be opened. */
export async function linesToRotatedFile(settings: RotatedFileSettings): Promise<LinesToFile> {
  const lines = linesTo(await openRotatedFile(settings, systemClock), STDERR, systemClock);
  logs.push(lines);
  return lines;
}

/** Resolves when all logs of this process are written, at the latest after `limitMs`. */
export async function logsWritten(limitMs: number): Promise<void> {
  await Promise.all(logs.map((lines) => lines.written(limitMs)));
}
