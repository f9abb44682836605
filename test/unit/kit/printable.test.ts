import fc from "fast-check";
import { expect, test } from "vitest";
import { fromAscii } from "../../../src/kit/bytes.ts";
import { printable } from "../../../src/kit/printable.ts";

test.each([
  ["a\u0000\u001b[2Jb\u00e9", "a??[2Jb?"],
  ["VP3300\u0000\u0000", "VP3300"],
  ["", ""],
])("text of a device %j becomes %j", (text, expected) => {
  expect(printable(fromAscii(text))).toBe(expected);
});

test("it is short and harmless, whatever the bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(printable(bytes)).toMatch(/^[\x20-\x7e]{0,64}$/);
    }),
  );
});
