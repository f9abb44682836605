import type { CardSession } from "../../src/simulator/card-session.ts";
import type { SessionRequest } from "../../src/simulator/session-contract.ts";
import type { DeviceOn } from "../../src/simulator/terminal-body.ts";
import { type Codec, newCodec, type Over, pack, packNotification } from "./codec.ts";
import type { Member } from "./members.ts";
import { encodeAnswer, encodeResult, notifications, PENDING_ANSWER } from "./message.ts";
import type { Told } from "./simulator-card-data.ts";

/** Delay of an answer, in milliseconds. */
const ANSWER_MS = 4;

/** One packet of a command. */
export interface Request {
  readonly code: number;
  readonly data: Uint8Array;
}

/** A transaction started by START. */
export interface Transaction {
  readonly request: SessionRequest;
  /** The card that waits for its issuer. */
  readonly waiting?: Told;
}

/** State of one device while it is powered. */
export interface V5 {
  readonly on: DeviceOn;
  readonly member: Member;
  readonly session: CardSession;
  /** Runs one packet and sends its answer. */
  readonly run: (request: Request) => void;
  over: Over;
  codec: Codec;
  queue: Request[];
  isBusy: boolean;
  /** Packets received so far of a split extended command. */
  packets: { readonly id: string; readonly soFar: Uint8Array } | undefined;
  transaction: Transaction | undefined;
  /** Offset of its clock from the test's clock, in milliseconds. */
  clockOffsetMs: number;
  /** Increases with each lost link or restart; messages scheduled before it are dropped. */
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

export function reply(device: V5, code: number, data: Uint8Array = new Uint8Array(0)): void {
  answered(device, encodeAnswer(code, data));
}

export function replyResult(device: V5, result: string, data: Uint8Array = new Uint8Array(0)): void {
  answered(device, encodeResult(result, data));
}

/** Acknowledges a packet; more packets of the command must follow. */
export function replyPending(device: V5): void {
  answered(device, PENDING_ANSWER);
}

/** Sends a notification after the device's usual delay. Notifications sent together keep their order. */
export function tell(device: V5, name: keyof typeof notifications, data: Uint8Array): void {
  soon(device, () => {
    for (const frame of packNotification(device.over, notifications[name], data)) device.on.send(frame);
  });
}

/** Starts the next queued packet if none is running. */
export function next(device: V5): void {
  const request = device.isBusy ? undefined : device.queue.shift();
  if (request === undefined) return;
  device.isBusy = true;
  device.run(request);
}
