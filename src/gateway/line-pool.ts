import type { Cancel, Clock } from "../kit/clock.ts";

/** A connection that may rest between two requests. */
export interface Line {
  isAlive(): boolean;
  /** Ends it at once; calling it again does nothing. */
  destroy(): void;
}

/** Connections at rest, each for a limited time: a silent one may be half dead, and what is sent on it would be lost without a word. */
export interface LinePool<L extends Line> {
  /** A line that is alive and fresh, out of the pool; the one that would go stale first. */
  take(): L | undefined;
  /** Puts a line to rest for that long; then it is destroyed. */
  rest(line: L, forMs: number): void;
  /** Takes a line out, wherever it is, and destroys it. */
  drop(line: L): void;
  /** Whether some line stays fresh for longer than that. */
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
