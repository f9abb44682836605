import { concat } from "../../src/kit/bytes.ts";

/* The stream in USB HID reports of 32 bytes: an id, how many bytes follow, these bytes, zeros (PROTOCOL.md 1.4). */

export const REPORT_BYTES = 32;
const MOST = REPORT_BYTES - 2;

/** Which way a report goes. */
export const TO_HOST = 0x01;
export const TO_DEVICE = 0x02;
export type ReportId = typeof TO_HOST | typeof TO_DEVICE;

export function reportsOf(id: ReportId, bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / MOST) }, (_, at) => {
    const piece = bytes.subarray(at * MOST, (at + 1) * MOST);
    const report = new Uint8Array(REPORT_BYTES);
    report.set([id, piece.length]);
    report.set(piece, 2);
    return report;
  });
}

/** The stream's bytes in reports that stand one behind the other; a report of another id, or one that claims more than it holds, is none. Never throws. */
export function bytesIn(id: ReportId, reports: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < reports.length; at += REPORT_BYTES) {
    const report = reports.subarray(at, at + REPORT_BYTES);
    const [from, length = 0] = report;
    if (from === id && length <= MOST && report.length === REPORT_BYTES) pieces.push(report.subarray(2, 2 + length));
  }
  return concat(...pieces);
}
