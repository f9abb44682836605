import type { Clock } from "../kit/clock.ts";
import { type LogPlace, writeWhole } from "./log-place.ts";

/** Limit of one write, which joins waiting lines: single writes are slower than sales at full speed. */
export const MOST_JOINED_BYTES = 262_144;
const BREAK = Buffer.from("\n");

export interface LineQueuePorts {
  readonly place: LogPlace;
  readonly clock: Clock;
  lose(problem: string): void;
  /** A write was completed; that many bytes still wait. */
  taken(waitingBytes: number): void;
}

export interface LineQueue {
  bytes(): number;
  add(line: Buffer): void;
  /** Resolves when no line waits, at the latest after `limitMs`. */
  empty(limitMs: number): Promise<void>;
}

/** Lines of one write. */
interface Joined {
  readonly lines: readonly Buffer[];
  /** Length of the line break that ends a torn line before them. */
  readonly lead: number;
  readonly bytes: Buffer;
}

/** Writes in order; a failure loses a single line. */
export function createLineQueue({ place, clock, lose, taken: takes }: LineQueuePorts): LineQueue {
  let waiting: Buffer[] = [];
  const ends = createEnds(clock);
  let bytes = 0;
  let isBusy = false;
  /** The last write failed: only one line is tried at a time, so that a failure loses no more. */
  let isFailing = false;
  /** The log ends inside a line, so the next write begins with a line break. */
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

/** Calls that wait for an event, each with its own time limit. */
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

/** The first line, with the following ones that fit. */
function joinedOf(
  waiting: readonly Buffer[],
  { isTorn, mostBytes }: { readonly isTorn: boolean; readonly mostBytes: number },
): Joined {
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

/** Lines completely written before that position. */
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
