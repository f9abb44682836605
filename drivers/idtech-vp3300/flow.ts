import type { CollectRequest } from "../../src/card/command.ts";
import type { KeyStatus, Notice, PromptCode } from "../../src/card/notice.ts";
import type { Offer } from "../../src/card/offer.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import { type JobInput as Input, type JobStep, lostStep, promptStep } from "../../src/terminal/one-job.ts";
import type { Found } from "./identity.ts";
import type { Member } from "./members.ts";
import type { Heard } from "./message.ts";

/** What is known of the device as long as the link holds. */
export interface Device {
  readonly member: Member;
  /** Unknown until it was identified. */
  readonly keys?: KeyStatus;
  /** It tells when a card comes and goes (PROTOCOL.md 5.2). */
  readonly tellsSlot: boolean;
  /** Whether a card is in the slot; unknown until the device first told, or a card was read in it. */
  readonly card?: boolean;
  /** A card was told and its issuer's answer is outstanding. */
  readonly held?: Held;
}

/** A card that was told, and what its completion takes. */
export interface Held {
  /** Who waits for the issuer: the chip in the slot, or nobody (a tap, a magstripe). */
  readonly via: "chip" | "nobody";
  /** Application transaction counter (9F36), hexadecimal: what a second answer is held against. */
  readonly atc?: string;
}

/**
 * Where a collect is: the card in the slot is asked out; the reader waits for a card, by which command; the chip's transaction runs; or an error came while a
 * card may be leaving, and the slot is listened to.
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
  /** How often a card may still be asked for anew. */
  readonly activationsLeft: number;
  /** The time for cards is over, and one is in the slot: it is the last (PROTOCOL.md 6.2). */
  readonly isLast?: true;
  readonly phase: Collecting;
  readonly prompt?: PromptCode;
}

/** 05-01 was sent: first its answer, then the pause it wants, then a ping whose answer is the last of what was (PROTOCOL.md 6.6). */
export interface Stop {
  readonly is: "stop";
  readonly at: "cancel" | "pause" | "ping";
  readonly triesLeft: number;
  /** The ending notices, given when the device is idle again. */
  readonly notices: readonly Notice[];
  /** Number of an identify command that goes on after it. */
  readonly identify?: number;
}

/** The one job of the device. Everything of a command but its number is in here, so a fresh link forgets it all. */
export type Job =
  | { readonly is: "none" }
  | { readonly is: "identify"; readonly n: number; readonly step: number; readonly triesLeft: number; readonly found: Found }
  | Single
  | Collect
  | { readonly is: "complete"; readonly n: number; readonly verdict: IssuerResponse["verdict"]; readonly held: Held }
  | Stop;

/** One command without a result. `read`: its answer acknowledges a completion nobody on the device waits for (PROTOCOL.md 6.5). */
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

/** A job that is over. */
export function ended(...notices: readonly Notice[]): Step {
  return { job: NO_JOB, notices, timers: { answer: "clear", card: "clear", watchdog: "clear" } };
}

/** The device or the stream cannot be trusted any more: every command named ends with the fault, and a fresh link is asked for. */
export function lost(numbers: readonly number[], code: "no-answer" | "protocol" | "device-error", detail: string): Step {
  return lostStep(NO_JOB, numbers, code, detail);
}

export function fault(n: number, code: Extract<Notice, { on: "fault" }>["code"], detail: string): Notice {
  return { n, on: "fault", code, detail };
}

/** Tells the cashier something, unless that is what was told last. */
export const prompted = promptStep<Collect>;

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
      return [...job.notices.map(({ n }) => n), ...(job.identify === undefined ? [] : [job.identify])];
  }
}
