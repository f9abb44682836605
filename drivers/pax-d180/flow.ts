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

/** What is known of the device as long as the link holds. */
export interface Device {
  readonly options: Options;
  readonly member: Member;
  /** Unknown until it was identified. */
  readonly keys?: KeyStatus;
  /** Whether a card is in the slot; unknown until it was looked for. */
  readonly card?: boolean;
  /** A card was told and its issuer's answer is outstanding. */
  readonly held?: Held;
}

/** A card that was told, and what its completion takes. */
export interface Held {
  /** Who waits for the issuer: the chip in the slot, or nobody (a magstripe). */
  readonly via: "chip" | "nobody";
  /** Application transaction counter (9F36), hexadecimal: what a second answer is held against. */
  readonly atc?: string;
  /** What its first cryptogram was asked for, as the start command carries it: a device may ask for it again (PROTOCOL.md 5.2). */
  readonly amount: number;
}

/** One command, and how long its answer may take. */
export interface Ask {
  readonly name: CommandName;
  readonly data?: Uint8Array;
  readonly limitMs?: number;
  /** Which object is asked for: answers do not say (PROTOCOL.md 4.3). */
  readonly tag?: string;
}

/** What a customer reads while a card is collected: the words that ask for one, that it is to be taken out, or that it is being read. */
export type Face = "present" | "remove" | "wait";

/**
 * Where a collect is: readers and keys are made ready; it is asked again and again for a key, a card, a magstripe (`pause`: between two rounds); a magstripe is read;
 * the chip's transaction runs; its objects are asked for; the key serial number is read and the key's counter raised; or a chip failed and the slot is looked at,
 * whether the card was pulled.
 */
export type Collecting =
  | { readonly at: "preparing"; readonly left: readonly Ask[] }
  | { readonly at: "polling"; readonly left: readonly Ask[] }
  | { readonly at: "pause" }
  | { readonly at: "magstripe" }
  | { readonly at: "chip"; readonly left: readonly Ask[] }
  | { readonly at: "objects"; readonly left: readonly Ask[]; readonly decided: Decided; readonly found: readonly Told[] }
  | { readonly at: "sealing"; readonly left: readonly Ask[]; readonly card: Sealing }
  | { readonly at: "failed"; readonly ending: Notice };

/** What the first cryptogram was, as the device says. */
export type Decided = "online" | "approved-offline" | "declined-offline";

/** One object as the device told it. */
export interface Told extends Tlv {
  readonly isSealed: boolean;
}

/** A card whose ciphertext is there, and whose key serial number is being read. */
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
  /** A card in the slot is asked out before anything else. */
  readonly askOut: boolean;
  /** The slot was looked at: before that nobody knows what to ask for. */
  readonly looked: boolean;
  /** The device cannot tell of its keys. */
  readonly noKeys: boolean;
  /** It wants the key's counter raised first, and was obeyed (PROTOCOL.md 4.7). */
  readonly raisedFirst: boolean;
  /** The cardholder types a PIN for the card itself. */
  readonly typesPin: boolean;
  readonly phase: Collecting;
  readonly shown?: Face;
  readonly prompt?: PromptCode;
  readonly asked?: Ask;
}

/** What a command waits for that breaks into another job: its outstanding command, and what goes before its own. */
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

/** Commands whose answers mean only that they were obeyed. `read`: they acknowledge a completion that nobody on the device waits for (PROTOCOL.md 6.6). */
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
  /** The card's word, once it is there; what follows is for the receipt. */
  readonly said?: "approved" | "declined";
  readonly emv: readonly Tlv[];
  readonly asked?: Ask;
}

/** What the device was doing is waited for, then it is brought to rest (PROTOCOL.md 6.7). */
export interface Stop {
  readonly is: "stop";
  readonly left: readonly Ask[];
  /** A chip may have made its first cryptogram, which is then declined. */
  readonly denies: boolean;
  /** Given when the device is at rest. */
  readonly notices: readonly Notice[];
  /** Number of an identify command that goes on after it. */
  readonly identify?: number;
  readonly asked?: Ask;
}

/** An idle device with a card in its slot is asked whether it is still there. */
export interface Look {
  readonly is: "look";
  readonly asked?: Ask;
}

/** The one job of the device. Everything of a command but its number is in here, so a fresh link forgets it all. */
export type Job = { readonly is: "none" } | Identify | Single | Collect | Complete | Stop | Look;

export type JobInput = Input<Heard>;
export type Step = JobStep<Job, Device>;

export const timerNames = ["answer", "card", "watchdog", "poll", "look"] as const;

export const NO_JOB: Job = { is: "none" };

/** Sends one command for a job. */
export function ask(job: Exclude<Job, { is: "none" }>, what: Ask): Step {
  return { job: { ...job, asked: what }, write: [commandFrame(what.name, what.data)], timers: { answer: what.limitMs ?? QUERY_MS } };
}

/** A job that is over. */
export function ended(...notices: readonly Notice[]): Step {
  return { job: NO_JOB, notices, timers: { answer: "clear", card: "clear", watchdog: "clear", poll: "clear" } };
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
