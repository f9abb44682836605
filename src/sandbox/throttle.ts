const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * How often each operation may be asked for, and what the count is kept for (gateway facts, 2.5). The tenants' pages say "per operation" only; that a payment and a checkout
 * are counted each by itself is what they say of status requests. Whatever does not stand here is not limited: nothing is known about it.
 */
const LIMITS = {
  /** GET /v1/checkouts/{id}/payment and /registration; for each checkout. */
  "checkout-status": { most: 9, spanMs: MINUTE_MS },
  /** POST /v1/checkouts/{id}; for each checkout. */
  "checkout-update": { most: 200, spanMs: MINUTE_MS },
  /** GET /v1/payments/{id}; for each payment. */
  "payment-status": { most: 2, spanMs: MINUTE_MS },
  /** POST /v1/payments/{id} with an amount of its own: partial captures, refunds, reversals; for each payment. */
  "back-office": { most: 200, spanMs: MINUTE_MS },
  /** POST /v1/registrations/{id}/payments; for each registration. */
  "token-payment": { most: 200, spanMs: MINUTE_MS },
  /** GET /v1/query/{id} and /v3/query/{id}; for each entity, whichever payment is asked for. */
  "query-of-one": { most: 2, spanMs: MINUTE_MS },
  /** GET /v1/query and /v3/query, by whatever; for each entity. */
  query: { most: 2, spanMs: MINUTE_MS },
  /** What tells a stored account (GET /v1/registrations/{id} here); for each entity. */
  "secure-registration-query": { most: 100, spanMs: HOUR_MS },
} as const satisfies Readonly<Record<string, { readonly most: number; readonly spanMs: number }>>;

export type ThrottledOperation = keyof typeof LIMITS;

export interface Throttle {
  /** Whether such a request on that key may pass now (epoch milliseconds of the sandbox's clock); one that may not does not count. */
  admit(operation: ThrottledOperation, key: string, now: number): boolean;
}

/** As many keys are kept at least before old ones are looked for. */
const FEWEST_KEYS = 1000;

/** What is remembered of one key: when it was let through, and until when that counts. */
interface Count {
  readonly admitted: readonly number[];
  readonly until: number;
}

/** `counts` is its memory: empty, and its own. */
export function createThrottle(counts = new Map<string, Count>()): Throttle {
  let sweepAt = FEWEST_KEYS;
  // Looking through all keys only when their number has doubled costs each of them no more than a constant.
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
