import { seededRandom } from "../../../../src/kit/seeded-random.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Gateway facts, 3: a 2xx within 30 s means accepted. */
export const ANSWER_MS = 30_000;

/** Delays after failed tries (gateway facts, 3); afterwards daily. */
const DELAYS_MS: readonly number[] = [1, 2, 4, 8, 15, 30, 60].map((minutes) => minutes * MINUTE);
/** Deliveries are given up after this time. */
const KEPT_MS = 30 * DAY;

/** Time of the next try after `tries` failures, the last at `due`; undefined: given up. */
export function nextTry({
  first,
  due,
  tries,
}: {
  readonly first: number;
  readonly due: number;
  readonly tries: number;
}): number | undefined {
  const next = due + (DELAYS_MS[tries - 1] ?? DAY);
  return next > first + KEPT_MS ? undefined : next;
}

/** One of this many deliveries goes out twice, one is held back. A fixed seed makes every run the same. */
const ONE_IN = 8;
const SEED = 3;
const AGAIN_AFTER_MS = 1000;
/** Long enough for the next notification to overtake it. */
const HELD_BACK_MS = 3000;

export interface Fates {
  /** Delay of each copy of the next delivery. */
  next(): readonly number[];
}

/** In order and once. */
export const orderly: Fates = { next: () => [0] };

/** Like the gateway: order is not guaranteed and repeats happen. */
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
