import fc from "fast-check";
import { expect, test } from "vitest";
import { insideOf, isConstructed, leavesOf } from "../../../src/emv/leaves.ts";
import { encodeTlv, parseTlv, type Tlv } from "../../../src/emv/tlv.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { objectsOf } from "./objects.ts";

const tagsOf = (objects: readonly Tlv[]): readonly string[] => objects.map(({ tag }) => tag);

test("primitive objects come out in order, however deep", () => {
  expect(tagsOf(leavesOf(objectsOf("9C0100E4097007950180820239009A0100")))).toEqual(["9C", "95", "82", "9A"]);
});

test("bit 6 of a tag's first byte says that it holds others", () => {
  for (let byte = 0; byte < 256; byte += 1) expect(isConstructed(toHex(Uint8Array.of(byte)))).toBe((byte & 0x20) !== 0);
});

test("a constructed object with something else inside stays whole", () => {
  expect(leavesOf([{ tag: "E4", value: fromHex("9505") }])).toEqual([{ tag: "E4", value: fromHex("9505") }]);
});

test("which objects hold others may be a device's own", () => {
  const inside = (object: Tlv) =>
    object.tag === "63" ? undefined : object.tag === "C6" ? insideOf({ ...object, tag: "E6" }) : insideOf(object);
  expect(tagsOf(leavesOf(objectsOf("63039A0100C6039A0100"), inside))).toEqual(["63", "9A"]);
});

test("nesting ends at a fixed depth, and no bytes make it throw", () => {
  let nested: Uint8Array = fromHex("9C0100");
  for (let depth = 0; depth < 40; depth += 1) nested = encodeTlv("E1", nested);
  const parsed = parseTlv(nested);
  expect(parsed.ok && tagsOf(leavesOf(parsed.objects))).toEqual(["E1"]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (value) => {
      expect(leavesOf([{ tag: "E1", value }]).length).toBeLessThanOrEqual(300);
    }),
  );
});
