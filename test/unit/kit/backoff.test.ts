import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { backoff } from "../../../src/kit/backoff.ts";

const take = (delays: Generator<number, never>, count: number): number[] =>
  Array.from({ length: count }, () => delays.next().value);

describe("delays between tries", () => {
  test("grow by the factor up to the limit and stay there", () => {
    expect(
      take(
        backoff({ firstMs: 500, factor: 2, maxMs: 3_000, jitter: 0 }, () => 0.5),
        6,
      ),
    ).toEqual([500, 1_000, 2_000, 3_000, 3_000, 3_000]);
  });

  test("are shorter or longer by the jitter, evenly about their middle", () => {
    const shape = { firstMs: 1_000, factor: 1, maxMs: 60_000, jitter: 0.25 };
    expect(
      take(
        backoff(shape, () => 0),
        1,
      ),
    ).toEqual([750]);
    expect(
      take(
        backoff(shape, () => 0.5),
        1,
      ),
    ).toEqual([1_000]);
    expect(
      take(
        backoff(shape, () => 1),
        1,
      ),
    ).toEqual([1_250]);
  });

  test("are whole, never negative and never above the limit, whatever the shape", () => {
    const shape = fc.record({
      firstMs: fc.nat(10_000),
      factor: fc.double({ min: 1, max: 4, noNaN: true }),
      maxMs: fc.nat(60_000),
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(
        shape,
        fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 1 }),
        (wanted, chances) => {
          let at = 0;
          for (const delay of take(
            backoff(wanted, () => chances[at++ % chances.length] ?? 0),
            40,
          )) {
            expect(Number.isInteger(delay)).toBe(true);
            expect(delay).toBeGreaterThanOrEqual(0);
            expect(delay).toBeLessThanOrEqual(wanted.maxMs);
          }
        },
      ),
    );
  });
});
