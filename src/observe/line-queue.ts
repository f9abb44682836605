import type { Clock } from "../kit/clock.ts";
import { type LogPlace, writeWhole } from "./log-place.ts";

/** Lines that wait are joined into one write of at most so many bytes: one line a write is slower than sales at full speed. */
export const MOST_JOINED_BYTES = 262_144;
const BREAK = Buffer.from("\n");

export interface LineQueuePorts {
  readonly place: LogPlace;
  readonly clock: Clock;
  lose(problem: string): void;
  /** A write was taken; so many bytes still wait. */
  taken(waitingBytes: number): void;
}

export interface LineQueue {
  bytes(): number;
  add(line: Buffer): void;
  /** Resolves when no line waits, at the latest after so many milliseconds. */
  empty(limitMs: number): Promise<void>;
}

/** Lines that are offered in one write. */
interface Joined {
  readonly lines: readonly Buffer[];
  /** Length of the line break that ends a torn line before them. */
  readonly lead: number;
  readonly bytes: Buffer;
}

/** One write after the other; a line that fails is lost alone. */
export function createLineQueue({ place, clock, lose, taken: takes }: LineQueuePorts): LineQueue {
  let waiting: Buffer[] = [];
  const ends = createEnds(clock);
  let bytes = 0;
  let isBusy = false;
  /** The last write failed: one line at a time is tried, so that no more than that line is lost. */
  let isFailing = false;
  /** The log ends in the middle of a line, so that the next one has to begin with a break. */
  let isTorn = false;
  const leave = (lines: readonly Buffer[]): void => {
    waiting = waiting.slice(lines.length);
    bytes -= lengthOf(lines);
    isBusy = false;
  };
  const written = (joined: Joined, error: Error | null, taken: number): void => {
    isFailing = error !== null;
    if (error === null) {
      isTorn = false;
      leave(joined.lines);
      takes(bytes);
    } else {
      const whole = wholeLines(joined, taken);
      if (taken >= joined.lead) isTorn = taken > joined.lead + lengthOf(whole);
      leave(joined.lines.slice(0, whole.length + 1));
      lose(`cannot be written (${error.message})`);
    }
    next();
  };
  const next = (): void => {
    if (isBusy) return;
    if (waiting.length === 0) {
      ends.tell();
      return;
    }
    isBusy = true;
    const joined = joinedOf(waiting, { isTorn, mostBytes: isFailing ? 0 : MOST_JOINED_BYTES });
    writeWhole(place, clock, joined.bytes, (error, taken) => written(joined, error, taken));
  };
  return {
    bytes: () => bytes,
    add: (line) => {
      waiting.push(line);
      bytes += line.length;
      next();
    },
    empty: (limitMs) => (waiting.length === 0 ? Promise.resolve() : ends.wait(limitMs)),
  };
}

/** Calls that wait for something, each until its own limit. */
function createEnds(clock: Clock): { wait(limitMs: number): Promise<void>; tell(): void } {
  const ends = new Set<() => void>();
  const wait = (limitMs: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        cancel();
        ends.delete(end);
        resolve();
      };
      const cancel = clock.after(limitMs, end);
      ends.add(end);
    });
  const tell = (): void => {
    for (const end of [...ends]) end();
  };
  return { wait, tell };
}

/** The first of the lines, and those behind it that fit. */
function joinedOf(waiting: readonly Buffer[], { isTorn, mostBytes }: { readonly isTorn: boolean; readonly mostBytes: number }): Joined {
  const lead = isTorn ? [BREAK] : [];
  let length = 0;
  const end = waiting.findIndex((line, at) => {
    length += line.length;
    return at > 0 && length > mostBytes;
  });
  const lines = end === -1 ? [...waiting] : waiting.slice(0, end);
  const [first] = lines;
  const bytes = lines.length === 1 && !isTorn && first !== undefined ? first : Buffer.concat([...lead, ...lines]);
  return { lines, lead: lengthOf(lead), bytes };
}

/** Those that stand before that place of the write. */
function wholeLines({ lines, lead }: Joined, taken: number): readonly Buffer[] {
  let end = lead;
  const torn = lines.findIndex((line) => {
    end += line.length;
    return end > taken;
  });
  return torn === -1 ? lines : lines.slice(0, torn);
}

function lengthOf(lines: readonly Buffer[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}
