import type { Clock } from "../kit/clock.ts";

/** Destination of a log's lines: an open file. */
export interface LogPlace {
  /** Writes bytes without blocking; `done` gets the number written, or the error. */
  write(bytes: Buffer, done: (error: NodeJS.ErrnoException | null, taken: number) => void): void;
}

/** Wait before a full destination is tried again, in milliseconds; it doubles each time. */
const RETRY_MS = { first: 2, most: 100 } as const;

/**
 * Writes until all bytes are taken or an error occurs; `done` gets the number written and the error. Waits without
 * limit for a busy destination.
 */
export function writeWhole(
  place: LogPlace,
  clock: Clock,
  bytes: Buffer,
  done: (error: Error | null, taken: number) => void,
): void {
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
      // A disk that becomes full takes a part, and reports the error only for the rest.
      else if (taken < bytes.length) offer(taken);
      else done(null, taken);
    });
  };
  offer(0);
}
