import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { currencyOf, formatAmount } from "../../../src/kit/money.ts";
import { formatLimit, hundredthsOf, parseLimit, withinLimits } from "../../../src/payment/admission/refund-limits.ts";

const currency = fc.constantFrom("EUR", "JPY").map((code) => currencyOf(code) ?? expect.fail(code));

describe("a limit", () => {
  test.each([
    ["200.00", 20_000],
    ["200", 20_000],
    ["0", 0],
    ["0.01", 1],
    ["9999999999.99", 999_999_999_999],
    ["", undefined],
    ["01", undefined],
    ["1.5", undefined],
    ["-1", undefined],
    ["1e3", undefined],
    ["1,00", undefined],
    ["12345678901", undefined],
    [" 1", undefined],
    ["\u0661", undefined],
  ])("%j is %s hundredths", (text, hundredths) => {
    expect(parseLimit(text)).toBe(hundredths);
  });

  test("reads as it was written", () => {
    fc.assert(fc.property(fc.nat(999_999_999_999), (limit) => parseLimit(formatLimit(limit)) === limit));
  });

  test("lets pass exactly what leaves no more given than it says, and tells the most that would have passed", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.nat(20_000),
        fc.nat(20_000),
        currency,
        (amount, given, day, money) => {
          const asked = withinLimits({ day }, given, amount, money);
          expect(asked.ok).toBe(given + hundredthsOf(amount, money) <= day);
          if (asked.ok) return;
          const { left = "" } = asked.refusal.exceeded ?? {};
          const most = Number(left.replace(".", ""));
          expect(formatAmount(most, money)).toBe(left);
          if (most > 0) expect(withinLimits({ day }, given, most, money).ok).toBe(true);
          expect(withinLimits({ day }, given, most + 1, money).ok).toBe(false);
        },
      ),
    );
  });
});
