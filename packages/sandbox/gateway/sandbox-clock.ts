import type { Cancel, Clock } from "../../../src/kit/clock.ts";

/** The sandbox's own time: the given clock, moved forward by tests of expiry. */
export interface SandboxClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves once this clock has advanced that far, by itself or by `advance`, or is stopped. */
  sleep(delayMs: number): Promise<void>;
  /**
   * Runs at that time (epoch milliseconds), after the current turn of the event loop and never after `stop`. Runs keep
   * the order of their times.
   */
  at(due: number, run: () => void): Cancel;
  advance(byMs: number): void;
  /** Wakes all sleepers, so that a closing sandbox does not wait. */
  stop(): void;
}

interface Waiting {
  readonly due: number;
  /** Whether `stop` wakes it. */
  readonly isSleeper: boolean;
  run(): void;
}

/**
 * Total advance in milliseconds. Kept with the ledger, so that past bookings do not lie in the future after a restart.
 */
export interface KeptLead {
  read(): number;
  write(ms: number): void;
}

/** Timers are set again after this time, because one of more than 24 days would fire at once. */
const LONGEST_MS = 86_400_000;

export function createSandboxClock(clock: Clock, lead: KeptLead): SandboxClock {
  let ahead = lead.read();
  let stopped = false;
  const waiting = new Map<Waiting, Cancel>();
  const now = (): number => clock.now() + ahead;
  const remove = (one: Waiting): void => {
    waiting.get(one)?.();
    waiting.delete(one);
  };
  const set = (one: Waiting): void => {
    const left = one.due - now();
    const fire = (): void => {
      remove(one);
      if (one.due > now() && left > LONGEST_MS) set(one);
      else one.run();
    };
    waiting.set(one, clock.after(Math.min(Math.max(0, left), LONGEST_MS), fire));
  };
  const wake = (which: (one: Waiting) => boolean): void => {
    for (const one of [...waiting.keys()].toSorted((a, b) => a.due - b.due)) {
      if (!which(one) || !waiting.has(one)) continue;
      remove(one);
      one.run();
    }
  };
  const wait = (due: number, isSleeper: boolean, run: () => void): Cancel => {
    const one: Waiting = { due, isSleeper, run };
    set(one);
    return () => remove(one);
  };
  return {
    now,
    sleep: (delayMs) =>
      new Promise((resolve) => (stopped || delayMs <= 0 ? resolve() : void wait(now() + delayMs, true, resolve))),
    at: (due, run) => (stopped ? () => undefined : wait(due, false, run)),
    advance(byMs) {
      ahead += byMs;
      lead.write(ahead);
      wake(({ due }) => due <= now());
    },
    stop() {
      stopped = true;
      wake(({ isSleeper }) => isSleeper);
      for (const one of [...waiting.keys()]) remove(one);
    },
  };
}
