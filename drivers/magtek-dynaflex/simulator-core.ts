import type { Tlv } from "../../src/emv/tlv.ts";
import type { CardSession } from "../../src/simulator/card-session.ts";
import type { SessionRequest, Via } from "../../src/simulator/session-contract.ts";
import type { DeviceOn } from "../../src/simulator/terminal-body.ts";
import type { CardProfile } from "../../src/testbed/card-profile.ts";
import { type Codec, newCodec, type Over, pack } from "./codec.ts";
import type { Member } from "./members.ts";
import { commands, encodeMessage, type Message, notifications } from "./message.ts";
import { type Settings, usualSettings } from "./simulator-configuration.ts";

/** How long the device takes to answer a plain command, in milliseconds. */
const ANSWER_MS = 4;

const EMPTY = new Uint8Array(0);

export type Request = Extract<Message, { is: "request" }>;

/** A transaction that START began. */
export interface Transaction {
  readonly request: SessionRequest;
  /** The issuer is not waited for. */
  readonly isQuick: boolean;
  /** DFDF53: the device has fallen back to the magstripe by itself. */
  readonly fallback: number;
  /** The card that gave its data and waits for the issuer. */
  readonly waiting?: { readonly via: Via; readonly profile: CardProfile; readonly data: readonly Tlv[] };
}

/** One device: what it remembers while it is on. */
export interface DynaFlex {
  readonly on: DeviceOn;
  readonly member: Member;
  readonly session: CardSession;
  /** Works on one command; its answer follows by itself. */
  readonly run: (request: Request) => void;
  /** Properties by path. They outlive a restart, as in the device's flash. */
  readonly settings: Settings;
  over: Over;
  codec: Codec;
  queue: Request[];
  isBusy: boolean;
  /** Over USB and WebSocket all notifications come by themselves, elsewhere once they were subscribed to (PROTOCOL.md 7.1). */
  isSubscribed: boolean;
  transaction: Transaction | undefined;
  /** What is still on its way when the link goes, or the device restarts, belongs to an age that is over. */
  age: number;
}

export function newDynaFlex({ on, member, session, run }: Pick<DynaFlex, "on" | "member" | "session" | "run">): DynaFlex {
  return {
    ...{ on, member, session, run, settings: usualSettings(member, on.serialNumber) },
    ...{ over: "reports", codec: newCodec("reports", "host"), queue: [], isBusy: false, isSubscribed: true, transaction: undefined, age: 0 },
  };
}

function soon(device: DynaFlex, delayMs: number, act: () => void): void {
  const { age } = device;
  device.on.clock.after(delayMs, () => {
    if (age === device.age) act();
  });
}

function say(device: DynaFlex, message: Exclude<Message, { is: "other" }>): void {
  for (const frame of pack(device.over, "device", encodeMessage(message))) device.on.send(frame);
}

/** How far a command came, and why no further (PROTOCOL.md 3.4). */
export interface Status {
  readonly summary: number;
  readonly detail: string;
}

export const DONE: Status = { summary: 0x00, detail: "000000" };
export const RUNNING: Status = { summary: 0x01, detail: "000000" };

export function refusal(detail: string): Status {
  return { summary: 0x80, detail };
}

/** Answers the command that is being worked on, after the device's usual time, and begins the next. */
export function reply(device: DynaFlex, { ref, command }: Request, { summary, detail }: Status, payload: Uint8Array = EMPTY): void {
  soon(device, ANSWER_MS, () => {
    device.isBusy = false;
    say(device, { is: "response", ref, command, summary, detail, payload });
    next(device);
  });
}

/** A notification, after the device's usual time: what is told in one go arrives in that order. */
export function tell(device: DynaFlex, name: keyof typeof notifications, code: string, payload: Uint8Array = EMPTY): void {
  soon(device, ANSWER_MS, () => {
    if (device.isSubscribed) say(device, { is: "notification", id: notifications[name], code, payload });
  });
}

/** Begins the next command that waits, if none is being worked on. */
export function next(device: DynaFlex): void {
  const request = device.isBusy ? undefined : device.queue.shift();
  if (request === undefined) return;
  device.isBusy = true;
  device.run(request);
}

/** The name of a command that this device knows. */
export function commandOf({ command }: Request): keyof typeof commands | undefined {
  return names.find((name) => commands[name] === command);
}

const names = ["start", "resume", "cancel", "selection", "display", "subscribe", "extend-session", "get-property", "set-property", "echo"] as const;
