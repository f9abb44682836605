import { concat } from "../../src/kit/bytes.ts";
import { type Apdu, commandTable } from "../vipa/apdu.ts";

/** Commands of driver and simulator, with their default parameters (PROTOCOL.md 3.3). */
export const commands = {
  reset: { cla: 0xd0, ins: 0x00, p1: 0x00, p2: 0x00 },
  configuration: { cla: 0xd0, ins: 0x01, p1: 0x00, p2: 0x00 },
  "device-info": { cla: 0xd0, ins: 0x02, p1: 0x00, p2: 0x00 },
  clock: { cla: 0xd0, ins: 0x10, p1: 0x00, p2: 0x00 },
  "card-status": { cla: 0xd0, ins: 0x60, p1: 0x00, p2: 0x00 },
  "keyboard-status": { cla: 0xd0, ins: 0x61, p1: 0x00, p2: 0xff },
  abort: { cla: 0xd0, ins: 0xff, p1: 0x00, p2: 0x00 },
  display: { cla: 0xd2, ins: 0x01, p1: 0x00, p2: 0x01 },
  "secure-data": { cla: 0xd2, ins: 0xe0, p1: 0x00, p2: 0x00 },
  "start-contactless": { cla: 0xde, ins: 0xc1, p1: 0x00, p2: 0x00 },
  "start-transaction": { cla: 0xde, ins: 0xd1, p1: 0x00, p2: 0x00 },
  "continue-transaction": { cla: 0xde, ins: 0xd2, p1: 0x00, p2: 0x00 },
  "online-pin": { cla: 0xde, ins: 0xd6, p1: 0x01, p2: 0x00 },
  "p2pe-status": { cla: 0xee, ins: 0xe0, p1: 0x00, p2: 0x00 },
} as const;

export type CommandName = keyof typeof commands;

export const { commandApdu, commandName } = commandTable<CommandName>(commands);

const LONGEST_CLASSIC = 254;
const LONGEST_EXTENDED = 1024;
const MOST_CLASSIC_DATA = 249;
const MOST_CLASSIC_LE = 252;

/**
 * A command's bytes; undefined if they do not fit. Classic form: 254 bytes. Extended form: 1024, only if needed and
 * announced by the device (PROTOCOL.md 3.2).
 */
export function encodeApdu(apdu: Apdu, extended: boolean): Uint8Array | undefined {
  const { cla, ins, p1, p2, data, le } = apdu;
  const header = Uint8Array.of(cla, ins, p1, p2);
  if (data.length <= MOST_CLASSIC_DATA && (le ?? 0) <= MOST_CLASSIC_LE) {
    const lc = data.length === 0 ? new Uint8Array(0) : Uint8Array.of(data.length);
    const classic = concat(header, lc, data, le === undefined ? new Uint8Array(0) : Uint8Array.of(le));
    if (classic.length <= LONGEST_CLASSIC) return classic;
  }
  if (!extended || data.length === 0) return undefined;
  const long = concat(
    header,
    Uint8Array.of(0),
    word(data.length),
    data,
    le === undefined ? new Uint8Array(0) : word(le),
  );
  return long.length <= LONGEST_EXTENDED ? long : undefined;
}

function word(value: number): Uint8Array {
  return Uint8Array.of((value >> 8) & 0xff, value & 0xff);
}

/** Parses a command in either form; undefined if its length fields are wrong. Never throws. */
export function parseApdu(bytes: Uint8Array): Apdu | undefined {
  const [cla, ins, p1, p2, lc] = bytes;
  if (cla === undefined || ins === undefined || p1 === undefined || p2 === undefined || bytes.length > LONGEST_EXTENDED)
    return undefined;
  const header = { cla, ins, p1, p2 };
  if (lc === undefined) return { ...header, data: new Uint8Array(0) };
  if (bytes.length === 5) return { ...header, data: new Uint8Array(0), le: lc };
  const isLong = lc === 0;
  const start = isLong ? 7 : 5;
  const length = isLong ? ((bytes[5] ?? 0) << 8) | (bytes[6] ?? 0) : lc;
  const leSize = isLong ? 2 : 1;
  const data = bytes.slice(start, start + length);
  const rest = bytes.subarray(start + length);
  if (data.length !== length || length === 0) return undefined;
  if (rest.length === 0) return { ...header, data };
  return rest.length === leSize
    ? { ...header, data, le: rest.reduce((value, byte) => value * 256 + byte, 0) }
    : undefined;
}
