export interface BackoffShape {
  /** The first delay before jitter, in milliseconds. */
  readonly firstMs: number;
  /** Multiplies each delay to get the next; at least 1. */
  readonly factor: number;
  /** Upper limit of a delay, jitter included. */
  readonly maxMs: number;
  /** Share of a delay by which it may vary, 0 to 1. It spreads the retries of devices that failed together. */
  readonly jitter: number;
}

/**
 * Delays in whole milliseconds, growing up to `maxMs`, without end. `chance` returns numbers from 0 up to, but not
 * including, 1.
 */
export function* backoff(shape: BackoffShape, chance: () => number): Generator<number, never> {
  let delay = Math.min(shape.firstMs, shape.maxMs);
  for (;;) {
    const swing = 1 + shape.jitter * (2 * chance() - 1);
    yield Math.min(shape.maxMs, Math.round(delay * swing));
    delay = Math.min(shape.maxMs, delay * shape.factor);
  }
}
