import { systemClock } from "../kit/system-clock.ts";
import { linesToFile } from "../observe/lines-to-file.ts";

const STDOUT = 1;
const STDERR = 2;

/** The log of this process on stdout; where it fails, stderr hears of it. Of a command that keeps no log there is nothing in it. */
export const systemLines = linesToFile(STDOUT, STDERR, systemClock);
