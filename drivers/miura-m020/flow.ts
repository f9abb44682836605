import type { Capabilities } from "../../src/card/capabilities.ts";
import type { CardData } from "../../src/card/card-data.ts";
import type { CollectRequest } from "../../src/card/command.ts";
import type { KeyStatus, Notice, PromptCode } from "../../src/card/notice.ts";
import type { Offer } from "../../src/card/offer.ts";
import type { Slot } from "../../src/card/waiting.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import type { MaskedNumber } from "../../src/emv/mask.ts";
import { type JobInput as Input, type JobStep, promptAnew, promptStep } from "../../src/terminal/one-job.ts";
import type { HeldCard, NoJob, SwipedCard } from "../vipa/flow.ts";
import type { Single } from "../vipa/flow-single.ts";
import type { WaitingFor } from "../vipa/flow-waiting.ts";
import { type CommandName, commandApdu, encodeApdu } from "./apdu.ts";
import { encodeMessage } from "./frame.ts";
import type { Found } from "./identity.ts";
import type { Heard } from "./message.ts";

/** State of the device for the life of one link. */
export interface Device {
  /** Capabilities of this member (PROTOCOL.md 7.1). */
  readonly capabilities: Capabilities;
  /** The device accepts extended APDUs (PROTOCOL.md 3.2). */
  readonly extended: boolean;
  /** Unknown until identified. */
  readonly keys?: KeyStatus;
  /** Unknown until first reported. */
  readonly slot?: Slot;
  /** A card was reported and its issuer's answer is outstanding (PROTOCOL.md 7.4 and 7.15). */
  readonly held?: Held;
  /**
   * The last aborted transaction, whose extra E5 may still come. It must not count for the next transaction
   * (PROTOCOL.md 7.6).
   */
  readonly dropped?: Pick<Held, "atc" | "last4">;
}

/** A reported card, and the data that its completion needs. */
export interface Held extends HeldCard {
  /** Last four digits, as the device shows them; empty if it shows none. */
  readonly last4?: string;
  /**
   * Card data for ONLINE PIN. Absent if the PIN belongs to the chip transaction, or cannot be typed (PROTOCOL.md 7.12).
   */
  readonly pinBy?: PinBy;
}

/** Masked track 2 as text (DFAE22) and application label (50). */
export interface PinBy {
  readonly track: Uint8Array;
  readonly label: Uint8Array;
}

/** A swiped card, as its tracks show it. */
export interface Swipe extends SwipedCard {
  readonly pinBy?: PinBy;
}

/** Commands besides texts: key reports on and off. */
export interface Waiting extends WaitingFor<"keys-on" | "keys-off", Swipe> {
  /** Whether the device may report keys; after `refused` the driver does not ask again. */
  readonly keys: "off" | "on" | "refused";
}

/**
 * START CONTACTLESS was sent. `isOpen`: its answer is outstanding, otherwise the event that belongs to it (PROTOCOL.md
 * 7.10).
 */
export interface Tapping {
  readonly at: "tapping";
  readonly isOpen: boolean;
  readonly swipe?: Swipe;
}

/** ONLINE PIN was sent; the card is reported after its answer (PROTOCOL.md 7.12). */
export interface TypingPin {
  readonly at: "pin";
  readonly card: CardData;
  readonly held: Held;
}

/** GET SECURE DATA: the open step, and the masked number (PROTOCOL.md 7.13). */
export interface Keying {
  readonly at: "keying";
  readonly step: number;
  readonly masked?: MaskedNumber;
}

/** Phase of a collect. `read-error`: the slot is watched for a pulled card. */
export type Collecting =
  | { readonly at: "slot" }
  | Waiting
  | Tapping
  | { readonly at: "running"; readonly pinTries?: number }
  | TypingPin
  | Keying
  | { readonly at: "read-error" };

export interface Collect {
  readonly is: "collect";
  readonly n: number;
  readonly request: CollectRequest;
  readonly offer: Offer;
  /** Attempts left to send START CONTACTLESS. */
  readonly tapsLeft: number;
  /** Number of cards with a silent chip. */
  readonly unreadable: number;
  readonly phase: Collecting;
  readonly prompt?: PromptCode;
}

/** The device's only job. It holds all state of its command except the number, so a new link starts clean. */
export type Job =
  | NoJob
  | {
      readonly is: "identify";
      readonly n: number;
      readonly step: number;
      readonly triesLeft: number;
      readonly found: Found;
    }
  | Single
  | { readonly is: "idle"; readonly n: number; readonly triesLeft: number }
  | Collect
  | { readonly is: "ask-pin"; readonly n: number; readonly held: Held; readonly prompt?: PromptCode }
  | { readonly is: "complete"; readonly n: number; readonly verdict: IssuerResponse["verdict"]; readonly held: Held }
  | Stop
  | { readonly is: "reset"; readonly notices: readonly Notice[]; readonly triesLeft: number };

/** ABORT was sent; the stop ends when every outstanding message has come (PROTOCOL.md 7.6). */
export interface Stop {
  readonly is: "stop";
  /** The answer to ABORT is outstanding. */
  readonly abortOpen: boolean;
  /** The aborted transaction's answer is outstanding. */
  readonly transactionOpen: boolean;
  /** An extra E5 may follow. */
  readonly extraOpen: boolean;
  /** The answer to a plain command is outstanding: one that ABORT overtook, or KEYBOARD STATUS after it. */
  readonly plainOpen: boolean;
  /** Key reports must still be switched off. */
  readonly keysOn: boolean;
  /** Notices to send once the device is idle. */
  readonly notices: readonly Notice[];
  /** Number of the idle command that continues afterwards. */
  readonly idle?: number;
}

export type JobInput = Input<Heard>;
export type Step = JobStep<Job, Device>;

export const timerNames = ["answer", "card", "pin", "watchdog"] as const;

/** Shows the cashier a prompt, unless it is already shown. */
export const prompted = promptStep<Collect>;
export const promptedAnew = promptAnew<Collect>;

/** No extra E5 can come any more: the next transaction has answered, and answers keep their order (PROTOCOL.md 4.5). */
export function settledBefore({ dropped: _come, ...rest }: Device): Device {
  return rest;
}

/** Frames of one command to the PIN pad. Throws a RangeError if it fits no APDU, which is a caller's bug. */
export function framesOf(
  name: CommandName,
  options: { readonly p1?: number; readonly data?: Uint8Array } = {},
  extended = false,
): readonly Uint8Array[] {
  const apdu = encodeApdu(commandApdu(name, options), extended);
  if (apdu === undefined) throw new RangeError(`${name} does not fit an APDU`);
  return encodeMessage({ nad: 1, unsolicited: false, body: apdu });
}

export function numbersOf(job: Job): readonly number[] {
  switch (job.is) {
    case "none":
      return [];
    case "identify":
    case "single":
    case "idle":
    case "collect":
    case "ask-pin":
    case "complete":
      return [job.n];
    case "stop":
      return [...job.notices.map(({ n }) => n), ...(job.idle === undefined ? [] : [job.idle])];
    case "reset":
      return job.notices.map(({ n }) => n);
  }
}
