import { concat, fromAscii, put } from "../../src/kit/bytes.ts";
import { crc16 } from "../../src/kit/crc16.ts";
import { type FrameRead, splitFrames } from "../../src/terminal/deframe.ts";

/**
 * One frame, in either direction (PROTOCOL.md 2.1). `code` is the sub command of a command, or the status of an answer.
 */
export interface Frame {
  readonly command: number;
  readonly code: number;
  readonly data: Uint8Array;
}

const HEADER = concat(fromAscii("ViVOtech2"), Uint8Array.of(0));
const HEAD_BYTES = HEADER.length + 4;
const CRC_BYTES = 2;

/** Largest accepted data of a frame, in bytes (PROTOCOL.md 2.4); far above the longest answer seen. */
export const LONGEST_DATA = 8192;
export const LONGEST_FRAME = HEAD_BYTES + LONGEST_DATA + CRC_BYTES;

/**
 * A command, from the host or the reader: CRC with its low byte first. Throws a RangeError on oversized data, a
 * caller's bug.
 */
export function encodeCommand(frame: Frame): Uint8Array {
  const bytes = withoutCrc(frame);
  const at = bytes.length - CRC_BYTES;
  const crc = crc16(bytes, 0, at);
  bytes[at] = crc & 0xff;
  bytes[at + 1] = crc >> 8;
  return bytes;
}

/** An answer from either side: CRC with its high byte first. Throws as encodeCommand does. */
export function encodeAnswer(frame: Frame): Uint8Array {
  const bytes = withoutCrc(frame);
  const at = bytes.length - CRC_BYTES;
  const crc = crc16(bytes, 0, at);
  bytes[at] = crc >> 8;
  bytes[at + 1] = crc & 0xff;
  return bytes;
}

/** The frame's bytes, with room for the CRC. */
function withoutCrc({ command, code, data }: Frame): Uint8Array {
  if (data.length > LONGEST_DATA) throw new RangeError(`a frame holds ${LONGEST_DATA} bytes, not ${data.length}`);
  const bytes = new Uint8Array(HEAD_BYTES + data.length + CRC_BYTES);
  put(HEADER, bytes, 0);
  bytes[HEADER.length] = command;
  bytes[HEADER.length + 1] = code;
  bytes[HEADER.length + 2] = data.length >> 8;
  bytes[HEADER.length + 3] = data.length & 0xff;
  put(data, bytes, HEAD_BYTES);
  return bytes;
}

/** Frames cut from a stream. Noise between frames is skipped (PROTOCOL.md 2.5). */
export interface Cut {
  readonly frames: readonly Frame[];
  readonly pending: Uint8Array;
  readonly broken?: string;
}

/** Takes the next bytes of a stream, split at any place. Never throws. */
export function cutFrames(pending: Uint8Array, chunk: Uint8Array): Cut {
  const { frames, pending: rest, broken } = splitFrames(pending, chunk, LONGEST_FRAME + 1, readFrame);
  const whole = frames.flatMap((frame) => (frame === "noise" ? [] : [frame]));
  return { frames: whole, pending: rest, ...(broken !== undefined && { broken }) };
}

/** The frame at an offset, if one begins there; either CRC order is accepted (PROTOCOL.md 2.3). */
export function readFrame(bytes: Uint8Array, at: number): FrameRead<Frame | "noise"> {
  const begins = beginningAt(bytes, at);
  if (begins > at) return { is: "frame", frame: "noise", next: begins };
  const head = at + HEADER.length;
  const [command, code, high, low] = [bytes[head], bytes[head + 1], bytes[head + 2], bytes[head + 3]];
  if (command === undefined || code === undefined || high === undefined || low === undefined) return { is: "more" };
  const length = (high << 8) | low;
  if (length > LONGEST_DATA) return { is: "broken", why: `data of ${length} bytes` };
  const end = at + HEAD_BYTES + length;
  const [first, second] = [bytes[end], bytes[end + 1]];
  if (first === undefined || second === undefined) return { is: "more" };
  const crc = crc16(bytes, at, end);
  if (crc !== ((first << 8) | second) && crc !== ((second << 8) | first)) return { is: "broken", why: "CRC is wrong" };
  return { is: "frame", next: end + CRC_BYTES, frame: { command, code, data: bytes.slice(at + HEAD_BYTES, end) } };
}

/** The first offset from which all available bytes match the frame header. */
function beginningAt(bytes: Uint8Array, at: number): number {
  for (let start = at; start < bytes.length; start += 1) {
    if (mayBegin(bytes, start)) return start;
  }
  return bytes.length;
}

function mayBegin(bytes: Uint8Array, start: number): boolean {
  const end = Math.min(HEADER.length, bytes.length - start);
  for (let index = 0; index < end; index += 1) if (bytes[start + index] !== HEADER[index]) return false;
  return true;
}
