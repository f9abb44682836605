import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { brandOf, UNKNOWN_BRAND } from "../../../src/emv/brand.ts";

describe("brandOf", () => {
  test.each([
    ["A0000000031010", undefined, "VISA"],
    ["a0000000031010", undefined, "VISA"],
    ["A000000003101001", undefined, "VISA"],
    ["A0000000032010", undefined, "VISAELECTRON"],
    ["A0000000041010", "476173", "MASTER"],
    ["A0000000043060", undefined, "MAESTRO"],
    ["A000000025010801", undefined, "AMEX"],
    ["A0000001523010", "601100", "DISCOVER"],
    ["A0000001523010", "361111", "DINERS"],
    ["A0000001523010", undefined, "DISCOVER"],
    ["A000000333010102", undefined, "UNIONPAY"],
    ["A0000003591010028001", undefined, "GIROCARD"],
    ["A0000003591010", "476173", "VISA"],
    ["A0000006200620", "400000", "DNA"],
    ["D056000666111010", "670300", "BCMC"],
    ["F00000000000", undefined, UNKNOWN_BRAND],
    [undefined, undefined, UNKNOWN_BRAND],
    [undefined, "411111", "VISA"],
    [undefined, "555555", "MASTER"],
    [undefined, "222100", "MASTER"],
    [undefined, "272099", "MASTER"],
    [undefined, "272100", UNKNOWN_BRAND],
    [undefined, "222099", UNKNOWN_BRAND],
    [undefined, "340000", "AMEX"],
    [undefined, "352800", "JCB"],
    [undefined, "352799", UNKNOWN_BRAND],
    [undefined, "305000", "DINERS"],
    [undefined, "601100", "DISCOVER"],
    [undefined, "644000", "DISCOVER"],
    [undefined, "640000", "MAESTRO"],
    [undefined, "620000", "UNIONPAY"],
    [undefined, "670000", "MAESTRO"],
    [undefined, "", UNKNOWN_BRAND],
    [undefined, "2", UNKNOWN_BRAND],
  ])("application %s and number %s are %s", (aid, bin, brand) => {
    expect(brandOf(aid, bin)).toBe(brand);
  });

  test("always names something the gateway's field allows", () => {
    fc.assert(
      fc.property(
        fc.option(fc.string(), { nil: undefined }),
        fc.option(fc.string(), { nil: undefined }),
        (aid, bin) => {
          expect(brandOf(aid, bin)).toMatch(/^[A-Z0-9_]{1,32}$/);
        },
      ),
    );
  });
});
