import { concat } from "../../src/kit/bytes.ts";
import { type FrameRead, type Frames, splitFrames } from "../../src/terminal/deframe.ts";

const START = 0x02;
const HEAD_BYTES = 3;

/** PROTOCOL.md 2.2. */
export const LONGEST_BODY = 4096;
const LONGEST_FRAME = HEAD_BYTES + LONGEST_BODY + 1;

function check(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum ^ byte, 0);
}

/** Throws a RangeError on a body that no frame holds: always a bug of the caller. */
export function encodeFrame(body: Uint8Array): Uint8Array {
  if (body.length > LONGEST_BODY) throw new RangeError(`a frame holds ${LONGEST_BODY} bytes, not ${body.length}`);
  const head = concat(Uint8Array.of(START, body.length >> 8, body.length & 0xff), body);
  return concat(head, Uint8Array.of(check(head)));
}

/** Takes the next bytes of a stream, however they were split. Never throws (PROTOCOL.md 2.3). */
export function cutFrames(pending: Uint8Array, chunk: Uint8Array): Frames<Uint8Array> {
  return splitFrames(pending, chunk, LONGEST_FRAME + 1, readFrame);
}

function readFrame(bytes: Uint8Array, at: number): FrameRead<Uint8Array> {
  const [start, high, low] = bytes.subarray(at);
  if (start !== START) return { is: "broken", why: "a frame begins with 02" };
  if (high === undefined || low === undefined) return { is: "more" };
  const length = (high << 8) | low;
  if (length > LONGEST_BODY) return { is: "broken", why: `a body of ${length} bytes` };
  const next = at + HEAD_BYTES + length + 1;
  if (bytes.length < next) return { is: "more" };
  if (check(bytes.subarray(at, next)) !== 0) return { is: "broken", why: "the checksum is wrong" };
  return { is: "frame", next, frame: bytes.slice(at + HEAD_BYTES, next - 1) };
}
