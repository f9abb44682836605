import fs from "node:fs";
import { Writable } from "node:stream";
import type { Clock } from "../kit/clock.ts";
import { createLogLines, type LogLines } from "./log-lines.ts";
import type { LogPlace } from "./log-place.ts";

/** How long the end of a process waits for a log that takes its lines slowly, in milliseconds. */
export const LAST_LINES_MS = 1_000;

/** Lines to a file, and the stream by which the log hands them over. */
export interface LinesToFile extends Pick<LogLines, "lost" | "whenRegained" | "written"> {
  readonly stream: Writable;
}

/**
 * Log lines to an open file (its number), of whose failing `tellAt`, another one, is told. Written by a thread of Node's pool, one at a time: whoever stops reading (a
 * terminal on which Ctrl-S was pressed, a disk on a network that is gone) stops that thread and not the bridge. process.stdout would write to files and terminals in the
 * bridge's own thread, and to pipes from a buffer without an end.
 */
export function linesToFile(file: number, tellAt: number, clock: Clock): LinesToFile {
  return linesTo(placeAt(file), tellAt, clock);
}

/** The same to any place. */
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

/** What is told may be as stuck as the log: while it is with the line before, the next one is dropped. */
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
