/*
 * Merges a driver's steps into its turn. Every message passes several steps, most of which add little, so unchanged
 * parts are passed on without a copy.
 */

const NOTHING: readonly never[] = [];

export function followedBy<T>(first: readonly T[] = NOTHING, second: readonly T[] = NOTHING): readonly T[] {
  if (second.length === 0) return first;
  return first.length === 0 ? second : [...first, ...second];
}

/** Milliseconds from now, or "clear", by name. */
export type Timers = Readonly<Record<string, number | "clear">>;

export const NO_TIMERS = {};

/** Merges timers; the later ones win. */
export function timersOver<T extends object>(before: T, over: T | undefined): T {
  if (over === undefined || over === NO_TIMERS) return before;
  return before === NO_TIMERS ? over : { ...before, ...over };
}
