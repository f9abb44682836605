import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  newCodec,
  type Over,
  pack,
  packNotification,
  type Read,
  read,
} from "../../../../drivers/magtek-edynamo/codec.ts";
import {
  encodeFrame,
  LONGEST_FRAME,
  LONGEST_MESSAGE,
  readFrame,
  types,
  withoutRuns,
  withRuns,
} from "../../../../drivers/magtek-edynamo/frame.ts";
import { type Heard, packetIn, parseAnswer, parseCommand } from "../../../../drivers/magtek-edynamo/message.ts";
import { gather, REPORT_BYTES } from "../../../../drivers/magtek-edynamo/reports.ts";
import { ascii, concat } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { vectors } from "./vectors.ts";

const OVERS: readonly Over[] = ["reports", "frames"];

/** Everything that is heard of a stream in these chunks. */
function heardOf(
  over: Over,
  chunks: readonly Uint8Array[],
  speaker: "device" | "host" = "device",
): Pick<Read, "heard" | "error"> {
  let codec = newCodec(over, speaker);
  const all: Heard[] = [];
  for (const chunk of chunks) {
    const { codec: next, heard, error } = read(codec, chunk);
    codec = next;
    all.push(...heard);
    if (error !== undefined) return { heard: all, error };
  }
  return { heard: all };
}

describe("the maker's own bytes", () => {
  test.each(vectors.commands)("$meaning ($source) is read as it is meant", ({ code, id, data, hex }) => {
    const command = parseCommand(fromHex(hex));
    if (typeof command === "string" || command.is !== "command") throw new Error("no command");
    expect(command.code).toBe(Number.parseInt(code, 16));
    if (id === undefined) expect(toHex(command.data)).toBe(data);
    else expect(packetIn(command.data)).toEqual({ offset: 0, id, total: data.length / 2, part: fromHex(data) });
  });

  test.each(vectors.answers)(
    "the answer $meaning ($source) is read as it is meant, over either line",
    ({ result, data, hex }) => {
      const answer = {
        is: "answer",
        code: result === undefined ? 0 : 0x0a,
        ...(result !== undefined && { result }),
        data: fromHex(data),
      };
      expect(parseAnswer(fromHex(hex))).toEqual(answer);
      for (const over of OVERS) expect(heardOf(over, [pack(over, "device", fromHex(hex))]).heard).toEqual([answer]);
    },
  );

  test.each([
    ["without its head", "0A020000", "without its head"],
    ["that goes on with another", "0A07000100000001AA", "several packets"],
    ["of which more follows", "0A07000000000002AA", "several packets"],
  ])("an extended answer %s is none", (_what, hex, why) => {
    expect(parseAnswer(fromHex(hex))).toContain(why);
  });

  test.each([
    ["shorter than it says", ["000403E803030004AA"], "claims 4"],
    ["of another notification", ["00010000030300 02AA", "00010001030400 02AA"], "where the last one ended"],
    ["of another length", ["00010000030300 02AA", "00010001030300 03AA"], "where the last one ended"],
    ["behind a gap", ["00010000030300 03AA", "00010002030300 03AA"], "where the last one ended"],
    ["longer than the whole", ["00010000030300 02AA", "00020001030300 02AAAA"], "more packets"],
  ])("a packet of a notification %s breaks the line", (_what, packets, why) => {
    const frames = packets.map((hex) =>
      encodeFrame({ type: types.notification, message: fromHex(hex.replace(" ", "")) }),
    );
    expect(heardOf("frames", frames).error).toContain(why);
  });

  test("a packet that is not the last one is pending", () => {
    expect(parseAnswer(fromHex(vectors.acquirerResponse.answer))).toEqual({ is: "pending" });
  });

  test.each(vectors.runs)("runs of $plain ($source)", ({ plain, runs }) => {
    const bytes = /^[0-9A-F]+$/.test(plain) ? fromHex(plain) : new Uint8Array(260);
    expect(toHex(withRuns(bytes))).toBe(runs);
    expect(withoutRuns(fromHex(runs))).toEqual(bytes);
  });

  test.each(vectors.texts)("a text that is to be shown ($source)", ({ hex, text }) => {
    expect(ascii(fromHex(hex))).toBe(text);
  });
});

describe.each(OVERS)("over %s", (over) => {
  const id = fc.constantFrom("0300", "0301", "0303", "0304");
  const told = fc.array(fc.tuple(id, fc.uint8Array({ maxLength: 700 })), { maxLength: 4 });

  test("notifications come out as they went in, however long", () => {
    fc.assert(
      fc.property(told, (all) => {
        const chunks = all.flatMap(([number, data]) => packNotification(over, number, data));
        expect(heardOf(over, chunks)).toEqual({
          heard: all.map(([number, data]) => ({ is: "notification", id: number, data })),
        });
      }),
    );
  });

  test("nothing is thrown and what is kept is bounded, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 80 }), { maxLength: 30 }), (chunks) => {
        let codec = newCodec(over, "device");
        for (const chunk of chunks) codec = read(codec, chunk).codec;
        expect(codec.pending.length).toBeLessThanOrEqual(LONGEST_FRAME);
        expect(codec.assembly?.soFar.length ?? 0).toBeLessThanOrEqual(LONGEST_MESSAGE);
        expect(codec.gathering.begun?.length ?? 0).toBeLessThanOrEqual(LONGEST_MESSAGE);
      }),
    );
  });
});

describe("on a serial line", () => {
  test("frames come out as they went in, wherever the stream was split", () => {
    const message = fc.uint8Array({ maxLength: 90 });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 4 }), fc.array(fc.nat(400)), (messages, cuts) => {
        const stream = concat(...messages.flatMap((data) => packNotification("frames", "0301", data)));
        const borders = [
          0,
          ...[...new Set(cuts.filter((cut) => cut < stream.length))].sort((a, b) => a - b),
          stream.length,
        ];
        const pieces = borders.slice(1).map((end, at) => stream.subarray(borders[at], end));
        expect(heardOf("frames", pieces)).toEqual({
          heard: messages.map((data) => ({ is: "notification", id: "0301", data })),
        });
      }),
    );
  });

  test.each([
    ["a length that is not its message's", "0400030A06", "claims 3"],
    ["less than a head", "0400", "2 bytes"],
    ["an escape of nothing", "040001DB00", "escape of nothing"],
    ["a run without its length", "030002AAAA", "run without its length"],
  ])("%s is no frame", (_what, hex, why) => {
    expect(readFrame(fromHex(hex))).toContain(why);
  });

  test("any bytes survive their run lengths", () => {
    const runs = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 600 })), { maxLength: 6 });
    fc.assert(
      fc.property(runs, (all) => {
        const bytes = concat(...all.map(([byte, times]) => new Uint8Array(times).fill(byte)));
        expect(withoutRuns(withRuns(bytes))).toEqual(bytes);
      }),
    );
  });

  test("a notification is sent with its runs where that is shorter, and both are read", () => {
    const [short] = packNotification("frames", "0303", new Uint8Array(90));
    const [plain] = packNotification(
      "frames",
      "0303",
      Uint8Array.from({ length: 90 }, (_, at) => at),
    );
    expect([short?.[1], plain?.[1]]).toEqual([types.notificationRuns, types.notification]);
  });

  test("behind what breaks the line nothing is heard, in the same chunk and in later ones", () => {
    const answer = encodeFrame({ type: types.answer, message: fromHex("0000") });
    const wrong = encodeFrame({ type: types.command, message: fromHex("0900") });
    const once = read(newCodec("frames", "device"), concat(answer, wrong, answer));
    expect([once.heard.length, once.error]).toEqual([1, expect.stringContaining("wrong side")]);
    expect(read(once.codec, answer)).toMatchObject({ heard: [], error: once.error });
  });

  test("what is longer than its line takes is not sent", () => {
    expect(() => encodeFrame({ type: types.command, message: new Uint8Array(LONGEST_MESSAGE + 1) })).toThrow(
      RangeError,
    );
    expect(() => pack("reports", "host", new Uint8Array(REPORT_BYTES))).toThrow("a report holds 61 bytes");
  });

  test("runs that would fill the memory are no frame", () => {
    expect(
      withoutRuns(concat(...Array.from({ length: 40 }, (_, at) => Uint8Array.of(at % 2, at % 2, 0xff)))),
    ).toContain("more than 8192");
  });

  test("an answer from the host's side, and a command from the device's, mean that the line is not to be trusted", () => {
    expect(heardOf("frames", [encodeFrame({ type: types.command, message: fromHex("0900") })]).error).toContain(
      "wrong side",
    );
    expect(heardOf("frames", [encodeFrame({ type: types.answer, message: fromHex("0000") })], "host").error).toContain(
      "wrong side",
    );
  });
});

describe("over USB", () => {
  const packet = (hex: string): Uint8Array => fromHex(`02${hex}`);

  test("a notification's packet is put together by its length, whatever the size of the report, and filling is passed over", () => {
    const data = Uint8Array.from({ length: 200 }, (_, at) => at);
    const report = concat(packet("00C80000030300C8"), data, new Uint8Array(51));
    const chunks = Array.from({ length: Math.ceil(report.length / 64) }, (_, at) =>
      report.subarray(at * 64, at * 64 + 64),
    );
    expect(heardOf("reports", chunks)).toEqual({ heard: [{ is: "notification", id: "0303", data }] });
  });

  test("a command's answer between the packets of a report is heard as such", () => {
    const report = concat(packet("0064000003010064"), new Uint8Array(100).fill(7));
    const answer = pack("reports", "device", fromHex("0A06000000000000"));
    expect(answer).toHaveLength(REPORT_BYTES);
    expect(heardOf("reports", [report.subarray(0, 64), answer, report.subarray(64)]).heard.map(({ is }) => is)).toEqual(
      ["answer", "notification"],
    );
  });

  test("a swipe outside a transaction is passed over to its end", () => {
    const swipe = concat(Uint8Array.of(1), new Uint8Array(200).fill(2));
    const chunks = [0, 64, 128, 192].map((at) => swipe.subarray(at, at + 64));
    const told = packNotification("reports", "0301", fromHex("50"));
    expect(heardOf("reports", [...chunks, ...told]).heard).toEqual([
      { is: "notification", id: "0301", data: fromHex("50") },
    ]);
    expect(gather({}, fromHex("0102")).gathering).toEqual({});
  });

  test("a report of a length that none has is no beginning of one", () => {
    expect(gather({}, packet("0401000003030401")).broken).toContain("claims 1025 bytes");
  });

  test("a report of another id means that the line is not to be trusted, once something was heard", () => {
    const answer = pack("reports", "device", fromHex("0000"));
    expect(heardOf("reports", [fromHex("07AA")]).error).toBeUndefined();
    expect(heardOf("reports", [answer, fromHex("07AA")]).error).toContain("unknown id 7");
  });
});
