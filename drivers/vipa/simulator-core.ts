import type { Tlv } from "../../src/emv/tlv.ts";
import type { CardSession } from "../../src/simulator/card-session.ts";
import type { DeviceOn } from "../../src/simulator/terminal-body.ts";
import { type Apdu, commandCode } from "./apdu.ts";
import { type Deframer, type Framing, type Message, newDeframer } from "./frame.ts";
import { encodeAnswer, encodeTemplate } from "./message.ts";

/** How long the device takes to say what came of a card or a person, in milliseconds. */
export const ANSWER_MS = 4;

export const EMPTY = new Uint8Array(0);

/** More commands than a host may have waiting; what comes beyond is lost, as in a full buffer. */
const LONGEST_QUEUE = 16;
const ABORT = "D0FF";

/** One simulated device of the family, whatever it remembers beside this while it is on. */
export interface VipaDevice {
  readonly on: DeviceOn;
  readonly session: CardSession;
  readonly framing: Framing;
  /** Begins the next command that waits, if none is being worked on. */
  readonly next: () => void;
  deframer: Deframer;
  queue: Apdu[];
  isBusy: boolean;
  /** Card data and PIN as they were sealed with the first answer: later ones repeat them. */
  sealed: readonly Tlv[];
  /** CARD STATUS and what goes with it: events are wanted, and keys. */
  isReporting: boolean;
  hasKeyEvents: boolean;
  clockOffsetMs: number;
  /** Answers still on their way when the link goes, or the device restarts, belong to an age that is over. */
  age: number;
}

export function newVipaDevice({ on, session, framing, next }: Pick<VipaDevice, "on" | "session" | "framing" | "next">): VipaDevice {
  const nothing = { deframer: newDeframer, queue: [], sealed: [] };
  return { on, session, framing, next, ...nothing, isBusy: false, isReporting: false, hasKeyEvents: false, clockOffsetMs: 0, age: 0 };
}

export function soon(device: VipaDevice, delayMs: number, act: () => void): void {
  const { age } = device;
  device.on.clock.after(delayMs, () => {
    if (age === device.age) act();
  });
}

export function say({ on, framing }: VipaDevice, unsolicited: boolean, body: Uint8Array): void {
  for (const frame of framing.encodeMessage({ unsolicited, body })) on.send(frame);
}

/** Something unasked. */
export function tell(device: VipaDevice, template: "E0" | "E1" | "E6", objects: readonly Tlv[]): void {
  say(device, true, encodeAnswer(encodeTemplate(template, objects)));
}

/** Answers the command that is being worked on, and begins the next. */
export function answer(device: VipaDevice, body: Uint8Array, statusWord: string | undefined, delayMs: number): void {
  soon(device, delayMs, () => {
    device.isBusy = false;
    say(device, false, encodeAnswer(body, statusWord));
    device.next();
  });
}

/** How a model takes its commands. */
export interface Commands {
  /** Undefined: the message is no command. */
  readonly parse: (message: Message) => Apdu | undefined;
  /** The status word for a message that is none. */
  readonly unreadable: string;
  /** ABORT overtakes what waits. */
  readonly abort: () => void;
}

/** Nothing is known of what the device does with a broken stream; this one throws away what it has and listens on. */
export function receive(device: VipaDevice, { parse, unreadable, abort }: Commands, bytes: Uint8Array): void {
  const { state, messages, error } = device.framing.push(device.deframer, bytes);
  device.deframer = error === undefined ? state : newDeframer;
  for (const message of messages) {
    const command = parse(message);
    if (command === undefined) soon(device, ANSWER_MS, () => say(device, false, encodeAnswer(EMPTY, unreadable)));
    else if (commandCode(command) === ABORT) abort();
    else if (device.queue.length < LONGEST_QUEUE) device.queue.push(command);
  }
  device.next();
}

/** Works on the next command that waits; the answer follows by itself. */
export function workOn<D extends VipaDevice>(device: D, run: (device: D, command: Apdu) => void): void {
  const command = device.isBusy ? undefined : device.queue.shift();
  if (command === undefined) return;
  device.isBusy = true;
  run(device, command);
}

/** Runs a command by class and instruction, or does what the device does with one that it does not know. */
export function runBy<D>(
  known: Readonly<Record<string, (device: D, command: Apdu) => void>>,
  unknown: (device: D) => void,
): (device: D, command: Apdu) => void {
  return (device, command) => {
    const code = commandCode(command);
    const run = Object.hasOwn(known, code) ? known[code] : undefined;
    if (run === undefined) unknown(device);
    else run(device, command);
  };
}

/** The line went away or power came back: the device ends its transaction and forgets what it was told (PROTOCOL.md 1.4). */
export function forget(device: VipaDevice): void {
  device.age += 1;
  device.deframer = newDeframer;
  device.queue = [];
  device.isBusy = false;
  device.sealed = [];
  device.isReporting = false;
  device.hasKeyEvents = false;
  device.session.reset();
}
