import type { Tlv } from "../../src/emv/tlv.ts";
import type { CardSession } from "../../src/simulator/card-session.ts";
import type { DeviceOn } from "../../src/simulator/terminal-body.ts";
import type { Apdu } from "./apdu.ts";
import { type Deframer, encodeMessage, newDeframer } from "./frame.ts";
import { encodeAnswer, encodeTemplate } from "./message.ts";

/** How long the device takes to answer a plain command, in milliseconds. */
export const ANSWER_MS = 4;

export const EMPTY = new Uint8Array(0);

/** The command for which the session works: what it says is that command's answer. */
export type Open = "none" | "start" | "tap" | "continue" | "pin" | "secure-data";

/** One device: what it remembers while it is on. */
export interface Miura {
  readonly on: DeviceOn;
  readonly session: CardSession;
  /** Begins the next command that waits, if none is being worked on. */
  readonly next: () => void;
  deframer: Deframer;
  queue: Apdu[];
  isBusy: boolean;
  open: Open;
  /** Who waits for CONTINUE. */
  held: "nobody" | "chip" | "tap";
  /** Card data and PIN as they were sealed with the first answer: the last one repeats them. */
  sealed: readonly Tlv[];
  /** What was typed for GET SECURE DATA. */
  store: readonly Tlv[];
  /** CARD STATUS and KEYBOARD STATUS: events are wanted. */
  isReporting: boolean;
  hasKeyEvents: boolean;
  clockOffsetMs: number;
  /** Answers still on their way when the link goes, or the device restarts, belong to an age that is over. */
  age: number;
}

export function newMiura(on: DeviceOn, session: CardSession, next: () => void): Miura {
  return {
    on,
    session,
    next,
    deframer: newDeframer,
    queue: [],
    isBusy: false,
    open: "none",
    held: "nobody",
    sealed: [],
    store: [],
    isReporting: false,
    hasKeyEvents: false,
    clockOffsetMs: 0,
    age: 0,
  };
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
  miura.open = "none";
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
