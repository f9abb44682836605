import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Codec,
  type Heard,
  newCodec,
  type Over,
  overOf,
  pack,
  read,
} from "../../../../drivers/magtek-dynaflex/codec.ts";
import { LONGEST_FRAME } from "../../../../drivers/magtek-dynaflex/frame.ts";
import { LONGEST_MESSAGE } from "../../../../drivers/magtek-dynaflex/message.ts";
import { concat } from "../../../../src/kit/bytes.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { vectors } from "./vectors.ts";

const OVERS: readonly Over[] = ["reports", "slip", "messages"];

interface Listened {
  readonly codec: Codec;
  readonly heard: readonly Heard[];
  readonly errors: readonly string[];
}

function listen(over: Over, ...chunks: readonly Uint8Array[]): Listened {
  return chunks.reduce<Listened>(
    ({ codec, heard, errors }, chunk) => {
      const next = read(codec, chunk);
      return {
        codec: next.codec,
        heard: [...heard, ...next.heard],
        errors: next.error === undefined ? errors : [...errors, next.error],
      };
    },
    { codec: newCodec(over, "device"), heard: [], errors: [] },
  );
}

const devices = vectors.messages.filter(({ is }) => is !== "request").map(({ hex }) => fromHex(hex));
const arqc = fromHex(vectors.synthetic.arqcNotification);
const ids = (heard: readonly Heard[]): readonly string[] =>
  heard.map((one) => (one.is === "notification" ? `${one.id} ${one.code}` : one.is));

describe("messages over every transport", () => {
  test("each transport has its own way", () => {
    expect((["usb", "serial", "websocket", "tcp"] as const).map(overOf)).toEqual([
      "reports",
      "slip",
      "messages",
      "messages",
    ]);
  });

  test.each(OVERS)("over %s all of what a device says is heard, in order", (over) => {
    const { heard, errors } = listen(over, ...[...devices, arqc].flatMap((message) => pack(over, "device", message)));
    expect(errors).toEqual([]);
    expect(heard).toHaveLength(devices.length + 1);
    expect(ids(heard).at(-1)).toBe("0101 10080202");
  });

  test("a serial stream may be split at every byte", () => {
    const stream = concat(...[...devices.slice(0, 3), arqc].flatMap((message) => pack("slip", "device", message)));
    for (let at = 0; at <= stream.length; at += 1) {
      const { heard, errors } = listen("slip", stream.subarray(0, at), stream.subarray(at));
      expect([heard.length, errors.length]).toEqual([4, 0]);
    }
    expect(listen("slip", ...[...stream].map((byte) => Uint8Array.of(byte))).heard).toHaveLength(4);
  });

  test("what goes on with something of before the link was opened is passed over", () => {
    const reports = pack("reports", "device", arqc);
    expect(ids(listen("reports", ...reports.slice(2), ...reports).heard)).toEqual(["0101 10080202"]);
    const [frame = new Uint8Array(0)] = pack("slip", "device", arqc);
    for (const at of [2, 5, 20, frame.length - 1]) {
      const { heard, errors } = listen("slip", concat(frame.subarray(at), frame));
      expect([ids(heard), errors]).toEqual([["0101 10080202"], []]);
    }
  });

  test("what does not belong breaks the stream once something whole was heard, and nothing more is read from it", () => {
    const first = devices[0] ?? new Uint8Array(0);
    const reports = pack("reports", "device", arqc);
    const lost = listen(
      "reports",
      ...pack("reports", "device", first),
      ...reports.slice(1),
      ...pack("reports", "device", first),
    );
    expect(lost.heard).toHaveLength(1);
    expect(new Set(lost.errors)).toEqual(new Set(["a report goes on with a message that was not begun"]));
    const noise = listen(
      "slip",
      concat(...pack("slip", "device", first), Uint8Array.of(1, 2, 3), ...pack("slip", "device", first)),
    );
    expect([noise.heard.length, noise.errors[0]]).toEqual([1, "a frame of 3 bytes"]);
    expect(read(noise.codec, concat(...pack("slip", "device", first)))).toMatchObject({
      heard: [],
      error: "a frame of 3 bytes",
    });
  });

  test.each(OVERS)("over %s a message that is none, or too long, breaks the stream", (over) => {
    expect(listen(over, ...pack(over, "device", Uint8Array.of(1, 2, 3))).errors).toEqual([
      "a message that does not begin with AA",
    ]);
    const whole = pack(over, "device", devices[0] ?? new Uint8Array(0));
    expect(listen(over, ...whole, ...pack(over, "device", new Uint8Array(LONGEST_MESSAGE + 1))).errors[0]).toContain(
      String(LONGEST_MESSAGE + 1),
    );
  });

  test("a serial frame from the wrong side is none, and one that says that ours was too long is heard", () => {
    expect(listen("slip", ...pack("slip", "host", devices[0] ?? new Uint8Array(0))).errors[0]).toContain("wrong side");
    expect(listen("slip", fromHex("C00300000800C0")).heard).toEqual([{ is: "too-long", most: 2048 }]);
  });

  test.each(OVERS)("whatever comes over %s, nothing is thrown and what is kept has a bound", (over) => {
    const noise = fc.uint8Array({ maxLength: 70 });
    const piece = fc.oneof(
      noise,
      fc
        .constantFrom(...devices.slice(0, 4), arqc)
        .chain((message) => fc.constantFrom(...pack(over, "device", message))),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (chunks) => {
        const { codec } = listen(over, ...chunks);
        expect(codec.pending.length).toBeLessThanOrEqual(LONGEST_FRAME);
        expect(codec.assembly?.soFar.length ?? 0).toBeLessThan(LONGEST_MESSAGE);
      }),
    );
  });
});
