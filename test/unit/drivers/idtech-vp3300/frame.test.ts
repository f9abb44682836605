import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newCodec, read } from "../../../../drivers/idtech-vp3300/codec.ts";
import { encodeAnswer, encodeCommand, type Frame, LONGEST_DATA } from "../../../../drivers/idtech-vp3300/frame.ts";
import { frameOf } from "../../../../drivers/idtech-vp3300/message.ts";
import { concat } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { vectors } from "./vectors.ts";

const bytewise = (bytes: Uint8Array): readonly Uint8Array[] => Array.from(bytes, (byte) => Uint8Array.of(byte));
const hexOf = ({ command, code, data }: Frame) => ({ command, code, data: toHex(data) });

/** Everything that came of these chunks, and the error that ended them. */
function readAll(...chunks: readonly Uint8Array[]) {
  let codec = newCodec("serial");
  const frames: Frame[] = [];
  let error: string | undefined;
  for (const chunk of chunks) {
    const next = read(codec, chunk);
    codec = next.codec;
    frames.push(...next.heard);
    error = next.error;
  }
  return { frames, error, codec };
}

const frame = fc.record({ command: fc.nat(255), code: fc.nat(255), data: fc.uint8Array({ maxLength: 400 }) });
const sent = fc
  .tuple(frame, fc.boolean())
  .map(([one, asAnswer]) => ({ one, bytes: asAnswer ? encodeAnswer(one) : encodeCommand(one) }));

describe("recorded frames", () => {
  test.each(vectors.frames)("$name is one frame, whole or byte by byte ($source)", ({ hex }) => {
    const bytes = fromHex(hex);
    const [command, code] = bytes.subarray(10);
    for (const { frames, error } of [readAll(bytes), readAll(...bytewise(bytes))]) {
      expect(frames.map(hexOf)).toEqual([{ command, code, data: hex.slice(28, -4) }]);
      expect(error).toBeUndefined();
    }
  });

  test.each(vectors.frames)("$name is made again from its parts, in one of the two orders of the CRC", ({ hex }) => {
    const [one] = readAll(fromHex(hex)).frames;
    if (one === undefined) throw new Error("no frame");
    expect([toHex(encodeCommand(one)), toHex(encodeAnswer(one))]).toContain(hex);
  });

  test.each([
    ["ping", "ping_cmd"],
    ["serial", "sn_cmd"],
    ["firmware", "fw_cmd"],
    ["cancel", "cancel_cmd"],
  ] as const)("the command %s is what was recorded", (name, recorded) => {
    expect(toHex(frameOf(name))).toBe(vectors.frames.find((one) => one.name === recorded)?.hex);
  });

  test("poll on demand is what was recorded", () => {
    expect(toHex(frameOf("poll-on-demand", Uint8Array.of(0x01)))).toBe(
      vectors.frames.find((one) => one.name === "pollOnDemand_cmd")?.hex,
    );
  });

  test.each(vectors.frames)("no prefix of $name is a frame or an error", ({ hex }) => {
    const bytes = fromHex(hex);
    for (let size = 0; size < bytes.length; size += 1)
      expect(readAll(bytes.subarray(0, size))).toMatchObject({ frames: [], error: undefined });
  });
});

describe("a stream", () => {
  test("is cut into its frames, wherever the transport splits it", () => {
    fc.assert(
      fc.property(
        fc.array(sent, { maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
        (all, sizes) => {
          const stream = concat(...all.map(({ bytes }) => bytes));
          const chunks: Uint8Array[] = [];
          for (let at = 0, turn = 0; at < stream.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            chunks.push(stream.subarray(at, at + size));
            at += size;
          }
          expect(readAll(...chunks).frames.map(hexOf)).toEqual(all.map(({ one }) => hexOf(one)));
        },
      ),
    );
  });

  test("gives its frames although there is noise before and between them", () => {
    const noise = fc.uint8Array({ maxLength: 40 }).map((bytes) => bytes.filter((byte) => byte !== 0x56));
    fc.assert(
      fc.property(fc.array(fc.tuple(noise, sent), { maxLength: 4 }), noise, (all, rest) => {
        const stream = concat(...all.flatMap(([before, { bytes }]) => [before, bytes]), rest);
        const { frames, error } = readAll(...bytewise(stream));
        expect(frames.map(hexOf)).toEqual(all.map(([, { one }]) => hexOf(one)));
        expect(error).toBeUndefined();
      }),
    );
  });

  test("never yields the frame that was sent once a bit of it was turned", () => {
    fc.assert(
      fc.property(sent, fc.nat(), ({ one, bytes }, bit) => {
        const at = bit % (bytes.length * 8);
        const flipped = bytes.map((byte, index) => (index === at >> 3 ? byte ^ (1 << (at & 7)) : byte));
        expect(readAll(flipped).frames.map(hexOf)).not.toContainEqual(hexOf(one));
      }),
    );
  });

  test("is broken by a wrong checksum, and nothing inside or behind the spoiled frame is read", () => {
    const inner = encodeAnswer({ command: 0x60, code: 0, data: new Uint8Array(0) });
    const outer = encodeAnswer({ command: 0x60, code: 0, data: inner });
    const spoiled = outer.with(-1, (outer.at(-1) ?? 0) ^ 0x01);
    const { frames, error, codec } = readAll(spoiled, inner);
    expect(frames).toEqual([]);
    expect(error).toBe("CRC is wrong");
    expect(read(codec, inner).heard).toEqual([]);
  });

  test("is broken by a length that no frame has, one of the longest is taken", () => {
    const longest = { command: 0x60, code: 0, data: new Uint8Array(LONGEST_DATA) };
    expect(readAll(encodeAnswer(longest)).frames).toHaveLength(1);
    expect(() => encodeAnswer({ ...longest, data: new Uint8Array(LONGEST_DATA + 1) })).toThrow(RangeError);
    expect(readAll(fromHex("5669564F7465636832006000FFFF")).error).toBe("data of 65535 bytes");
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
          expect(readAll(...chunks).codec.pending.length).toBeLessThan(LONGEST_DATA + 17);
        },
      ),
    );
  });
});
