import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytesIn, REPORT_BYTES, reportsOf, TO_DEVICE, TO_HOST } from "../../../../drivers/ingenico-ipp350/reports.ts";
import { concat } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";

describe("reports", () => {
  test.each([
    ["06", "020106"],
    ["15", "020115"],
    ["0230372E032A", "02060230372E032A"],
  ])("%s is carried by one report of 32 bytes", (stream, beginning) => {
    const [report, ...more] = reportsOf(TO_DEVICE, fromHex(stream)).map(toHex);
    expect([report, more]).toEqual([beginning.padEnd(64, "0"), []]);
  });

  test("any run of bytes goes through them, cut at 30 bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(TO_DEVICE, TO_HOST), (bytes, id) => {
        const reports = reportsOf(id, bytes);
        expect(reports).toHaveLength(Math.ceil(bytes.length / 30));
        for (const report of reports) expect([report.length, report[0]]).toEqual([REPORT_BYTES, id]);
        expect(bytesIn(id, concat(...reports))).toEqual(bytes);
        expect(bytesIn(id === TO_HOST ? TO_DEVICE : TO_HOST, concat(...reports))).toHaveLength(0);
      }),
    );
  });

  test.each([
    ["one that claims more than it holds", `01${"1F"}${"41".repeat(30)}`],
    ["one of another id", `03${"01"}${"06".padEnd(60, "0")}`],
    ["half of one", "010106"],
    ["nothing", ""],
  ])("%s holds nothing", (_what, hex) => {
    expect(bytesIn(TO_HOST, fromHex(hex))).toHaveLength(0);
  });

  test("bears any bytes", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        (bytes) => void expect(bytesIn(TO_HOST, bytes).length).toBeLessThanOrEqual(bytes.length),
      ),
    );
  });
});
