import type { CardSession } from "../../src/simulator/card-session.ts";
import type { SessionRequest } from "../../src/simulator/session-contract.ts";
import type { DeviceOn } from "../../src/simulator/terminal-body.ts";
import { type Codec, newCodec, type Over, pack, packNotification } from "./codec.ts";
import type { Member } from "./members.ts";
import { encodeAnswer, encodeResult, notifications, PENDING_ANSWER } from "./message.ts";
import type { Told } from "./simulator-card-data.ts";

/** How long the device takes to answer, in milliseconds. */
const ANSWER_MS = 4;

/** A command as its packets came. */
export interface Request {
  readonly code: number;
  readonly data: Uint8Array;
}

/** A transaction that START began. */
export interface Transaction {
  readonly request: SessionRequest;
  /** The card that gave its data and waits for the issuer. */
  readonly waiting?: Told;
}

/** One device: what it remembers while it is on. */
export interface V5 {
  readonly on: DeviceOn;
  readonly member: Member;
  readonly session: CardSession;
  /** Works on one packet; its answer follows by itself. */
  readonly run: (request: Request) => void;
  over: Over;
  codec: Codec;
  queue: Request[];
  isBusy: boolean;
  /** Of an extended command in several packets: what has come. */
  packets: { readonly id: string; readonly soFar: Uint8Array } | undefined;
  transaction: Transaction | undefined;
  /** Its own clock against that of the test, in milliseconds. */
  clockOffsetMs: number;
  /** What is still on its way when the link goes, or the device restarts, belongs to an age that is over. */
  age: number;
}

export function newV5(on: Pick<V5, "on" | "member" | "session" | "run">): V5 {
  return {
    ...on,
    ...{ over: "reports", codec: newCodec("reports", "host"), queue: [], isBusy: false, packets: undefined },
    ...{ transaction: undefined, clockOffsetMs: 0, age: 0 },
  };
}

function soon(device: V5, act: () => void): void {
  const { age } = device;
  device.on.clock.after(ANSWER_MS, () => {
    if (age === device.age) act();
  });
}

function answered(device: V5, message: Uint8Array): void {
  soon(device, () => {
    device.isBusy = false;
    device.on.send(pack(device.over, "device", message));
    next(device);
  });
}

/** Answers a plain command. */
export function reply(device: V5, code: number, data: Uint8Array = new Uint8Array(0)): void {
  answered(device, encodeAnswer(code, data));
}

/** Answers an extended command. */
export function replyResult(device: V5, result: string, data: Uint8Array = new Uint8Array(0)): void {
  answered(device, encodeResult(result, data));
}

/** More packets of the same command are waited for. */
export function replyPending(device: V5): void {
  answered(device, PENDING_ANSWER);
}

/** A notification, after the device's usual time: what is told in one go arrives in that order. */
export function tell(device: V5, name: keyof typeof notifications, data: Uint8Array): void {
  soon(device, () => {
    for (const frame of packNotification(device.over, notifications[name], data)) device.on.send(frame);
  });
}

/** Begins the next packet that waits, if none is being worked on. */
export function next(device: V5): void {
  const request = device.isBusy ? undefined : device.queue.shift();
  if (request === undefined) return;
  device.isBusy = true;
  device.run(request);
}
