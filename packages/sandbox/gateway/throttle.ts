const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Limits of operations and their keys (gateway facts, 2.5). Tenants' pages say only "per operation"; separate counts
 * follow their text on status requests.
 */
const LIMITS = {
  /** GET /v1/checkouts/{id}/payment and /registration; by checkout and entity. */
  "checkout-status": { most: 9, spanMs: MINUTE_MS },
  /** POST /v1/checkouts/{id}; by checkout. */
  "checkout-update": { most: 200, spanMs: MINUTE_MS },
  /** GET /v1/payments/{id}; by payment. */
  "payment-status": { most: 2, spanMs: MINUTE_MS },
  /** POST /v1/payments/{id} with an amount (partial captures, refunds, reversals); by payment. */
  "back-office": { most: 200, spanMs: MINUTE_MS },
  /** POST /v1/registrations/{id}/payments; by registration. */
  "token-payment": { most: 200, spanMs: MINUTE_MS },
  /** GET /v1/query/{id} and /v3/query/{id}; by entity, for all payments together. */
  "query-of-one": { most: 2, spanMs: MINUTE_MS },
  /** GET /v1/query and /v3/query with any criteria; by entity. */
  query: { most: 2, spanMs: MINUTE_MS },
  /** GET /v1/registrations/{id}; by entity. */
  "secure-registration-query": { most: 100, spanMs: HOUR_MS },
} as const satisfies Readonly<Record<string, { readonly most: number; readonly spanMs: number }>>;

export type ThrottledOperation = keyof typeof LIMITS;

export interface Throttle {
  /**
   * Whether the request may pass at that time (epoch milliseconds of the sandbox's clock); refused requests do not
   * count.
   */
  admit(operation: ThrottledOperation, key: string, now: number): boolean;
}

/** Number of keys before the first sweep. */
const FEWEST_KEYS = 1000;

/** Times of admitted requests of one key, and their expiry. */
interface Count {
  readonly admitted: readonly number[];
  readonly until: number;
}

/** `counts` must be empty and used by nobody else. */
export function createThrottle(counts = new Map<string, Count>()): Throttle {
  let sweepAt = FEWEST_KEYS;
  // Sweeping only after the number of keys has doubled keeps the cost of each key constant.
  const sweep = (now: number): void => {
    for (const [key, { until }] of counts) if (until <= now) counts.delete(key);
    sweepAt = Math.max(FEWEST_KEYS, 2 * counts.size);
  };
  return {
    admit(operation, key, now) {
      const { most, spanMs } = LIMITS[operation];
      const name = `${operation} ${key}`;
      const recent = (counts.get(name)?.admitted ?? []).filter((at) => now - at < spanMs);
      if (recent.length >= most) return false;
      if (counts.size >= sweepAt) sweep(now);
      counts.set(name, { admitted: [...recent, now], until: now + spanMs });
      return true;
    },
  };
}

export const unthrottled: Throttle = { admit: () => true };
