import { concat, put } from "../../src/kit/bytes.ts";
import { LONGEST_MESSAGE } from "./message.ts";

/* Messages on a serial line: `C0 info length message C0`, C0 and DB inside escaped (PROTOCOL.md 2.2). There is no check sum. */

const END = 0xc0;
const ESCAPE = 0xdb;
const ESCAPED_END = 0xdc;
const ESCAPED_ESCAPE = 0xdd;

/** What a frame says of itself. */
export const FROM_HOST = 0x00;
export const FROM_DEVICE = 0x02;
/** The host's message was longer than the device can hold; the length is what it can. */
export const TOO_LONG = 0x03;

const HEAD_BYTES = 5;
/** Every byte of the longest frame may be escaped. */
export const LONGEST_FRAME = 2 * (HEAD_BYTES + LONGEST_MESSAGE);

/** One frame. For TOO_LONG, `length` is not the message's, which is empty. */
export interface SlipFrame {
  readonly info: number;
  readonly length: number;
  readonly message: Uint8Array;
}

export function slipFrame(info: typeof FROM_HOST | typeof FROM_DEVICE, message: Uint8Array): Uint8Array {
  return encodeSlip({ info, length: message.length, message });
}

export function encodeSlip({ info, length, message }: SlipFrame): Uint8Array {
  const plain = new Uint8Array(HEAD_BYTES + message.length);
  plain[0] = info;
  new DataView(plain.buffer).setUint32(1, length);
  put(message, plain, HEAD_BYTES);
  // Every byte may have to be escaped.
  const frame = new Uint8Array(2 * plain.length + 2);
  frame[0] = END;
  let at = 1;
  for (const byte of plain) {
    const isEscaped = byte === END || byte === ESCAPE;
    if (isEscaped) frame[at++] = ESCAPE;
    frame[at++] = isEscaped ? (byte === END ? ESCAPED_END : ESCAPED_ESCAPE) : byte;
  }
  frame[at++] = END;
  return frame.slice(0, at);
}

/** What the next bytes of a stream were cut into: what stands between two delimiters, as it came. Never throws. */
export function cutSlip(
  pending: Uint8Array,
  chunk: Uint8Array,
): { readonly pieces: readonly Uint8Array[]; readonly pending: Uint8Array; readonly broken?: string } {
  const bytes = pending.length === 0 ? chunk : concat(pending, chunk);
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (let at = bytes.indexOf(END); at !== -1; at = bytes.indexOf(END, from)) {
    if (at > from) pieces.push(bytes.slice(from, at));
    from = at + 1;
  }
  const rest = bytes.slice(from);
  if (rest.length > LONGEST_FRAME) return { pieces, pending: new Uint8Array(0), broken: `no frame in ${LONGEST_FRAME} bytes` };
  return { pieces, pending: rest };
}

/** The frame that stood between two delimiters, or why it is none. Never throws. */
export function readSlip(piece: Uint8Array): SlipFrame | string {
  const frame = new Uint8Array(piece.length);
  let size = 0;
  for (let at = 0; at < piece.length; at += 1) {
    const byte = piece[at] ?? 0;
    if (byte !== ESCAPE) {
      frame[size++] = byte;
      continue;
    }
    at += 1;
    const next = piece[at];
    if (next !== ESCAPED_END && next !== ESCAPED_ESCAPE) return "an escape of nothing";
    frame[size++] = next === ESCAPED_END ? END : ESCAPE;
  }
  const [info] = frame;
  if (info === undefined || size < HEAD_BYTES) return `a frame of ${size} bytes`;
  const length = new DataView(frame.buffer).getUint32(1);
  const message = frame.slice(HEAD_BYTES, size);
  const isWhole = info === TOO_LONG ? message.length === 0 : message.length === length && length <= LONGEST_MESSAGE;
  return isWhole ? { info, length, message } : `a frame of ${message.length} bytes that claims ${length}`;
}
