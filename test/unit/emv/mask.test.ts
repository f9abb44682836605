import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskedFromPacked, maskedFromText } from "../../../src/emv/mask.ts";
import { fromHex } from "../../../src/kit/hex.ts";

describe("packed numbers", () => {
  test.each([
    ["476173FFFFFF0119", { bin: "476173", last4: "0119" }],
    ["476173FFFFFF0119D15122011758989389", { bin: "476173", last4: "0119" }],
    ["679999FFFFFFF8123F", { bin: "679999", last4: "8123" }],
    ["476173FFFFFFFFF2234D151220114524040F", { bin: "476173", last4: "2234" }],
    ["47617390FFFF0119", { bin: "476173", last4: "0119" }],
    ["FFFFFFFFFFFF0119", { last4: "0119" }],
    ["4761739001010119", undefined],
    ["476173FFFFFFFFFF", undefined],
    ["476173FFF4FF0119", undefined],
    ["476173FFFFF01119", undefined],
    ["", undefined],
  ])("%s shows %j", (hex, expected) => {
    expect(maskedFromPacked(fromHex(hex))).toEqual(expected);
  });
});

describe("packed numbers with other hidden digits", () => {
  test.each([
    ["4761CCCCCCCC0119D2212201CCCCCCCCCCCC", "C", { beginning: "4761", last4: "0119" }],
    ["476173CCCCCC0119", "C", { bin: "476173", last4: "0119" }],
    ["374245AAAAA1007F", "A", { bin: "374245", last4: "1007" }],
    ["476173AAAAAA0119D2212201", "A", { bin: "476173", last4: "0119" }],
    ["476173FFFFFF0119", "A", undefined],
    ["476173AAAAAA0119", "C", undefined],
    ["476173AACCAA0119", "A", undefined],
    ["4761739001010119", "A", undefined],
  ] as const)("%s with %s shows %j", (hex, hidden, expected) => {
    expect(maskedFromPacked(fromHex(hex), hidden)).toEqual(expected);
  });
});

describe("numbers as text with other hidden digits", () => {
  test.each([
    [";476173\u00aa\u00aa\u00aa\u00aa\u00aa\u00aa0119=2212", "\u00aa", { bin: "476173", last4: "0119" }],
    [";476173******0119=2212", "\u00aa", undefined],
    ["%B5413330000000011^TEST/CARD^2512201", { zeroFrom: 6 }, { bin: "541333", last4: "0011" }],
    [";5413330000000011=25122010000000000?", { zeroFrom: 6 }, { bin: "541333", last4: "0011" }],
    [";5413000000000011=2512", { zeroFrom: 4 }, { beginning: "5413", last4: "0011" }],
    [";5413330089020011=2512", { zeroFrom: 6 }, undefined],
    [";5413330000000011=2512", { zeroFrom: 4 }, undefined],
    [";5413330011=2512", { zeroFrom: 6 }, undefined],
    [";541333000000*011=2512", { zeroFrom: 6 }, undefined],
    ["", { zeroFrom: 6 }, undefined],
  ] as const)("%j with %j shows %j", (text, hidden, expected) => {
    expect(maskedFromText(text, hidden)).toEqual(expected);
  });
});

describe("numbers as text", () => {
  test.each([
    [";476173******0101=15122012****?*", { bin: "476173", last4: "0101" }],
    ["%B476173******0101^TEST/CARD^1512", { bin: "476173", last4: "0101" }],
    ["476173******0101", { bin: "476173", last4: "0101" }],
    ["************0101", { last4: "0101" }],
    [";4761739001010101=1512", undefined],
    ["476173******01", undefined],
    ["hello", undefined],
    ["", undefined],
  ])("%s shows %j", (text, expected) => {
    expect(maskedFromText(text)).toEqual(expected);
  });
});

const HIDDEN_NIBBLES = ["A", "C", "F"] as const;
const HIDDEN_CHARACTERS = ["*", "\u00aa", { zeroFrom: 4 }, { zeroFrom: 6 }] as const;

test("never more than six and four digits come out, whatever goes in", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), fc.string(), (bytes, text) => {
      for (const masked of [
        ...HIDDEN_NIBBLES.map((hidden) => maskedFromPacked(bytes, hidden)),
        ...HIDDEN_CHARACTERS.map((hidden) => maskedFromText(text, hidden)),
      ]) {
        if (masked === undefined) continue;
        expect(masked.last4).toMatch(/^[0-9]{4}$/);
        if (masked.bin !== undefined) expect(masked.bin).toMatch(/^[0-9]{6}$/);
      }
    }),
  );
});

test("every number comes out masked as it went in, whatever hides its digits, and a clear one never comes out", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[1-9][0-9]{11,18}$/), fc.constantFrom(4, 6), (number, shown) => {
      const hide = (character: string): string =>
        `${number.slice(0, shown)}${character.repeat(number.length - shown - 4)}${number.slice(-4)}`;
      const expected =
        shown === 6
          ? { bin: number.slice(0, 6), last4: number.slice(-4) }
          : { beginning: number.slice(0, 4), last4: number.slice(-4) };
      const packed = (digits: string): Uint8Array => fromHex(digits.length % 2 === 0 ? digits : `${digits}F`);
      for (const hidden of HIDDEN_NIBBLES) {
        expect(maskedFromPacked(packed(hide(hidden)), hidden)).toEqual(expected);
        expect(maskedFromPacked(packed(`${hide(hidden)}D2512201`), hidden)).toEqual(expected);
        expect(maskedFromPacked(packed(number), hidden)).toBeUndefined();
      }
      for (const character of ["*", "\u00aa"] as const) {
        expect(maskedFromText(`;${hide(character)}=2512201?`, character)).toEqual(expected);
        expect(maskedFromText(`;${number}=2512201?`, character)).toBeUndefined();
      }
      expect(maskedFromText(`;${hide("0")}=2512201?`, { zeroFrom: shown })).toEqual(expected);
      const isClear = /[1-9]/.test(number.slice(shown, -4));
      expect(maskedFromText(`;${number}=2512201?`, { zeroFrom: shown }) === undefined).toBe(isClear);
    }),
  );
});
