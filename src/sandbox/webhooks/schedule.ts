import { seededRandom } from "../../kit/seeded-random.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Gateway facts, 3: every 2xx within 30 s counts as taken. */
export const ANSWER_MS = 30_000;

/** How long after a try that failed the next one follows (gateway facts, 3); daily after that. */
const DELAYS_MS: readonly number[] = [1, 2, 4, 8, 15, 30, 60].map((minutes) => minutes * MINUTE);
/** A notification that nobody took for so long is given up. */
const KEPT_MS = 30 * DAY;

/** When a delivery goes out again that has failed `tries` times, the last time at `due`; undefined where it is given up. */
export function nextTry({ first, due, tries }: { readonly first: number; readonly due: number; readonly tries: number }): number | undefined {
  const next = due + (DELAYS_MS[tries - 1] ?? DAY);
  return next > first + KEPT_MS ? undefined : next;
}

/** Of so many deliveries one goes out twice and one is held back; which ones is drawn from the seed, so that it is the same in every run. */
const ONE_IN = 8;
const SEED = 3;
const AGAIN_AFTER_MS = 1000;
/** Long enough for the next notification to overtake it. */
const HELD_BACK_MS = 3000;

export interface Fates {
  /** How long after it could leave each copy of the next delivery leaves. */
  next(): readonly number[];
}

/** In the order of the events, and each once. */
export const orderly: Fates = { next: () => [0] };

/** As the gateway delivers: order is not guaranteed and repeats happen. */
export function unruly(): Fates {
  const random = seededRandom(SEED);
  return {
    next() {
      const fate = random.below(ONE_IN);
      if (fate === 0) return [0, AGAIN_AFTER_MS];
      return [fate === 1 ? HELD_BACK_MS : 0];
    },
  };
}
