/** One deliberate mistake in the product: what a machine that guards money has to notice. */
export interface Mutant {
  readonly name: string;
  /** The truth of the register API's contract (section 3) that it breaks. */
  readonly truth: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly put: string;
  /** Kills and cut connections show it, so that chaos has to notice it too. */
  readonly isForChaos?: true;
}
