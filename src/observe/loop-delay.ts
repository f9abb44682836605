import type { Cancel, Clock } from "../kit/clock.ts";

/** Shorter than a stall that a customer notices, so that none is missed. */
const EVERY_MS = 50;

/**
 * Measures the delay of the event loop until cancelled: bytes of terminals and calls of registers are delayed alike.
 */
export function watchLoop(clock: Clock, told: (lateMs: number) => void): Cancel {
  let next: Cancel = () => undefined;
  const look = (): void => {
    const due = clock.monotonic() + EVERY_MS;
    next = clock.after(EVERY_MS, () => {
      told(Math.max(0, clock.monotonic() - due));
      look();
    });
  };
  look();
  return () => next();
}
