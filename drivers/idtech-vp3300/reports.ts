import { concat } from "../../src/kit/bytes.ts";
import { type Cut, LONGEST_FRAME, readFrame } from "./frame.ts";

/* Frames in USB HID reports of 64 bytes: an id, then 63 bytes of a frame (PROTOCOL.md 1.2). */

export const REPORT_BYTES = 64;
const PIECE = REPORT_BYTES - 1;

const ONLY = 0x01;
const FIRST = 0x02;
const MIDDLE = 0x03;
const LAST = 0x04;

/** The HID reports that carry one frame, in order. Each is padded with zeros. */
export function reportsOf(frame: Uint8Array): readonly Uint8Array[] {
  const count = Math.ceil(frame.length / PIECE);
  return Array.from({ length: count }, (_, at) => {
    const report = new Uint8Array(REPORT_BYTES);
    report[0] = idOf(at, count);
    report.set(frame.subarray(at * PIECE, (at + 1) * PIECE), 1);
    return report;
  });
}

function idOf(at: number, count: number): number {
  if (count === 1) return ONLY;
  if (at === 0) return FIRST;
  return at === count - 1 ? LAST : MIDDLE;
}

const NOTHING: Cut = { frames: [], pending: new Uint8Array(0) };

/**
 * Takes one report; `pending` is the unfinished frame. A first report discards an unfinished frame. Stray continuations
 * and unknown ids are skipped. Never throws.
 */
export function takeReport(pending: Uint8Array, report: Uint8Array): Cut {
  const piece = report.subarray(1);
  switch (report[0]) {
    case ONLY:
      return whole(piece);
    case FIRST:
      return { frames: [], pending: piece.slice() };
    case MIDDLE:
      return pending.length === 0 ? NOTHING : grown(concat(pending, piece));
    case LAST:
      return pending.length === 0 ? NOTHING : whole(concat(pending, piece));
    default:
      return { frames: [], pending };
  }
}

function grown(pending: Uint8Array): Cut {
  return pending.length > LONGEST_FRAME
    ? { ...NOTHING, broken: `no frame in ${pending.length} bytes of reports` }
    : { frames: [], pending };
}

/** A frame followed by zero padding. */
function whole(bytes: Uint8Array): Cut {
  const read = readFrame(bytes, 0);
  switch (read.is) {
    case "frame":
      return read.frame === "noise"
        ? { ...NOTHING, broken: "reports without the header of a frame" }
        : { ...NOTHING, frames: [read.frame] };
    case "more":
      return { ...NOTHING, broken: "a frame that does not end with its last report" };
    case "broken":
      return { ...NOTHING, broken: read.why };
  }
}

/** Consecutive reports in one buffer. */
export function splitReports(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / REPORT_BYTES) }, (_, at) =>
    bytes.subarray(at * REPORT_BYTES, (at + 1) * REPORT_BYTES),
  );
}
