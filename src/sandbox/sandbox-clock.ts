import type { Cancel, Clock } from "../kit/clock.ts";

/** The sandbox's own time: the clock it was given, moved forward by whoever tests expiry. */
export interface SandboxClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves when this clock has moved that far, by itself or by `advance`, or when it is stopped. */
  sleep(delayMs: number): Promise<void>;
  /**
   * Runs once this clock has come that far (epoch milliseconds), after this turn of the event loop; never where the clock is stopped before. What is due at different
   * times runs in that order, also when the clock is moved past all of it at once.
   */
  at(due: number, run: () => void): Cancel;
  advance(byMs: number): void;
  /** Wakes every sleeper, so that nothing keeps a closing sandbox waiting. */
  stop(): void;
}

interface Waiting {
  readonly due: number;
  /** Whether it is woken when the clock stops. */
  readonly isSleeper: boolean;
  run(): void;
}

/** How far the clock was moved, in milliseconds: kept with the ledger, because what happened at a time must not come to lie in the future. */
export interface KeptLead {
  read(): number;
  write(ms: number): void;
}

/** The longest a timer is set for; one that is further away is set again (a timer of more than 24 days would fire at once). */
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
    sleep: (delayMs) => new Promise((resolve) => (stopped || delayMs <= 0 ? resolve() : void wait(now() + delayMs, true, resolve))),
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
