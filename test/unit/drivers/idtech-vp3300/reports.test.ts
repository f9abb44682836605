import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newCodec, pack, read } from "../../../../drivers/idtech-vp3300/codec.ts";
import { encodeAnswer, type Frame, LONGEST_DATA } from "../../../../drivers/idtech-vp3300/frame.ts";
import { REPORT_BYTES, reportsOf, splitReports } from "../../../../drivers/idtech-vp3300/reports.ts";
import { concat } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { frameHex, vectors } from "./vectors.ts";

function readAll(...reports: readonly Uint8Array[]) {
  let codec = newCodec("usb");
  const frames: Frame[] = [];
  let error: string | undefined;
  for (const report of reports) {
    const next = read(codec, report);
    codec = next.codec;
    frames.push(...next.heard);
    error = next.error;
  }
  return { frames, error, codec };
}

const frame = fc.record({ command: fc.nat(255), code: fc.nat(255), data: fc.uint8Array({ maxLength: 400 }) });
const long = { command: 0x60, code: 0, data: new Uint8Array(150).fill(0x5a) };

describe("reports", () => {
  test("a long answer is cut as the guide says, and put together again", () => {
    const whole = fromHex(frameHex(vectors.reports.frame));
    expect(reportsOf(whole).map(toHex)).toEqual(vectors.reports.hex);
    const { frames, error } = readAll(...vectors.reports.hex.map(fromHex));
    expect(frames.map((one) => toHex(encodeAnswer(one)))).toEqual([vectors.reports.frame].map(frameHex));
    expect(error).toBeUndefined();
  });

  test("every frame goes through them, each of 64 bytes with an id", () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 4 }), (sent) => {
        const reports = sent.flatMap((one) => pack("usb", encodeAnswer(one)));
        for (const report of reports) {
          expect(report).toHaveLength(REPORT_BYTES);
          expect([1, 2, 3, 4]).toContain(report[0]);
        }
        expect(splitReports(concat(...reports)).map(toHex)).toEqual(reports.map(toHex));
        expect(readAll(...reports).frames).toEqual(sent);
      }),
    );
  });

  test("a report that begins a frame ends what was begun before", () => {
    const [first = new Uint8Array(64)] = reportsOf(encodeAnswer(long));
    const short = { command: 0x18, code: 0, data: new Uint8Array(0) };
    expect(readAll(first, ...reportsOf(encodeAnswer(short))).frames).toEqual([short]);
    expect(readAll(first, ...reportsOf(encodeAnswer(long))).frames).toEqual([long]);
  });

  test("one that goes on where nothing was begun, and one with another id, are passed over", () => {
    const [, middle = new Uint8Array(64), last = new Uint8Array(64)] = reportsOf(encodeAnswer(long));
    const other = new Uint8Array(64).with(0, 0x07);
    expect(readAll(middle, last, other, ...reportsOf(encodeAnswer(long))).frames).toEqual([long]);
    const [first = new Uint8Array(64), ...rest] = reportsOf(encodeAnswer(long));
    expect(readAll(first, other, ...rest).frames).toEqual([long]);
  });

  test.each([
    ["a lost middle", [0, 2], "CRC is wrong|does not end"],
    ["two middles in the wrong order", [0, 1, 1, 2], "CRC is wrong"],
  ] as const)("%s breaks the line", (_what, order, why) => {
    const reports = reportsOf(encodeAnswer(long));
    const { frames, error } = readAll(...order.map((at) => reports[at] ?? new Uint8Array(64)));
    expect(frames).toEqual([]);
    expect(error).toMatch(new RegExp(why));
  });

  test("reports that hold no frame, or begin one that never ends, break the line", () => {
    expect(readAll(new Uint8Array(64).fill(0x41).with(0, 0x01)).error).toContain("header");
    const endless = Array.from({ length: Math.ceil(LONGEST_DATA / 63) + 2 }, () => new Uint8Array(64).with(0, 0x03));
    expect(readAll(new Uint8Array(64).with(0, 0x02), ...endless).error).toContain("no frame in");
  });

  test("never throws and never keeps more than a frame, whatever arrives", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc
            .uint8Array({ maxLength: 70 })
            .map((bytes) => (bytes.length === 0 ? bytes : bytes.with(0, (bytes[0] ?? 0) % 6))),
        ),
        (reports) => {
          expect(readAll(...reports).codec.pending.length).toBeLessThan(LONGEST_DATA + 17 + 70);
        },
      ),
    );
  });
});
