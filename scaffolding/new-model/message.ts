import { ascii, concat } from "../../src/kit/bytes.ts";
import { encodeFrame } from "./frame.ts";

/** PROTOCOL.md 3.1. */
export const COMMANDS = { identify: 0x01, stop: 0x02 } as const;
export type CommandName = keyof typeof COMMANDS;

export interface Answer {
  readonly command: number;
  readonly status: number;
  readonly data: Uint8Array;
}

export function commandFrame(name: CommandName): Uint8Array {
  return encodeFrame(Uint8Array.of(COMMANDS[name]));
}

export function answerFrame(command: number, status: number, data: Uint8Array): Uint8Array {
  return encodeFrame(concat(Uint8Array.of(command, status), data));
}

/** Never throws; what is too short to be an answer has a command that none has. */
export function parseAnswer(body: Uint8Array): Answer {
  const [command = 0, status = 0] = body;
  return { command, status, data: body.slice(2) };
}

/** PROTOCOL.md 4.1. Undefined where the answer does not look like one. */
export function identityIn(data: Uint8Array): { readonly serialNumber: string; readonly firmware: string } | undefined {
  const [serialNumber = "", firmware = ""] = ascii(data).split("\0");
  return /^[0-9A-Z-]{4,20}$/.test(serialNumber) && /^[ -~]{0,64}$/.test(firmware)
    ? { serialNumber, firmware }
    : undefined;
}
