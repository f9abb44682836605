import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { onesIn } from "../../../packages/sandbox/testbed/des.ts";
import { isUsedCounter, ksnCounter, nextKsn, withCounter } from "../../../packages/sandbox/testbed/ksn.ts";
import { isPublishedTestKsn } from "../../../packages/sandbox/testbed/test-keys.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";

const start = fromHex("FFFF9876543210E00000");

describe("the KSN that follows", () => {
  test.each([
    ["FFFF9876543210E00000", "FFFF9876543210E00001"],
    ["FFFF9876543210E00001", "FFFF9876543210E00002"],
    // 7FE (ten ones) is followed by 800, because 7FF has eleven.
    ["FFFF9876543210E007FE", "FFFF9876543210E00800"],
    ["FFFF9876543210FFF000", "FFFF9876543210FFF001"],
    ["FFFF9876543210FFF800", undefined],
  ])("after %s comes %s", (from, expected) => {
    const next = nextKsn(fromHex(from));
    expect(next && toHex(next)).toBe(expected);
  });

  test("is the lowest allowed counter above, and keeps the identity", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 0x1f_ffff }).filter((counter) => counter === 0 || isUsedCounter(counter)),
        (counter) => {
          const next = nextKsn(withCounter(start, counter));
          let expected = counter + 1;
          while (expected <= 0x1f_ffff && onesIn(expected) > 10) expected += 1;
          if (expected > 0x1f_ffff) {
            expect(next).toBeUndefined();
            return;
          }
          expect(next && ksnCounter(next)).toBe(expected);
          expect(next && toHex(withCounter(next, 0))).toBe(toHex(start));
        },
      ),
    );
  });
});

test("a counter that does not fit and a KSN of another length are refused", () => {
  expect(() => withCounter(start, 0x20_0000)).toThrow("does not fit into 21 bits");
  expect(() => withCounter(new Uint8Array(12), 1)).toThrow("10 bytes, not 12");
});

test("only KSNs of the published test identity are recognised, in either case of letters", () => {
  expect(isPublishedTestKsn("FFFF9876543210E00001")).toBe(true);
  expect(isPublishedTestKsn("ffff9876543210e00001")).toBe(true);
  expect(isPublishedTestKsn("FFFF0102628D1100005E")).toBe(false);
});
