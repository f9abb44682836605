import { describe, expect, test } from "vitest";
import { currencies } from "../../../src/kit/currencies.ts";

/** ISO 4217 gives them two decimals; CLDR, which Node counts with, none, because nobody has coins for them any more. */
const WITHOUT_COINS = [
  "AFN",
  "ALL",
  "COP",
  "HUF",
  "IDR",
  "IRR",
  "KPW",
  "LAK",
  "LBP",
  "MGA",
  "MMK",
  "PKR",
  "SOS",
  "SYP",
  "YER",
];

describe("the currencies of ISO 4217", () => {
  test("have each their letters and number once", () => {
    for (const { code, numeric } of currencies) expect(`${code} ${numeric}`).toMatch(/^[A-Z]{3} [0-9]{3}$/);
    expect(new Set(currencies.map(({ code }) => code)).size).toBe(currencies.length);
    expect(new Set(currencies.map(({ numeric }) => numeric)).size).toBe(currencies.length);
    expect(currencies.length).toBe(149);
  });

  test.each(currencies)(
    "$code has $decimals decimals, as Node has it but where its coins are gone",
    ({ code, decimals }) => {
      const { maximumFractionDigits } = new Intl.NumberFormat("en", {
        style: "currency",
        currency: code,
      }).resolvedOptions();
      expect(WITHOUT_COINS.includes(code) ? 2 : maximumFractionDigits).toBe(decimals);
    },
  );

  test.each([
    ["MYR", "458", 2],
    ["PHP", "608", 2],
    ["TWD", "901", 2],
    ["MAD", "504", 2],
    ["IDR", "360", 2],
    ["NGN", "566", 2],
    ["XCG", "532", 2],
    ["ZWG", "924", 2],
    ["ALL", "008", 2],
    ["DZD", "012", 2],
    ["UGX", "800", 0],
    ["PYG", "600", 0],
    ["RWF", "646", 0],
    ["XOF", "952", 0],
    ["XAF", "950", 0],
    ["XPF", "953", 0],
  ])("%s is number %s, with %i decimals", (code, numeric, decimals) => {
    expect(currencies.find((one) => one.code === code)).toEqual({ code, numeric, decimals });
  });

  test("leave out those with three and four decimals, funds, metals and what nobody pays with", () => {
    const codes = new Set(currencies.map(({ code }) => code));
    for (const code of [
      "BHD",
      "IQD",
      "JOD",
      "KWD",
      "LYD",
      "OMR",
      "TND",
      "CLF",
      "UYW",
      "CHE",
      "USN",
      "BOV",
      "MXV",
      "XAU",
      "XDR",
      "XTS",
      "XXX",
    ]) {
      expect(codes.has(code), code).toBe(false);
    }
  });
});
