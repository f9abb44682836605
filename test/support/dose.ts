/*
 * How many cases of a law a run looks at. `npm test` takes a sample, the same one every time, so that it ends within
 * minutes; `npm run test:long` takes every case, and in CI (POSBRIDGE_TESTS=half) every second one of a list.
 */

const dose = process.env["POSBRIDGE_TESTS"];
const isLong = dose === "long" || dose === "half";

/** All of them, or so many of them from the first to the last, evenly apart. */
export function sampleOf<T>(all: readonly T[], few: number): readonly T[] {
  if (dose === "half" && all.length > 2 * few) return all.filter((_, at) => at % 2 === 0 || at === all.length - 1);
  if (isLong || all.length <= few) return all;
  const step = (all.length - 1) / Math.max(1, few - 1);
  const chosen = new Set(Array.from({ length: few }, (_, at) => Math.round(at * step)));
  return all.filter((_, at) => chosen.has(at));
}

/** How often a property is tried. */
export const runsOf = (few: number, many: number): number => shortOrLong(few, many);

/** What `npm test` takes, and what `npm run test:long` takes in its place. */
export function shortOrLong<T>(short: T, long: T): T {
  return isLong ? long : short;
}
