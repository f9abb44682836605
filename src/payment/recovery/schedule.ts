import { type Attempt, isKeptPending } from "../attempt/attempt.ts";
import { askedAt, isRestartedSince, lookedAt, lostSince, queriesOf, stoodFor } from "../attempt/observation.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The gateway allows two queries a minute for all terminals together. */
const QUERY_DELAYS_MS = [
  0,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  4 * MINUTE,
  ...Array<number>(25).fill(5 * MINUTE),
  HOUR,
] as const;
/** Late queries, for what shows up after the end (decision 7). */
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
/** At least this long after a throttle. */
const THROTTLED_MS = 30 * SECOND;
/** Longest wait after a restart: each stop loses running time, so late queries would never fall due (decision 3). */
const LOOK_AT_LEAST_MS = 6 * HOUR;

/** A query may miss a booking or reversal for a day; one hour is slack. */
export const DAY_SEEN_MS = 25 * HOUR;

/**
 * Why to query. `soon`: somebody waits; `hourly`: an operator or the gateway must settle it;
 * `late`: after 1, 24 and 72 hours; `after`: a first query before these; `until`: the last.
 */
export type Need =
  | { readonly is: "soon"; readonly since: number }
  | { readonly is: "hourly"; readonly since: number }
  | { readonly is: "late"; readonly since: number; readonly after?: number; readonly until?: number };

/** Undefined once every late query is done. */
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
  // Nobody waits: query ever more seldom.
  return asked > since ? Math.max(at, next, asked + 5 * MINUTE) : at;
}

function queryDelay(queries: number): number {
  return QUERY_DELAYS_MS[queries] ?? HOUR;
}

/** `tries`: how many came before. */
export function repeatAt(last: Attempt, tries: number): number {
  const delay = REPEAT_DELAYS_MS[tries - 1] ?? HOUR;
  return last.since + (last.answer?.is === "throttled" ? Math.max(delay, THROTTLED_MS) : delay);
}

/** An undecided reversal is queried for the unknown window, not repeated (decision 9). */
export function reverseAgainAt(last: Attempt, tries: number, unknownWindowMs: number): number {
  return Math.max(repeatAt(last, tries), isKeptPending(last) ? last.since + unknownWindowMs : 0);
}
