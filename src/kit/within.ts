import type { Clock } from "./clock.ts";

/** Waits for the work, but not longer than `limitMs`: "late" means that it goes on and nobody waits. A failure of the work in time is thrown, a later one is dropped. */
export async function within(clock: Clock, limitMs: number, work: Promise<unknown>): Promise<"done" | "late"> {
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  const stopClock = clock.after(limitMs, () => resolve("late"));
  try {
    return await Promise.race([work.then(() => "done" as const), late]);
  } finally {
    stopClock();
  }
}
