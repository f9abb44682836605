/** Stops a timer; calling it again, or after the timer fired, does nothing. */
export type Cancel = () => void;

/**
 * Time as a port. `now` is the wall clock (epoch milliseconds, may jump); `monotonic` only ever rises (milliseconds from an arbitrary start)
 * and is what durations are measured with. `after` calls once, never before this turn of the event loop has ended.
 */
export interface Clock {
  now(): number;
  monotonic(): number;
  after(delayMs: number, run: () => void): Cancel;
}

export function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}

/** ISO 8601 UTC with milliseconds, the form of every time in the register API and the journal. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
