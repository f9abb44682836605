import type { Clock } from "./clock.ts";

/**
 * Waits at most `limitMs`. "late": the work goes on without a waiter. A failure in time is thrown; a later one is
 * dropped.
 */
export async function within(clock: Clock, limitMs: number, work: Promise<unknown>): Promise<"done" | "late"> {
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  const stopClock = clock.after(limitMs, () => resolve("late"));
  try {
    return await Promise.race([work.then(() => "done" as const), late]);
  } finally {
    stopClock();
  }
}
