import { toHex } from "../../src/kit/hex.ts";
import { toldText } from "../../src/kit/printable.ts";
import { type Attributed, leavesOf, parseAttributed, plain } from "./attributed.ts";
import { encodeCommand, type Frame } from "./frame.ts";

/** The device's own tags (PROTOCOL.md 4.2). EMV tags appear as numbers at their use. */
export const tags = {
  ksn: "DFEE12",
  ksnOlder: "FFEE12",
  result: "DFEE25",
  attribution: "DFEE26",
  outputTags: "DFEE1A",
  interfaces: "DFEF37",
  waiting: "DFEF3C",
  errorBlock: "FFEE1F",
  msrRecord: "DFEE23",
  trackLengths: "DFEF4C",
  tracks: "DFEF4D",
  maskedNumber: "DFEF5B",
  maskedTrack2: "DFEF5D",
  pinKsn: "DFEE51",
} as const;

/** Commands by purpose (PROTOCOL.md 3.2): command and sub command. */
const codes = {
  ping: [0x18, 0x01],
  serial: [0x12, 0x01],
  firmware: [0x29, 0x00],
  modules: [0x09, 0x00],
  "poll-on-demand": [0x01, 0x01],
  screen: [0x01, 0x02],
  "switch-notices": [0x01, 0x07],
  "key-state": [0x81, 0x0b],
  activate: [0x02, 0x40],
  start: [0x60, 0x10],
  authenticate: [0x60, 0x11],
  complete: [0x60, 0x12],
  cancel: [0x05, 0x01],
  dialogue: [0x61, 0x01],
  "pin-dialogue": [0x61, 0x02],
} as const;

export type CommandName = keyof typeof codes;

export function frameOf(name: CommandName, data: Uint8Array = new Uint8Array(0)): Uint8Array {
  const [command, code] = codes[name];
  return encodeCommand({ command, code, data });
}

/** Name of a command on the wire; the simulator answers by it. */
export function nameOf({ command, code }: Pick<Frame, "command" | "code">): CommandName | undefined {
  const known: readonly CommandName[] = [
    "ping",
    "serial",
    "firmware",
    "modules",
    "poll-on-demand",
    "screen",
    "switch-notices",
    "key-state",
    "activate",
  ];
  const more: readonly CommandName[] = ["start", "authenticate", "complete", "cancel", "dialogue", "pin-dialogue"];
  return [...known, ...more].find((name) => codes[name][0] === command && codes[name][1] === code);
}

/** Whether this may be the command's answer: answers carry the command but not the sub command (PROTOCOL.md 2.1). */
export function answers(name: CommandName, { command }: Pick<Frame, "command">): boolean {
  return codes[name][0] === command;
}

export type Heard =
  | { readonly is: "answer"; readonly command: number; readonly status: number; readonly data: Uint8Array }
  /** Card seated or slot empty (PROTOCOL.md 5.2). */
  | { readonly is: "slot"; readonly card: boolean }
  /** The device has restarted (PROTOCOL.md 5.3). */
  | { readonly is: "restart"; readonly text: string }
  /** The reader has no screen or keys and uses the host's (PROTOCOL.md 5.1). */
  | { readonly is: "dialogue"; readonly sub: number; readonly data: Uint8Array };

const DIALOGUE = 0x61;
const SWITCHES = 0xf2;
const BOOT = 0x14;
const SEATED = 0x01;
/** Sub command of a start-up notification. An answer to 14-xx has its status in this place. */
const BOOTED = 0x01;

/** Classifies a frame from the reader. Never throws. */
export function heardIn({ command, code, data }: Frame): Heard {
  if (command === SWITCHES) return { is: "slot", card: ((data[0] ?? 0) & SEATED) !== 0 };
  if (command === BOOT && code === BOOTED) return { is: "restart", text: toldText(data) };
  if (command === DIALOGUE) return { is: "dialogue", sub: code, data };
  return { is: "answer", command, status: code, data };
}

/** Card interface, from the attribution byte (PROTOCOL.md 4.1). */
export type Captured = "chip" | "tap" | "tap-magstripe" | "swipe";

/** Body of an answer to activate, start, authenticate and complete. */
export interface Outcome {
  readonly captured: Captured;
  /** DFEE25, four hexadecimal digits. */
  readonly result?: string;
  readonly leaves: readonly Attributed[];
}

const EXTENDED = 0x20;

/** Parses such a body; undefined if it does not parse. */
export function outcomeIn(data: Uint8Array): Outcome | undefined {
  const [attribution] = data;
  if (attribution === undefined) return undefined;
  const objects = parseAttributed(data.subarray((attribution & EXTENDED) === 0 ? 1 : 2));
  if (objects === undefined) return undefined;
  const leaves = leavesOf(objects);
  const result = plain(leaves, tags.result);
  return { captured: capturedBy(attribution), leaves, ...(result?.length === 2 && { result: toHex(result) }) };
}

/** Bits 4, 3 and 0: 000 contact, 001 contactless chip, 101 contactless magstripe, 01x magstripe. */
function capturedBy(attribution: number): Captured {
  if ((attribution & 0x18) === 0x08) return "swipe";
  if ((attribution & 0x01) === 0) return "chip";
  return (attribution & 0x10) === 0 ? "tap" : "tap-magstripe";
}
