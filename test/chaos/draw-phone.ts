import type { SeededRandom } from "../../src/kit/seeded-random.ts";
import { pick } from "./everyday.ts";
import type { OnPhone, PhoneDeed } from "./plan.ts";

type DrawDeeds = (random: SeededRandom) => readonly PhoneDeed[];

/** The least that a link can be given (docs/register-reference.md). */
const SHORTEST_MS = 60_000;
/**
 * Both bookings of a customer who pays twice are there before the bridge looks for a second one the last time (shop.ts:
 * unknownWindowMs).
 */
const SECOND_MS = 4_000;

const opens = (random: SeededRandom): PhoneDeed => ({ afterMs: 100 + random.below(1_000), does: "open" });
const pays = (random: SeededRandom): PhoneDeed => ({ afterMs: 300 + random.below(2_500), does: "pay" });

/**
 * What customers do with a link; most of them pay at once. A link that nobody pays is watched until it has expired,
 * which costs the channel a minute of queries.
 */
const CUSTOMERS: readonly DrawDeeds[] = [
  ...Array.from({ length: 8 }, (): DrawDeeds => (random) => [opens(random), pays(random)]),
  (random) => [{ afterMs: random.below(500), does: "decline" }, pays(random)],
  (random) => [opens(random), { afterMs: random.below(1_500), does: "code" }],
  (random) => [opens(random), { afterMs: random.below(1_000), does: "wrong-code" }, pays(random)],
  (random) => [opens(random), pays(random), { afterMs: random.below(SECOND_MS), does: "second" }],
  (random) => [pays(random), { afterMs: random.below(1_000), does: "pay" }],
  (random) => [
    opens(random),
    ...(random.below(2) === 0 ? [{ afterMs: random.below(500), does: "decline" } as const] : []),
  ],
];

/** Customers who pay near the end of a link's time, after it, or so late that a bridge might have given the link up. */
const LATE: readonly DrawDeeds[] = [
  (random) => [opens(random), { afterMs: SHORTEST_MS - 3_000 + random.below(8_000), does: "pay" }],
  (random) => [opens(random), { afterMs: 2 * SHORTEST_MS + random.below(SHORTEST_MS), does: "pay" }],
];

/** `mayBeLate`: the run is long enough for customers who are. */
export function drawPhone(random: SeededRandom, mayBeLate: boolean): OnPhone {
  const isLate = mayBeLate && random.below(8) === 0;
  const isShort = isLate || random.below(4) === 0;
  const deeds = pick(random, isLate ? LATE : CUSTOMERS)(random);
  return { deeds, ...(isShort && { validForMs: SHORTEST_MS }) };
}
