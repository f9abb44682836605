import fc from "fast-check";
import { expect, test } from "vitest";
import { cutFrames, encodeFrame, LONGEST_BODY } from "./frame.ts";

const NOTHING = new Uint8Array(0);
const body = fc.uint8Array({ maxLength: 300 });

/** Feeds a stream in pieces and collects every body. */
function fed(pieces: readonly Uint8Array[]): {
  readonly bodies: readonly Uint8Array[];
  readonly broken: string | undefined;
} {
  let pending: Uint8Array = NOTHING;
  const bodies: Uint8Array[] = [];
  for (const piece of pieces) {
    const cut = cutFrames(pending, piece);
    if (cut.broken !== undefined) return { bodies, broken: cut.broken };
    pending = cut.pending;
    bodies.push(...cut.frames);
  }
  return { bodies, broken: undefined };
}

test("frames come out as they went in, wherever the stream was split", () => {
  fc.assert(
    fc.property(fc.array(body, { maxLength: 5 }), fc.array(fc.nat(400)), (bodies, cuts) => {
      const stream = Uint8Array.from(bodies.flatMap((one) => [...encodeFrame(one)]));
      const borders = [
        0,
        ...[...new Set(cuts.filter((cut) => cut < stream.length))].sort((a, b) => a - b),
        stream.length,
      ];
      const pieces = borders.slice(1).map((end, at) => stream.subarray(borders[at], end));
      expect(fed(pieces)).toEqual({ bodies, broken: undefined });
    }),
  );
});

test("any bytes are taken without an exception, and no more is kept than a frame", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), (pieces) => {
      let pending: Uint8Array = NOTHING;
      for (const piece of pieces) pending = cutFrames(pending, piece).pending;
      expect(pending.length).toBeLessThanOrEqual(LONGEST_BODY + 4);
    }),
  );
});

test("I1: a stream that is framed otherwise is given up", () => {
  expect(fed([Uint8Array.of(0x05)]).broken).toBeDefined();
});

test("a changed byte is noticed", () => {
  fc.assert(
    fc.property(body, fc.nat(), fc.integer({ min: 1, max: 255 }), (one, at, flip) => {
      const frame = encodeFrame(one);
      const place = at % frame.length;
      const { bodies } = fed([frame.with(place, (frame[place] ?? 0) ^ flip)]);
      expect(bodies).not.toContainEqual(one);
    }),
  );
});
