import type { CollectRequest } from "../../src/card/command.ts";
import type { Presented } from "../../src/card/dynapro-card.ts";
import type { Masking } from "../../src/card/dynapro-masked.ts";
import type { FaultCode, Notice, PromptCode } from "../../src/card/notice.ts";
import type { Offer } from "../../src/card/offer.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import { type JobInput as Input, type JobStep, lostStep, promptStep } from "../../src/terminal/one-job.ts";
import type { Found } from "./identity.ts";
import type { Member } from "./members.ts";
import type { Heard } from "./message.ts";

/** What is known of the device as long as the link holds. */
export interface Device {
  readonly member: Member;
  /** Over USB it is told to answer there (PROTOCOL.md 7.1). */
  readonly isUsb: boolean;
  /** Packets sent, and answers heard to them: an answer says nothing of its question, so that they are counted (PROTOCOL.md 3.6). */
  readonly sent: number;
  readonly answered: number;
  /** How much of a number it shows. */
  readonly masking: Masking;
  /** Unknown until it was identified. */
  readonly hasKeys?: boolean;
  /** Whether a card is in the slot, as it told last. */
  readonly slot?: boolean;
  /** A card was told and its issuer's answer is outstanding. */
  readonly held?: Held;
}

/** What of an ARQC its answer repeats (PROTOCOL.md 7.5). */
export interface Frame {
  readonly serialNumber: Uint8Array;
  readonly macKsn: Uint8Array;
}

/** A card that was told, and what its completion takes. */
export interface Held {
  readonly via: Exclude<Presented, "keyed">;
  readonly frame: Frame;
  /** The status (PROTOCOL.md 5.5) with which the device ended the transaction without an answer. */
  readonly over?: string;
}

/** How far a transaction has come that runs on the device. */
export interface Running {
  readonly at: "running";
  /** How a card was presented since START was answered; a result before that is of an earlier transaction. */
  readonly presented?: Presented;
  readonly isPulled: boolean;
  /** The last progress that says why or how it ends (PROTOCOL.md 5.2). */
  readonly ending?: string;
}

/**
 * Where a collect is. `clearing` and `starting` come before the transaction runs.
 * After a read error the device may tell yet that the card was pulled.
 */
export type Collecting =
  | { readonly at: "asking-out" }
  | { readonly at: "clearing"; readonly ref: number }
  | { readonly at: "starting"; readonly ref: number }
  | Running
  | { readonly at: "read-error" };

export interface Collect {
  readonly is: "collect";
  readonly n: number;
  readonly request: CollectRequest;
  readonly offer: Offer;
  /** So often START may be sent once more. */
  readonly startsLeft: number;
  /** A transaction of somebody else's was in the way already. */
  readonly hasCleared: boolean;
  readonly phase: Collecting;
  readonly prompt?: PromptCode;
}

/** An extended command on its way: packets are sent one by one, each after the answer to the one before. */
export interface Sending {
  readonly ref: number;
  readonly rest: readonly Uint8Array[];
}

/** The issuer's answer is handed over; done with the result of the transaction (PROTOCOL.md 7.6). */
export interface Complete {
  readonly is: "complete";
  readonly n: number;
  readonly issuer: IssuerResponse;
  readonly held: Held;
  readonly sending: Sending;
  readonly isAnswered: boolean;
  /** Progress with the end of the transaction. */
  readonly ending?: string;
}

/** The device is to end what it does (PROTOCOL.md 7.8). */
export interface Stop {
  readonly is: "stop";
  /** Outstanding is the answer to START, to a cancel or to a refusal; a pause before the next one; or the result. */
  readonly at: "starting" | "cancelling" | "pausing" | "refusing" | "ending";
  readonly sending: Sending;
  /** The result has come. */
  readonly isOver: boolean;
  /** Of the ARQC whose card waits. */
  readonly frame?: Frame;
  /** The ending notices, given when the device is idle again. */
  readonly notices: readonly Notice[];
}

/** One command whose answer is all there is to wait for; `read`: it acknowledges a completion nobody on the device waits for (PROTOCOL.md 7.7). */
export interface Single {
  readonly is: "single";
  readonly n: number;
  readonly what: "set-clock" | "acknowledge";
  readonly ref: number;
}

export interface Identify {
  readonly is: "identify";
  readonly n: number;
  readonly step: number;
  /** A card that waits for its issuer, of before, is refused in his place (PROTOCOL.md 7.1); then cancelled again. */
  readonly at: "asking" | "refusing" | "pausing";
  readonly refusalsLeft: number;
  readonly sending: Sending;
  readonly found: Found;
}

/** The one job of the device. Everything of a command but its number is in here, so a fresh link forgets it all. */
export type Job = { readonly is: "none" } | Identify | Single | Collect | Complete | Stop;

export type JobInput = Input<Heard>;
export type Step = JobStep<Job, Device>;
export type Answer = Extract<Heard, { is: "answer" }>;
export type Notification = Extract<Heard, { is: "notification" }>;

export const timerNames = ["answer", "card", "watchdog"] as const;

export const NO_JOB: Job = { is: "none" };
const ALL_CLEAR = { answer: "clear", card: "clear", watchdog: "clear" } as const;

/** A job that is over. */
export function ended(...notices: readonly Notice[]): Step {
  return { job: NO_JOB, notices, timers: ALL_CLEAR };
}

/** The device or the stream cannot be trusted any more: every command named ends with the fault, and a fresh link is asked for. */
export function lost(job: Job, code: "no-answer" | "protocol" | "device-error", detail: string): Step {
  return lostStep(NO_JOB, numbersOf(job), code, detail);
}

export function fault(n: number, code: FaultCode, detail: string): Notice {
  return { n, on: "fault", code, detail };
}

/** Tells the cashier something, unless that is what was told last. */
export const prompted = promptStep<Collect>;

/** A packet under way: its number, what to write, and the device that has it. */
export interface Asking {
  readonly sending: Sending;
  readonly device: Device;
  readonly write: readonly Uint8Array[];
}

/** Sends the first of these packets. */
export function ask(device: Device, ...packets: readonly Uint8Array[]): Asking {
  const [first, ...rest] = packets;
  const sent = device.sent + 1;
  return { sending: { ref: sent, rest }, device: { ...device, sent }, write: first === undefined ? [] : [first] };
}

/** Whether what was answered just now is that packet. */
export function isFor({ answered }: Device, ref: number): boolean {
  return answered === ref;
}

/** The numbers of the commands that a job will end. */
export function numbersOf(job: Job): readonly number[] {
  switch (job.is) {
    case "none":
      return [];
    case "identify":
    case "single":
    case "collect":
    case "complete":
      return [job.n];
    case "stop":
      return [...new Set(job.notices.map(({ n }) => n))];
  }
}
