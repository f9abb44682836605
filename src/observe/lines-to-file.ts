import fs from "node:fs";
import { Writable } from "node:stream";
import type { Clock } from "../kit/clock.ts";
import { createLogLines, type LogLines } from "./log-lines.ts";
import type { LogPlace } from "./log-place.ts";

/** Time that the end of a process waits for a slow log, in milliseconds. */
export const LAST_LINES_MS = 1_000;

/** A stream for the log whose lines go to a file. */
export interface LinesToFile extends Pick<LogLines, "lost" | "whenRegained" | "written"> {
  readonly stream: Writable;
}

/**
 * Writes log lines to an open file (its number) and reports failures to `tellAt`. Node's thread pool writes, so that a
 * stuck reader (Ctrl-S, a lost network disk) never blocks the bridge, as process.stdout would.
 */
export function linesToFile(file: number, tellAt: number, clock: Clock): LinesToFile {
  return linesTo(placeAt(file), tellAt, clock);
}

/** Writes to any place. */
export function linesTo(place: LogPlace, tellAt: number, clock: Clock): LinesToFile {
  const { add, ...lines } = createLogLines({ place, clock, tell: tellOn(placeAt(tellAt)) });
  const stream = new Writable({
    write: (line: Buffer, _encoding, done) => {
      add(line);
      done();
    },
  });
  return { ...lines, stream };
}

/** The place for reports may be stuck too: while one report is written, the next is dropped. */
function tellOn(place: LogPlace): (line: string) => void {
  let isBusy = false;
  return (line) => {
    if (isBusy) return;
    isBusy = true;
    place.write(Buffer.from(`${line}\n`), () => {
      isBusy = false;
    });
  };
}

function placeAt(file: number): LogPlace {
  return { write: (bytes, done) => fs.write(file, bytes, done) };
}
