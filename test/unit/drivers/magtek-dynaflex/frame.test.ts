import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  encodeFrame,
  FROM_DEVICE,
  FROM_HOST,
  frameAround,
  LONGEST_FRAME,
  readFrame,
  TOO_LONG,
} from "../../../../drivers/magtek-dynaflex/frame.ts";
import { concat } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { cutSlip } from "../../../../src/kit/slip.ts";

/** Everything between delimiters in a stream that arrives in these chunks. */
function pieces(...chunks: readonly Uint8Array[]): readonly Uint8Array[] {
  let pending: Uint8Array = new Uint8Array(0);
  return chunks.flatMap((chunk) => {
    const cut = cutSlip(pending, chunk, LONGEST_FRAME);
    pending = cut.pending;
    return cut.pieces;
  });
}

describe("frames on a serial line", () => {
  test("a frame says where it comes from and how long its message is, and escapes what would end it", () => {
    expect(toHex(frameAround(FROM_HOST, fromHex("AAC0DB")))).toBe("C00000000003AADBDCDBDDC0");
    expect(toHex(frameAround(FROM_DEVICE, new Uint8Array(0xc0)).subarray(0, 8))).toBe("C002000000DBDC00");
    expect(toHex(encodeFrame({ info: TOO_LONG, length: 2048, message: new Uint8Array(0) }))).toBe("C00300000800C0");
  });

  test("any message comes out as it went in, wherever the stream is split", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 60 }),
        fc.uint8Array({ maxLength: 60 }),
        fc.nat({ max: 200 }),
        (first, second, at) => {
          const stream = concat(frameAround(FROM_DEVICE, first), frameAround(FROM_DEVICE, second));
          const expected = [first, second].map((message) => ({ info: FROM_DEVICE, length: message.length, message }));
          expect(pieces(stream.subarray(0, at), stream.subarray(at)).map(readFrame)).toEqual(expected);
          expect(pieces(...[...stream].map((byte) => Uint8Array.of(byte))).map(readFrame)).toEqual(expected);
        },
      ),
    );
  });

  test.each([
    ["an escape of nothing", "0200000001DB00", "escape of nothing"],
    ["an escape at the end", "0200000001DB", "escape of nothing"],
    ["less than a head", "020000", "3 bytes"],
    ["a length that is not its message's", "0200000002AA", "1 bytes that claims 2"],
    ["a message with the word that ours was too long", "0300000001AA", "claims 1"],
  ])("%s is no frame", (_what, hex, why) => {
    expect(readFrame(fromHex(hex))).toContain(why);
  });

  test("a stream without an end has a bound, and nothing is ever thrown", () => {
    expect(cutSlip(new Uint8Array(LONGEST_FRAME), Uint8Array.of(1), LONGEST_FRAME)).toMatchObject({
      broken: expect.stringContaining("no frame"),
      pending: new Uint8Array(0),
    });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        for (const piece of pieces(bytes)) readFrame(piece);
      }),
    );
  });
});
