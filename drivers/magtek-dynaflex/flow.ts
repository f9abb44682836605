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

/** State of the device for the life of one link. */
export interface Device {
  /** Reference of the last request (PROTOCOL.md 3.3). */
  readonly ref: number;
  readonly member: Member;
  readonly masking: Masking;
  /** The device reports slot changes, also while idle (PROTOCOL.md 5.3). */
  readonly tellsSlot: boolean;
  /** Warning time before the daily restart. */
  readonly warnsMs: number;
  /** Unknown until identified. */
  readonly keys?: KeyStatus;
  /** Card in the slot, as last reported. */
  readonly slot?: boolean;
  /**
   * A transaction ended without its batch data. The next batch may still be that one, of an earlier card (PROTOCOL.md
   * 7.6).
   */
  readonly owesBatch: boolean;
  /** A card was reported and its issuer's answer is outstanding. */
  readonly held?: Held;
}

export const UNKNOWN: Device = {
  ref: 0,
  member: pro,
  masking: USUAL_MASKING,
  tellsSlot: false,
  warnsMs: 180_000,
  owesBatch: false,
};

/** A reported card, and the data that its completion needs. */
export interface Held {
  /**
   * The party that waits for the issuer: chip, reader after a tap, device after a swipe (PROTOCOL.md 7.7), or nobody
   * after a keyed number.
   */
  readonly via: "chip" | "tap" | "magstripe" | "nobody";
  /** DFDF25 of the ARQC; the answer repeats it (PROTOCOL.md 7.5). */
  readonly serialNumber: Uint8Array;
  /** The first outcome (PROTOCOL.md 5.2), if the device ended before the issuer's answer. */
  readonly over?: string;
}

/**
 * Phase of a collect. `clearing` and `starting` precede the transaction; `decided` waits for batch data. `read-error`:
 * the card may be leaving.
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
  /** A card was presented after the answer to START. An outcome without one belongs to an earlier transaction. */
  readonly hasCard: boolean;
  /** The card was removed again. */
  readonly isPulled: boolean;
  readonly batch?: Blob;
}

export interface Collect {
  readonly is: "collect";
  readonly n: number;
  readonly request: CollectRequest;
  readonly offer: Offer;
  /** Attempts left to send START. */
  readonly startsLeft: number;
  /** Another transaction was already cancelled for this collect. */
  readonly hasCleared: boolean;
  readonly phase: Collecting;
  readonly prompt?: PromptCode;
}

/** The issuer's answer was sent; outcome and batch data, in either order, end the job (PROTOCOL.md 7.6). */
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
  /** Two reports contradict each other, so the card's decision is unknown. */
  readonly contradiction?: string;
}

/** Ends the device's current work (PROTOCOL.md 7.8). */
export interface Stop {
  readonly is: "stop";
  /**
   * The job waits for the answer to START, to a cancel or to a refusal, for a pause before the next attempt, or for the
   * outcome.
   */
  readonly at: "starting" | "cancelling" | "pausing" | "refusing" | "ending";
  readonly ref: number;
  readonly isOver: boolean;
  /** DFDF25 of the waiting card's ARQC. */
  readonly serialNumber?: Uint8Array;
  /** Notices to send once the device is idle. */
  readonly notices: readonly Notice[];
  /** Number of the idle command that continues afterwards. */
  readonly idle?: number;
}

/**
 * One command without a result. `read`: its answer acknowledges a completion that no card waits for (PROTOCOL.md 7.7).
 */
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
  /** Attempts left to cancel a transaction that refuses it. */
  readonly refusalsLeft: number;
  readonly ref: number;
  readonly found: Found;
}

/** The device's only job. It holds all state of its command except the number, so a new link starts clean. */
export type Job = { readonly is: "none" } | Identify | Single | Collect | Complete | Stop;

export type JobInput = Input<Heard>;
export type Step = JobStep<Job, Device>;
export type Response = Extract<Heard, { is: "response" }>;
export type Notification = Extract<Heard, { is: "notification" }>;

export const timerNames = ["answer", "card", "watchdog"] as const;

export const NO_JOB: Job = { is: "none" };
const ALL_CLEAR = { answer: "clear", card: "clear", watchdog: "clear" } as const;

export function ended(...notices: readonly Notice[]): Step {
  return { job: NO_JOB, notices, timers: ALL_CLEAR };
}

/** The device or the stream is no longer trusted: each command ends with the fault, and the link is reopened. */
export function lost(job: Job, code: "no-answer" | "protocol" | "device-error", detail: string): Step {
  return lostStep(NO_JOB, numbersOf(job), code, detail);
}

export function fault(n: number, code: FaultCode, detail: string): Notice {
  return { n, on: "fault", code, detail };
}

/** Shows the cashier a prompt, unless it is already shown. */
export const prompted = promptStep<Collect>;

/** A request with its own reference: its bytes, and the device's state after sending it. */
export interface Asking {
  readonly ref: number;
  readonly device: Device;
  readonly write: readonly Uint8Array[];
}

const REFERENCES = 0x100;

/** References wrap around and skip 0, which other hosts often use (PROTOCOL.md 3.3). */
export function ask(device: Device, name: CommandName, payload: Uint8Array = new Uint8Array(0)): Asking {
  const ref = (device.ref + 1) % REFERENCES || 1;
  return {
    ref,
    device: { ...device, ref },
    write: [encodeMessage({ is: "request", ref, command: commands[name], payload })],
  };
}

/** Whether a response belongs to the request. On a WebSocket every host sees all responses (PROTOCOL.md 3.3). */
export function isFor({ ref, command }: Response, name: CommandName, asked: number): boolean {
  return ref === asked && command === commands[name];
}

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
