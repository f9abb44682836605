import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdsCardNumber, maskCardNumbers } from "../../../src/kit/card-number.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";

/** Published test numbers of the brands (each brand's or acquirer's public test card lists). */
const NUMBERS = {
  "American Express": "378282246310005",
  Visa: "4111111111111111",
  Mastercard: "5555555555554444",
  "Mastercard, 2 series": "2223003122003222",
  Discover: "6011111111111117",
  JCB: "3566002020360505",
  "Diners, 16 digits": "3056930009020004",
  "Visa, 19 digits": "4000000000000000006",
};

/** Twelve digits with the check digit of GS1, whose weights are 1 and 3. */
function ean13(twelve: string): string {
  const sum = [...twelve].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return `${twelve}${(10 - (sum % 10)) % 10}`;
}

function isLuhnValid(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

describe("card numbers in free text", () => {
  it.each(Object.entries(NUMBERS))("are found for %s, bare, in groups and inside a sentence", (_brand, number) => {
    const grouped = number.replace(/(.{4})(?=.)/g, "$1 ");
    for (const text of [
      number,
      grouped,
      grouped.replaceAll(" ", "-"),
      grouped.replaceAll(" ", " - "),
      `card ${number}, thanks`,
      `order 12 ${grouped}`,
      [...number].join(" "),
    ]) {
      expect(holdsCardNumber(text), text).toBe(true);
    }
  });

  it.each(Object.entries(NUMBERS))(
    "are found for %s with other signs between their groups, and behind zeros",
    (_brand, number) => {
      const fours = number.replace(/(.{4})(?=.)/g, "$1 ");
      const brands = number.length === 15 ? number.replace(/^(.{4})(.{6})/, "$1 $2 ") : fours;
      for (const sign of [".", "/", ",", ", ", " / ", "_", ":", "|", "\u00b7", "\u2022", "*", "\u3000.", "\u200b"]) {
        for (const text of [fours, brands, [...number].join(" ")])
          expect(holdsCardNumber(`card ${text.replaceAll(" ", sign)}!`), `${text} by ${sign}`).toBe(true);
      }
      for (const text of [
        `0${number}`,
        `000 ${number}`,
        `0${fours}`,
        `0000${fours.replaceAll(" ", ".")}`,
        fours.replace(" ", ".").replace(" ", "/"),
      ])
        expect(holdsCardNumber(text), text).toBe(true);
    },
  );

  it.each([" -- ", "----", "x", " x ", "abc", "\u00fc", "\u5206", "_a_", "\r\n\r\n", " \u2014 ", "<br>"])(
    "are found with up to four characters of any kind between their groups: %j",
    (sign) => {
      for (const number of Object.values(NUMBERS))
        expect(holdsCardNumber(`n${number.replace(/(.{4})(?=.)/g, `$1${sign}`)}n`), number).toBe(true);
    },
  );

  it.each([
    "36148900647913",
    "3614 890064 7913",
    "3614-8900-6479-13",
    "30569309025904",
    [..."38520000023237"].join(" "),
    "0036148900647913",
  ])("are found for Diners Club, 14 digits: %s", (text) => {
    expect(holdsCardNumber(text)).toBe(true);
    expect(maskCardNumbers(text)).toBe("***");
  });

  it("of 13 digits are let pass, because one in ten German goods has such a number", () => {
    const random = seededRandom(4);
    const goods = Array.from({ length: 5_000 }, () =>
      ean13(`4${Array.from({ length: 11 }, () => random.below(10)).join("")}`),
    );
    expect(goods.filter((ean) => holdsCardNumber(ean) || holdsCardNumber(`${ean} x 3`))).toEqual([]);
    const likeVisa = goods.filter(isLuhnValid).length / goods.length;
    expect(likeVisa).toBeGreaterThan(0.08);
    expect(likeVisa).toBeLessThan(0.12);
  });

  it("of 14 digits are seen in less than one in a hundred other numbers of that length", () => {
    const random = seededRandom(14);
    const numbers = Array.from(
      { length: 20_000 },
      () => `${1 + random.below(9)}${Array.from({ length: 13 }, () => random.below(10)).join("")}`,
    );
    expect(numbers.filter(holdsCardNumber).length / numbers.length).toBeLessThan(0.01);
  });

  it.each([
    ["Arabic", 0x0660],
    ["Persian", 0x06f0],
    ["Devanagari", 0x0966],
    ["Bengali", 0x09e6],
    ["Thai", 0x0e50],
    ["Tibetan", 0x0f20],
    ["Khmer", 0x17e0],
    ["Mongolian", 0x1810],
    ["full-width", 0xff10],
    ["mathematical bold", 0x1d7ce],
    ["mathematical monospace", 0x1d7f6],
  ])("are found in %s digits", (_script, zero) => {
    const written = NUMBERS.Visa.replace(/[0-9]/g, (digit) => String.fromCodePoint(zero + Number(digit)));
    expect(holdsCardNumber(written)).toBe(true);
    expect(holdsCardNumber([...written].join("."))).toBe(true);
    expect(holdsCardNumber(`${written.slice(0, 8)}12345678`)).toBe(false);
  });

  it("are found in full-width digits and behind no-break spaces", () => {
    expect(holdsCardNumber("４１１１１１１１１１１１１１１１")).toBe(true);
    expect(holdsCardNumber("4111\u00a01111\u00a01111\u00a01111")).toBe(true);
  });

  it.each([
    ["one digit is wrong (Luhn)", "4111111111111112"],
    ["13 digits", "4222222222222"],
    ["14 digits of another brand", "42222222222224"],
    ["a product's number and a quantity", "3605970000003 8"],
    ["a product's number and a quantity", "3605970000003 x 8"],
    ["a Diners number is broken in an unusual place", "36148900 647913"],
    ["17 digits", "41111111111111113"],
    ["18 digits around a number", "994111111111111111"],
    ["no brand begins with 9", "9111111111111119"],
    ["a time stamp", "2026030110000006"],
    ["letters stand between unusual groups", "41111x1111x1111x111"],
    ["a word stands between", "4111 bis zu 1111 bis zu 1111 bis zu 1111"],
    ["a random name has a letter between its digits", "41111111a11111111"],
    ["a list of prices", "4.11 + 11.11 + 1.11 + 11.11 + 1.1"],
    ["prices of five digits", "411.11, 111.11, 111.11, 1"],
    ["a reference with a date", "4711/2026/03/01/0004"],
    ["dates", "55.04.2026/30.06.2026"],
    ["addresses of machines", "4.111.111.11, 111.11.11.1"],
  ])("are not seen where %s", (_why, text) => {
    expect(holdsCardNumber(text)).toBe(false);
  });

  it("are found wherever they stand in a text of words", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 5 });
    fc.assert(
      fc.property(words, words, fc.constantFrom(...Object.values(NUMBERS)), (before, after, number) =>
        holdsCardNumber([...before, number, ...after].join(" ")),
      ),
    );
  });
});

describe("a line for people", () => {
  it.each([
    ["card 4111111111111111 is blocked", "card *** is blocked"],
    ["card 4111 1111 1111 1111 is blocked", "card *** is blocked"],
    ["4111.1111.1111.1111", "***"],
    ["4111 -- 1111 -- 1111 -- 1111", "***"],
    ["card 4111x1111x1111x1111!", "card ***!"],
    ["\u0664\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661", "***"],
    [";4111111111111111=25122011234567890?", ";***?"],
    ["36148900647913 is a Diners number of 14 digits", "*** is a Diners number of 14 digits"],
    ["a number with a wrong check digit, 4111111111111112", "a number with a wrong check digit, ***"],
    ["a number and its expiry, 41111111111111112512", "a number and its expiry, ***"],
  ])("%j hides what may be a card number: %j", (told, shown) => {
    expect(maskCardNumbers(told)).toBe(shown);
  });

  it.each([
    "Transaction declined (invalid CVV)",
    "8ac7a4a1957a41f001957a4aef6e0002 is not approved",
    "2026-03-01 10:00:00.000+0000",
    "amount 1,234.56 EUR exceeds 1,000.00 EUR",
    "code 800.100.152, terminal 12345678, reference 12345678901",
    "\ufb01le: ½ \u0664\u0662",
  ])("%j stays as it is", (told) => {
    expect(maskCardNumbers(told)).toBe(told);
  });

  it("never shows a number that free text is refused for", () => {
    const words = fc.array(
      fc.oneof(
        fc.stringMatching(/^[a-z.,/ -]{1,8}$/),
        fc.constantFrom(...Object.values(NUMBERS), "4111", "1111", "36148900647913"),
      ),
      {
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(words, (parts) => {
        expect(holdsCardNumber(maskCardNumbers(parts.join(" ")))).toBe(false);
      }),
    );
  });
});
