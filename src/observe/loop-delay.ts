import type { Cancel, Clock } from "../kit/clock.ts";

/** A stall that a customer notices is longer than this, so that none falls between two looks. */
const EVERY_MS = 50;

/** Measures how late the event loop gets to a timer, until it is cancelled: as late comes every byte of a terminal and every call of a register. */
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
