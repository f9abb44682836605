import type { Tlv } from "../../src/emv/tlv.ts";
import type { DeviceOn } from "../../src/simulator/terminal-body.ts";
import type { Apdu } from "./apdu.ts";
import { type Deframer, encodeMessage, newDeframer } from "./frame.ts";
import { encodeAnswer, encodeTemplate } from "./message.ts";
import { type Chip, newChip } from "./simulator-chip.ts";

/** How long the device takes to answer a plain command, in milliseconds. */
export const ANSWER_MS = 4;

export const EMPTY = new Uint8Array(0);

/** One device: what it remembers while it is on. */
export interface Miura {
  readonly on: DeviceOn;
  readonly chip: Chip;
  /** Begins the next command that waits, if none is being worked on. */
  readonly next: () => void;
  deframer: Deframer;
  queue: Apdu[];
  isBusy: boolean;
  /** CARD STATUS and KEYBOARD STATUS: events are wanted. */
  isReporting: boolean;
  hasKeyEvents: boolean;
  clockOffsetMs: number;
  /** Answers still on their way when the link goes, or the device restarts, belong to an age that is over. */
  age: number;
}

export function newMiura(on: DeviceOn, next: (miura: Miura) => void): Miura {
  const output = {
    finish: (body: Uint8Array, statusWord?: string, delayMs?: number): void => reply(miura, body, statusWord, delayMs),
    status: (objects: readonly Tlv[]): void => tell(miura, "E6", objects),
    card: (objects: readonly Tlv[]): void => soon(miura, ANSWER_MS, () => tell(miura, "E1", objects)),
  };
  const miura: Miura = {
    on,
    chip: newChip(on, output),
    next: () => next(miura),
    deframer: newDeframer,
    queue: [],
    isBusy: false,
    isReporting: false,
    hasKeyEvents: false,
    clockOffsetMs: 0,
    age: 0,
  };
  return miura;
}

export function soon(miura: Miura, delayMs: number, act: () => void): void {
  const { age } = miura;
  miura.on.clock.after(delayMs, () => {
    if (age === miura.age) act();
  });
}

export function say(miura: Miura, unsolicited: boolean, body: Uint8Array): void {
  for (const frame of encodeMessage({ nad: 1, unsolicited, body })) miura.on.send(frame);
}

/** Something unasked. */
export function tell(miura: Miura, template: "E0" | "E1" | "E6", objects: readonly Tlv[]): void {
  say(miura, true, encodeAnswer(encodeTemplate(template, objects)));
}

/** Answers the command that is being worked on, after the device's usual time, and begins the next. */
export function reply(miura: Miura, body: Uint8Array, statusWord?: string, delayMs = ANSWER_MS): void {
  soon(miura, delayMs, () => {
    miura.isBusy = false;
    say(miura, false, encodeAnswer(body, statusWord));
    miura.next();
  });
}

/** An answer in an E1. */
export function replyObjects(miura: Miura, objects: readonly Tlv[]): void {
  reply(miura, encodeTemplate("E1", objects));
}
