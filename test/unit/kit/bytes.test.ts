import fc from "fast-check";
import { expect, test } from "vitest";
import { ascii, concat, equal, fromAscii, xor } from "../../../src/kit/bytes.ts";

const runs = fc.array(fc.uint8Array());

test("concat keeps every byte in order, and the parts stay apart from the whole", () => {
  fc.assert(
    fc.property(runs, (parts) => {
      expect([...concat(...parts)]).toEqual(parts.flatMap((part) => [...part]));
    }),
  );
  const part = Uint8Array.of(1);
  concat(part)[0] = 9;
  expect(part[0]).toBe(1);
});

test("equal compares length and every byte", () => {
  expect(equal(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true);
  expect(equal(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
  expect(equal(Uint8Array.of(1, 2), Uint8Array.of(1))).toBe(false);
  expect(equal(new Uint8Array(), new Uint8Array())).toBe(true);
});

test("xor twice with the same is as before, and with itself is zero", () => {
  const pair = fc
    .nat(64)
    .chain((length) => fc.tuple(fc.uint8Array({ minLength: length, maxLength: length }), fc.uint8Array({ minLength: length, maxLength: length })));
  fc.assert(
    fc.property(pair, ([a, b]) => {
      expect(xor(xor(a, b), b)).toEqual(a);
      expect(xor(a, a).every((byte) => byte === 0)).toBe(true);
    }),
  );
  expect(xor(Uint8Array.of(0x0f, 0xff), Uint8Array.of(0xff, 0xf0))).toEqual(Uint8Array.of(0xf0, 0x0f));
});

test("xor refuses runs of different lengths", () => {
  expect(() => xor(Uint8Array.of(1), Uint8Array.of(1, 2))).toThrow(RangeError);
});

test("every byte is one character and comes back", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(fromAscii(ascii(bytes))).toEqual(bytes);
    }),
  );
  expect(fromAscii("PIN")).toEqual(Uint8Array.of(0x50, 0x49, 0x4e));
});

test.each(["€", "a\u0100", "😀"])("%s has a character that is not one byte", (text) => {
  expect(() => fromAscii(text)).toThrow(RangeError);
});
