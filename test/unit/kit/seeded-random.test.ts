import fc from "fast-check";
import { expect, test } from "vitest";
import { seededRandom } from "../../../src/kit/seeded-random.ts";

test("a seed gives the same numbers again, another seed others", () => {
  const take = (seed: number): number[] => {
    const random = seededRandom(seed);
    return Array.from({ length: 20 }, () => random.next());
  };
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      expect(take(seed)).toEqual(take(seed));
    }),
  );
  expect(take(1)).not.toEqual(take(2));
});

test("the numbers are those of the published algorithm (mulberry32), so that a seed stays good over changes", () => {
  const random = seededRandom(0);
  expect([random.next(), random.next(), random.next()].map((number) => Math.floor(number * 2 ** 32))).toEqual([
    1_144_304_738, 1_416_247, 958_946_056,
  ]);
});

test("numbers stay within their range and reach all of it", () => {
  const random = seededRandom(42);
  const seen = new Set<number>();
  for (let turn = 0; turn < 2_000; turn += 1) {
    const number = random.next();
    expect(number >= 0 && number < 1).toBe(true);
    seen.add(random.below(10));
  }
  expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("bytes are as many as asked, of all values", () => {
  const random = seededRandom(7);
  expect(random.bytes(0)).toHaveLength(0);
  expect(new Set(random.bytes(10_000)).size).toBe(256);
});
