/** Stops a timer; repeated or late calls do nothing. */
export type Cancel = () => void;

/**
 * Time as a port. `now` is the wall clock (epoch milliseconds, may jump). `monotonic` never falls (milliseconds from an
 * arbitrary start): measure durations with it. `after` calls once, never in the current turn of the event loop.
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
