import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { currencyOf, parseAmount } from "../../../../src/kit/money.ts";
import {
  amountTyped,
  digitsOf,
  PAD_KEYS,
  type PadKey,
  padKeyOf,
  sumOf,
  typed,
} from "../../../../src/web/till/amount-pad.ts";

const keyed = (keys: readonly PadKey[], currency: string): string =>
  keys.reduce((digits, key) => typed(digits, key, currency), "");

describe("the amount pad", () => {
  it.each([
    [["1", "2", "3", "4"], "EUR", "12.34"],
    [["0", "0", "5"], "EUR", "0.05"],
    [["7", "00"], "EUR", "7.00"],
    [["00", "00"], "EUR", "0.00"],
    [["1", "2", "back"], "EUR", "0.01"],
    [["1", "2", "clear", "3"], "EUR", "0.03"],
    [["1", "2", "00"], "JPY", "1200"],
  ] as const)("reads %j in %s as %s", (keys, currency, amount) => {
    expect(amountTyped(keyed(keys, currency), currency)).toBe(amount);
  });

  it("makes of any keys an amount that the bridge can read, of ten digits before the dot at most", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...PAD_KEYS, "clear" as const)),
        fc.constantFrom("EUR", "JPY"),
        (keys, code) => {
          const currency = currencyOf(code);
          const amount = amountTyped(keyed(keys, code), code);
          expect(currency && parseAmount(amount, currency)).toBeDefined();
          expect(digitsOf(amount)).toBe(keyed(keys, code));
        },
      ),
    );
  });

  it("does not take a digit that no longer fits", () => {
    const full = keyed(
      Array.from({ length: 12 }, () => "9" as const),
      "EUR",
    );
    expect(typed(full, "1", "EUR")).toBe(full);
    expect(amountTyped(full, "EUR")).toBe("9999999999.99");
  });

  it("adds a tip in the smallest unit", () => {
    expect(sumOf("1010", "20")).toBe("1030");
    expect(sumOf("", "")).toBe("");
  });

  it.each([
    ["7", "7"],
    ["Backspace", "back"],
    ["Delete", "clear"],
    [".", undefined],
    ["a", undefined],
    ["Enter", undefined],
  ])("hears the key %s as %s", (key, meant) => {
    expect(padKeyOf(key)).toBe(meant);
  });
});
