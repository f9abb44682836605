import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  amountsMeant,
  amountText,
  type Currency,
  currencyNumbered,
  currencyOf,
  formatAmount,
  parseAmount,
} from "../../../src/kit/money.ts";

function known(code: string): Currency {
  const currency = currencyOf(code);
  if (currency === undefined) throw new Error(`no ${code}`);
  return currency;
}
const EUR = known("EUR");
const JPY = known("JPY");
const currencies = fc.constantFrom(EUR, JPY, known("USD"), known("KRW"));

describe("currencies", () => {
  test.each([
    ["EUR", "978", 2],
    ["USD", "840", 2],
    ["GBP", "826", 2],
    ["JPY", "392", 0],
    ["ISK", "352", 0],
  ])("%s has the ISO 4217 number %s and %i decimals", (code, numeric, decimals) => {
    expect(currencyOf(code)).toEqual({ code, numeric, decimals });
  });

  test("are found by their numbers too", () => {
    for (const { numeric, ...rest } of [EUR, JPY]) expect(currencyNumbered(numeric)).toEqual({ numeric, ...rest });
    for (const numeric of ["000", "978 ", "0978", ""]) expect(currencyNumbered(numeric)).toBeUndefined();
  });

  test.each(["BHD", "KWD", "TND", "eur", "EU", "", "XXX", "toString", "__proto__"])("%j is not taken", (code) => {
    expect(currencyOf(code)).toBeUndefined();
  });
});

describe("amounts", () => {
  test("are whole numbers that survive their text, in every currency", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999_999 }), currencies, (minor, currency) => {
        const text = formatAmount(minor, currency);
        expect(text).toMatch(currency.decimals === 2 ? /^\d+\.\d{2}$/ : /^\d+$/);
        expect(parseAmount(text, currency)).toBe(minor);
      }),
    );
  });

  test("have one text only: what parses is what is formatted", () => {
    const text = fc.oneof(fc.string({ unit: fc.constantFrom(..."0123456789.,-+e ") }), fc.string());
    fc.assert(
      fc.property(text, currencies, (amount, currency) => {
        const minor = parseAmount(amount, currency);
        if (minor === undefined) return;
        expect(Number.isSafeInteger(minor) && minor >= 0).toBe(true);
        expect(formatAmount(minor, currency)).toBe(amount);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ["12.34", EUR, 1_234],
    ["0.00", EUR, 0],
    ["0.05", EUR, 5],
    ["9999999999.99", EUR, 999_999_999_999],
    ["1200", JPY, 1_200],
    ["0", JPY, 0],
  ])("%s is %o: %i", (text, currency, minor) => {
    expect(parseAmount(text, currency)).toBe(minor);
    expect(formatAmount(minor, currency)).toBe(text);
  });

  test.each([
    "12",
    "12.3",
    "12.345",
    "12,34",
    ".34",
    "12.",
    "012.34",
    "-1.00",
    "+1.00",
    "1e2.00",
    " 1.00",
    "1.00 ",
    "1.0x",
    "1.2.3",
    "",
    "10000000000.00",
    "١.٢٣",
    "NaN",
  ])("%j is not an amount of EUR", (text) => {
    expect(parseAmount(text, EUR)).toBeUndefined();
  });

  test.each(["12.00", "12.", ".", "01", "", "10000000000"])("%j is not an amount of JPY", (text) => {
    expect(parseAmount(text, JPY)).toBeUndefined();
  });
});

test.each([
  [1234, 2, "EUR", "12.34 EUR"],
  [5, 2, "EUR", "0.05 EUR"],
  [0, 2, "EUR", "0.00 EUR"],
  [1200, 0, "JPY", "1200 JPY"],
  [1, 3, "KWD", "0.001 KWD"],
  [999_999_999_999, 2, "USD", "9999999999.99 USD"],
])("an amount of %i with %i decimals in %s is shown as %s", (amount, decimals, currencyCode, expected) => {
  expect(amountText({ amount, decimals, currencyCode })).toBe(expected);
});

test.each([
  ["12", [0, 12], [2, 1200]],
  ["0", [0, 0], [2, 0]],
  ["12.34", [2, 1234]],
  ["12.00", [2, 1200]],
])("a person who says %j means %j", (text, ...meant) => {
  expect(amountsMeant(text)).toEqual(meant.map(([decimals, amount]) => ({ decimals, amount })));
});

test.each(["", "12.", "12.3", "12.345", ".34", "012", "-1", "12,34", "1e2", "12.34.56", "EUR 12", "10000000000"])(
  "%j is no amount that a person means",
  (text) => {
    expect(amountsMeant(text)).toBeUndefined();
  },
);
