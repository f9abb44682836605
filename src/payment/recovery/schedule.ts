import { type Attempt, isKeptPending } from "../attempt/attempt.ts";
import { askedAt, isRestartedSince, lookedAt, lostSince, queriesOf, stoodFor } from "../attempt/observation.ts";

/* When the gateway is queried, and when a request is posted again: every delay of recovery. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * The gateway answers two queries a minute, to all terminals together (gateway-facts 2.5): at once, after 30 s, then
 * ever more seldom, after two hours hourly.
 */
const QUERY_DELAYS_MS = [
  0,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  4 * MINUTE,
  ...Array<number>(25).fill(5 * MINUTE),
  HOUR,
] as const;
/** "Not there" is looked at again this long after it was called final (contract, truth 4). */
const LATE_LOOKS_MS = [HOUR, 24 * HOUR, 72 * HOUR] as const;
const REPEAT_DELAYS_MS = [
  5 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
] as const;
/** After a throttle (gateway-facts 1.3). */
const THROTTLED_MS = 30 * SECOND;
/** A bridge that is switched off every night looks this often besides, so that running time adds up. */
const LOOK_AT_LEAST_MS = 6 * HOUR;

/** A query may not show for a day what was booked, a reversal as well; and an hour of slack. */
export const DAY_SEEN_MS = 25 * HOUR;

/**
 * Why a query is asked, and since when. - `soon`: somebody waits for it; - `hourly`: people, or the gateway, are to settle it;
 * - `late`: after 1, 24 and 72 hours; `after`: a first look before them; `until`: no query after this time.
 */
export type Need =
  | { readonly is: "soon"; readonly since: number }
  | { readonly is: "hourly"; readonly since: number }
  | { readonly is: "late"; readonly since: number; readonly after?: number; readonly until?: number };

/** When to query for an attempt, or undefined where every late look is done. */
export function queryAt(attempt: Attempt, need: Need): number | undefined {
  const asked = askedAt(attempt);
  const next = asked === undefined ? 0 : asked + queryDelay(Math.max(1, queriesOf(attempt)));
  switch (need.is) {
    case "soon":
      return Math.max(need.since, next);
    case "hourly":
      return Math.max(need.since + HOUR, next);
    case "late":
      return lateLookAt(attempt, need, next);
  }
}

function lateLookAt(
  attempt: Attempt,
  { since, after, until }: Extract<Need, { is: "late" }>,
  next: number,
): number | undefined {
  const asked = askedAt(attempt) ?? 0;
  const seen = lookedAt(attempt) ?? since;
  const lookedFor = stoodFor(attempt, Math.max(seen, since), since);
  const delay = [...(after === undefined ? [] : [after]), ...LATE_LOOKS_MS].find((late) => late > lookedFor);
  if (delay === undefined || (until !== undefined && asked >= until)) return undefined;
  const due = since + delay + lostSince(attempt, since);
  const at = isRestartedSince(attempt, since) ? Math.min(due, Math.max(seen, asked) + LOOK_AT_LEAST_MS) : due;
  // Nobody waits for it: one that tells nothing is asked again ever more seldom.
  return asked > since ? Math.max(at, next, asked + 5 * MINUTE) : at;
}

function queryDelay(queries: number): number {
  return QUERY_DELAYS_MS[queries] ?? HOUR;
}

/** When the next try of an operation follows the `tries` before, of which `last` is the newest. */
export function repeatAt(last: Attempt, tries: number): number {
  const delay = REPEAT_DELAYS_MS[tries - 1] ?? HOUR;
  return last.since + (last.answer?.is === "throttled" ? Math.max(delay, THROTTLED_MS) : delay);
}

/** The same of a reversal. One that the gateway has not decided is looked at for the unknown window, not repeated. */
export function reverseAgainAt(last: Attempt, tries: number, unknownWindowMs: number): number {
  return Math.max(repeatAt(last, tries), isKeptPending(last) ? last.since + unknownWindowMs : 0);
}
