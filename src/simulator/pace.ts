/** Speed of a simulated device: fast for tests, or as slow as a recorded real one. */
export const paceNames = ["quick", "real"] as const;
export type PaceName = (typeof paceNames)[number];

/** Contact chip times in milliseconds. */
interface ChipTimes {
  /** From start to records read. */
  readonly selectMs: number;
  /** To the first cryptogram, without PIN entry. */
  readonly firstMs: number;
  /** To the second cryptogram. */
  readonly lastMs: number;
}

/**
 * `real`: a Verifone UX301 with an Amex test card (test/vectors/verifone-card-data.json), used for every model because
 * no other was recorded.
 */
export const chipTimes: Readonly<Record<PaceName, ChipTimes>> = {
  quick: { selectMs: 40, firstMs: 40, lastMs: 60 },
  real: { selectMs: 7_500, firstMs: 2_500, lastMs: 3_900 },
};
