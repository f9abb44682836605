import type { Capabilities } from "../../src/card/capabilities.ts";
import type { CardData } from "../../src/card/card-data.ts";
import type { CollectRequest } from "../../src/card/command.ts";
import type { Notice, PromptCode } from "../../src/card/notice.ts";
import type { Offer } from "../../src/card/offer.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import { type JobInput as Input, type JobStep, lostStep, promptStep } from "../../src/terminal/one-job.ts";
import type { Found } from "./identity.ts";
import type { Heard } from "./message.ts";
import type { Options } from "./options.ts";

/** State of the device for the life of one link. */
export interface Device {
  readonly options: Options;
  /** Capabilities of the family until identification. */
  readonly capabilities: Capabilities;
  /** Card in the slot; unknown until the first slot notice. */
  readonly card?: boolean;
  /** ISO 4217 number of the currency in the latest chip cryptogram (PROTOCOL.md 6.12). */
  readonly currency?: string;
  /** ISO 4217 number of the first payment's currency. */
  readonly usedIn?: string;
  /** A card was reported and its issuer's answer is outstanding. */
  readonly held?: Held;
  /**
   * Cryptogram and ATC of the last 33.03 and the last 33.05. A repetition of them belongs to no running job
   * (PROTOCOL.md 6.9).
   */
  readonly past?: Readonly<Record<string, string>>;
}

/** A reported card, and the data that its completion needs. */
export interface Held {
  /** The party that waits for the issuer: the chip in the slot, the reader after a tap, or nobody. */
  readonly via: "chip" | "tap" | "nobody";
  /** Application transaction counter (9F36), hexadecimal; the second answer must match it. */
  readonly atc?: string;
  /** The card's amount (9F02), hexadecimal. */
  readonly amount?: string;
  /** A PIN may be asked for: the device still has this card's number as the last one read. */
  readonly takesPin: boolean;
}

/** Phase of a collect (PROTOCOL.md 6.3 to 6.8). */
export type Collecting =
  /** The card in the slot must be removed. */
  | { readonly at: "asking-out" }
  /** 13. was sent; no reader starts without it. */
  | { readonly at: "amount"; readonly triesLeft: number }
  /** 23. was sent. */
  | { readonly at: "reading" }
  /** 33.00 was sent. */
  | { readonly at: "starting" }
  /** The card's data came; 04. and 13. follow. */
  | { readonly at: "payment-type" }
  | { readonly at: "confirming" }
  /** The first cryptogram is outstanding. */
  /**
   * `isPinOver`: the time for the device's own PIN entry has passed. Only the cryptogram of a PIN typed in time may
   * still come.
   */
  | { readonly at: "authorizing"; readonly via: "chip" | "contactless-chip"; readonly isPinOver?: true }
  /** 31. was sent for this card. */
  | { readonly at: "pin"; readonly card: CardData; readonly held: Held };

export interface Collect {
  readonly is: "collect";
  readonly n: number;
  readonly request: CollectRequest;
  readonly offer: Offer;
  /** Attempts left in this collect. */
  readonly readsLeft: number;
  readonly phase: Collecting;
  readonly prompt?: PromptCode;
}

/** 00. was sent; messages before its answer belong to the stopped work. */
export interface Stop {
  readonly is: "stop";
  readonly triesLeft: number;
  /** Notices to send once the device is idle. */
  readonly notices: readonly Notice[];
  /** The job that follows: an identify command, or the idle text. */
  readonly then?: { readonly is: "identify" | "idle"; readonly n: number };
}

/** One message with one answer. */
export interface Single {
  readonly is: "single";
  readonly n: number;
  /** `acknowledge`: the answer acknowledges a completion that no card waits for (PROTOCOL.md 6.9). */
  readonly what: "acknowledge" | "text" | "set-date" | "set-time";
  readonly frame: Uint8Array;
  readonly triesLeft: number;
  /** The message that follows. */
  readonly next?: Pick<Single, "what" | "frame">;
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
  | { readonly is: "ask-pin"; readonly n: number; readonly held: Held }
  | {
      readonly is: "complete";
      readonly n: number;
      readonly verdict: IssuerResponse["verdict"];
      readonly held: Held;
      readonly leak?: string;
    }
  | Single
  | Collect
  | Stop;

export type JobInput = Input<Heard>;
export type Step = JobStep<Job, Device>;

/** `restart` outlives every job: it times the device's daily restart (PROTOCOL.md 8.4). */
export const timerNames = ["answer", "card", "pin", "watchdog", "restart"] as const;

export const NO_JOB: Job = { is: "none" };

export const JOB_OVER = { answer: "clear", card: "clear", pin: "clear", watchdog: "clear" } as const;

export function ended(...notices: readonly Notice[]): Step {
  return { job: NO_JOB, notices, timers: JOB_OVER };
}

/** The device or the stream is no longer trusted: each listed command ends with the fault, and the link is reopened. */
export function lost(numbers: readonly number[], detail: string): Step {
  return lostStep(NO_JOB, numbers, "no-answer", detail);
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
    case "ask-pin":
    case "complete":
    case "single":
    case "collect":
      return [job.n];
    case "stop":
      return [...job.notices.map(({ n }) => n), ...(job.then === undefined ? [] : [job.then.n])];
  }
}
