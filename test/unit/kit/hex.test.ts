import fc from "fast-check";
import { expect, test } from "vitest";
import { fromHex, isHex, toHex } from "../../../src/kit/hex.ts";

test("bytes become upper-case digits and come back", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(toHex(bytes)).toMatch(/^([0-9A-F]{2})*$/);
      expect(fromHex(toHex(bytes))).toEqual(bytes);
      expect(fromHex(toHex(bytes).toLowerCase())).toEqual(bytes);
    }),
  );
  expect(toHex(Uint8Array.of(0x00, 0x9f, 0xff))).toBe("009FFF");
});

test("a view into a larger buffer gives its own bytes alone", () => {
  expect(toHex(Uint8Array.of(1, 2, 3, 4).subarray(1, 3))).toBe("0203");
});

test.each(["0", "0G", "0x01", " 01", "01 ", "é0"])("%j is not hexadecimal", (text) => {
  expect(isHex(text)).toBe(false);
  expect(() => fromHex(text)).toThrow("not hexadecimal");
});

test("nothing is hexadecimal of no bytes", () => {
  expect(isHex("")).toBe(true);
  expect(fromHex("")).toHaveLength(0);
});
