import fc from "fast-check";
import { expect, test } from "vitest";
import { ascii, concat, equal, fromAscii, put, xor, xorSum } from "../../../src/kit/bytes.ts";

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

test("put copies a run of any length to its place and nothing else", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(8), (part, at) => {
      const into = new Uint8Array(part.length + 10).fill(0xee);
      put(part, into, at);
      expect([...into]).toEqual([
        ...Array.from({ length: at }, () => 0xee),
        ...part,
        ...Array.from({ length: 10 - at }, () => 0xee),
      ]);
    }),
  );
});

test("the sum of a run is that of its parts", () => {
  expect(xorSum(Uint8Array.of(0x01, 0x02, 0xf0))).toBe(0xf3);
  expect(xorSum(Uint8Array.of(0x01, 0x02, 0xf0), 1)).toBe(0xf2);
  expect(xorSum(Uint8Array.of(0x01, 0x02, 0xf0), 0, 2)).toBe(0x03);
  expect(xorSum(new Uint8Array(0))).toBe(0);
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
    .chain((length) =>
      fc.tuple(
        fc.uint8Array({ minLength: length, maxLength: length }),
        fc.uint8Array({ minLength: length, maxLength: length }),
      ),
    );
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
