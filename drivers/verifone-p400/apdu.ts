import { concat } from "../../src/kit/bytes.ts";

/** A command to the device (PROTOCOL.md 3.1). None of those used here asks for a number of bytes back. */
export interface Apdu {
  readonly cla: number;
  readonly ins: number;
  readonly p1: number;
  readonly p2: number;
  readonly data: Uint8Array;
}

/** Every command that driver and simulator exchange, with the parameters it is sent with unless a caller says otherwise (PROTOCOL.md 3.3). */
export const commands = {
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

const names: readonly CommandName[] = [
  "reset",
  "configuration",
  "card-status",
  "abort",
  "display",
  "manual-pan",
  "clock",
  "start-transaction",
  "continue-transaction",
  "online-pin",
  "contactless-status",
  "open-reader",
  "start-contactless",
  "continue-contactless",
  "cancel-contactless",
  "key-status",
];

export interface Parameters {
  readonly p1?: number;
  readonly p2?: number;
  readonly data?: Uint8Array;
}

/** The command of that name; parameters and data where they differ from the table. */
export function commandApdu(name: CommandName, { p1, p2, data }: Parameters = {}): Apdu {
  const row = commands[name];
  return { ...row, p1: p1 ?? row.p1, p2: p2 ?? row.p2, data: data ?? new Uint8Array(0) };
}

/** The name of a command by its class and instruction, or undefined where this table does not know it. */
export function commandName(apdu: Pick<Apdu, "cla" | "ins">): CommandName | undefined {
  return names.find((name) => commands[name].cla === apdu.cla && commands[name].ins === apdu.ins);
}

/** Lc of everything that is longer than one byte can say: then the chain's own end is the data's (PROTOCOL.md 3.2). */
const LC_LONG = 0xff;
const HEADER_BYTES = 4;

/** Most data of a command to a device that told no greatest size of one (PROTOCOL.md 3.2). */
export const MOST_UNCHAINED_DATA = 248;

export function encodeApdu({ cla, ins, p1, p2, data }: Apdu): Uint8Array {
  const lc = data.length === 0 ? new Uint8Array(0) : Uint8Array.of(Math.min(data.length, LC_LONG));
  return concat(Uint8Array.of(cla, ins, p1, p2), lc, data);
}

/** Reads a command; undefined where the length in it does not agree. Never throws. */
export function parseApdu(bytes: Uint8Array): Apdu | undefined {
  const [cla, ins, p1, p2, lc] = bytes;
  if (cla === undefined || ins === undefined || p1 === undefined || p2 === undefined) return undefined;
  const data = bytes.slice(HEADER_BYTES + 1);
  if (lc === undefined) return { cla, ins, p1, p2, data };
  const isWhole = data.length === lc || (lc === LC_LONG && data.length > LC_LONG);
  return isWhole && lc > 0 ? { cla, ins, p1, p2, data } : undefined;
}
