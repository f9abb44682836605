import type { Capabilities } from "../../src/card/capabilities.ts";
import type { CardData, Sealed } from "../../src/card/card-data.ts";
import type { CollectRequest } from "../../src/card/command.ts";
import type { KeyStatus, Notice, PromptCode } from "../../src/card/notice.ts";
import type { Offer } from "../../src/card/offer.ts";
import type { Slot } from "../../src/card/waiting.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import type { Tlv } from "../../src/emv/tlv.ts";
import { type JobInput as Input, type JobStep, promptAnew, promptStep } from "../../src/terminal/one-job.ts";
import type { Apdu, Parameters } from "../vipa/apdu.ts";
import type { HeldCard, NoJob, SwipedCard } from "../vipa/flow.ts";
import type { Single } from "../vipa/flow-single.ts";
import type { WaitingFor } from "../vipa/flow-waiting.ts";
import { type CommandName, commandApdu, encodeApdu } from "./apdu.ts";
import { encodeMessage } from "./frame.ts";
import type { Found } from "./identity.ts";
import type { Heard, ReaderWord } from "./message.ts";
import type { Options } from "./options.ts";

/** State of the device for the life of one link. */
export interface Device {
  readonly options: Options;
  /** The device is identified; a greeting from here on is a restart (PROTOCOL.md 6.2). */
  readonly isIdentified: boolean;
  /** The greeting of this link may still come; it is not a restart (PROTOCOL.md 7.18). */
  readonly mayGreet?: true;
  /** A command may be longer than one packet (PROTOCOL.md 3.2). */
  readonly takesChains: boolean;
  /** Capabilities of this member; until identification, those of the family. */
  readonly capabilities: Capabilities;
  readonly keys?: KeyStatus;
  /** RESET closes the contactless reader, or may do so (PROTOCOL.md 7.10). */
  readonly isReaderOpen: boolean;
  /** Unknown until first reported. */
  readonly slot?: Slot;
  /** A card was reported and its issuer's answer is outstanding (PROTOCOL.md 7.4 and 7.15). */
  readonly held?: Held;
}

/** A reported card, and the data that its completion needs. */
export interface Held extends HeldCard {
  /** The device still holds the card number, so a PIN can be typed for it (PROTOCOL.md 7.12). */
  readonly takesPin?: true;
  /** Transaction data that the next command repeats. */
  readonly repeated: readonly Tlv[];
}

/** CARD STATUS was sent. Answer and state come in either order, or the state alone (PROTOCOL.md 4.5). */
export interface Looking {
  readonly at: "slot";
  readonly isAnswered: boolean;
  readonly isTold: boolean;
  readonly swipe?: SwipedCard;
}

export type Waiting = WaitingFor<"open-reader", SwipedCard>;

/**
 * START CONTACTLESS was sent. `isAccepted`: it was answered, so unsolicited results belong to it (PROTOCOL.md 7.10).
 */
export interface Tapping {
  readonly at: "tapping";
  readonly isAccepted: boolean;
  /** CANCEL CONTACTLESS follows the answer, because of an inserted or swiped card. */
  readonly isLeft: boolean;
  readonly swipe?: SwipedCard;
}

/** CANCEL CONTACTLESS was sent: its answer and the transaction's end are outstanding (PROTOCOL.md 7.10). */
export interface Leaving {
  readonly at: "leaving";
  readonly isAnswered: boolean;
  readonly end?: ReaderWord;
  readonly swipe?: SwipedCard;
}

/** The chip transaction runs on the device. `isFirst`: its first cryptogram was requested. */
export interface Running {
  readonly at: "running";
  readonly isFirst: boolean;
  /** The device asked for a PIN meanwhile. */
  readonly hasPin: boolean;
  readonly pinTries?: number;
  /** The time for the PIN has passed; only the cryptogram of a PIN typed in time may still come (PROTOCOL.md 7.9). */
  readonly isPinOver?: true;
  /**
   * Data encrypted before the first cryptogram. It is not sent alone, because its KSN comes again (PROTOCOL.md 4.6).
   */
  readonly sealed?: Sealed;
}

/** ONLINE PIN was sent; the card is reported after its answer (PROTOCOL.md 7.12). */
export interface TypingPin {
  readonly at: "pin";
  readonly card: CardData;
  readonly held: Held;
  /** The PIN was typed inside the chip transaction, so the customer is not asked again. */
  readonly isFetched: boolean;
}

/** Phase of a collect. `read-error`: the slot is watched for a pulled card. */
export type Collecting =
  | Looking
  | Waiting
  | Tapping
  | Leaving
  | Running
  | TypingPin
  | { readonly at: "keying" }
  | { readonly at: "read-error"; readonly why: "chip-unreadable" | "not-supported" };

export interface Collect {
  readonly is: "collect";
  readonly n: number;
  readonly request: CollectRequest;
  readonly offer: Offer;
  /** Attempts left to send START CONTACTLESS. */
  readonly tapsLeft: number;
  /** Number of cards with a silent chip. */
  readonly unreadable: number;
  /** Number of times that the device was busy. `isPutOff`: a command waits to be repeated (PROTOCOL.md 7.19). */
  readonly putOff: number;
  readonly isPutOff?: true;
  /** The time limit for cards has passed with a card in hand; it is the last one (PROTOCOL.md 7.9). */
  readonly isLast?: true;
  /** A text was never acknowledged; a later empty answer may belong to it (PROTOCOL.md 4.5). */
  readonly isBehind?: true;
  readonly phase: Collecting;
  readonly prompt?: PromptCode;
}

/** Identification. `isHeard`: the current question got an unreadable answer. */
export interface Identify {
  readonly is: "identify";
  readonly n: number;
  readonly step: number;
  readonly triesLeft: number;
  readonly isHeard: boolean;
  readonly found: Found;
}

/** Commands of a stop, sent one after the other. */
export type Chore = "cancel-reader" | "abort" | "reset" | "idle-text" | "status";

/** Answers that a stop waits for. `grace`: the slot state has come, and an answer to CARD STATUS may follow. */
export type Outstanding = "plain" | "transaction" | "reader-end" | "grace" | Chore;

/** Brings the device to idle (PROTOCOL.md 7.2, 7.6 and 7.8). */
export interface Stop {
  readonly is: "stop";
  readonly open: readonly Outstanding[];
  readonly todo: readonly Chore[];
  readonly triesLeft: number;
  /** Notices to send once the device is idle. */
  readonly notices: readonly Notice[];
}

export interface Complete {
  readonly is: "complete";
  readonly n: number;
  readonly verdict: IssuerResponse["verdict"];
  readonly held: Held;
  /** CONTINUE was answered, so an unsolicited bare end belongs to it (PROTOCOL.md 7.15). */
  readonly isAccepted: boolean;
}

/** The device's only job. It holds all state of its command except the number, so a new link starts clean. */
export type Job =
  | NoJob
  | Identify
  | Single
  | Collect
  | { readonly is: "ask-pin"; readonly n: number; readonly held: Held }
  | Complete
  | Stop;

export type JobInput = Input<Heard>;
export type Step = JobStep<Job, Device>;

/** `daily` and `greeting` run across jobs (PROTOCOL.md 7.17 and 7.18). */
export const timerNames = ["answer", "card", "pin", "watchdog", "daily", "greeting"] as const;

/** Shows the cashier a prompt, unless it is already shown. */
export const prompted = promptStep<Collect>;
export const promptedAnew = promptAnew<Collect>;

export function packetsOf(apdu: Apdu): readonly Uint8Array[] {
  return encodeMessage({ unsolicited: false, body: encodeApdu(apdu) });
}

export function framesOf(name: CommandName, parameters: Parameters = {}): readonly Uint8Array[] {
  return packetsOf(commandApdu(name, parameters));
}

export function numbersOf(job: Job): readonly number[] {
  switch (job.is) {
    case "none":
      return [];
    case "identify":
    case "single":
    case "collect":
    case "ask-pin":
    case "complete":
      return [job.n];
    case "stop":
      return job.notices.map(({ n }) => n);
  }
}
