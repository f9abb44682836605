import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LONGEST_MESSAGE } from "../../../../drivers/magtek-dynaflex/message.ts";
import {
  type Assembly,
  NO_HEAD,
  REPORT_BYTES,
  type ReportRead,
  reportsOf,
  takeReport,
} from "../../../../drivers/magtek-dynaflex/reports.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { vectors } from "./vectors.ts";

/** Takes report after report. */
function take(...reports: readonly Uint8Array[]): ReportRead {
  return reports.reduce<ReportRead>((before, report) => takeReport(before.assembly, report), { assembly: undefined });
}

const padded = (...bytes: readonly number[]): Uint8Array =>
  Uint8Array.from({ length: REPORT_BYTES }, (_, at) => bytes[at] ?? 0);
const { arqcHidReports, arqcNotification } = vectors.synthetic;

describe("messages in reports", () => {
  test("the published form of an ARQC is cut and put together", () => {
    expect(reportsOf(fromHex(arqcNotification)).map(toHex)).toEqual(arqcHidReports);
    expect(toHex(take(...arqcHidReports.map(fromHex)).message ?? new Uint8Array(0))).toBe(arqcNotification);
  });

  test("a message of 62 bytes takes one report, one of 63 takes two, one of 121 takes two, one of 122 takes three", () => {
    expect([0, 1, 62, 63, 121, 122].map((length) => reportsOf(new Uint8Array(length)).length)).toEqual([
      1, 1, 1, 2, 2, 3,
    ]);
  });

  test("any message comes out as it went in, in whole reports", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 900 }), (message) => {
        const reports = reportsOf(message);
        expect(reports.every(({ length }) => length === REPORT_BYTES)).toBe(true);
        expect(take(...reports).message).toEqual(message);
      }),
    );
  });

  test("a message that is begun anew takes the place of the one before, and so does a whole one, and a cancel ends it", () => {
    const long = reportsOf(new Uint8Array(200).fill(7));
    const short = reportsOf(Uint8Array.of(1, 2, 3));
    expect(take(...long.slice(0, 2), ...long).message).toEqual(new Uint8Array(200).fill(7));
    expect(take(...long.slice(0, 2), ...short).message).toEqual(Uint8Array.of(1, 2, 3));
    expect(take(...long.slice(0, 2), padded(4))).toEqual({ assembly: undefined });
  });

  test.each<[string, readonly Uint8Array[], string]>([
    ["of another size", [new Uint8Array(63)], "63 bytes"],
    ["of no kind", [padded(9)], "unknown kind 9"],
    ["that claims more than it holds", [padded(0, 63)], "63 bytes"],
    ["that begins a message too short for it", [padded(1, 0, 0, 0, 62)], "62 bytes"],
    ["that begins a message too long for anybody", [padded(1, 0, 0, 0x20, 1)], "8193 bytes"],
    ["that goes on with nothing", [padded(2, 0, 1)], NO_HEAD],
    ["that ends nothing", [padded(3, 4)], NO_HEAD],
    ["that is missing", [padded(1, 0, 0, 1, 0), padded(2, 0, 2)], "2 came instead of 1"],
    ["that ends too early", [padded(1, 0, 0, 1, 0), padded(3, 4)], "does not end its message"],
    ["that goes beyond the end", [padded(1, 0, 0, 0, 64), padded(2, 0, 1)], "more reports than"],
  ])("a report %s breaks the stream", (_what, reports, why) => {
    expect(take(...reports).broken).toContain(why);
  });

  test("whatever reports come, nothing is thrown, and what is kept has a bound", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 60, maxLength: 64 }), { maxLength: 40 }), (reports) => {
        let assembly: Assembly | undefined;
        for (const report of reports) {
          assembly = takeReport(
            assembly,
            report.map((byte, at) => (at === 0 ? byte % 5 : byte)),
          ).assembly;
          expect(assembly?.soFar.length ?? 0).toBeLessThan(LONGEST_MESSAGE);
        }
      }),
    );
  });
});
