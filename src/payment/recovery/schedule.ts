import { type Attempt, isKeptPending } from "../attempt/attempt.ts";
import { askedAt, isRestartedSince, lookedAt, lostSince, queriesOf, stoodFor } from "../attempt/observation.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Growing waits between the queries for one request: the gateway allows two queries a minute for all terminals
 * together.
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
const THROTTLED_MS = 30 * SECOND;
/**
 * Longest wait for a late query after a restart, which does not count the time since the last fact (decision 3):
 * without more queries, 72 hours might never pass.
 */
const LONGEST_WAIT_AFTER_RESTART_MS = 6 * HOUR;

/**
 * For a day, queries can miss the gateway's own reversal (decision 11); one hour is slack. Until then its booking is
 * not believed.
 */
export const DAY_SEEN_MS = 25 * HOUR;

/**
 * `soon`: a payment waits for the outcome. `hourly`: an operator or the gateway must settle it. `late`: closed, but may
 * show up: asked `after` milliseconds and 1, 24 and 72 hours from `since`, until the moment `until`.
 */
export type Need =
  | { readonly is: "soon"; readonly since: number }
  | { readonly is: "hourly"; readonly since: number }
  | { readonly is: "late"; readonly since: number; readonly after?: number; readonly until?: number };

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
  const at = isRestartedSince(attempt, since)
    ? Math.min(due, Math.max(seen, asked) + LONGEST_WAIT_AFTER_RESTART_MS)
    : due;
  return asked > since ? Math.max(at, next, asked + 5 * MINUTE) : at;
}

function queryDelay(queries: number): number {
  return QUERY_DELAYS_MS[queries] ?? HOUR;
}

export function repeatAt(last: Attempt, tries: number): number {
  const delay = REPEAT_DELAYS_MS[tries - 1] ?? HOUR;
  return last.since + (last.answer?.is === "throttled" ? Math.max(delay, THROTTLED_MS) : delay);
}

/**
 * An RV that the gateway calls pending is repeated only after the unknown window: a second one would merely meet the
 * first (decision 9).
 */
export function reverseAgainAt(last: Attempt, tries: number, unknownWindowMs: number): number {
  return Math.max(repeatAt(last, tries), isKeptPending(last) ? last.since + unknownWindowMs : 0);
}
