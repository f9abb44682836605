import type { Tlv } from "../../src/emv/tlv.ts";
import type { Cancel } from "../../src/kit/clock.ts";
import type { CardSession, ReadCard } from "../../src/simulator/card-session.ts";
import type { Key } from "../../src/simulator/panel.ts";
import type { DeviceOn } from "../../src/simulator/terminal-body.ts";
import { type LineState, type LineStep, lineTimers, newLine, receiveOnLine, sendOnLine, tickOnLine } from "../../src/terminal/acknowledged-line.ts";
import type { Frame } from "./frame.ts";
import { lineRules } from "./line.ts";
import { answerFrame } from "./message.ts";
import { OK } from "./results.ts";

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
  line: LineState;
  readonly timers: Map<string, Cancel>;
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
  isStripeOpen: boolean;
  /** The difference of its clock to the real one. */
  clockAheadMs: number;
  /** Answers still on their way when the link goes, or the device restarts, belong to an age that is over. */
  age: number;
}

export function newPad(on: DeviceOn, code: number, session: () => CardSession, obey: Pad["obey"]): Pad {
  const transaction = { set: new Map<string, Uint8Array>(), amount: undefined, application: 1, card: undefined, objects: [], sealed: undefined };
  const rest = { line: newLine, timers: new Map<string, Cancel>(), busy: undefined, keys: [], raising: "done" as const, isStripeOpen: false };
  return { on, code, session, obey, ...transaction, ...rest, clockAheadMs: 0, age: 0 };
}

function soon(pad: Pad, delayMs: number, act: () => void): void {
  const { age } = pad;
  pad.on.clock.after(delayMs, () => {
    if (age === pad.age) act();
  });
}

/** Answers the command that is being worked on, after the device's usual time. */
export function reply(pad: Pad, rc: number = OK, data: Uint8Array = EMPTY, delayMs: number = ANSWER_MS): void {
  soon(pad, delayMs, () => {
    const { busy } = pad;
    if (busy === undefined) return;
    pad.busy = undefined;
    send(pad, answerFrame(busy, rc, data));
  });
}

/** Puts a whole frame on the line, at once or behind those that are not acknowledged yet. */
export function send(pad: Pad, frame: Uint8Array): void {
  settle(pad, sendOnLine(lineRules, pad.line, frame));
}

export function receive(pad: Pad, bytes: Uint8Array): void {
  // Never from inside: a host that hears its own acknowledgement before it has finished writing would be confused.
  soon(pad, 0, () => settle(pad, receiveOnLine(lineRules, pad.line, bytes)));
}

function settle(pad: Pad, { state, write, bodies, timers, failed }: LineStep): void {
  pad.line = state;
  for (const [name, delay] of Object.entries(timers)) {
    pad.timers.get(name)?.();
    pad.timers.delete(name);
    if (typeof delay === "number")
      pad.timers.set(
        name,
        pad.on.clock.after(delay, () => tick(pad, name)),
      );
  }
  for (const bytes of write) pad.on.send(bytes);
  if (failed !== undefined) silence(pad);
  for (const body of bodies) pad.obey(pad, { command: body[0] ?? 0, sub: body[1] ?? 0, data: body.slice(4) });
}

function tick(pad: Pad, timer: string): void {
  const name = lineTimers.find((one) => one === timer);
  pad.timers.delete(timer);
  if (name !== undefined) settle(pad, tickOnLine(lineRules, pad.line, name));
}

/** Nothing that was to be said is said any more. */
export function silence(pad: Pad): void {
  pad.line = newLine;
  for (const cancel of pad.timers.values()) cancel();
  pad.timers.clear();
}
