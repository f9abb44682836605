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

/** What is known of the device as long as the link holds. */
export interface Device {
  readonly options: Options;
  /** Of the family until it was identified. */
  readonly capabilities: Capabilities;
  /** Whether a card is in the slot; unknown until the device first told. */
  readonly card?: boolean;
  /** ISO 4217 number of the currency in which it last asked a chip for a cryptogram (PROTOCOL.md 6.12). */
  readonly currency?: string;
  /** And of the first payment that asked for a card. */
  readonly usedIn?: string;
  /** A card was told and its issuer's answer is outstanding. */
  readonly held?: Held;
  /** Cryptogram and counter of the last 33.03 and of the last 33.05: said once more, it belongs to nothing that runs (PROTOCOL.md 6.9). */
  readonly past?: Readonly<Record<string, string>>;
}

/** A card that was told, and what its completion takes. */
export interface Held {
  /** Who waits for the issuer: the chip in the slot, the reader after a tap, or nobody. */
  readonly via: "chip" | "tap" | "nobody";
  /** Application transaction counter (9F36), hexadecimal: what a second answer is held against. */
  readonly atc?: string;
  /** Its amount (9F02), hexadecimal. */
  readonly amount?: string;
  /** A PIN may be asked for its number, because it is the card that was read last. */
  readonly takesPin: boolean;
}

/** Where a collect is (PROTOCOL.md 6.3 to 6.8). */
export type Collecting =
  /** The card in the slot is asked out. */
  | { readonly at: "asking-out" }
  /** 13. was sent; without it nothing is read. */
  | { readonly at: "amount"; readonly triesLeft: number }
  /** 23. was sent. */
  | { readonly at: "reading" }
  /** 33.00 was sent. */
  | { readonly at: "starting" }
  /** The card's data came; 04. and 13. follow one another. */
  | { readonly at: "payment-type" }
  | { readonly at: "confirming" }
  /** The first cryptogram is waited for. */
  /** `isPinOver`: the time for a PIN that the device may have typed is over, and only the cryptogram of one that was typed in time is waited for. */
  | { readonly at: "authorizing"; readonly via: "chip" | "contactless-chip"; readonly isPinOver?: true }
  /** 31. was sent for this card. */
  | { readonly at: "pin"; readonly card: CardData; readonly held: Held };

export interface Collect {
  readonly is: "collect";
  readonly n: number;
  readonly request: CollectRequest;
  readonly offer: Offer;
  /** How often a card may still be asked for anew. */
  readonly readsLeft: number;
  readonly phase: Collecting;
  readonly prompt?: PromptCode;
}

/** 00. was sent: what comes before its answer belongs to what was stopped. */
export interface Stop {
  readonly is: "stop";
  readonly triesLeft: number;
  /** The ending notices, given when the device is idle again. */
  readonly notices: readonly Notice[];
  /** What goes on after it: an identify command, or the text of an idle one. */
  readonly then?: { readonly is: "identify" | "idle"; readonly n: number };
}

/** One message with one answer. */
export interface Single {
  readonly is: "single";
  readonly n: number;
  /** `acknowledge`: its answer acknowledges a completion nobody on the device waits for (PROTOCOL.md 6.9). */
  readonly what: "acknowledge" | "text" | "set-date" | "set-time";
  readonly frame: Uint8Array;
  readonly triesLeft: number;
  /** What is sent after it. */
  readonly next?: Pick<Single, "what" | "frame">;
}

/** The one job of the device. Everything of a command but its number is in here, so a fresh link forgets it all. */
export type Job =
  | { readonly is: "none" }
  | { readonly is: "identify"; readonly n: number; readonly step: number; readonly triesLeft: number; readonly found: Found }
  | { readonly is: "ask-pin"; readonly n: number; readonly held: Held }
  | { readonly is: "complete"; readonly n: number; readonly verdict: IssuerResponse["verdict"]; readonly held: Held; readonly leak?: string }
  | Single
  | Collect
  | Stop;

export type JobInput = Input<Heard>;
export type Step = JobStep<Job, Device>;

/** `restart` outlives every job: the device's own daily restart (PROTOCOL.md 8.4). */
export const timerNames = ["answer", "card", "pin", "watchdog", "restart"] as const;

export const NO_JOB: Job = { is: "none" };

export const JOB_OVER = { answer: "clear", card: "clear", pin: "clear", watchdog: "clear" } as const;

/** A job that is over. */
export function ended(...notices: readonly Notice[]): Step {
  return { job: NO_JOB, notices, timers: JOB_OVER };
}

/** The device or the stream cannot be trusted any more: every command named ends with the fault, and a fresh link is asked for. */
export function lost(numbers: readonly number[], detail: string): Step {
  return lostStep(NO_JOB, numbers, "no-answer", detail);
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
    case "ask-pin":
    case "complete":
    case "single":
    case "collect":
      return [job.n];
    case "stop":
      return [...job.notices.map(({ n }) => n), ...(job.then === undefined ? [] : [job.then.n])];
  }
}
