import type { Random } from "./random.ts";

/** Numbers from a seed for tests and worlds; never for keys or tokens. Algorithm: mulberry32 (public domain). */
export interface SeededRandom extends Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from 0 up to, but not including, `below`. */
  below(below: number): number;
}

export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const bytes = (count: number): Uint8Array => {
    const drawn = new Uint8Array(count);
    for (let at = 0; at < count; at += 1) drawn[at] = below(256);
    return drawn;
  };
  return { next, below, bytes };
}
