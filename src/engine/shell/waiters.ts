import type { Cancel } from "../../kit/clock.ts";

/** Callbacks waiting for an event of a terminal, each called once. */
export interface Waiters {
  wait(terminal: string, run: () => void): Cancel;
  call(terminal: string): void;
}

export function createWaiters(): Waiters {
  const waiters = new Map<string, Set<() => void>>();
  return {
    wait: (terminal, run) => {
      const waiting = waiters.get(terminal) ?? new Set();
      waiters.set(terminal, waiting.add(run));
      return () => waiting.delete(run);
    },
    call: (terminal) => {
      const waiting = [...(waiters.get(terminal) ?? [])];
      waiters.delete(terminal);
      for (const run of waiting) run();
    },
  };
}
