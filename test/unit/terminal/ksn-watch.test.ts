import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createKsnWatch, SERIES_LIMIT, seriesOf } from "../../../src/terminal/ksn-watch.ts";
import { card } from "./session-bench.ts";

/** KSNs of the counter values in one TDES series: 59 bits that stay, 21 that count. */
function tdes(counter: number): string {
  const [low, high] = [counter & 0xffff, (counter >> 16) | 0xe0];
  return `FFFF9876543210${high.toString(16).padStart(2, "0")}${low.toString(16).padStart(4, "0")}`.toUpperCase();
}

describe("the series of a key serial number", () => {
  test.each([
    ["FFFF9876543210E00001", "FFFF9876543210E"],
    ["FFFF9876543210FFFFFF", "FFFF9876543210E"],
    ["FFFF9876543210C00001", "FFFF9876543210C"],
    ["123456789012345600000001", "1234567890123456"],
    ["1234567890123456FFFFFFFF", "1234567890123456"],
  ])("%s is of series %s (ANSI X9.24-1 and X9.24-3)", (ksn, series) => {
    expect(seriesOf(ksn)).toBe(series);
  });

  test.each(["", "FFFF9876543210E0001", "FFFF9876543210E000011", "XFFF9876543210E00001", "FFFF9876543210E0000100"])(
    "%j has none",
    (ksn) => {
      expect(seriesOf(ksn)).toBeUndefined();
    },
  );
});

describe("the watch over key serial numbers", () => {
  test("numbers that rise pass, over the whole counter; the first that does not is told", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0x1f_ffff), { minLength: 1, maxLength: 30 }), (counters) => {
        const watch = createKsnWatch("test");
        let highest = -1;
        for (const counter of counters) {
          const problem = watch.see(card(tdes(counter)));
          expect(problem?.code).toBe(counter > highest ? undefined : "ksn-not-rising");
          highest = Math.max(highest, counter);
        }
      }),
    );
  });

  test("the PIN's numbers are watched as well", () => {
    const watch = createKsnWatch("test");
    expect(watch.see(card(tdes(1), "FFFF9876543210C00001"))).toBeUndefined();
    expect(watch.see(card(tdes(2), "FFFF9876543210C00001"))).toEqual({
      code: "ksn-not-rising",
      detail: "the key serial number of its PIN did not rise in series FFFF9876543210C",
    });
  });

  test("card data and PIN of one card may be sealed under one transaction key", () => {
    const watch = createKsnWatch("test");
    expect(watch.see(card(tdes(1), tdes(1)))).toBeUndefined();
    expect(watch.see(card(tdes(2), tdes(2)))).toBeUndefined();
  });

  test("a new key is a new series and begins anew; the old one is not forgotten", () => {
    const watch = createKsnWatch("test");
    expect(watch.see(card(tdes(9)))).toBeUndefined();
    expect(watch.see(card("123456789012345600000001"))).toBeUndefined();
    expect(watch.see(card(tdes(9)))?.code).toBe("ksn-not-rising");
  });

  test("a number of another length is refused", () => {
    expect(createKsnWatch("test").see(card("FFFF"))?.detail).toBe(
      "the key serial number of its card data is not 20 or 24 hexadecimal digits",
    );
  });

  test(`${SERIES_LIMIT} series are kept, one more is refused`, () => {
    const watch = createKsnWatch("test");
    const series = (number: number): string => `ABCD${number.toString().padStart(12, "0")}00000001`;
    for (let number = 0; number < SERIES_LIMIT; number += 1) expect(watch.see(card(series(number)))).toBeUndefined();
    expect(watch.see(card(series(SERIES_LIMIT)))?.code).toBe("ksn-not-rising");
  });

  test.each(["FFFF9876543210E00001", "FFFF98765432110010A4", "123456789012345600000001", "F876543210040B800003"])(
    "live refuses the published test key of %s, test does not",
    (ksn) => {
      expect(createKsnWatch("live").see(card(ksn))?.code).toBe("keys-missing");
      expect(createKsnWatch("live").see(card("ABCDEF0123456700000001".slice(0, 20), ksn))?.code).toBe("keys-missing");
      expect(createKsnWatch("test").see(card(ksn))).toBeUndefined();
    },
  );
});
