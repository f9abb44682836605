import { concat } from "../../src/kit/bytes.ts";
import { type Apdu, commandTable } from "../vipa/apdu.ts";

/** Commands of driver and simulator, with their default parameters (PROTOCOL.md 3.3). */
const commands = {
  reset: { cla: 0xd0, ins: 0x00, p1: 0x00, p2: 0xc1 },
  configuration: { cla: 0xd0, ins: 0x01, p1: 0x00, p2: 0x00 },
  "card-status": { cla: 0xd0, ins: 0x60, p1: 0x01, p2: 0x00 },
  abort: { cla: 0xd0, ins: 0xff, p1: 0x00, p2: 0x00 },
  display: { cla: 0xd2, ins: 0x01, p1: 0x00, p2: 0x01 },
  "manual-pan": { cla: 0xd2, ins: 0x14, p1: 0x03, p2: 0x01 },
  clock: { cla: 0xdd, ins: 0x10, p1: 0x01, p2: 0x00 },
  "start-transaction": { cla: 0xde, ins: 0xd1, p1: 0x00, p2: 0x00 },
  "continue-transaction": { cla: 0xde, ins: 0xd2, p1: 0x00, p2: 0x00 },
  "online-pin": { cla: 0xde, ins: 0xd6, p1: 0x00, p2: 0x00 },
  "contactless-status": { cla: 0xc0, ins: 0x00, p1: 0x00, p2: 0x00 },
  "open-reader": { cla: 0xc0, ins: 0x01, p1: 0x00, p2: 0x00 },
  "start-contactless": { cla: 0xc0, ins: 0xa0, p1: 0x01, p2: 0x00 },
  "continue-contactless": { cla: 0xc0, ins: 0xa1, p1: 0x00, p2: 0x00 },
  "cancel-contactless": { cla: 0xc0, ins: 0xc0, p1: 0x00, p2: 0x00 },
  "key-status": { cla: 0xc4, ins: 0x11, p1: 0x00, p2: 0x00 },
} as const;

export type CommandName = keyof typeof commands;

export const { commandApdu, commandName } = commandTable<CommandName>(commands);

/** Lc of data longer than one byte can count; the end of the packet chain then ends the data (PROTOCOL.md 3.2). */
const LC_LONG = 0xff;
const HEADER_BYTES = 4;

/** Largest command data, in bytes, for a device that reported no limit (PROTOCOL.md 3.2). */
export const MOST_UNCHAINED_DATA = 248;

export function encodeApdu({ cla, ins, p1, p2, data }: Apdu): Uint8Array {
  const lc = data.length === 0 ? new Uint8Array(0) : Uint8Array.of(Math.min(data.length, LC_LONG));
  return concat(Uint8Array.of(cla, ins, p1, p2), lc, data);
}

/** Parses a command; undefined if its length field is wrong. Never throws. */
export function parseApdu(bytes: Uint8Array): Apdu | undefined {
  const [cla, ins, p1, p2, lc] = bytes;
  if (cla === undefined || ins === undefined || p1 === undefined || p2 === undefined) return undefined;
  const data = bytes.slice(HEADER_BYTES + 1);
  if (lc === undefined) return { cla, ins, p1, p2, data };
  const isWhole = data.length === lc || (lc === LC_LONG && data.length > LC_LONG);
  return isWhole && lc > 0 ? { cla, ins, p1, p2, data } : undefined;
}
