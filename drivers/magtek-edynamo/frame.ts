import { concat } from "../../src/kit/bytes.ts";
import { slipFrame, unescaped } from "../../src/kit/slip.ts";

/* Messages on a serial line: SLIP around `type length message` (PROTOCOL.md 2.2). There is no checksum. */

/** Frame types. */
export const types = { notification: 0x02, notificationRuns: 0x03, answer: 0x04, command: 0x05 } as const;

/** Largest accepted message, packet or notification, in bytes (PROTOCOL.md 3.5); far above the longest one seen. */
export const LONGEST_MESSAGE = 8192;

const HEAD_BYTES = 3;
/** Every byte of the longest frame may be escaped. */
export const LONGEST_FRAME = 2 * (HEAD_BYTES + LONGEST_MESSAGE);

export interface SerialFrame {
  readonly type: number;
  readonly message: Uint8Array;
}

/** Throws a RangeError on a message that fits no frame, which is a caller's bug. */
export function encodeFrame({ type, message }: SerialFrame): Uint8Array {
  if (message.length > LONGEST_MESSAGE)
    throw new RangeError(`a frame holds ${LONGEST_MESSAGE} bytes, not ${message.length}`);
  return slipFrame(concat(Uint8Array.of(type, message.length >> 8, message.length & 0xff), message));
}

/** The frame between two delimiters, or why it is invalid. Never throws. */
export function readFrame(piece: Uint8Array): SerialFrame | string {
  const plain = unescaped(piece);
  if (plain === undefined) return "an escape of nothing";
  const [type, high = 0, low = 0] = plain;
  if (type === undefined || plain.length < HEAD_BYTES) return `a frame of ${plain.length} bytes`;
  const [length, message] = [(high << 8) | low, plain.slice(HEAD_BYTES)];
  if (message.length !== length) return `a frame of ${message.length} bytes that claims ${length}`;
  if (type !== types.notificationRuns)
    return length > LONGEST_MESSAGE ? `a frame of ${length} bytes` : { type, message };
  const expanded = withoutRuns(message);
  return typeof expanded === "string" ? expanded : { type: types.notification, message: expanded };
}

/** Expands the run lengths of a notification: a doubled byte is followed by its count (PROTOCOL.md 2.3). */
export function withoutRuns(bytes: Uint8Array): Uint8Array | string {
  const plain: number[] = [];
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    const isRun = at + 1 < bytes.length && bytes[at + 1] === byte;
    const times = isRun ? bytes[at + 2] : 1;
    if (times === undefined) return "a run without its length";
    if (plain.length + times > LONGEST_MESSAGE) return `runs of more than ${LONGEST_MESSAGE} bytes`;
    for (let count = 0; count < times; count += 1) plain.push(byte);
    at += isRun ? 3 : 1;
  }
  return Uint8Array.from(plain);
}

const LONGEST_RUN = 0xff;

/** A notification with its run lengths (PROTOCOL.md 2.3). */
export function withRuns(bytes: Uint8Array): Uint8Array {
  const runs: number[] = [];
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    let times = 1;
    while (times < LONGEST_RUN && bytes[at + times] === byte) times += 1;
    runs.push(...(times === 1 ? [byte] : [byte, byte, times]));
    at += times;
  }
  return Uint8Array.from(runs);
}
