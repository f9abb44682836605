import { concat, put, xorSum } from "../../src/kit/bytes.ts";
import type { LineCut, LineItem } from "../../src/terminal/acknowledged-line.ts";

/** One frame, in either direction (PROTOCOL.md 2.1). */
export interface Frame {
  readonly command: number;
  readonly sub: number;
  readonly data: Uint8Array;
}

const START = 0x02;
export const ACK = 0x06;
export const NAK = 0x15;

const HEAD_BYTES = 5;
/** Largest accepted data of a frame, in bytes (PROTOCOL.md 2.3). */
export const LONGEST_DATA = 4096;
export const LONGEST_FRAME = HEAD_BYTES + LONGEST_DATA + 1;

/** Main commands, network and contactless, text layer, call-backs (PROTOCOL.md 2.4). */
const COMMANDS: readonly number[] = [0x90, 0x91, 0x92, 0xb0];

/**
 * Throws a RangeError on oversized data, a caller's bug. The checksum is the XOR of everything between the first byte
 * and the last (PROTOCOL.md 2.2).
 */
export function encodeFrame({ command, sub, data }: Frame): Uint8Array {
  if (data.length > LONGEST_DATA) throw new RangeError(`a frame holds ${LONGEST_DATA} bytes, not ${data.length}`);
  const frame = new Uint8Array(HEAD_BYTES + data.length + 1);
  frame[0] = START;
  frame[1] = command;
  frame[2] = sub;
  frame[3] = data.length >> 8;
  frame[4] = data.length & 0xff;
  put(data, frame, HEAD_BYTES);
  frame[frame.length - 1] = xorSum(frame, 1, frame.length - 1);
  return frame;
}

/** A frame without its first byte and checksum, as the line layer delivers it. */
export function frameIn(body: Uint8Array): Frame {
  return { command: body[0] ?? 0, sub: body[1] ?? 0, data: body.slice(HEAD_BYTES - 1) };
}

type Read = { readonly item?: LineItem; readonly next: number } | "more";

const NOTHING = new Uint8Array(0);

/**
 * Takes the next bytes of a stream, split at any place: acknowledgements and frames. Other bytes are skipped. Never
 * throws.
 */
export function cutLine(pending: Uint8Array, chunk: Uint8Array): LineCut {
  const bytes = pending.length === 0 ? chunk : concat(pending, chunk);
  const items: LineItem[] = [];
  let at = 0;
  while (at < bytes.length) {
    const read = readAt(bytes, at);
    if (read === "more") break;
    if (read.item !== undefined) items.push(read.item);
    at = read.next;
  }
  return { items, pending: at === bytes.length ? NOTHING : bytes.slice(at) };
}

function readAt(bytes: Uint8Array, at: number): Read {
  switch (bytes[at]) {
    case ACK:
      return { item: { is: "ack" }, next: at + 1 };
    case NAK:
      return { item: { is: "nak" }, next: at + 1 };
    case START:
      return readFrame(bytes, at);
    default:
      return { next: at + 1 };
  }
}

/**
 * The content of a spoiled frame is never parsed: the whole frame is requested again, and its content may come from a
 * card (PROTOCOL.md 2.5).
 */
function readFrame(bytes: Uint8Array, at: number): Read {
  const command = bytes[at + 1];
  const [high, low] = [bytes[at + 3], bytes[at + 4]];
  if (command === undefined) return "more";
  if (!COMMANDS.includes(command)) return { next: at + 1 };
  if (high === undefined || low === undefined) return "more";
  const length = (high << 8) | low;
  if (length > LONGEST_DATA) return { item: { is: "bad" }, next: bytes.length };
  const end = at + HEAD_BYTES + length;
  if (bytes.length <= end) return "more";
  if (xorSum(bytes, at + 1, end) !== bytes[end]) return { item: { is: "bad" }, next: bytes.length };
  return { item: { is: "frame", body: bytes.slice(at + 1, end) }, next: end + 1 };
}
