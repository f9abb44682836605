import { concat } from "../../src/kit/bytes.ts";
import { encodeFrame, type Frame, frameIn } from "./frame.ts";

/** Commands by purpose (PROTOCOL.md 4.1): command and sub command. */
const codes = {
  "ped-version": 0x9000,
  ksn: 0x9019,
  "next-ksn": 0x9020,
  "set-clock": 0x9032,
  clock: 0x9033,
  serial: 0x9034,
  ping: 0x9036,
  versions: 0x903d,
  terminal: 0x903e,
  "clear-screen": 0x9040,
  text: 0x9041,
  "flush-keys": 0x9047,
  key: 0x9048,
  "key-hit": 0x904f,
  "stripe-on": 0x9050,
  "stripe-off": 0x9051,
  "stripe-reset": 0x9052,
  swiped: 0x9053,
  tracks: 0x9054,
  slot: 0x9059,
  "get-object": 0x9082,
  "set-object": 0x9083,
  "emv-version": 0x9086,
  init: 0x9097,
  select: 0x9098,
  "read-records": 0x9099,
  "authenticate-card": 0x909a,
  start: 0x90a3,
  complete: 0x90a4,
  "set-amount": 0x90a7,
} as const;

export type CommandName = keyof typeof codes;

const byCode: ReadonlyMap<number, string> = new Map(Object.entries(codes).map(([name, code]) => [code, name]));

const isName = (name: string | undefined): name is CommandName => name !== undefined && Object.hasOwn(codes, name);

/** Name of a command on the wire; the simulator answers by it. */
export function nameOf({ command, sub }: Pick<Frame, "command" | "sub">): CommandName | undefined {
  const name = byCode.get((command << 8) | sub);
  return isName(name) ? name : undefined;
}

const EMPTY = new Uint8Array(0);

export function commandFrame(name: CommandName, data: Uint8Array = EMPTY): Uint8Array {
  return encodeFrame({ command: codes[name] >> 8, sub: codes[name] & 0xff, data });
}

/** An answer's frame; its return code comes first (PROTOCOL.md 2.1). */
export function answerFrame(
  { command, sub }: Pick<Frame, "command" | "sub">,
  rc: number,
  data: Uint8Array = EMPTY,
): Uint8Array {
  return encodeFrame({ command, sub, data: concat(word(rc), data) });
}

/** Call-backs of the device (PROTOCOL.md 5). */
const CALL_BACK = 0xb0;

/** A question from the device while it runs a command. */
export function callBackFrame(sub: number, data: Uint8Array): Uint8Array {
  return encodeFrame({ command: CALL_BACK, sub, data });
}

/** The answer to a call-back has the form of any other answer. */
export function callBackAnswer(sub: number, result: number, data: Uint8Array = EMPTY): Uint8Array {
  return answerFrame({ command: CALL_BACK, sub }, result, data);
}

/** Four bytes, signed, high byte first. */
export function word(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  for (let at = 0; at < 4; at += 1) bytes[at] = value >> (24 - 8 * at);
  return bytes;
}

/** A number of four bytes, signed; undefined if the bytes are too few. */
export function wordIn(bytes: Uint8Array, at = 0): number | undefined {
  if (bytes.length < at + 4) return undefined;
  return ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
}

export type Heard =
  | { readonly is: "answer"; readonly code: number; readonly rc: number; readonly data: Uint8Array }
  | { readonly is: "call-back"; readonly sub: number; readonly data: Uint8Array }
  /** Too short for an answer, or a frame that no host receives. */
  | { readonly is: "odd" };

/** Classifies a frame from the device. Never throws. */
export function heardIn(body: Uint8Array): Heard {
  const { command, sub, data } = frameIn(body);
  if (command === CALL_BACK) return { is: "call-back", sub, data };
  const rc = wordIn(data);
  return rc === undefined ? { is: "odd" } : { is: "answer", code: (command << 8) | sub, rc, data: data.subarray(4) };
}

/** Whether this answers the command (PROTOCOL.md 3.5). */
export function answers(name: CommandName, heard: Heard): heard is Extract<Heard, { is: "answer" }> {
  return heard.is === "answer" && heard.code === codes[name];
}

/**
 * Whether a body proves that our frame arrived: its answer, or a call-back during it. After our call-back answer, any
 * body (PROTOCOL.md 3.4).
 */
export function isAnswerTo(sent: Uint8Array, body: Uint8Array): boolean {
  return sent[1] === CALL_BACK || body[0] === CALL_BACK || (body[0] === sent[1] && body[1] === sent[2]);
}
