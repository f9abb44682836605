import { concat, fromAscii, put, xorSum } from "../../src/kit/bytes.ts";
import type { LineCut, LineItem } from "../../src/terminal/acknowledged-line.ts";

/** Field separators of a body (PROTOCOL.md 2.4). */
export const FS = "\x1c";
export const GS = "\x1d";
/** A form's answer if no key was pressed. */
export const NO_KEY = "\x1f";

/* Frames and the single bytes between them (PROTOCOL.md 2). */

const STX = 0x02;
const ETX = 0x03;
export const ACK = 0x06;
export const NAK = 0x15;

/** Largest accepted body, in bytes (PROTOCOL.md 2.5). */
export const LONGEST_BODY = 8192;
/** Framing bytes around a body. */
export const AROUND = 3;

function sumOf(body: Uint8Array): number {
  return xorSum(body) ^ ETX;
}

/** Throws a RangeError on a body that fits no frame, which is a caller's bug. */
export function encodeFrame(body: string): Uint8Array {
  const bytes = fromAscii(body);
  if (bytes.length > LONGEST_BODY || bytes.includes(STX) || bytes.includes(ETX))
    throw new RangeError(`no body of a frame: ${bytes.length} bytes`);
  const frame = new Uint8Array(bytes.length + AROUND);
  frame[0] = STX;
  put(bytes, frame, 1);
  frame[bytes.length + 1] = ETX;
  frame[bytes.length + 2] = sumOf(bytes);
  return frame;
}

/** The body of one of our own whole frames. */
export function bodyOf(frame: Uint8Array): Uint8Array {
  return frame.subarray(1, -2);
}

type Piece =
  | { readonly is: "item"; readonly item: LineItem; readonly next: number }
  | { readonly is: "noise"; readonly next: number }
  | { readonly is: "more" };

const NOTHING = new Uint8Array(0);

/** Cuts a stream. `fromStx`: an LRC that includes STX is accepted too (PROTOCOL.md 2.2). Never throws. */
export function cutFrames(fromStx: boolean): (pending: Uint8Array, chunk: Uint8Array) => LineCut {
  return (pending, chunk) => {
    const bytes = pending.length === 0 ? chunk : concat(pending, chunk);
    const items: LineItem[] = [];
    let at = 0;
    while (at < bytes.length) {
      const piece = pieceAt(bytes, at, fromStx);
      if (piece.is === "more") break;
      if (piece.is === "item") items.push(piece.item);
      at = piece.next;
    }
    return { items, pending: at === bytes.length ? NOTHING : bytes.slice(at) };
  };
}

function pieceAt(bytes: Uint8Array, at: number, fromStx: boolean): Piece {
  switch (bytes[at]) {
    case ACK:
      return { is: "item", item: { is: "ack" }, next: at + 1 };
    case NAK:
      return { is: "item", item: { is: "nak" }, next: at + 1 };
    case STX:
      return frameAt(bytes, at, fromStx);
    default:
      return { is: "noise", next: at + 1 };
  }
}

/** A frame start inside a frame means that the end of the first was lost. */
function frameAt(bytes: Uint8Array, at: number, fromStx: boolean): Piece {
  let end = at + 1;
  while (end < bytes.length && bytes[end] !== ETX && bytes[end] !== STX) end += 1;
  if (bytes[end] === STX) return { is: "noise", next: end };
  if (end - at - 1 > LONGEST_BODY) return { is: "item", item: { is: "bad" }, next: end };
  const sum = bytes[end + 1];
  if (sum === undefined) return { is: "more" };
  const body = bytes.slice(at + 1, end);
  const right = sumOf(body);
  const isGood = sum === right || (fromStx && sum === (right ^ STX));
  return { is: "item", item: isGood ? { is: "frame", body } : { is: "bad" }, next: end + 2 };
}

/** A longer unfinished frame is discarded, in bytes. */
export const LONGEST_PENDING = LONGEST_BODY + AROUND;
