/** Randomness as a port, so that a seed can replay a whole world. */
export interface Random {
  bytes(count: number): Uint8Array;
}
