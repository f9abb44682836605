import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CommandName,
  commandApdu,
  commandName,
  encodeApdu,
  parseApdu,
} from "../../../../drivers/verifone-p400/apdu.ts";
import { encodeMessage, encodePacket, LONGEST_MESSAGE, push } from "../../../../drivers/verifone-p400/frame.ts";
import { type Message, newDeframer } from "../../../../drivers/vipa/frame.ts";
import { concat } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { vectors } from "./vectors.ts";

const bytesOf = (frames: readonly Uint8Array[]): Uint8Array => concat(...frames);

/** Everything that comes of a stream, fed in pieces of the sizes given (and the rest at once). */
function read(
  stream: Uint8Array,
  sizes: readonly number[] = [],
): { readonly messages: readonly Message[]; readonly error: string | undefined } {
  let state = newDeframer;
  let error: string | undefined;
  const messages: Message[] = [];
  let at = 0;
  for (const size of [...sizes, stream.length]) {
    const pushed = push(state, stream.subarray(at, at + size));
    state = pushed.state;
    error ??= pushed.error;
    messages.push(...pushed.messages);
    at += size;
  }
  return { messages, error };
}

const plain = (body: string, unsolicited = false): Message => ({
  nad: 1,
  unsolicited,
  encrypted: false,
  body: fromHex(body),
});

describe("frames of real devices", () => {
  test.each([...vectors.recorded, ...vectors.built.filter(({ hex }) => hex.slice(2, 4) !== "01")])(
    "$hex",
    ({ hex }) => {
      const { messages, error } = read(fromHex(hex));
      expect(error).toBeUndefined();
      expect(messages).toEqual([plain(hex.slice(6, -2), hex.slice(2, 4) === "40")]);
      const [message] = messages;
      expect(message && encodeMessage(message).map(toHex)).toEqual([hex]);
    },
  );

  test.each(vectors.chains)(
    "the chain of $name, put together and cut again, at every byte border",
    ({ packets, body }) => {
      const stream = fromHex(packets.join(""));
      expect(encodeMessage(plain(body)).map(toHex)).toEqual(packets);
      for (let at = 0; at <= stream.length; at += 1) expect(read(stream, [at]).messages).toEqual([plain(body)]);
      expect(read(stream, Array(stream.length).fill(1)).messages).toEqual([plain(body)]);
    },
  );

  test.each(vectors.refused)("$hex is broken: $why", ({ hex, why }) => {
    expect(read(fromHex(hex))).toEqual({ messages: [], error: why });
  });
});

describe("what belongs to nobody here", () => {
  test.each([0x02, 0x11])("a packet of NAD %i is dropped, and does not break the stream", (nad) => {
    const other = encodePacket({
      nad,
      chained: false,
      encrypted: false,
      unsolicited: true,
      piece: fromHex("E1029000"),
    });
    const stream = concat(other, ...encodeMessage(plain("9000")), other);
    for (let at = 0; at <= stream.length; at += 1)
      expect(read(stream, [at])).toEqual({ messages: [plain("9000")], error: undefined });
  });

  test("its packet inside a chain leaves the chain alone", () => {
    const [first = new Uint8Array(), ...rest] = encodeMessage(plain("AB".repeat(300)));
    const other = encodePacket({
      nad: 0x11,
      chained: true,
      encrypted: false,
      unsolicited: false,
      piece: fromHex("CAFE"),
    });
    expect(read(concat(first, other, ...rest)).messages).toEqual([plain("AB".repeat(300))]);
  });

  test("an encrypted message is told as one", () => {
    const packet = encodePacket({
      nad: 1,
      chained: false,
      encrypted: true,
      unsolicited: false,
      piece: fromHex("0102030405060708"),
    });
    expect(read(packet).messages).toEqual([
      { nad: 1, unsolicited: false, encrypted: true, body: fromHex("0102030405060708") },
    ]);
  });
});

test("a chain of which only a part is encrypted breaks the stream", () => {
  const part = (chained: boolean, encrypted: boolean): Uint8Array =>
    encodePacket({ nad: 1, chained, encrypted, unsolicited: false, piece: fromHex("0102030405060708") });
  expect(read(bytesOf([part(true, true), part(false, false)])).error).toContain("another encryption flag");
  expect(read(bytesOf([part(true, true), part(false, true)])).error).toBeUndefined();
});

describe("laws", () => {
  const body = fc.uint8Array({ minLength: 1, maxLength: 2000 });
  const message = fc.record({ nad: fc.constant(1), unsolicited: fc.boolean(), encrypted: fc.constant(false), body });

  test("what is sent is what arrives, however the line cuts it", () => {
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 5 }),
        fc.array(fc.nat({ max: 300 }), { maxLength: 40 }),
        (messages, sizes) => {
          const stream = bytesOf(messages.flatMap(encodeMessage));
          expect(read(stream, sizes)).toEqual({ messages, error: undefined });
        },
      ),
      { numRuns: 100 },
    );
  });

  test("only the last packet says that none follows, also where it is full to the brim", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.nat({ max: 1200 }),
          fc.integer({ min: 1, max: 5 }).map((count) => count * 254),
        ),
        (size) => {
          const packets = encodeMessage({ unsolicited: false, body: new Uint8Array(Math.max(1, size)).fill(7) });
          expect(packets.map((packet) => packet[1])).toEqual([...Array(packets.length - 1).fill(1), 0]);
          for (const packet of packets) expect(packet.reduce((sum, byte) => sum ^ byte, 0)).toBe(0);
        },
      ),
    );
  });

  test("chains of a solicited and an unsolicited message may be interleaved", () => {
    const answer = encodeMessage(plain("AA".repeat(600)));
    const event = encodeMessage(plain("BB".repeat(300), true));
    const mixed = [answer[0], event[0], answer[1], event[1], answer[2]].flatMap((packet) => packet ?? []);
    expect(read(bytesOf(mixed)).messages).toEqual([plain("BB".repeat(300), true), plain("AA".repeat(600))]);
  });

  test("any bytes either become messages or break the stream, never throw, and never pile up", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 20 }), (chunks) => {
        let state = newDeframer;
        for (const chunk of chunks) {
          state = push(state, chunk).state;
          expect(state.pending.length).toBeLessThan(258);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("a chain that never ends is broken off", () => {
    const packet = encodePacket({
      nad: 1,
      chained: true,
      encrypted: false,
      unsolicited: false,
      piece: new Uint8Array(254),
    });
    let state = newDeframer;
    let error: string | undefined;
    for (let count = 0; error === undefined; count += 1) {
      ({ state, error = undefined } = { error: undefined, ...push(state, packet) });
      expect(count * 254).toBeLessThanOrEqual(LONGEST_MESSAGE);
    }
    expect(error).toBe(`a chain of more than ${LONGEST_MESSAGE} bytes`);
    expect(push(state, fromHex("010002900093"))).toMatchObject({ messages: [], error });
  });

  test("one bit wrong in any place is noticed, or makes another frame that is whole", () => {
    const frame = fromHex("010002900093");
    for (let bit = 0; bit < frame.length * 8; bit += 1) {
      const wrong = frame.slice();
      wrong[bit >> 3] = (wrong[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(read(wrong).messages).toEqual([]);
    }
  });
});

/** PROTOCOL.md 3.3, byte for byte. */
const HEADERS: Readonly<Record<CommandName, string>> = {
  reset: "D00000C1",
  configuration: "D0010000",
  "card-status": "D0600100",
  abort: "D0FF0000",
  display: "D2010001",
  "manual-pan": "D2140301",
  clock: "DD100100",
  "start-transaction": "DED10000",
  "continue-transaction": "DED20000",
  "online-pin": "DED60000",
  "contactless-status": "C0000000",
  "open-reader": "C0010000",
  "start-contactless": "C0A00100",
  "continue-contactless": "C0A10000",
  "cancel-contactless": "C0C00000",
  "key-status": "C4110000",
};

describe("commands", () => {
  test("begin as PROTOCOL.md has them, and are known by that", () => {
    const names = vectors.built.flatMap(
      ({ hex }) => commandName(parseApdu(fromHex(hex.slice(6, -2))) ?? { cla: 0, ins: 0 }) ?? [],
    );
    expect(new Set(names).size).toBeGreaterThan(10);
    for (const name of names) expect(toHex(encodeApdu(commandApdu(name)))).toBe(HEADERS[name]);
    expect(toHex(encodeApdu(commandApdu("manual-pan")))).toBe(HEADERS["manual-pan"]);
    expect(toHex(encodeApdu(commandApdu("key-status", { p1: 5, p2: 1 })))).toBe("C4110501");
    expect(toHex(encodeApdu(commandApdu("continue-contactless")))).toBe(HEADERS["continue-contactless"]);
    expect(toHex(encodeApdu(commandApdu("cancel-contactless")))).toBe(HEADERS["cancel-contactless"]);
    expect(commandName({ cla: 0xd0, ins: 0x24 })).toBeUndefined();
  });

  test("are what they were, whatever their data", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), fc.uint8Array({ maxLength: 1500 }), (head, data) => {
        const [cla = 0, ins = 0, p1 = 0, p2 = 0] = head;
        expect(parseApdu(encodeApdu({ cla, ins, p1, p2, data }))).toEqual({ cla, ins, p1, p2, data });
      }),
    );
  });

  test("with more data than one byte can count say FF", () => {
    expect(toHex(encodeApdu({ cla: 0xde, ins: 0xd2, p1: 0, p2: 0, data: new Uint8Array(256) })).slice(0, 10)).toBe(
      "DED20000FF",
    );
  });

  test.each(["", "D0FF00", "D0FF000005", "D0FF00000201", "D0FF0000020102FF", "D0FF000000"])("%s is none", (hex) => {
    expect(parseApdu(fromHex(hex))).toBeUndefined();
  });

  test.each(vectors.built.filter(({ hex }) => /^0100..(D0|D2|DD|DE|C0)/.test(hex)))("$meaning: $hex", ({ hex }) => {
    const apdu = parseApdu(fromHex(hex.slice(6, -2)));
    expect(apdu && encodeMessage({ unsolicited: false, body: encodeApdu(apdu) }).map(toHex)).toEqual([hex]);
  });
});
