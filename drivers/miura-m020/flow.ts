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

/** What is known of the device as long as the link holds. */
export interface Device {
  /** What this member of the family can do (PROTOCOL.md 7.1). */
  readonly capabilities: Capabilities;
  /** It takes extended APDUs (PROTOCOL.md 3.2). */
  readonly extended: boolean;
  /** Unknown until it was identified. */
  readonly keys?: KeyStatus;
  /** Unknown until it first told. */
  readonly slot?: Slot;
  /** A card was told and its issuer's answer is outstanding (PROTOCOL.md 7.4 and 7.15). */
  readonly held?: Held;
  /** The transaction that was aborted last and whose extra E5 has not come yet: it must not be taken for the next one's (PROTOCOL.md 7.6). */
  readonly dropped?: Pick<Held, "atc" | "last4">;
}

/** A card that was told, and what its completion takes. */
export interface Held extends HeldCard {
  /** As the device showed it; empty where it did not. */
  readonly last4?: string;
  /** What ONLINE PIN names the card by; nothing where a PIN belongs into the chip's own transaction, or cannot be typed at all (PROTOCOL.md 7.12). */
  readonly pinBy?: PinBy;
}

/** Masked track 2 as text (DFAE22) and application label (50). */
export interface PinBy {
  readonly track: Uint8Array;
  readonly label: Uint8Array;
}

/** A card that was swiped, as its tracks show it. */
export interface Swipe extends SwipedCard {
  readonly pinBy?: PinBy;
}

/** Commands beside texts: key reports on and off. */
export interface Waiting extends WaitingFor<"keys-on" | "keys-off", Swipe> {
  /** Whether the device may be reporting its keys; `refused` is not asked again. */
  readonly keys: "off" | "on" | "refused";
}

/** START CONTACTLESS was sent. `isOpen`: its answer is outstanding; else the event that goes with it is (PROTOCOL.md 7.10). */
export interface Tapping {
  readonly at: "tapping";
  readonly isOpen: boolean;
  readonly swipe?: Swipe;
}

/** ONLINE PIN was sent for a card that is told once it was typed (PROTOCOL.md 7.12). */
export interface TypingPin {
  readonly at: "pin";
  readonly card: CardData;
  readonly held: Held;
}

/** GET SECURE DATA: which of its steps is open, and the number as far as it shows (PROTOCOL.md 7.13). */
export interface Keying {
  readonly at: "keying";
  readonly step: number;
  readonly masked?: MaskedNumber;
}

/**
 * Where a collect is: asking what is in the slot; waiting for a card; reading a tap; running the chip's transaction on the device; having a PIN or a number typed;
 * or over with a read error, and listening whether the card was pulled.
 */
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
  /** How often START CONTACTLESS may still be sent. */
  readonly tapsLeft: number;
  /** So many cards had a chip that did not answer. */
  readonly unreadable: number;
  readonly phase: Collecting;
  readonly prompt?: PromptCode;
}

/** The one job of the device. Everything of a command but its number is in here, so a fresh link forgets it all. */
export type Job =
  | NoJob
  | { readonly is: "identify"; readonly n: number; readonly step: number; readonly triesLeft: number; readonly found: Found }
  | Single
  | { readonly is: "idle"; readonly n: number; readonly triesLeft: number }
  | Collect
  | { readonly is: "ask-pin"; readonly n: number; readonly held: Held; readonly prompt?: PromptCode }
  | { readonly is: "complete"; readonly n: number; readonly verdict: IssuerResponse["verdict"]; readonly held: Held }
  | Stop
  | { readonly is: "reset"; readonly notices: readonly Notice[]; readonly triesLeft: number };

/** ABORT was sent; done when everything that is still to come has come (PROTOCOL.md 7.6). */
export interface Stop {
  readonly is: "stop";
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

export type JobInput = Input<Heard>;
export type Step = JobStep<Job, Device>;

export const timerNames = ["answer", "card", "pin", "watchdog"] as const;

/** Tells the cashier something, unless that is what was told last. */
export const prompted = promptStep<Collect>;
export const promptedAnew = promptAnew<Collect>;

/** A device from which no extra E5 is to come any more: its next transaction has answered, and answers keep their order (PROTOCOL.md 4.5). */
export function settledBefore({ dropped: _come, ...rest }: Device): Device {
  return rest;
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
    case "ask-pin":
    case "complete":
      return [job.n];
    case "stop":
      return [...job.notices.map(({ n }) => n), ...(job.idle === undefined ? [] : [job.idle])];
    case "reset":
      return job.notices.map(({ n }) => n);
  }
}
