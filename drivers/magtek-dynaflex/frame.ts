import { put } from "../../src/kit/bytes.ts";
import { slipFrame as framed, unescaped } from "../../src/kit/slip.ts";
import { LONGEST_MESSAGE } from "./message.ts";

/*
 * Messages on a serial line: `C0 info length message C0`, with C0 and DB escaped inside (PROTOCOL.md 2.2). There is no
 * checksum.
 */

/** Values of the info byte. */
export const FROM_HOST = 0x00;
export const FROM_DEVICE = 0x02;
/** The host's message exceeded the device's buffer; the length field holds the buffer size. */
export const TOO_LONG = 0x03;

const HEAD_BYTES = 5;
/** Every byte of the longest frame may be escaped. */
export const LONGEST_FRAME = 2 * (HEAD_BYTES + LONGEST_MESSAGE);

/** One frame. For TOO_LONG the message is empty and `length` is the device's limit. */
export interface SerialFrame {
  readonly info: number;
  readonly length: number;
  readonly message: Uint8Array;
}

export function frameAround(info: typeof FROM_HOST | typeof FROM_DEVICE, message: Uint8Array): Uint8Array {
  return encodeFrame({ info, length: message.length, message });
}

export function encodeFrame({ info, length, message }: SerialFrame): Uint8Array {
  const plain = new Uint8Array(HEAD_BYTES + message.length);
  plain[0] = info;
  new DataView(plain.buffer).setUint32(1, length);
  put(message, plain, HEAD_BYTES);
  return framed(plain);
}

/** The frame between two delimiters, or why it is invalid. Never throws. */
export function readFrame(piece: Uint8Array): SerialFrame | string {
  const frame = unescaped(piece);
  if (frame === undefined) return "an escape of nothing";
  const [info] = frame;
  if (info === undefined || frame.length < HEAD_BYTES) return `a frame of ${frame.length} bytes`;
  const length = new DataView(frame.buffer).getUint32(1);
  const message = frame.slice(HEAD_BYTES);
  const isWhole = info === TOO_LONG ? message.length === 0 : message.length === length && length <= LONGEST_MESSAGE;
  return isWhole ? { info, length, message } : `a frame of ${message.length} bytes that claims ${length}`;
}
