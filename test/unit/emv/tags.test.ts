import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clearable, sensitiveClear } from "../../../src/emv/tags.ts";
import type { Tlv } from "../../../src/emv/tlv.ts";
import { fromAscii } from "../../../src/kit/bytes.ts";
import { fromHex } from "../../../src/kit/hex.ts";
import { CLEAR_CONTACT_CARD, objectsOf } from "./objects.ts";

const one = (tag: string, hex: string): readonly Tlv[] => [{ tag, value: fromHex(hex) }];

describe("clearable", () => {
  test("lets through what a request, a journal and a receipt may hold, in its order", () => {
    expect(
      clearable(objectsOf(CLEAR_CONTACT_CARD))
        .map(({ tag }) => tag)
        .join(" "),
    ).toBe(
      "50 5F2A 5F34 82 84 95 9A 9B 9C 9F02 9F03 9F06 9F09 9F10 9F12 9F1A 9F1E 9F26 9F27 9F33 9F34 9F35 9F36 9F37 9F41",
    );
  });

  test("never lets a sensitive object through, nor one that it does not know", () => {
    const sensitive = [
      "56",
      "57",
      "5A",
      "5F20",
      "5F24",
      "5F30",
      "5F53",
      "99",
      "9F0B",
      "9F1F",
      "9F20",
      "9F5E",
      "9F60",
      "9F61",
      "9F6B",
    ];
    for (const tag of sensitive) {
      for (let size = 0; size <= 40; size += 1) expect(clearable([{ tag, value: new Uint8Array(size) }])).toEqual([]);
    }
    for (const tag of ["DFAE02", "DFAE57", "70", "E4", "9F7C", "9F5B", "constructor", "toString"])
      expect(clearable([{ tag, value: new Uint8Array(8) }])).toEqual([]);
    expect(sensitiveClear(clearable(objectsOf(CLEAR_CONTACT_CARD)))).toEqual([]);
  });

  test.each([
    ["50", 1, 16],
    ["84", 5, 16],
    ["9F10", 1, 32],
    ["9F26", 8, 8],
    ["9F41", 2, 4],
  ])("%s passes with %i to %i bytes and with no other length", (tag, min, max) => {
    const passes = (size: number): boolean => clearable([{ tag, value: new Uint8Array(size) }]).length === 1;
    expect([min - 1, min, max, max + 1].map(passes)).toEqual([false, true, true, false]);
  });
});

describe("sensitiveClear", () => {
  test("names the clear number and track of a reader without keys", () => {
    expect(sensitiveClear(objectsOf(CLEAR_CONTACT_CARD))).toEqual(["57", "5A"]);
  });

  test.each([
    ["5A", "4761739001010119", true],
    ["5A", "679999890000018123", true],
    ["5A", "374245001741007F", true],
    ["5A", "476173FFFFFF0119", false],
    ["5A", "", false],
    ["57", "4761739001010119D15122011758989389", true],
    ["57", "476173FFFFFF0119D15122011758989389", false],
    ["9F6B", "5413330089010483D2512", false],
    ["9F6B", "000000005000", false],
    ["56", "42343736313733393030313031303131395E", false],
    ["56", "423437363137332A2A2A2A2A2A303131395E", false],
    ["9F1F", "30", false],
    ["9F20", "1234", false],
    ["99", "041234", true],
    ["5F20", "56495341", false],
    ["5F24", "151231", false],
    ["9F02", "123456789012", false],
  ])("%s %s is a leak: %s", (tag, hex, leaks) => {
    const even = hex.length % 2 === 0 ? hex : `${hex}F`;
    expect(sensitiveClear(one(tag, even))).toEqual(leaks ? [tag] : []);
  });

  test("objects of the device's own are judged by the form it gives them", () => {
    const masked = one("DFAE57", "476173FFFFFF0119D15122");
    const clear = one("DFAE57", "4761739001010119D1512201");
    expect(sensitiveClear(masked, { DFAE57: "packed" })).toEqual([]);
    expect(sensitiveClear([...clear, ...clear], { DFAE57: "packed" })).toEqual(["DFAE57"]);
    expect(sensitiveClear(clear)).toEqual([]);
  });
});

describe("sensitiveClear where hidden digits are zeros", () => {
  const text = {
    "5F22": { as: "text", zeroFrom: 6 },
    "57": { as: "packed", zeroFrom: 6 },
    DF01: { as: "text", zeroFrom: 4 },
  } as const;

  test.each([
    ["5F22", ";5413330000000011=25122010000000000?", false],
    ["5F22", "%B5413330000000011^CARD/TEST                ^2512201000000000000000?", false],
    ["5F22", ";5413330089020011=25122010000000000?", true],
    ["5F22", "%B5413330089020011^CARD/TEST^2512201000000000000000?", true],
    ["5F22", "noise 4761739001010119", true],
    ["5F22", ";5413330000000011=25122014761739001010119?", true],
    ["5F22", ";541333*=2512", false],
    ["DF01", ";5413000000000011=2512", false],
    ["DF01", ";5413330000000011=2512", true],
    ["5F22", "", false],
  ])("%s %j is a leak: %s", (tag, value, leaks) => {
    expect(sensitiveClear([{ tag, value: fromAscii(value) }], text)).toEqual(leaks ? [tag] : []);
  });

  test("a packed track is judged by its number too", () => {
    expect(sensitiveClear(one("57", "5413330000000011D25122010000000000"), text)).toEqual([]);
    expect(sensitiveClear(one("57", "5413330089020011D25122010000000000"), text)).toEqual(["57"]);
  });

  test("every number is found, and every one that was hidden is not", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9][0-9]{11,18}$/), fc.constantFrom(4, 6), (number, zeroFrom) => {
        const hidden = `${number.slice(0, zeroFrom)}${"0".repeat(number.length - zeroFrom - 4)}${number.slice(-4)}`;
        const leaks = (digits: string): boolean =>
          sensitiveClear([{ tag: "5F22", value: fromAscii(`;${digits}=25122010000000000?`) }], {
            "5F22": { as: "text", zeroFrom },
          }).length > 0;
        expect(leaks(hidden)).toBe(false);
        expect(leaks(number)).toBe(number !== hidden);
      }),
    );
  });
});

test("a label that holds a number stays behind", () => {
  const label = (tag: string, text: string): { readonly tag: string; readonly value: Uint8Array } => ({
    tag,
    value: new TextEncoder().encode(text),
  });
  expect(
    clearable([
      label("50", "4761739001010010"),
      label("9F12", "X4761739001010010"),
      label("50", "VISA CREDIT 2026"),
    ]).map(({ value }) => value.length),
  ).toEqual([16]);
  expect(clearable([label("9F12", "4761739001010010")])).toEqual([]);
});
