import type { Clock } from "../kit/clock.ts";
import { createLosses, type Loss } from "./log-losses.ts";

/** What may wait while nobody reads or the disk is slow, in bytes: a thousand lines, some hundred sales. What comes on top of it is lost. */
export const MOST_WAITING_BYTES = 262_144;
/** How soon a reader that took nothing is offered the same again, in milliseconds. */
const RETRY_MS = 100;
const BREAK = Buffer.from("\n");

/** Where the lines end up: an open file. */
export interface LogPlace {
  /** Offers bytes and returns at once; `done` is told how many were taken, or why none. */
  write(bytes: Buffer, done: (error: NodeJS.ErrnoException | null, taken: number) => void): void;
}

export interface LogLinesPorts {
  readonly place: LogPlace;
  readonly clock: Clock;
  /** Says one line to people where the log itself cannot. */
  readonly tell: (line: string) => void;
}

/**
 * Lines on their way to a log that may fail. A sale is worth more than what is written about it: a log that is full, gone or not read loses lines, and neither ends the
 * process nor holds it up, nor fills its memory.
 */
export interface LogLines {
  /** Takes a line, with its break, at once, and never fails. */
  add(line: Buffer): void;
  /** How many lines were lost since the process began. */
  lost(): number;
  /** Who is told, once lines can be written again, what was lost meanwhile. */
  whenRegained(say: (loss: Loss) => void): void;
  /** Resolves when every line is written or lost, at the latest after so many milliseconds. */
  written(limitMs: number): Promise<void>;
}

export function createLogLines({ place, clock, tell }: LogLinesPorts): LogLines {
  const losses = createLosses({ clock, tell });
  const queue = createQueue({ place, clock, lose: losses.lose, taken: losses.regain });
  const add = (line: Buffer): void => {
    if (queue.bytes() + line.length > MOST_WAITING_BYTES) losses.lose("is not read, or its disk is too slow");
    else queue.add(line);
  };
  return { add, lost: losses.total, whenRegained: losses.whenRegained, written: queue.empty };
}

interface QueuePorts extends Pick<LogLinesPorts, "place" | "clock"> {
  lose(problem: string): void;
  /** A line was taken, and there is room for more. */
  taken(): void;
}

interface Queue {
  bytes(): number;
  add(line: Buffer): void;
  empty(limitMs: number): Promise<void>;
}

/** One line after the other, each whole before the next begins. */
function createQueue({ place, clock, lose, taken }: QueuePorts): Queue {
  const waiting: Buffer[] = [];
  const ended = new Set<() => void>();
  let bytes = 0;
  let isBusy = false;
  /** The log ends in the middle of a line, so that the next one has to begin with a break. */
  let isTorn = false;
  const leave = (line: Buffer): void => {
    waiting.shift();
    bytes -= line.length;
    isBusy = false;
  };
  const offer = (line: Buffer, rest: Buffer): void => {
    place.write(rest, (error, count) => {
      if (error?.code === "EAGAIN" || (error === null && count === 0)) clock.after(RETRY_MS, () => offer(line, rest));
      else if (error !== null) {
        leave(line);
        lose(`cannot be written (${error.message})`);
        next();
      } else if (count < rest.length) {
        // A disk that fills takes a part, and says why only when it is offered the rest.
        isTorn = true;
        offer(line, rest.subarray(count));
      } else {
        leave(line);
        isTorn = false;
        // Not into a queue that is nearly full: what was lost would be lost once more.
        if (bytes <= MOST_WAITING_BYTES / 2) taken();
        next();
      }
    });
  };
  const next = (): void => {
    const [line] = waiting;
    if (isBusy) return;
    if (line === undefined) {
      for (const tell of ended) tell();
      return;
    }
    isBusy = true;
    offer(line, isTorn ? Buffer.concat([BREAK, line]) : line);
  };
  const add = (line: Buffer): void => {
    waiting.push(line);
    bytes += line.length;
    next();
  };
  const empty = (limitMs: number): Promise<void> =>
    new Promise((resolve) => {
      if (waiting.length === 0) return resolve();
      const end = (): void => {
        cancel();
        ended.delete(end);
        resolve();
      };
      const cancel = clock.after(limitMs, end);
      ended.add(end);
    });
  return { bytes: () => bytes, add, empty };
}
