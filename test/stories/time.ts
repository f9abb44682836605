import { createVirtualClock, type VirtualClock } from "../support/virtual-clock.ts";
import type { Waiting } from "../support/waiting.ts";

/** Time that runs from one timer to the next while somebody waits, and stands still while nobody does. */
export interface StoryTime extends Waiting {
  readonly clock: VirtualClock;
  /** Lets time run until `release` is called; a second call does nothing. */
  hold(): () => void;
  /** Lets time run until the promise is settled. */
  during<T>(promise: Promise<T>): Promise<T>;
}

const START = Date.UTC(2026, 0, 15, 9);
/** The longest that a story may wait for one thing. */
const LIMIT_MS = 1_000 * 3_600_000;

export function createStoryTime(): StoryTime {
  const clock = createVirtualClock(START);
  let held = 0;
  let running = false;
  const run = async (): Promise<void> => {
    if (running) return;
    running = true;
    while (held > 0) await clock.runUntil(() => held === 0, LIMIT_MS);
    running = false;
  };
  const hold = (): (() => void) => {
    let isHeld = true;
    held += 1;
    // A rejection is a defect of the test's own shop: it fails the run.
    void run();
    return () => {
      if (isHeld) held -= 1;
      isHeld = false;
    };
  };
  const during = <T>(promise: Promise<T>): Promise<T> => promise.finally(hold());
  return {
    clock,
    hold,
    during,
    now: clock.monotonic,
    pause: (ms) => during(new Promise((resolve) => clock.after(ms, resolve))),
    within: (ms, promise, problem) => {
      const late = Promise.withResolvers<never>();
      const stop = clock.after(ms, () => late.reject(new Error(problem())));
      return during(Promise.race([promise, late.promise])).finally(stop);
    },
  };
}
