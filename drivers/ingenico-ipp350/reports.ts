import { concat, put } from "../../src/kit/bytes.ts";

/* The stream in USB HID reports of 32 bytes: id, byte count, the bytes, zeros (PROTOCOL.md 1.4). */

export const REPORT_BYTES = 32;
const MOST = REPORT_BYTES - 2;

/** Report ids, by direction. */
export const TO_HOST = 0x01;
export const TO_DEVICE = 0x02;
export type ReportId = typeof TO_HOST | typeof TO_DEVICE;

export function reportsOf(id: ReportId, bytes: Uint8Array): readonly Uint8Array[] {
  const reports: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += MOST) {
    const piece = bytes.subarray(at, at + MOST);
    const report = new Uint8Array(REPORT_BYTES);
    report[0] = id;
    report[1] = piece.length;
    put(piece, report, 2);
    reports.push(report);
  }
  return reports;
}

/**
 * The stream's bytes from consecutive reports. A report with another id, or with a count beyond its size, is skipped.
 * Never throws.
 */
export function bytesIn(id: ReportId, reports: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at + REPORT_BYTES <= reports.length; at += REPORT_BYTES) {
    const length = reports[at + 1] ?? 0;
    if (reports[at] === id && length <= MOST) pieces.push(reports.subarray(at + 2, at + 2 + length));
  }
  const [first] = pieces;
  return first !== undefined && pieces.length === 1 ? first : concat(...pieces);
}
