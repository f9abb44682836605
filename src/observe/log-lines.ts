import type { Clock } from "../kit/clock.ts";
import { createLineQueue } from "./line-queue.ts";
import { createLosses, type Loss } from "./log-losses.ts";
import type { LogPlace } from "./log-place.ts";

/**
 * Limit of bytes that wait for a stuck reader: some 50,000 lines, 8,000 sales in a row. Beyond it the newest lines are
 * lost, because a stuck reader must not stop a sale.
 */
export const MOST_WAITING_BYTES = 16_777_216;

export interface LogLinesPorts {
  readonly place: LogPlace;
  readonly clock: Clock;
  /** Shows one line to people when the log itself fails. */
  readonly tell: (line: string) => void;
}

/**
 * Lines for a log that may fail. A sale matters more: a log that is full, missing or unread loses lines, but never
 * ends, blocks or fills the process.
 */
export interface LogLines {
  /** Accepts a line, with its break, at once; never fails. */
  add(line: Buffer): void;
  /** Lines lost since the process began. */
  lost(): number;
  /** Registers a listener for the losses, called when the log works again. */
  whenRegained(say: (loss: Loss) => void): void;
  /** Resolves when every line is written or lost, at the latest after `limitMs`. */
  written(limitMs: number): Promise<void>;
}

export function createLogLines({ place, clock, tell }: LogLinesPorts): LogLines {
  const losses = createLosses({ clock, tell });
  // A nearly full queue would lose the report as well.
  const taken = (waitingBytes: number): void => (waitingBytes <= MOST_WAITING_BYTES / 2 ? losses.regain() : undefined);
  const queue = createLineQueue({ place, clock, lose: losses.lose, taken });
  const add = (line: Buffer): void => {
    if (queue.bytes() + line.length > MOST_WAITING_BYTES) losses.lose("is not read, or its disk is too slow");
    else queue.add(line);
  };
  return { add, lost: losses.total, whenRegained: losses.whenRegained, written: queue.empty };
}
