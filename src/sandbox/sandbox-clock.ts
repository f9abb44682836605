import type { Clock } from "../kit/clock.ts";

/** The sandbox's own time: the clock it was given, moved forward by whoever tests expiry. */
export interface SandboxClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves when this clock has moved that far, by itself or by `advance`, or when it is stopped. */
  sleep(delayMs: number): Promise<void>;
  advance(byMs: number): void;
  /** Wakes every sleeper, so that nothing keeps a closing sandbox waiting. */
  stop(): void;
}

interface Sleeper {
  readonly due: number;
  wake(): void;
}

export function createSandboxClock(clock: Clock): SandboxClock {
  let ahead = 0;
  let stopped = false;
  const sleepers = new Set<Sleeper>();
  const now = (): number => clock.now() + ahead;
  const wakeDue = (until: number): void => {
    for (const sleeper of [...sleepers].toSorted((a, b) => a.due - b.due)) if (sleeper.due <= until) sleeper.wake();
  };
  return {
    now,
    sleep: (delayMs) =>
      new Promise((resolve) => {
        if (stopped || delayMs <= 0) return resolve();
        const sleeper: Sleeper = {
          due: now() + delayMs,
          wake() {
            cancel();
            sleepers.delete(sleeper);
            resolve();
          },
        };
        sleepers.add(sleeper);
        const cancel = clock.after(delayMs, sleeper.wake);
      }),
    advance(byMs) {
      ahead += byMs;
      wakeDue(now());
    },
    stop() {
      stopped = true;
      wakeDue(Number.POSITIVE_INFINITY);
    },
  };
}
