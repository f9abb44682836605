import type { Tlv } from "../../src/emv/tlv.ts";
import type { CardSession } from "../../src/simulator/card-session.ts";
import { createDeviceLine, type DeviceLine } from "../../src/simulator/device-line.ts";
import type { Key } from "../../src/simulator/panel.ts";
import type { ReadCard } from "../../src/simulator/session-contract.ts";
import type { DeviceOn } from "../../src/simulator/terminal-body.ts";
import type { Frame } from "./frame.ts";
import { lineRules } from "./line.ts";
import { answerFrame } from "./message.ts";
import { OK } from "./status-codes.ts";

/** How long the device takes to answer a plain command, in milliseconds. */
const ANSWER_MS = 4;
/** And one that speaks with the chip. */
export const CARD_MS = 30;

export const EMPTY = new Uint8Array(0);

/** What of a card is sealed, as it is told: by tag, and the serial number of the key. */
export interface SealedObjects {
  readonly parts: ReadonlyMap<string, Uint8Array>;
  readonly ksn: Uint8Array;
}

/** One device: what it remembers while it is on. */
export interface Pad {
  readonly on: DeviceOn;
  /** First byte of its terminal information. */
  readonly code: number;
  readonly session: () => CardSession;
  /** What is done with a whole command. */
  readonly obey: (pad: Pad, frame: Frame) => void;
  readonly line: DeviceLine;
  /** The command that is being worked on; the next one waits for its answer. */
  busy: Frame | undefined;
  /** Keys that were pressed and not read yet. */
  keys: Key[];
  /** What the host set for the transaction to come, by tag. */
  set: Map<string, Uint8Array>;
  /** The amount, where it was set by a command of its own. */
  amount: string | undefined;
  /** Application chosen for the card in the slot, 1 is the first. */
  application: number;
  /** The last card that was read, and what became of it since. */
  card: ReadCard | undefined;
  objects: readonly Tlv[];
  sealed: SealedObjects | undefined;
  /** The key was used and its counter not raised yet; and a second card came meanwhile, which waits for that (PROTOCOL.md 4.7). */
  raising: "done" | "due" | "blocking";
  isMagstripeOpen: boolean;
  /** The difference of its clock to the real one. */
  clockAheadMs: number;
}

export function newPad(on: DeviceOn, code: number, session: () => CardSession, obey: Pad["obey"]): Pad {
  const transaction = { set: new Map<string, Uint8Array>(), amount: undefined, application: 1, card: undefined, objects: [], sealed: undefined };
  const rest = { busy: undefined, keys: [], raising: "done" as const, isMagstripeOpen: false, clockAheadMs: 0 };
  return { on, code, session, obey, line: createDeviceLine(on.clock, on.send), ...transaction, ...rest };
}

/** Answers the command that is being worked on, after the device's usual time. */
export function reply(pad: Pad, rc: number = OK, data: Uint8Array = EMPTY, delayMs: number = ANSWER_MS): void {
  pad.line.soon(delayMs, () => {
    const { busy } = pad;
    if (busy === undefined) return;
    pad.busy = undefined;
    send(pad, answerFrame(busy, rc, data));
  });
}

/** A question to the host while a command is worked on: behind the acknowledgement of that command (PROTOCOL.md 3.3). */
export function ask(pad: Pad, question: Uint8Array): void {
  pad.line.soon(ANSWER_MS, () => {
    if (pad.busy !== undefined) send(pad, question);
  });
}

function send(pad: Pad, frame: Uint8Array): void {
  pad.line.send(lineRules, frame);
}

export function receive(pad: Pad, bytes: Uint8Array): void {
  for (const body of pad.line.hear(lineRules, bytes)) pad.obey(pad, { command: body[0] ?? 0, sub: body[1] ?? 0, data: body.slice(4) });
}
