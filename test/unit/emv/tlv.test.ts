import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeTlv, encodeTlvs, findTag, parseTlv, type Tlv } from "../../../src/emv/tlv.ts";
import { concat } from "../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";

const parsed = (hex: string): object => {
  const result = parseTlv(fromHex(hex));
  return result.ok ? result.objects.map(({ tag, value }) => `${tag}=${toHex(value)}`) : { error: result.error };
};

describe("parseTlv", () => {
  test.each([
    ["", []],
    ["9A03260115", ["9A=260115"]],
    ["5F2A0209789F02060000000012349C0100", ["5F2A=0978", "9F02=000000001234", "9C=00"]],
    ["DFAE03020102", ["DFAE03=0102"]],
    ["9500", ["95="]],
    ["00FF9A0326011500009C0100FF", ["9A=260115", "9C=00"]],
    ["9A8103260115", ["9A=260115"]],
    ["9A840000000326011500", ["9A=260115"]],
    ["9A0126" + "9A0127", ["9A=26", "9A=27"]],
  ])("%s holds %j", (hex, objects) => {
    expect(parsed(hex)).toEqual(objects);
  });

  test.each([
    ["9F", "tag at offset 0 does not end"],
    ["9F8080808001", "tag at offset 0 does not end"],
    ["9A", "length of 9A at offset 1 is not valid"],
    ["9A80", "length of 9A at offset 1 is not valid"],
    ["9A850000000001", "length of 9A at offset 1 is not valid"],
    ["9A82", "length of 9A at offset 1 is not valid"],
    ["9A032601", "9A claims 3 bytes, 2 are left"],
    ["9C01009A84FFFFFFFF00", "9A claims 4294967295 bytes, 1 are left"],
  ])("%s is refused: %s", (hex, error) => {
    expect(parsed(hex)).toEqual({ error });
  });

  test("gives copies, so that a buffer may be used again", () => {
    const bytes = fromHex("9A03260115");
    const result = parseTlv(bytes);
    bytes.fill(0);
    expect(result.ok && result.objects.map(({ value }) => toHex(value))).toEqual(["260115"]);
  });
});

describe("encodeTlv", () => {
  test.each([
    [0, "00"],
    [127, "7F"],
    [128, "8180"],
    [255, "81FF"],
    [256, "820100"],
    [65_535, "82FFFF"],
  ])("%i bytes have the length %s", (size, length) => {
    expect(toHex(encodeTlv("9F10", new Uint8Array(size)).subarray(0, 2 + length.length / 2))).toBe(`9F10${length}`);
  });

  test("more than 65535 bytes are a bug of the caller", () => {
    expect(() => encodeTlv("9F10", new Uint8Array(65_536))).toThrow(RangeError);
  });
});

test("findTag gives the first value, or nothing", () => {
  const objects = [
    { tag: "9A", value: Uint8Array.of(1) },
    { tag: "9A", value: Uint8Array.of(2) },
  ];
  expect(findTag(objects, "9A")).toEqual(Uint8Array.of(1));
  expect(findTag(objects, "9C")).toBeUndefined();
});

describe("properties", () => {
  const object: fc.Arbitrary<Tlv> = fc.record({
    tag: fc.constantFrom("9A", "5F2A", "9F02", "DFAE02", "50"),
    value: fc.uint8Array({ maxLength: 700 }),
  });

  test("what is encoded is parsed back, with filler between", () => {
    fc.assert(
      fc.property(
        fc.array(object, { maxLength: 6 }),
        fc.constantFrom("", "00", "FFFF", "00FF00"),
        (objects, filler) => {
          const bytes = concat(
            ...objects.flatMap(({ tag, value }) => [fromHex(filler), encodeTlv(tag, value)]),
            fromHex(filler),
          );
          expect(parseTlv(bytes)).toEqual({ ok: true, objects });
          expect(parseTlv(encodeTlvs(objects))).toEqual({ ok: true, objects });
        },
      ),
    );
  });

  test("no bytes make it throw, and no value is longer than what came in", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const result = parseTlv(bytes);
        if (result.ok)
          expect(result.objects.reduce((sum, { value }) => sum + value.length, 0)).toBeLessThanOrEqual(bytes.length);
      }),
    );
  });
});
