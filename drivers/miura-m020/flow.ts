import type { CollectRequest } from "../../src/card/command.ts";
import type { KeyStatus, Notice, PromptCode } from "../../src/card/notice.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import { type CommandName, commandApdu, encodeApdu } from "./apdu.ts";
import { encodeMessage } from "./frame.ts";
import type { Found } from "./identity.ts";
import type { Answer, DeviceEvent } from "./message.ts";

/** Whether a card is in, and whether its chip answered (PROTOCOL.md 6.1). */
export interface Slot {
  readonly card: boolean;
  readonly chip: boolean;
}

/** What is known of the device as long as the link holds. */
export interface Device {
  /** It takes extended APDUs (PROTOCOL.md 3.2). */
  readonly extended: boolean;
  /** Unknown until it was identified. */
  readonly keys?: KeyStatus;
  /** Unknown until it first told. */
  readonly slot?: Slot;
  /** A card gave its ARQC and waits for the issuer's answer (PROTOCOL.md 7.4). */
  readonly held?: Held;
}

/** What the second answer of a card is held against. */
export interface Held {
  /** Application transaction counter (9F36) of the first answer, hexadecimal, where the device told it. */
  readonly atc?: string;
}

/** What stands on the display while a collect waits: that a card is to be inserted, or that the one in the slot is to be tried again. */
export type Face = "insert" | "again";

/** Waiting for a card whose chip answers. One plain command at a time goes out meanwhile, and START only after the last of them is over (PROTOCOL.md 7.9). */
export interface Waiting {
  readonly at: "waiting";
  /** So many cards had a chip that did not answer. */
  readonly unreadable: number;
  readonly slot: Slot;
  /** The command whose answer is outstanding, and how often it may still be sent. */
  readonly open: { readonly what: Face | "keys-on" | "keys-off"; readonly triesLeft: number } | undefined;
  /** What the display was last asked to show. */
  readonly shown: Face | undefined;
  /** Whether the device may be reporting its keys; `refused` is not asked again. */
  readonly keys: "off" | "on" | "refused";
}

/**
 * Where a collect is: asking what is in the slot; waiting for a card; running the transaction on the device; or over with a read error, and listening whether the
 * card was pulled.
 */
export type Collecting = { readonly at: "slot" } | Waiting | { readonly at: "running"; readonly pinTries?: number } | { readonly at: "read-error" };

/** What the device is being used for. One job at a time; everything of a command but its number is in here, so a fresh link forgets it all. */
export type Job =
  | { readonly is: "none" }
  | { readonly is: "identify"; readonly n: number; readonly step: number; readonly triesLeft: number; readonly found: Found }
  | { readonly is: "single"; readonly n: number; readonly name: "clock" | "display"; readonly data: Uint8Array; readonly triesLeft: number }
  | { readonly is: "idle"; readonly n: number; readonly triesLeft: number }
  | { readonly is: "collect"; readonly n: number; readonly request: CollectRequest; readonly phase: Collecting; readonly prompt?: PromptCode }
  | { readonly is: "complete"; readonly n: number; readonly verdict: IssuerResponse["verdict"]; readonly held: Held }
  | AbortJob
  | { readonly is: "reset"; readonly notices: readonly Notice[]; readonly triesLeft: number };

/** ABORT was sent; done when everything that is still to come has come (PROTOCOL.md 7.6). */
export interface AbortJob {
  readonly is: "abort";
  /** The answer to ABORT is outstanding. */
  readonly abortOpen: boolean;
  /** The answer to the transaction that is being aborted is outstanding. */
  readonly transactionOpen: boolean;
  /** An extra E5 may follow. */
  readonly extraOpen: boolean;
  /** The answer to a plain command is outstanding: one that ABORT overtook, or KEYBOARD STATUS behind it. */
  readonly plainOpen: boolean;
  /** Keys are still to be switched off. */
  readonly keysOn: boolean;
  /** The ending notices, given when the device is idle again. */
  readonly notices: readonly Notice[];
  /** Number of an idle command that goes on after it. */
  readonly idle?: number;
}

export type JobInput =
  | { readonly on: "answer"; readonly answer: Answer }
  | { readonly on: "event"; readonly event: DeviceEvent }
  | { readonly on: "timer"; readonly name: TimerName };

export const timerNames = ["settle", "answer", "card", "pin", "watchdog"] as const;
export type TimerName = (typeof timerNames)[number];
export type Timers = Readonly<Partial<Record<TimerName, number | "clear">>>;

/** The answer of a job to one input; what is left out stays as it is. */
export interface Step {
  readonly job: Job;
  readonly device?: Device;
  readonly write?: readonly Uint8Array[];
  readonly timers?: Timers;
  readonly notices?: readonly Notice[];
  readonly link?: "reopen";
}

const NO_JOB: Job = { is: "none" };
const ALL_CLEAR: Timers = { answer: "clear", card: "clear", pin: "clear", watchdog: "clear" };

/** A job that is over. */
export function ended(...notices: readonly Notice[]): Step {
  return { job: NO_JOB, notices, timers: ALL_CLEAR };
}

/** The device or the stream cannot be trusted any more: every command named ends with the fault, and a fresh link is asked for (PROTOCOL.md 2.5). */
export function lost(numbers: readonly number[], code: "no-answer" | "protocol" | "device-error", detail: string): Step {
  return { ...ended(...numbers.map((n): Notice => ({ n, on: "fault", code, detail }))), link: "reopen" };
}

/** The frames of one command to the PIN pad. Throws a RangeError where it does not fit an APDU: always a bug of the caller. */
export function framesOf(name: CommandName, options: { readonly p1?: number; readonly data?: Uint8Array } = {}, extended = false): readonly Uint8Array[] {
  const apdu = encodeApdu(commandApdu(name, options), extended);
  if (apdu === undefined) throw new RangeError(`${name} does not fit an APDU`);
  return encodeMessage({ nad: 1, unsolicited: false, body: apdu });
}

/** The numbers of the commands that a job will end. */
export function numbersOf(job: Job): readonly number[] {
  switch (job.is) {
    case "none":
      return [];
    case "identify":
    case "single":
    case "idle":
    case "collect":
    case "complete":
      return [job.n];
    case "abort":
      return [...job.notices.map(({ n }) => n), ...(job.idle === undefined ? [] : [job.idle])];
    case "reset":
      return job.notices.map(({ n }) => n);
  }
}
