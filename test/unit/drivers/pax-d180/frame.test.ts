import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cutLine,
  encodeFrame,
  type Frame,
  frameIn,
  LONGEST_DATA,
  LONGEST_FRAME,
} from "../../../../drivers/pax-d180/frame.ts";
import {
  answerFrame,
  answers,
  callBackAnswer,
  commandFrame,
  heardIn,
  isAnswerTo,
  nameOf,
  word,
  wordIn,
} from "../../../../drivers/pax-d180/message.ts";
import { concat } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import type { LineItem } from "../../../../src/terminal/acknowledged-line.ts";
import { vectors } from "./vectors.ts";

const NOTHING = new Uint8Array(0);
const bytewise = (bytes: Uint8Array): readonly Uint8Array[] => Array.from(bytes, (byte) => Uint8Array.of(byte));
const hexOf = ({ command, sub, data }: Frame) => ({ command, sub, data: toHex(data) });

function readAll(...chunks: readonly Uint8Array[]): {
  readonly items: readonly LineItem[];
  readonly frames: readonly Frame[];
  readonly pending: Uint8Array;
} {
  let pending: Uint8Array = NOTHING;
  const items: LineItem[] = [];
  for (const chunk of chunks) {
    const cut = cutLine(pending, chunk);
    pending = cut.pending;
    items.push(...cut.items);
  }
  return { items, pending, frames: items.flatMap((item) => (item.is === "frame" ? [frameIn(item.body)] : [])) };
}

const frame: fc.Arbitrary<Frame> = fc.record({
  command: fc.constantFrom(0x90, 0x91, 0x92, 0xb0),
  sub: fc.nat(255),
  data: fc.uint8Array({ maxLength: 400 }),
});

describe("published frames", () => {
  test.each(vectors.frames)("$name is one frame, whole or byte by byte ($source)", ({ hex, command, sub, data }) => {
    const bytes = fromHex(hex);
    for (const { frames, items, pending } of [readAll(bytes), readAll(...bytewise(bytes))]) {
      expect(frames.map(hexOf)).toEqual([{ command, sub, data }]);
      expect([items.length, pending.length]).toEqual([1, 0]);
    }
  });

  test.each(vectors.frames)("$name is made again from its parts", ({ hex, command, sub, data }) => {
    expect(toHex(encodeFrame({ command, sub, data: fromHex(data) }))).toBe(hex);
  });

  test.each(vectors.frames)("no prefix of $name is anything", ({ hex }) => {
    const bytes = fromHex(hex);
    for (let size = 0; size < bytes.length; size += 1) expect(readAll(bytes.subarray(0, size)).items).toEqual([]);
  });

  test.each([
    ["ping", "", "ping"],
    ["serial", "", "serial number"],
    ["start", "0000006400000000", "first cryptogram of 1.00"],
    ["get-object", "9F26", "object 9F26"],
    ["ksn", "01", "key serial number of group 1"],
    ["complete", "0000000000", "second cryptogram, approved, no script"],
  ] as const)("the command %s %s is the published one", (name, data, published) => {
    expect(toHex(commandFrame(name, fromHex(data)))).toBe(vectors.frames.find((one) => one.name === published)?.hex);
  });

  test("their answers are read: return code and what is behind it", () => {
    const heard = (name: string) => {
      const [one] = readAll(fromHex(vectors.frames.find((vector) => vector.name === name)?.hex ?? "")).items;
      return one?.is === "frame" ? heardIn(one.body) : undefined;
    };
    expect(heard("ping answered")).toEqual({ is: "answer", code: 0x9036, rc: 0, data: NOTHING });
    expect(heard("first cryptogram answered, ARQC")).toEqual({
      is: "answer",
      code: 0x90a3,
      rc: 0,
      data: Uint8Array.of(2),
    });
    expect(toHex(answerFrame({ command: 0x90, sub: 0x36 }, 0))).toBe(
      vectors.frames.find(({ name }) => name === "ping answered")?.hex,
    );
  });
});

describe("a stream", () => {
  test("is cut into its frames and acknowledgements, wherever the transport splits it", () => {
    const piece = fc.oneof(
      frame.map((one) => ({ bytes: encodeFrame(one), is: "frame" })),
      fc.constant({ bytes: Uint8Array.of(0x06), is: "ack" }),
      fc.constant({ bytes: Uint8Array.of(0x15), is: "nak" }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
        (all, sizes) => {
          const stream = concat(...all.map(({ bytes }) => bytes));
          const chunks: Uint8Array[] = [];
          for (let at = 0, turn = 0; at < stream.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            chunks.push(stream.subarray(at, at + size));
            at += size;
          }
          const { items, pending } = readAll(...chunks);
          expect(items.map(({ is }) => is)).toEqual(all.map(({ is }) => is));
          expect(pending.length).toBe(0);
        },
      ),
    );
  });

  test("begins at a start byte before one of its commands: any other one is noise, and no length follows it", () => {
    const { frames, items } = readAll(fromHex("02FFFFFFFF"), encodeFrame({ command: 0x90, sub: 1, data: NOTHING }));
    expect([frames.length, items.length]).toEqual([1, 1]);
  });

  test("gives its frames although there is noise before and between them", () => {
    const noise = fc
      .uint8Array({ maxLength: 40 })
      .map((bytes) => bytes.filter((byte) => ![0x02, 0x06, 0x15].includes(byte)));
    fc.assert(
      fc.property(fc.array(fc.tuple(noise, frame), { maxLength: 4 }), noise, (all, rest) => {
        const stream = concat(...all.flatMap(([before, one]) => [before, encodeFrame(one)]), rest);
        expect(readAll(...bytewise(stream)).frames.map(hexOf)).toEqual(all.map(([, one]) => hexOf(one)));
      }),
    );
  });

  test("never yields the frame that was sent once a bit of it was turned", () => {
    fc.assert(
      fc.property(frame, fc.nat(), (one, bit) => {
        const bytes = encodeFrame(one);
        const at = bit % (bytes.length * 8);
        const flipped = bytes.map((byte, index) => (index === at >> 3 ? byte ^ (1 << (at & 7)) : byte));
        expect(readAll(flipped).frames.map(hexOf)).not.toContainEqual(hexOf(one));
      }),
    );
  });

  test("a spoiled frame is noticed, and nothing inside or behind it is read", () => {
    const inner = encodeFrame({ command: 0x90, sub: 0xa4, data: Uint8Array.of(0, 0, 0, 0, 1) });
    const outer = encodeFrame({ command: 0x90, sub: 0x82, data: inner });
    const spoiled = outer.with(-1, (outer.at(-1) ?? 0) ^ 0x01);
    expect(readAll(concat(spoiled, inner))).toMatchObject({ items: [{ is: "bad" }], pending: NOTHING });
  });

  test("a length that no frame has spoils it, the longest is taken", () => {
    const longest = { command: 0x90, sub: 0x82, data: new Uint8Array(LONGEST_DATA) };
    expect(readAll(encodeFrame(longest)).frames).toHaveLength(1);
    expect(() => encodeFrame({ ...longest, data: new Uint8Array(LONGEST_DATA + 1) })).toThrow(RangeError);
    expect(readAll(fromHex("029082FFFF00")).items).toEqual([{ is: "bad" }]);
  });

  test("never throws and never keeps more than a frame, whatever arrives", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.uint8Array({ maxLength: 600 }),
            fc.constantFrom(...vectors.frames.map(({ hex }) => fromHex(hex))),
          ),
        ),
        (chunks) => {
          expect(readAll(...chunks).pending.length).toBeLessThan(LONGEST_FRAME);
        },
      ),
    );
  });
});

describe("messages", () => {
  test("a number of four bytes comes out as it went in", () => {
    fc.assert(
      fc.property(fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff }), (value) => wordIn(word(value)) === value),
    );
    expect(wordIn(Uint8Array.of(1, 2, 3))).toBeUndefined();
    expect(toHex(word(-0x110000))).toBe("FFEF0000");
  });

  test("what is too short for an answer is none, and any body is borne", () => {
    expect(heardIn(fromHex("90360002AABB"))).toEqual({ is: "odd" });
    fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (body) => typeof heardIn(body).is === "string"));
  });

  test("an answer is known by its command", () => {
    const heard = heardIn(fromHex("9036000400000000"));
    expect([answers("ping", heard), answers("serial", heard)]).toEqual([true, false]);
    expect([nameOf({ command: 0x90, sub: 0x36 }), nameOf({ command: 0x92, sub: 0x01 })]).toEqual(["ping", undefined]);
  });

  test("what shows that a frame of ours arrived is its answer, or a call-back", () => {
    const ping = commandFrame("ping");
    expect(
      [fromHex("90360004"), fromHex("B0B10001"), fromHex("90340004")].map((body) => isAnswerTo(ping, body)),
    ).toEqual([true, true, false]);
    expect(isAnswerTo(callBackAnswer(0xb1, 0), fromHex("90A30005"))).toBe(true);
  });
});
