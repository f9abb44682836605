import type { Clock } from "../kit/clock.ts";

/** Where the lines of a log end up: an open file. */
export interface LogPlace {
  /** Offers bytes and returns at once; `done` is told how many were taken, or why none. */
  write(bytes: Buffer, done: (error: NodeJS.ErrnoException | null, taken: number) => void): void;
}

/** How soon a reader that took nothing is offered the same again, in milliseconds: twice as long each time. */
const RETRY_MS = { first: 2, most: 100 } as const;

/** Writes until all is taken or the place fails; `done` is told how many bytes were taken, and why no more. A place that is busy is waited for without end. */
export function writeWhole(place: LogPlace, clock: Clock, bytes: Buffer, done: (error: Error | null, taken: number) => void): void {
  let retryMs: number = RETRY_MS.first;
  const offer = (from: number): void => {
    place.write(bytes.subarray(from), (error, count) => {
      const taken = from + count;
      if (error?.code === "EAGAIN" || (error === null && count === 0)) {
        clock.after(retryMs, () => offer(from));
        retryMs = Math.min(2 * retryMs, RETRY_MS.most);
        return;
      }
      retryMs = RETRY_MS.first;
      if (error !== null) done(error, from);
      // A disk that fills takes a part, and says why only when it is offered the rest.
      else if (taken < bytes.length) offer(taken);
      else done(null, taken);
    });
  };
  offer(0);
}
