/** Data sealed by a terminal under one key of its series. */
export interface SealedBytes {
  readonly data: Uint8Array;
  readonly ksn: Uint8Array;
  /** Initialisation vector, if the layout gives each block its own. */
  readonly vector?: Uint8Array;
}
