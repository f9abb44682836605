import type { CardProfile } from "../../packages/sandbox/testbed/card-profile.ts";
import type { Tlv } from "../../src/emv/tlv.ts";
import type { CardSession } from "../../src/simulator/card-session.ts";
import type { SessionRequest, Via } from "../../src/simulator/session-contract.ts";
import type { DeviceOn } from "../../src/simulator/terminal-body.ts";
import { type Codec, newCodec, type Over, pack } from "./codec.ts";
import type { Member } from "./members.ts";
import { commands, encodeMessage, type Message, notifications } from "./message.ts";
import { type Settings, usualSettings } from "./simulator-configuration.ts";

/** Delay of an answer to a plain command, in milliseconds. */
const ANSWER_MS = 4;

const EMPTY = new Uint8Array(0);

export type Request = Extract<Message, { is: "request" }>;

/** A transaction started by START. */
export interface Transaction {
  readonly request: SessionRequest;
  /** Quick chip: the device does not wait for the issuer. */
  readonly isQuick: boolean;
  /** DFDF53: the device fell back to the magstripe by itself. */
  readonly fallback: number;
  /** The card that waits for its issuer. */
  readonly waiting?: { readonly via: Via; readonly profile: CardProfile; readonly data: readonly Tlv[] };
}

/** State of one device while it is powered. */
export interface DynaFlex {
  readonly on: DeviceOn;
  readonly member: Member;
  readonly session: CardSession;
  /** Runs one command and sends its answer. */
  readonly run: (request: Request) => void;
  /** Properties by path. They survive a restart, as in flash. */
  readonly settings: Settings;
  over: Over;
  codec: Codec;
  queue: Request[];
  isBusy: boolean;
  /** Notifications are sent unasked over USB and WebSocket; other transports need a subscription (PROTOCOL.md 7.1). */
  isSubscribed: boolean;
  transaction: Transaction | undefined;
  /** Increases with each lost link or restart; messages scheduled before it are dropped. */
  age: number;
}

export function newDynaFlex({
  on,
  member,
  session,
  run,
}: Pick<DynaFlex, "on" | "member" | "session" | "run">): DynaFlex {
  return {
    ...{ on, member, session, run, settings: usualSettings(member, on.serialNumber) },
    ...{
      over: "reports",
      codec: newCodec("reports", "host"),
      queue: [],
      isBusy: false,
      isSubscribed: true,
      transaction: undefined,
      age: 0,
    },
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

/** Completion state of a command, and the reason of a failure (PROTOCOL.md 3.4). */
export interface Status {
  readonly summary: number;
  readonly detail: string;
}

export const DONE: Status = { summary: 0x00, detail: "000000" };
export const RUNNING: Status = { summary: 0x01, detail: "000000" };

export function refusal(detail: string): Status {
  return { summary: 0x80, detail };
}

/** Answers the running command after the device's usual delay, then starts the next one. */
export function reply(
  device: DynaFlex,
  { ref, command }: Request,
  { summary, detail }: Status,
  payload: Uint8Array = EMPTY,
): void {
  soon(device, ANSWER_MS, () => {
    device.isBusy = false;
    say(device, { is: "response", ref, command, summary, detail, payload });
    next(device);
  });
}

/** Sends a notification after the device's usual delay. Notifications sent together keep their order. */
export function tell(
  device: DynaFlex,
  name: keyof typeof notifications,
  code: string,
  payload: Uint8Array = EMPTY,
): void {
  soon(device, ANSWER_MS, () => {
    if (device.isSubscribed) say(device, { is: "notification", id: notifications[name], code, payload });
  });
}

/** Starts the next queued command if none is running. */
export function next(device: DynaFlex): void {
  const request = device.isBusy ? undefined : device.queue.shift();
  if (request === undefined) return;
  device.isBusy = true;
  device.run(request);
}

/** Name of a command that this device knows. */
export function commandOf({ command }: Request): keyof typeof commands | undefined {
  return names.find((name) => commands[name] === command);
}

const names = [
  "start",
  "resume",
  "cancel",
  "selection",
  "display",
  "subscribe",
  "extend-session",
  "get-property",
  "set-property",
  "echo",
] as const;
