import { concat, fromAscii } from "../../src/kit/bytes.ts";
import { crc16 } from "../../src/kit/crc16.ts";
import { type FrameRead, splitFrames } from "../../src/terminal/deframe.ts";

/** One frame, in either direction (PROTOCOL.md 2.1). `code` is the sub command of a command and the status of an answer. */
export interface Frame {
  readonly command: number;
  readonly code: number;
  readonly data: Uint8Array;
}

const HEADER = concat(fromAscii("ViVOtech2"), Uint8Array.of(0));
const HEAD_BYTES = HEADER.length + 4;
const CRC_BYTES = 2;

/** Largest data that is taken for a frame's (PROTOCOL.md 2.4): four times the longest answer seen. */
export const LONGEST_DATA = 8192;
export const LONGEST_FRAME = HEAD_BYTES + LONGEST_DATA + CRC_BYTES;

/** A command of the host's, or one that the reader sends to it: CRC with its low byte first. Throws a RangeError on data that no frame holds: a bug of the caller. */
export function encodeCommand(frame: Frame): Uint8Array {
  const { body, crc } = bodyOf(frame);
  return concat(body, Uint8Array.of(crc & 0xff, crc >> 8));
}

/** An answer, by whichever side: CRC with its high byte first. Throws as encodeCommand does. */
export function encodeAnswer(frame: Frame): Uint8Array {
  const { body, crc } = bodyOf(frame);
  return concat(body, Uint8Array.of(crc >> 8, crc & 0xff));
}

function bodyOf({ command, code, data }: Frame): { readonly body: Uint8Array; readonly crc: number } {
  if (data.length > LONGEST_DATA) throw new RangeError(`a frame holds ${LONGEST_DATA} bytes, not ${data.length}`);
  const body = concat(HEADER, Uint8Array.of(command, code, data.length >> 8, data.length & 0xff), data);
  return { body, crc: crc16(body) };
}

/** What a stream was cut into: noise between frames is passed over (PROTOCOL.md 2.5). */
export interface Cut {
  readonly frames: readonly Frame[];
  readonly pending: Uint8Array;
  readonly broken?: string;
}

/** Takes the next bytes of a stream, however they were split. Never throws. */
export function cutFrames(pending: Uint8Array, chunk: Uint8Array): Cut {
  const { frames, pending: rest, broken } = splitFrames(pending, chunk, LONGEST_FRAME + 1, readFrame);
  const whole = frames.flatMap((frame) => (frame === "noise" ? [] : [frame]));
  return { frames: whole, pending: rest, ...(broken !== undefined && { broken }) };
}

/** The frame at an offset, where one begins there; the CRC may stand in either order (PROTOCOL.md 2.3). */
export function readFrame(bytes: Uint8Array, at: number): FrameRead<Frame | "noise"> {
  const begins = beginningAt(bytes, at);
  if (begins > at) return { is: "frame", frame: "noise", next: begins };
  const [command, code, high, low] = bytes.subarray(at + HEADER.length, at + HEAD_BYTES);
  if (command === undefined || code === undefined || high === undefined || low === undefined) return { is: "more" };
  const length = (high << 8) | low;
  if (length > LONGEST_DATA) return { is: "broken", why: `data of ${length} bytes` };
  const end = at + HEAD_BYTES + length;
  const [first, second] = bytes.subarray(end, end + CRC_BYTES);
  if (first === undefined || second === undefined) return { is: "more" };
  const crc = crc16(bytes.subarray(at, end));
  if (crc !== ((first << 8) | second) && crc !== ((second << 8) | first)) return { is: "broken", why: "CRC is wrong" };
  return { is: "frame", next: end + CRC_BYTES, frame: { command, code, data: bytes.slice(at + HEAD_BYTES, end) } };
}

/** Where the next frame may begin: the first place from which everything that is there agrees with the header. */
function beginningAt(bytes: Uint8Array, at: number): number {
  for (let start = at; start < bytes.length; start += 1) {
    if (HEADER.every((byte, index) => start + index >= bytes.length || bytes[start + index] === byte)) return start;
  }
  return bytes.length;
}
