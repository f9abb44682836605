import { systemClock } from "../kit/system-clock.ts";
import { type LinesToFile, linesTo, linesToFile } from "../observe/lines-to-file.ts";
import { openRotatedFile, type RotatedFileSettings } from "../observe/rotated-file.ts";

const STDOUT = 1;
const STDERR = 2;

/** The log of this process on stdout; where it fails, stderr hears of it. Of a command that keeps no log there is nothing in it. */
export const systemLines = linesToFile(STDOUT, STDERR, systemClock);

const logs: LinesToFile[] = [systemLines];

/** The log of this process in a file of its own; stderr hears of it where that fails. Rejects where it cannot be opened. */
export async function linesToRotatedFile(settings: RotatedFileSettings): Promise<LinesToFile> {
  const lines = linesTo(await openRotatedFile(settings, systemClock), STDERR, systemClock);
  logs.push(lines);
  return lines;
}

/** Resolves when every log of this process is written, at the latest after so many milliseconds. */
export async function logsWritten(limitMs: number): Promise<void> {
  await Promise.all(logs.map((lines) => lines.written(limitMs)));
}
