import type { Clock } from "../../kit/clock.ts";

/** A bucket that refills with time: `take` is true unless it is empty. */
export interface Rate {
  take(): boolean;
}

export function rateOf(clock: Clock, perSecond: number, atOnce: number): Rate {
  let left = atOnce;
  let seen = clock.monotonic();
  return {
    take: () => {
      const now = clock.monotonic();
      left = Math.min(atOnce, left + ((now - seen) / 1000) * perSecond);
      seen = now;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
