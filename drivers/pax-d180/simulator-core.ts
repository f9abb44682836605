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

/** Delay of an answer to a plain command, in milliseconds. */
const ANSWER_MS = 4;
/** Delay of an answer that needs the chip, in milliseconds. */
export const CARD_MS = 30;

export const EMPTY = new Uint8Array(0);

/** Encrypted card data by tag, with its KSN. */
export interface SealedObjects {
  readonly parts: ReadonlyMap<string, Uint8Array>;
  readonly ksn: Uint8Array;
}

/** State of one device while it is powered. */
export interface Pad {
  readonly on: DeviceOn;
  /** First byte of the terminal information. */
  readonly code: number;
  readonly session: () => CardSession;
  /** Runs a whole command. */
  readonly obey: (pad: Pad, frame: Frame) => void;
  readonly line: DeviceLine;
  /** The running command; the next one must wait for its answer. */
  busy: Frame | undefined;
  /** Pressed keys that the host has not read yet. */
  keys: Key[];
  /** Values that the host set for the next transaction, by tag. */
  set: Map<string, Uint8Array>;
  /** The amount, if a separate command set it. */
  amount: string | undefined;
  /** Application chosen on the card in the slot, from 1. */
  application: number;
  /** The last card that was read, with its objects since then. */
  card: ReadCard | undefined;
  objects: readonly Tlv[];
  sealed: SealedObjects | undefined;
  /**
   * The key was used and its counter not yet raised (`due`); `blocking`: a second card already waits for that
   * (PROTOCOL.md 4.7).
   */
  raising: "done" | "due" | "blocking";
  isMagstripeOpen: boolean;
  /** Offset of its clock from real time. */
  clockAheadMs: number;
}

export function newPad(on: DeviceOn, code: number, session: () => CardSession, obey: Pad["obey"]): Pad {
  const transaction = {
    set: new Map<string, Uint8Array>(),
    amount: undefined,
    application: 1,
    card: undefined,
    objects: [],
    sealed: undefined,
  };
  const rest = { busy: undefined, keys: [], raising: "done" as const, isMagstripeOpen: false, clockAheadMs: 0 };
  return { on, code, session, obey, line: createDeviceLine(on.clock, on.send), ...transaction, ...rest };
}

/** Answers the running command after the device's usual delay. */
export function reply(pad: Pad, rc: number = OK, data: Uint8Array = EMPTY, delayMs: number = ANSWER_MS): void {
  pad.line.soon(delayMs, () => {
    const { busy } = pad;
    if (busy === undefined) return;
    pad.busy = undefined;
    send(pad, answerFrame(busy, rc, data));
  });
}

/** Asks the host during a command, after acknowledging that command (PROTOCOL.md 3.3). */
export function ask(pad: Pad, question: Uint8Array): void {
  pad.line.soon(ANSWER_MS, () => {
    if (pad.busy !== undefined) send(pad, question);
  });
}

function send(pad: Pad, frame: Uint8Array): void {
  pad.line.send(lineRules, frame);
}

export function receive(pad: Pad, bytes: Uint8Array): void {
  for (const body of pad.line.hear(lineRules, bytes))
    pad.obey(pad, { command: body[0] ?? 0, sub: body[1] ?? 0, data: body.slice(4) });
}
