import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ACK,
  bodyOf,
  cutFrames,
  encodeFrame,
  LONGEST_BODY,
  LONGEST_PENDING,
  NAK,
} from "../../../../drivers/ingenico-ipp350/frame.ts";
import { ascii, concat, fromAscii } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { vectors } from "./vectors.ts";

/** What came of the chunks, in order: bodies as text, and the single bytes by name. */
function read(
  chunks: readonly Uint8Array[],
  fromStx = false,
): { readonly items: readonly string[]; readonly pending: Uint8Array } {
  let pending: Uint8Array = new Uint8Array(0);
  const items: string[] = [];
  for (const chunk of chunks) {
    const cut = cutFrames(fromStx)(pending, chunk);
    pending = cut.pending;
    items.push(...cut.items.map((item) => (item.is === "frame" ? ascii(item.body) : `<${item.is}>`)));
    expect(pending.length).toBeLessThanOrEqual(LONGEST_PENDING);
  }
  return { items, pending };
}

const body = fc.string({
  unit: fc.constantFrom(..."0123456789.ABCabc\u001c\u001d\u001f\u001b\u0006\u0015\u00ff"),
  maxLength: 60,
});
const stream = (bodies: readonly string[]): Uint8Array => concat(...bodies.map(encodeFrame));

describe("published frames", () => {
  test.each(vectors.frames)("$hex is made of its body", ({ hex, body: text }) => {
    expect(toHex(encodeFrame(text))).toBe(hex);
    expect(ascii(bodyOf(fromHex(hex)))).toBe(text);
  });

  test.each(vectors.frames)("$hex is read wherever it is cut", ({ hex, body: text }) => {
    const bytes = fromHex(hex);
    for (let at = 0; at <= bytes.length; at += 1)
      expect(read([bytes.subarray(0, at), bytes.subarray(at)]).items).toEqual([text]);
  });

  test.each(vectors.frames)("no prefix of $hex is a frame", ({ hex }) => {
    const bytes = fromHex(hex);
    for (let size = 0; size < bytes.length; size += 1) expect(read([bytes.subarray(0, size)]).items).toEqual([]);
  });
});

describe("a stream", () => {
  test("gives back what went in, byte by byte and in one piece", () => {
    fc.assert(
      fc.property(fc.array(body, { maxLength: 5 }), (bodies) => {
        const bytes = stream(bodies);
        expect(read([bytes])).toEqual({ items: bodies, pending: new Uint8Array(0) });
        expect(read([...bytes].map((byte) => Uint8Array.of(byte))).items).toEqual(bodies);
      }),
    );
  });

  test("acknowledgements stand between frames, and belong to the body inside", () => {
    const bytes = concat(
      Uint8Array.of(ACK),
      encodeFrame("00.\u0006\u0015"),
      Uint8Array.of(NAK, ACK),
      encodeFrame("13.0"),
    );
    expect(read([bytes]).items).toEqual(["<ack>", "00.\u0006\u0015", "<nak>", "<ack>", "13.0"]);
  });

  test("noise is passed over", () => {
    expect(read([concat(fromHex("00FF0405"), encodeFrame("13.0"), fromHex("7F"), encodeFrame("07."))]).items).toEqual([
      "13.0",
      "07.",
    ]);
  });

  test("a spoiled frame is told, and the one behind it is read", () => {
    const spoiled = encodeFrame("13.0").with(-1, 0x55);
    expect(read([concat(spoiled, encodeFrame("07."))]).items).toEqual(["<bad>", "07."]);
  });

  test("a changed byte is never taken for another body", () => {
    fc.assert(
      fc.property(body, fc.nat(), fc.integer({ min: 1, max: 255 }), (text, where, flip) => {
        const bytes = encodeFrame(text);
        const at = where % bytes.length;
        const items = read([bytes.with(at, (bytes[at] ?? 0) ^ flip)]).items.filter((item) => !item.startsWith("<"));
        // What is left of it may be a shorter frame only where a separator of frames was made inside: then the sum
        // still has to agree.
        for (const item of items) expect(item).not.toBe(text);
      }),
    );
  });

  test("a frame that begins inside another one is the one that counts", () => {
    expect(read([concat(encodeFrame("33.02").subarray(0, 4), encodeFrame("07."))]).items).toEqual(["07."]);
  });

  test("a sum that begins with STX counts where that is allowed, and nowhere else", () => {
    const other = encodeFrame("13.0");
    const bytes = other.with(-1, (other.at(-1) ?? 0) ^ 0x02);
    expect(read([bytes], true).items).toEqual(["13.0"]);
    expect(read([bytes], false).items).toEqual(["<bad>"]);
  });

  test("bears any bytes, and never keeps more than one frame has", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 10 }), (chunks) => void read(chunks)),
    );
    const endless = concat(Uint8Array.of(0x02), new Uint8Array(LONGEST_BODY + 1).fill(0x41));
    expect(read([endless, endless, encodeFrame("07.")]).items).toEqual(["<bad>", "<bad>", "07."]);
    expect(read([endless, endless]).pending).toHaveLength(0);
  });

  test("the longest body still is one", () => {
    const text = "A".repeat(LONGEST_BODY);
    expect(read([encodeFrame(text)]).items).toEqual([text]);
  });
});

test.each(["\u0002", "\u0003", "A".repeat(LONGEST_BODY + 1)])(
  "a body that no frame holds is a mistake of the caller",
  (text) => {
    expect(() => encodeFrame(text)).toThrow(RangeError);
    expect(fromAscii(text).length).toBeGreaterThan(0);
  },
);
