export interface BackoffShape {
  /** The first delay before jitter, in milliseconds. */
  readonly firstMs: number;
  /** What each delay is multiplied with to get the next one; at least 1. */
  readonly factor: number;
  /** No delay is longer than this, jitter included. */
  readonly maxMs: number;
  /** Share of a delay by which it may be shorter or longer, from 0 up to 1, so that many devices that fell together do not come back together. */
  readonly jitter: number;
}

/** Delays in whole milliseconds, growing up to `maxMs` and then staying there; never ends. `chance` gives numbers from 0 up to, but not including, 1. */
export function* backoff(shape: BackoffShape, chance: () => number): Generator<number, never> {
  let delay = Math.min(shape.firstMs, shape.maxMs);
  for (;;) {
    const swing = 1 + shape.jitter * (2 * chance() - 1);
    yield Math.min(shape.maxMs, Math.round(delay * swing));
    delay = Math.min(shape.maxMs, delay * shape.factor);
  }
}
