import type { Cancel, Clock } from "../kit/clock.ts";

/** A connection that may be idle between two requests. */
export interface Line {
  isAlive(): boolean;
  /** Closes at once; a second call does nothing. */
  destroy(): void;
}

/**
 * Idle connections, each with a time limit. A silent connection may be half dead, and a request sent on it would be
 * lost without an error.
 */
export interface LinePool<L extends Line> {
  /** Removes and returns the live line that expires first. */
  take(): L | undefined;
  /** Keeps a line for that long, then destroys it. */
  rest(line: L, forMs: number): void;
  /** Removes a line, idle or not, and destroys it. */
  drop(line: L): void;
  /** Tells whether a line stays fresh for longer than that. */
  hasFresh(forMs: number): boolean;
  dropAll(): void;
}

export function createLinePool<L extends Line>(clock: Clock): LinePool<L> {
  const resting = new Map<L, { readonly until: number; readonly cancel: Cancel }>();

  const remove = (line: L): void => {
    resting.get(line)?.cancel();
    resting.delete(line);
  };
  const drop = (line: L): void => {
    remove(line);
    line.destroy();
  };

  return {
    take: () => {
      for (const [line, { until }] of [...resting].sort(([, a], [, b]) => a.until - b.until)) {
        remove(line);
        if (line.isAlive() && clock.monotonic() < until) return line;
        line.destroy();
      }
      return undefined;
    },
    rest: (line, forMs) => {
      remove(line);
      resting.set(line, { until: clock.monotonic() + forMs, cancel: clock.after(forMs, () => drop(line)) });
    },
    drop,
    hasFresh: (forMs) => [...resting].some(([line, { until }]) => line.isAlive() && until - clock.monotonic() > forMs),
    dropAll: () => {
      for (const line of [...resting.keys()]) drop(line);
    },
  };
}
