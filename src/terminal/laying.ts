/*
 * Laying what a step of a driver does over what its turn came to so far. Every message passes several such steps, most of which add nothing to most parts: what one side
 * alone has is then handed on as it is.
 */

const NOTHING: readonly never[] = [];

/** One list, and the other behind it. */
export function followedBy<T>(first: readonly T[] = NOTHING, second: readonly T[] = NOTHING): readonly T[] {
  if (second.length === 0) return first;
  return first.length === 0 ? second : [...first, ...second];
}

/** Milliseconds from now, or "clear", by name. */
export type Timers = Readonly<Record<string, number | "clear">>;

export const NO_TIMERS = {};

/** One set of timers over the other. */
export function timersOver<T extends object>(before: T, over: T | undefined): T {
  if (over === undefined || over === NO_TIMERS) return before;
  return before === NO_TIMERS ? over : { ...before, ...over };
}
