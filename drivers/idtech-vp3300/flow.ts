import type { CollectRequest } from "../../src/card/command.ts";
import type { KeyStatus, Notice, PromptCode } from "../../src/card/notice.ts";
import type { Offer } from "../../src/card/offer.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import { type JobInput as Input, type JobStep, lostStep, promptStep } from "../../src/terminal/one-job.ts";
import type { Found } from "./identity.ts";
import type { Member } from "./members.ts";
import type { Heard } from "./message.ts";

/** State of the device for the life of one link. */
export interface Device {
  readonly member: Member;
  /** Unknown until identified. */
  readonly keys?: KeyStatus;
  /** The device reports inserted and removed cards (PROTOCOL.md 5.2). */
  readonly tellsSlot: boolean;
  /** Card in the slot; unknown until the first slot notice, or until a card was read in the slot. */
  readonly card?: boolean;
  /** A card was reported and its issuer's answer is outstanding. */
  readonly held?: Held;
}

/** A reported card, and the data that its completion needs. */
export interface Held {
  /** The party that waits for the issuer: the chip in the slot, or nobody (tap, magstripe). */
  readonly via: "chip" | "nobody";
  /** Application transaction counter (9F36), hexadecimal; the second answer must match it. */
  readonly atc?: string;
}

/**
 * Phase of a collect: eject the card, wait for one, run the chip transaction, or watch the slot after an error for a
 * leaving card.
 */
export type Collecting =
  | { readonly at: "asking-out" }
  | { readonly at: "waiting"; readonly by: "activate" | "start" }
  | { readonly at: "running" }
  | { readonly at: "read-error"; readonly ending: Notice };

export interface Collect {
  readonly is: "collect";
  readonly n: number;
  readonly request: CollectRequest;
  readonly offer: Offer;
  /** Activations left in this collect. */
  readonly activationsLeft: number;
  /** The time limit for cards has passed with a card in the slot; it is the last one (PROTOCOL.md 6.2). */
  readonly isLast?: true;
  readonly phase: Collecting;
  readonly prompt?: PromptCode;
}

/**
 * 05-01 was sent: its answer, then the required pause, then a ping. Everything before the ping's answer is old
 * (PROTOCOL.md 6.6).
 */
export interface Stop {
  readonly is: "stop";
  readonly at: "cancel" | "pause" | "ping";
  readonly triesLeft: number;
  /** Notices to send once the device is idle. */
  readonly notices: readonly Notice[];
  /** Number of the identify command that continues afterwards. */
  readonly identify?: number;
}

/** The device's only job. It holds all state of its command except the number, so a new link starts clean. */
export type Job =
  | { readonly is: "none" }
  | {
      readonly is: "identify";
      readonly n: number;
      readonly step: number;
      readonly triesLeft: number;
      readonly found: Found;
    }
  | Single
  | Collect
  | { readonly is: "complete"; readonly n: number; readonly verdict: IssuerResponse["verdict"]; readonly held: Held }
  | Stop;

/**
 * One command without a result. `read`: its answer acknowledges a completion that no card waits for (PROTOCOL.md 6.5).
 */
export interface Single {
  readonly is: "single";
  readonly n: number;
  readonly name: "ping" | "screen";
  readonly data: Uint8Array;
  readonly triesLeft: number;
  readonly ending: "done" | "read";
}

export type JobInput = Input<Heard>;
export type Step = JobStep<Job, Device>;

export const timerNames = ["answer", "card", "watchdog"] as const;

export const NO_JOB: Job = { is: "none" };

export function ended(...notices: readonly Notice[]): Step {
  return { job: NO_JOB, notices, timers: { answer: "clear", card: "clear", watchdog: "clear" } };
}

/** The device or the stream is no longer trusted: each listed command ends with the fault, and the link is reopened. */
export function lost(
  numbers: readonly number[],
  code: "no-answer" | "protocol" | "device-error",
  detail: string,
): Step {
  return lostStep(NO_JOB, numbers, code, detail);
}

export function fault(n: number, code: Extract<Notice, { on: "fault" }>["code"], detail: string): Notice {
  return { n, on: "fault", code, detail };
}

/** Shows the cashier a prompt, unless it is already shown. */
export const prompted = promptStep<Collect>;

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
      return [...job.notices.map(({ n }) => n), ...(job.identify === undefined ? [] : [job.identify])];
  }
}
