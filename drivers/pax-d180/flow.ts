import type { CollectRequest } from "../../src/card/command.ts";
import type { KeyStatus, Notice, PromptCode } from "../../src/card/notice.ts";
import type { Offer } from "../../src/card/offer.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import type { Tlv } from "../../src/emv/tlv.ts";
import { type JobInput as Input, type JobStep, lostStep, promptStep } from "../../src/terminal/one-job.ts";
import type { Found } from "./identity.ts";
import type { Member } from "./members.ts";
import { type CommandName, commandFrame, type Heard } from "./message.ts";
import type { Options } from "./options.ts";
import { QUERY_MS } from "./timing.ts";

/** State of the device for the life of one link. */
export interface Device {
  readonly options: Options;
  readonly member: Member;
  /** Unknown until identified. */
  readonly keys?: KeyStatus;
  /** Card in the slot; unknown until the first look. */
  readonly card?: boolean;
  /** A card was reported and its issuer's answer is outstanding. */
  readonly held?: Held;
}

/** A reported card, and the data that its completion needs. */
export interface Held {
  /** The party that waits for the issuer: the chip in the slot, or nobody (magstripe). */
  readonly via: "chip" | "nobody";
  /** Application transaction counter (9F36), hexadecimal; the second answer must match it. */
  readonly atc?: string;
  /** Amount in minor units, as in the start command; a device may ask for it again (PROTOCOL.md 5.2). */
  readonly amount: number;
}

/** One command, and the limit for its answer. */
export interface Ask {
  readonly name: CommandName;
  readonly data?: Uint8Array;
  readonly limitMs?: number;
  /** The requested object; answers do not carry the tag (PROTOCOL.md 4.3). */
  readonly tag?: string;
}

/** The customer's text during a collect: present a card, remove it, or wait while it is read. */
export type Face = "present" | "remove" | "wait";

/**
 * Phase of a collect. `pause`: between two polling rounds. `failed`: the chip failed, and the slot shows whether the
 * card was pulled.
 */
export type Collecting =
  | { readonly at: "preparing"; readonly left: readonly Ask[] }
  | { readonly at: "polling"; readonly left: readonly Ask[] }
  | { readonly at: "pause" }
  | { readonly at: "magstripe" }
  | { readonly at: "chip"; readonly left: readonly Ask[] }
  | {
      readonly at: "objects";
      readonly left: readonly Ask[];
      readonly decided: Decided;
      readonly found: readonly Told[];
    }
  | { readonly at: "sealing"; readonly left: readonly Ask[]; readonly card: Sealing }
  | { readonly at: "failed"; readonly ending: Notice };

/** The first cryptogram, as the device reports it. */
export type Decided = "online" | "approved-offline" | "declined-offline";

/** One object from the device. */
export interface Told extends Tlv {
  readonly isSealed: boolean;
}

/** A card with its ciphertext, while the KSN is being read. */
export interface Sealing {
  readonly via: "chip" | "magstripe";
  readonly decided: Decided;
  readonly found: readonly Told[];
  readonly ksn?: Uint8Array;
}

export interface Collect {
  readonly is: "collect";
  readonly n: number;
  readonly request: CollectRequest;
  readonly offer: Offer;
  /** A card in the slot must be removed first. */
  readonly askOut: boolean;
  /** The slot was checked; before that the right prompt is unknown. */
  readonly looked: boolean;
  /** The device does not report keys. */
  readonly noKeys: boolean;
  /** The device asked for its key counter to be raised first, and it was (PROTOCOL.md 4.7). */
  readonly raisedFirst: boolean;
  /** The cardholder types an offline PIN. */
  readonly typesPin: boolean;
  readonly phase: Collecting;
  readonly shown?: Face;
  readonly prompt?: PromptCode;
  readonly asked?: Ask;
}

/** Left over by an interrupted job: its outstanding command, and the commands to send before the new ones. */
export interface Outstanding {
  readonly asked?: Ask | undefined;
  readonly left: readonly Ask[];
}

export interface Identify {
  readonly is: "identify";
  readonly n: number;
  readonly left: readonly Ask[];
  readonly found: Found;
  readonly asked?: Ask;
}

/** Commands without a result. `read`: they acknowledge a completion that no card waits for (PROTOCOL.md 6.6). */
export interface Single {
  readonly is: "single";
  readonly n: number;
  readonly left: readonly Ask[];
  readonly ending: "done" | "read";
  readonly asked?: Ask;
}

export interface Complete {
  readonly is: "complete";
  readonly n: number;
  readonly verdict: IssuerResponse["verdict"];
  readonly held: Held;
  readonly left: readonly Ask[];
  /** The card's verdict; later steps only read receipt data. */
  readonly said?: "approved" | "declined";
  readonly emv: readonly Tlv[];
  readonly asked?: Ask;
}

/** The outstanding command ends first, then the device is brought to idle (PROTOCOL.md 6.7). */
export interface Stop {
  readonly is: "stop";
  readonly left: readonly Ask[];
  /** A chip may have made its first cryptogram; the stop declines it. */
  readonly denies: boolean;
  /** Sent once the device is idle. */
  readonly notices: readonly Notice[];
  /** Number of the identify command that continues afterwards. */
  readonly identify?: number;
  readonly asked?: Ask;
}

/** An idle device with a card in its slot is asked whether the card is still there. */
export interface Look {
  readonly is: "look";
  readonly asked?: Ask;
}

/** The device's only job. It holds all state of its command except the number, so a new link starts clean. */
export type Job = { readonly is: "none" } | Identify | Single | Collect | Complete | Stop | Look;

export type JobInput = Input<Heard>;
export type Step = JobStep<Job, Device>;

export const timerNames = ["answer", "card", "watchdog", "poll", "look"] as const;

export const NO_JOB: Job = { is: "none" };

/** Sends one command for a job. */
export function ask(job: Exclude<Job, { is: "none" }>, what: Ask): Step {
  return {
    job: { ...job, asked: what },
    write: [commandFrame(what.name, what.data)],
    timers: { answer: what.limitMs ?? QUERY_MS },
  };
}

export function ended(...notices: readonly Notice[]): Step {
  return { job: NO_JOB, notices, timers: { answer: "clear", card: "clear", watchdog: "clear", poll: "clear" } };
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
    case "look":
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
