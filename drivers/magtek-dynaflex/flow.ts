import type { CollectRequest } from "../../src/card/command.ts";
import type { Blob } from "../../src/card/dynapro-data.ts";
import { type Masking, USUAL_MASKING } from "../../src/card/dynapro-masked.ts";
import type { FaultCode, KeyStatus, Notice, PromptCode } from "../../src/card/notice.ts";
import type { Offer } from "../../src/card/offer.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import { type JobInput as Input, type JobStep, lostStep, promptStep } from "../../src/terminal/one-job.ts";
import type { Heard } from "./codec.ts";
import type { Found } from "./identity.ts";
import { type Member, pro } from "./members.ts";
import { type CommandName, commands, encodeMessage } from "./message.ts";

/** What is known of the device as long as the link holds. */
export interface Device {
  /** Reference of the request that was sent last (PROTOCOL.md 3.3). */
  readonly ref: number;
  readonly member: Member;
  readonly masking: Masking;
  /** It tells every card that comes or goes, also while it is idle (PROTOCOL.md 5.3). */
  readonly tellsSlot: boolean;
  /** How long before its daily restart it warns. */
  readonly warnsMs: number;
  /** Unknown until it was identified. */
  readonly keys?: KeyStatus;
  /** Whether a card is in the slot, as it told last. */
  readonly slot?: boolean;
  /** A transaction ended without its batch data: the next ones may be those, and not of the card that is there by then (PROTOCOL.md 7.6). */
  readonly owesBatch: boolean;
  /** A card was told and its issuer's answer is outstanding. */
  readonly held?: Held;
}

export const UNKNOWN: Device = { ref: 0, member: pro, masking: USUAL_MASKING, tellsSlot: false, warnsMs: 180_000, owesBatch: false };

/** A card that was told, and what its completion takes. */
export interface Held {
  /** Who waits for the issuer's answer: the chip in the slot, the reader after a tap, the device after a swipe (PROTOCOL.md 7.7), or nobody after a number that was typed. */
  readonly via: "chip" | "tap" | "magstripe" | "nobody";
  /** DFDF25 of the ARQC, which the answer repeats (PROTOCOL.md 7.5). */
  readonly serialNumber: Uint8Array;
  /** The first outcome (PROTOCOL.md 5.2), where the device ended the transaction without an answer. */
  readonly over?: string;
}

/**
 * Where a collect is. `clearing` and `starting` come before the transaction runs; after `decided` its batch data are outstanding.
 * After a read error the device may tell yet that the card was pulled.
 */
export type Collecting =
  | { readonly at: "asking-out"; readonly ref: number | undefined }
  | { readonly at: "clearing"; readonly ref: number }
  | { readonly at: "starting"; readonly ref: number }
  | Running
  | { readonly at: "decided"; readonly decision: "approved-offline" | "declined-offline"; readonly via: "chip" | "tap" }
  | { readonly at: "read-error" }
  | { readonly at: "asking-why"; readonly ref: number };

export interface Running {
  readonly at: "running";
  /** A card was presented since START was answered; an outcome before that is of an earlier transaction. */
  readonly hasCard: boolean;
  /** The card was pulled out again. */
  readonly isPulled: boolean;
  readonly batch?: Blob;
}

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

/** The issuer's answer was handed over; done when outcome and batch data have come, in either order (PROTOCOL.md 7.6). */
export interface Complete {
  readonly is: "complete";
  readonly n: number;
  readonly issuer: IssuerResponse;
  readonly held: Held;
  readonly ref: number;
  readonly isAnswered: boolean;
  readonly hasScripts: boolean;
  readonly outcome?: string;
  readonly batch?: Blob;
  /** What was told twice, and differently: the card's word is unknown. */
  readonly contradiction?: string;
}

/** The device is to end what it does (PROTOCOL.md 7.8). */
export interface Stop {
  readonly is: "stop";
  /** Outstanding is the answer to START, to a cancel or to a refusal; a pause before the next one; or the outcome. */
  readonly at: "starting" | "cancelling" | "pausing" | "refusing" | "ending";
  readonly ref: number;
  /** The outcome has come. */
  readonly isOver: boolean;
  /** DFDF25 of the ARQC whose card waits. */
  readonly serialNumber?: Uint8Array;
  /** The ending notices, given when the device is idle again. */
  readonly notices: readonly Notice[];
  /** Number of an idle command that goes on after it. */
  readonly idle?: number;
}

/** One command whose answer is all there is to wait for; `read`: it acknowledges a completion nobody on the device waits for (PROTOCOL.md 7.7). */
export interface Single {
  readonly is: "single";
  readonly n: number;
  readonly name: "display" | "echo";
  readonly payload: Uint8Array;
  readonly ref: number;
  readonly triesLeft: number;
  readonly ending: "done" | "read";
}

export interface Identify {
  readonly is: "identify";
  readonly n: number;
  readonly step: number;
  readonly triesLeft: number;
  /** So often a transaction that cannot be cancelled yet is cancelled again. */
  readonly refusalsLeft: number;
  readonly ref: number;
  readonly found: Found;
}

/** The one job of the device. Everything of a command but its number is in here, so a fresh link forgets it all. */
export type Job = { readonly is: "none" } | Identify | Single | Collect | Complete | Stop;

export type JobInput = Input<Heard>;
export type Step = JobStep<Job, Device>;
export type Response = Extract<Heard, { is: "response" }>;
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

/** A request with a reference of its own: what to write, and the device that has used it. */
export interface Asking {
  readonly ref: number;
  readonly device: Device;
  readonly write: readonly Uint8Array[];
}

const REFERENCES = 0x100;

/** References go round and are never 0, which other hosts like to use (PROTOCOL.md 3.3). */
export function ask(device: Device, name: CommandName, payload: Uint8Array = new Uint8Array(0)): Asking {
  const ref = (device.ref + 1) % REFERENCES || 1;
  return { ref, device: { ...device, ref }, write: [encodeMessage({ is: "request", ref, command: commands[name], payload })] };
}

/** Whether a response is that of the request; on a WebSocket everybody hears the responses to everybody (PROTOCOL.md 3.3). */
export function isFor({ ref, command }: Response, name: CommandName, asked: number): boolean {
  return ref === asked && command === commands[name];
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
      return [...new Set([...job.notices.map(({ n }) => n), ...(job.idle === undefined ? [] : [job.idle])])];
  }
}
