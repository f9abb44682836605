/** How fast a simulated device is: as fast as a test wants it, or as slow as a real one was recorded to be. */
export const paceNames = ["quick", "real"] as const;
export type PaceName = (typeof paceNames)[number];

/** What a device takes over a contact chip, in milliseconds. */
interface ChipTimes {
  /** From its start to its records read. */
  readonly selectMs: number;
  /** To its first cryptogram, a PIN beside. */
  readonly firstMs: number;
  /** To its last one. */
  readonly lastMs: number;
}

/** `real`: a Verifone UX301 with an Amex test card (test/vectors/verifone-card-data.json), for every model, because no other was recorded. */
export const chipTimes: Readonly<Record<PaceName, ChipTimes>> = {
  quick: { selectMs: 40, firstMs: 40, lastMs: 60 },
  real: { selectMs: 7_500, firstMs: 2_500, lastMs: 3_900 },
};
