/** What a terminal sealed under one key of its series. */
export interface SealedBytes {
  readonly data: Uint8Array;
  readonly ksn: Uint8Array;
  /** What the first block was chained with, where the layout gives each block a vector of its own. */
  readonly vector?: Uint8Array;
}
