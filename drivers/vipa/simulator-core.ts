import type { Tlv } from "../../src/emv/tlv.ts";
import type { CardSession } from "../../src/simulator/card-session.ts";
import type { DeviceOn } from "../../src/simulator/terminal-body.ts";
import { type Apdu, commandCode } from "./apdu.ts";
import { type Deframer, type Framing, type Message, newDeframer } from "./frame.ts";
import { encodeAnswer, encodeTemplate } from "./message.ts";

/** Delay of an answer after an event of a card or customer, in milliseconds. */
export const ANSWER_MS = 4;

export const EMPTY = new Uint8Array(0);

/** Commands that a host may have queued; further ones are lost, as in a full buffer. */
const LONGEST_QUEUE = 16;
const ABORT = "D0FF";

/** One simulated device of the family; a model adds its own state. */
export interface VipaDevice {
  readonly on: DeviceOn;
  readonly session: CardSession;
  readonly framing: Framing;
  /** Starts the next queued command if none is running. */
  readonly next: () => void;
  deframer: Deframer;
  queue: Apdu[];
  isBusy: boolean;
  /** Card data and PIN as encrypted for the first answer; later answers repeat them. */
  sealed: readonly Tlv[];
  /** Set by CARD STATUS and KEYBOARD STATUS: card events and key events are wanted. */
  isReporting: boolean;
  hasKeyEvents: boolean;
  clockOffsetMs: number;
  /** Increases with each lost link or restart; answers scheduled before it are dropped. */
  age: number;
}

export function newVipaDevice({
  on,
  session,
  framing,
  next,
}: Pick<VipaDevice, "on" | "session" | "framing" | "next">): VipaDevice {
  const nothing = { deframer: newDeframer, queue: [], sealed: [] };
  return {
    on,
    session,
    framing,
    next,
    ...nothing,
    isBusy: false,
    isReporting: false,
    hasKeyEvents: false,
    clockOffsetMs: 0,
    age: 0,
  };
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

/** Sends an unsolicited message. */
export function tell(device: VipaDevice, template: "E0" | "E1" | "E6", objects: readonly Tlv[]): void {
  say(device, true, encodeAnswer(encodeTemplate(template, objects)));
}

/** Answers the running command, then starts the next one. */
export function answer(device: VipaDevice, body: Uint8Array, statusWord: string | undefined, delayMs: number): void {
  soon(device, delayMs, () => {
    device.isBusy = false;
    say(device, false, encodeAnswer(body, statusWord));
    device.next();
  });
}

/** Command handling of a model. */
export interface Commands {
  /** Undefined: the message is not a command. */
  readonly parse: (message: Message) => Apdu | undefined;
  /** Status word for a message that is not a command. */
  readonly unreadable: string;
  /** ABORT overtakes the queue. */
  readonly abort: () => void;
}

/** The reaction of a real device to a broken stream is unknown; the simulator discards its input and continues. */
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

/** Starts the next queued command, which sends its own answer. */
export function workOn<D extends VipaDevice>(device: D, run: (device: D, command: Apdu) => void): void {
  const command = device.isBusy ? undefined : device.queue.shift();
  if (command === undefined) return;
  device.isBusy = true;
  run(device, command);
}

/** Runs a command by class and instruction; an unknown one gets the model's default. */
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

/** After a lost link or a power cycle the device ends its transaction and forgets its settings (PROTOCOL.md 1.4). */
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
