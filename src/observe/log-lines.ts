import type { Clock } from "../kit/clock.ts";
import { createLineQueue } from "./line-queue.ts";
import { createLosses, type Loss } from "./log-losses.ts";
import type { LogPlace } from "./log-place.ts";

/**
 * What may wait for a reader that is stuck, in bytes: some 50,000 lines, 8,000 sales in a row. The newest lines on top of it are lost: a reader that hangs must not stop a sale.
 */
export const MOST_WAITING_BYTES = 16_777_216;

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
  // Not into a queue that is nearly full: what was lost would be lost once more.
  const taken = (waitingBytes: number): void => (waitingBytes <= MOST_WAITING_BYTES / 2 ? losses.regain() : undefined);
  const queue = createLineQueue({ place, clock, lose: losses.lose, taken });
  const add = (line: Buffer): void => {
    if (queue.bytes() + line.length > MOST_WAITING_BYTES) losses.lose("is not read, or its disk is too slow");
    else queue.add(line);
  };
  return { add, lost: losses.total, whenRegained: losses.whenRegained, written: queue.empty };
}
