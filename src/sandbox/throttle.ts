/** Gateway facts, 2.5: two requests a minute, for each payment read by its id and for each entity that queries. */
const MOST = 2;
const SPAN_MS = 60_000;

export interface Throttle {
  /** Whether a request on that key may pass now; one that may not does not count. */
  admit(key: string, now: number): boolean;
}

export function createThrottle(): Throttle {
  const admitted = new Map<string, readonly number[]>();
  return {
    admit(key, now) {
      const recent = (admitted.get(key) ?? []).filter((at) => now - at < SPAN_MS);
      const free = recent.length < MOST;
      admitted.set(key, free ? [...recent, now] : recent);
      return free;
    },
  };
}

export const unthrottled: Throttle = { admit: () => true };
