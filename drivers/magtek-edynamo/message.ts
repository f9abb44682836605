import { concat } from "../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../src/kit/hex.ts";

/* Commands, answers and notifications; all transports share them (PROTOCOL.md 3). */

/** Plain commands (PROTOCOL.md 4.1), by number. */
export const plain = {
  "get-property": 0x00,
  "get-ksn": 0x09,
  "get-level": 0x15,
  "set-output": 0x48,
  extended: 0x49,
} as const;

/** Extended commands (PROTOCOL.md 4.2), by number. */
export const extended = {
  start: "0300",
  selection: "0302",
  acquirer: "0303",
  cancel: "0304",
  "set-clock": "030C",
  "read-clock": "030D",
} as const;

export type PlainName = Exclude<keyof typeof plain, "extended">;
export type ExtendedName = keyof typeof extended;

/** Notifications (PROTOCOL.md 5), by number. */
export const notifications = {
  progress: "0300",
  display: "0301",
  selection: "0302",
  arqc: "0303",
  result: "0304",
} as const;

/** Result codes in the answer to a packet (PROTOCOL.md 3.2). */
export const DONE = 0x00;
const EXTENDED_DONE = 0x0a;
const PENDING = 0x0b;

export type Heard =
  /**
   * `code`: result of the packet. `result`: result of the extended command that it completed, four hexadecimal digits.
   */
  | { readonly is: "answer"; readonly code: number; readonly result?: string; readonly data: Uint8Array }
  /** The packet was accepted; the command needs more packets. */
  | { readonly is: "pending" }
  | { readonly is: "notification"; readonly id: string; readonly data: Uint8Array }
  | { readonly is: "command"; readonly code: number; readonly data: Uint8Array }
  /** Magstripe data outside a transaction, and other messages that the driver ignores. */
  | { readonly is: "other" };

export function plainCommand(name: PlainName, data: Uint8Array = new Uint8Array(0)): Uint8Array {
  return concat(Uint8Array.of(plain[name], data.length), data);
}

/** Data bytes of one packet of an extended command (PROTOCOL.md 3.3). */
const PACKET_HOLDS = 51;
const PACKET_HEAD = 6;

/** An extended command in as many packets as it needs, in order. */
export function extendedCommand(name: ExtendedName, data: Uint8Array = new Uint8Array(0)): readonly Uint8Array[] {
  const count = Math.max(1, Math.ceil(data.length / PACKET_HOLDS));
  return Array.from({ length: count }, (_, number) => {
    const offset = number * PACKET_HOLDS;
    const part = data.subarray(offset, offset + PACKET_HOLDS);
    return concat(
      Uint8Array.of(plain.extended, PACKET_HEAD + part.length),
      word(offset),
      fromHex(extended[name]),
      word(data.length),
      part,
    );
  });
}

export function word(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff);
}

export function wordAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

/** One packet of an extended command, as the device reads it. Undefined if it is too short. */
export function packetIn(
  data: Uint8Array,
): { readonly offset: number; readonly id: string; readonly total: number; readonly part: Uint8Array } | undefined {
  if (data.length < PACKET_HEAD) return undefined;
  return {
    offset: wordAt(data, 0),
    id: toHex(data.subarray(2, 4)),
    total: wordAt(data, 4),
    part: data.slice(PACKET_HEAD),
  };
}

/** Parses an answer, or says why it is invalid; padding may follow it (PROTOCOL.md 3.2). Never throws. */
export function parseAnswer(bytes: Uint8Array): Heard | string {
  const [code, length] = bytes;
  if (code === undefined || length === undefined || bytes.length < 2 + length)
    return `an answer of ${bytes.length} bytes`;
  const data = bytes.slice(2, 2 + length);
  if (code === PENDING) return { is: "pending" };
  if (code !== EXTENDED_DONE) return { is: "answer", code, data };
  const packet = packetIn(data);
  if (packet === undefined) return "an extended answer without its head";
  if (packet.offset !== 0 || packet.part.length !== packet.total)
    return "an extended answer in several packets, to a command that has none";
  return { is: "answer", code, result: packet.id, data: packet.part };
}

/** Parses a command, as the device reads it, or says why it is invalid. Never throws. */
export function parseCommand(bytes: Uint8Array): Heard | string {
  const [code, length] = bytes;
  if (code === undefined || length === undefined || bytes.length < 2 + length)
    return `a command of ${bytes.length} bytes`;
  return { is: "command", code, data: bytes.slice(2, 2 + length) };
}

export function encodeAnswer(code: number, data: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(code, data.length), data);
}

/** The answer to the last packet of an extended command. */
export function encodeResult(result: string, data: Uint8Array): Uint8Array {
  return encodeAnswer(EXTENDED_DONE, concat(word(0), fromHex(result), word(data.length), data));
}

export const PENDING_ANSWER: Uint8Array = encodeAnswer(PENDING, new Uint8Array(0));
