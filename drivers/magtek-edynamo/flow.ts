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

/** State of the device for the life of one link. */
export interface Device {
  readonly member: Member;
  /** Over USB the driver sets the output connection to USB (PROTOCOL.md 7.1). */
  readonly isUsb: boolean;
  /**
   * Packets sent and answers received. Answers do not name their command, so the driver counts them (PROTOCOL.md 3.6).
   */
  readonly sent: number;
  readonly answered: number;
  /** Digits that stay clear in a masked number. */
  readonly masking: Masking;
  /** Unknown until identified. */
  readonly hasKeys?: boolean;
  /** Card in the slot, as last reported. */
  readonly slot?: boolean;
  /** A card was reported and its issuer's answer is outstanding. */
  readonly held?: Held;
}

/** Parts of an ARQC that the issuer's answer repeats (PROTOCOL.md 7.5). */
export interface Frame {
  readonly serialNumber: Uint8Array;
  readonly macKsn: Uint8Array;
}

/** A reported card, and the data that its completion needs. */
export interface Held {
  readonly via: Exclude<Presented, "keyed">;
  readonly frame: Frame;
  /** Status with which the device ended before the issuer's answer (PROTOCOL.md 5.5). */
  readonly over?: string;
}

/** State of a running transaction. */
export interface Running {
  readonly at: "running";
  /** Card interface used since the answer to START. A result without one belongs to an earlier transaction. */
  readonly presented?: Presented;
  readonly isPulled: boolean;
  /** The last progress that gives the reason or kind of the end (PROTOCOL.md 5.2). */
  readonly ending?: string;
}

/**
 * Phase of a collect. `clearing` and `starting` precede the transaction. After a read error the device may still report
 * a pulled card.
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
  /** Attempts left to send START. */
  readonly startsLeft: number;
  /** Another transaction was already cancelled for this collect. */
  readonly hasCleared: boolean;
  readonly phase: Collecting;
  readonly prompt?: PromptCode;
}

/** An extended command being sent: each packet follows the answer to the previous one. */
export interface Sending {
  readonly ref: number;
  readonly rest: readonly Uint8Array[];
}

/** The issuer's answer was sent; the transaction's result ends the job (PROTOCOL.md 7.6). */
export interface Complete {
  readonly is: "complete";
  readonly n: number;
  readonly issuer: IssuerResponse;
  readonly held: Held;
  readonly sending: Sending;
  readonly isAnswered: boolean;
  /** The progress that ended the transaction. */
  readonly ending?: string;
}

/** Ends the device's current work (PROTOCOL.md 7.8). */
export interface Stop {
  readonly is: "stop";
  /**
   * The job waits for the answer to START, to a cancel or to a refusal, for a pause before the next attempt, or for the
   * result.
   */
  readonly at: "starting" | "cancelling" | "pausing" | "refusing" | "ending";
  readonly sending: Sending;
  readonly isOver: boolean;
  /** From the ARQC of the waiting card. */
  readonly frame?: Frame;
  /** Notices to send once the device is idle. */
  readonly notices: readonly Notice[];
}

/**
 * One command without a result. `read`: its answer acknowledges a completion that no card waits for (PROTOCOL.md 7.7).
 */
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
  /** A card of an earlier session that still waits is refused (PROTOCOL.md 7.1), then the cancel is repeated. */
  readonly at: "asking" | "refusing" | "pausing";
  readonly refusalsLeft: number;
  readonly sending: Sending;
  readonly found: Found;
}

/** The device's only job. It holds all state of its command except the number, so a new link starts clean. */
export type Job = { readonly is: "none" } | Identify | Single | Collect | Complete | Stop;

export type JobInput = Input<Heard>;
export type Step = JobStep<Job, Device>;
export type Answer = Extract<Heard, { is: "answer" }>;
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

/** A packet to send: its number, its bytes, and the device's state after sending it. */
export interface Asking {
  readonly sending: Sending;
  readonly device: Device;
  readonly write: readonly Uint8Array[];
}

/** Sends the first packet; the rest follow one by one. */
export function ask(device: Device, ...packets: readonly Uint8Array[]): Asking {
  const [first, ...rest] = packets;
  const sent = device.sent + 1;
  return { sending: { ref: sent, rest }, device: { ...device, sent }, write: first === undefined ? [] : [first] };
}

/** Whether the latest answer belongs to that packet. */
export function isFor({ answered }: Device, ref: number): boolean {
  return answered === ref;
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
      return [...new Set(job.notices.map(({ n }) => n))];
  }
}
