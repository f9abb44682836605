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

test("never more than six and four digits come out, whatever goes in", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), fc.string(), (bytes, text) => {
      for (const masked of [maskedFromPacked(bytes), maskedFromText(text)]) {
        if (masked === undefined) continue;
        expect(masked.last4).toMatch(/^[0-9]{4}$/);
        if (masked.bin !== undefined) expect(masked.bin).toMatch(/^[0-9]{6}$/);
      }
    }),
  );
});
