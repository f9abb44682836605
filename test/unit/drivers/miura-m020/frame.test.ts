import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeMessage, encodePacket, LONGEST_MESSAGE, push } from "../../../../drivers/miura-m020/frame.ts";
import { type Message, newDeframer, type Pushed } from "../../../../drivers/vipa/frame.ts";
import { concat } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { vectors } from "./vectors.ts";

/** Pushes chunk after chunk and collects what came of it. */
function read(...chunks: readonly Uint8Array[]): { messages: readonly Message[]; last: Pushed } {
  let last: Pushed = { state: newDeframer, messages: [] };
  const messages: Message[] = [];
  for (const chunk of chunks) {
    last = push(last.state, chunk);
    messages.push(...last.messages);
  }
  return { messages, last };
}

const hexOf = ({ nad, unsolicited, body }: Omit<Message, "encrypted">): object => ({
  nad,
  unsolicited,
  body: toHex(body),
});
const bytewise = (bytes: Uint8Array): readonly Uint8Array[] => [...bytes].map((byte) => Uint8Array.of(byte));

describe("published packets", () => {
  test.each(vectors.packets)("$hex ($meaning) is encoded from its fields", ({ hex, apdu, ...packet }) => {
    expect(toHex(encodePacket({ ...packet, piece: fromHex(apdu) }))).toBe(hex);
  });

  test.each(vectors.packets.filter(({ chained }) => !chained))(
    "$hex ($meaning) is read as one message",
    ({ hex, nad, unsolicited, apdu }) => {
      const { messages, last } = read(fromHex(hex));
      expect(messages.map(hexOf)).toEqual([{ nad, unsolicited, body: apdu }]);
      expect(last.error).toBeUndefined();
    },
  );

  test.each(vectors.packets.filter(({ chained }) => chained))(
    "$hex ($meaning) opens a chain and is no message yet",
    ({ hex }) => {
      const { messages, last } = read(fromHex(hex));
      expect(messages).toEqual([]);
      expect(last.error).toBeUndefined();
    },
  );

  test.each(vectors.refused)("$hex breaks the stream for its $why", ({ hex, why }) => {
    const { last } = read(fromHex(hex));
    expect(last.error).toContain(why);
  });

  test.each(vectors.packets)("no prefix of $hex is a message or an error", ({ hex }) => {
    const bytes = fromHex(hex);
    for (let size = 0; size < bytes.length; size += 1) {
      const { messages, last } = read(bytes.subarray(0, size));
      expect(messages).toEqual([]);
      expect(last.error).toBeUndefined();
    }
  });
});

describe("reassembly", () => {
  test.each(vectors.reassembly)("$name is put together, wherever the stream is split", ({ packets, body }) => {
    const stream = fromHex(packets.join(""));
    const whole = [{ nad: 1, unsolicited: false, body }];
    expect(read(...bytewise(stream)).messages.map(hexOf)).toEqual(whole);
    for (let at = 0; at <= stream.length; at += 1) {
      expect(read(stream.subarray(0, at), stream.subarray(at)).messages.map(hexOf)).toEqual(whole);
    }
  });

  test.each(vectors.reassembly.slice(0, 2))("$name is cut as the device cuts it", ({ packets, body }) => {
    expect(encodeMessage({ nad: 1, unsolicited: false, body: fromHex(body) }).map(toHex)).toEqual(packets);
  });

  test("chains of PIN pad and hub may be interleaved", () => {
    const pad = encodeMessage({ nad: 1, unsolicited: false, body: new Uint8Array(300).fill(0xaa) });
    const hub = encodeMessage({ nad: 2, unsolicited: true, body: new Uint8Array(300).fill(0xbb) });
    const mixed = [pad[0], hub[0], pad[1], hub[1]].flatMap((packet) => packet ?? []);
    const { messages, last } = read(...mixed);
    expect(messages.map(({ nad, body }) => [nad, body.length])).toEqual([
      [1, 300],
      [2, 300],
    ]);
    expect(last.error).toBeUndefined();
  });

  test("an event inside a chain of the same target breaks the stream", () => {
    const [first = new Uint8Array(0)] = encodeMessage({ nad: 1, unsolicited: false, body: new Uint8Array(300) });
    const { messages, last } = read(first, fromHex("014008E10448020000900076"));
    expect(messages).toEqual([]);
    expect(last.error).toContain("unsolicited");
  });

  test("messages before the broken place still count, and nothing after it does", () => {
    const { messages, last } = read(fromHex("010002900093FF"), fromHex("010002900093"));
    expect(messages).toHaveLength(1);
    expect(last.error).toBe("NAD FF is neither 01 nor 02");
  });

  test("a chain longer than the limit breaks the stream, one as long as it does not", () => {
    const fitting = encodeMessage({ nad: 1, unsolicited: false, body: new Uint8Array(LONGEST_MESSAGE) });
    expect(read(...fitting).messages.map(({ body }) => body.length)).toEqual([LONGEST_MESSAGE]);
    const tooLong = encodeMessage({ nad: 1, unsolicited: false, body: new Uint8Array(LONGEST_MESSAGE + 1) });
    expect(read(...tooLong).last.error).toContain(String(LONGEST_MESSAGE));
  });

  test("a rest of one byte takes another one with it, because no packet holds one byte alone", () => {
    expect(encodeMessage({ nad: 1, unsolicited: false, body: new Uint8Array(255) }).map((packet) => packet[2])).toEqual(
      [253, 2],
    );
    expect(encodeMessage({ nad: 1, unsolicited: false, body: new Uint8Array(509) }).map((packet) => packet[2])).toEqual(
      [254, 253, 2],
    );
  });

  test("a packet of fewer than 2 or more than 254 bytes is a bug of the caller", () => {
    const packet = { nad: 1, chained: false, unsolicited: false } as const;
    expect(() => encodePacket({ ...packet, piece: new Uint8Array(1) })).toThrow(RangeError);
    expect(() => encodePacket({ ...packet, piece: new Uint8Array(255) })).toThrow(RangeError);
  });
});

describe("properties", () => {
  const message = fc.record({
    nad: fc.constantFrom(1 as const, 2 as const),
    unsolicited: fc.boolean(),
    body: fc.uint8Array({ minLength: 2, maxLength: 1200 }),
  });

  test("whatever is encoded is read back, whatever the chunks", () => {
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1 }),
        (sent, sizes) => {
          const stream = concat(...sent.flatMap(encodeMessage));
          const chunks: Uint8Array[] = [];
          for (let at = 0, turn = 0; at < stream.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            chunks.push(stream.subarray(at, at + size));
            at += size;
          }
          expect(read(...chunks).messages.map(hexOf)).toEqual(sent.map(hexOf));
        },
      ),
    );
  });

  test("no bytes make it throw or keep more than one frame and one chain a target", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 600 })), (chunks) => {
        const { state } = read(...chunks).last;
        expect(state.pending.length).toBeLessThan(258);
        for (const chain of Object.values(state.chains)) expect(chain.length).toBeLessThanOrEqual(LONGEST_MESSAGE);
      }),
    );
  });

  test("a flipped bit never yields the message that was sent", () => {
    fc.assert(
      fc.property(message, fc.nat(), (sent, bit) => {
        const stream = concat(...encodeMessage(sent));
        const at = bit % (stream.length * 8);
        const flipped = stream.map((byte, index) => (index === at >> 3 ? byte ^ (1 << (at & 7)) : byte));
        expect(read(flipped).messages.map(hexOf)).not.toContainEqual(hexOf(sent));
      }),
    );
  });
});
