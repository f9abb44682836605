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

/** What is known of the device as long as the link holds. */
export interface Device {
  readonly options: Options;
  /** It told who it is: from here on a greeting is a restart (PROTOCOL.md 6.2). */
  readonly isIdentified: boolean;
  /** Its greeting of this link may still come, and means no restart then (PROTOCOL.md 7.18). */
  readonly mayGreet?: true;
  /** A command may be longer than one packet (PROTOCOL.md 3.2). */
  readonly takesChains: boolean;
  /** What this member can do; until it was identified, what the family can. */
  readonly capabilities: Capabilities;
  readonly keys?: KeyStatus;
  /** RESET closes the contactless reader, or may have (PROTOCOL.md 7.10). */
  readonly isReaderOpen: boolean;
  /** Unknown until it first told. */
  readonly slot?: Slot;
  /** A card was told and its issuer's answer is outstanding (PROTOCOL.md 7.4 and 7.15). */
  readonly held?: Held;
}

/** A card that was told, and what its completion takes. */
export interface Held extends HeldCard {
  /** The device holds the number of the card, which a PIN can be typed for (PROTOCOL.md 7.12). */
  readonly takesPin?: true;
  /** What the command that goes on repeats of the transaction. */
  readonly repeated: readonly Tlv[];
}

/** CARD STATUS was sent. Its answer and the state come in either order, or the state alone (PROTOCOL.md 4.5). */
export interface Looking {
  readonly at: "slot";
  readonly isAnswered: boolean;
  readonly isTold: boolean;
  readonly swipe?: SwipedCard;
}

export type Waiting = WaitingFor<"open-reader", SwipedCard>;

/** START CONTACTLESS was sent; `isAccepted`: and answered, so that what comes unasked is its own (PROTOCOL.md 7.10). */
export interface Tapping {
  readonly at: "tapping";
  readonly isAccepted: boolean;
  /** CANCEL CONTACTLESS follows the answer, because of a card in the slot or a swipe. */
  readonly isLeft: boolean;
  readonly swipe?: SwipedCard;
}

/** CANCEL CONTACTLESS was sent: its answer and the transaction's end both have to come (PROTOCOL.md 7.10). */
export interface Leaving {
  readonly at: "leaving";
  readonly isAnswered: boolean;
  readonly end?: ReaderWord;
  readonly swipe?: SwipedCard;
}

/** The chip's transaction runs on the device; `isFirst`: it was asked for its first cryptogram. */
export interface Running {
  readonly at: "running";
  readonly isFirst: boolean;
  /** The device had a PIN typed meanwhile. */
  readonly hasPin: boolean;
  readonly pinTries?: number;
  /** The time for the PIN is over, and only the cryptogram of one that was typed in time is waited for (PROTOCOL.md 7.9). */
  readonly isPinOver?: true;
  /** What was sealed before the first cryptogram; not told by itself, because its key serial number comes again (PROTOCOL.md 4.6). */
  readonly sealed?: Sealed;
}

/** ONLINE PIN was sent for a card that is told once it was answered (PROTOCOL.md 7.12). */
export interface TypingPin {
  readonly at: "pin";
  readonly card: CardData;
  readonly held: Held;
  /** The PIN was typed within the chip's transaction: nobody is asked any more. */
  readonly isFetched: boolean;
}

/**
 * Where a collect is: asking what is in the slot; waiting for a card; reading a tap, or leaving the reader; running the chip's transaction on the device; having a PIN
 * or a number typed; or over with a read error, and listening whether the card was pulled.
 */
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
  /** How often START CONTACTLESS may still be sent. */
  readonly tapsLeft: number;
  /** So many cards had a chip that did not answer. */
  readonly unreadable: number;
  /** So often a command was not taken just then; `isPutOff`: one waits to be sent again (PROTOCOL.md 7.19). */
  readonly putOff: number;
  readonly isPutOff?: true;
  /** The time for cards is over, and one is being turned to: it is the last (PROTOCOL.md 7.9). */
  readonly isLast?: true;
  /** A text was never acknowledged: an empty answer that still comes may be that one's (PROTOCOL.md 4.5). */
  readonly isBehind?: true;
  readonly phase: Collecting;
  readonly prompt?: PromptCode;
}

/** Asking the device who it is; `isHeard`: the question it is at was answered by something that cannot be read. */
export interface Identify {
  readonly is: "identify";
  readonly n: number;
  readonly step: number;
  readonly triesLeft: number;
  readonly isHeard: boolean;
  readonly found: Found;
}

/** What a clearing has to send, one after the other. */
export type Chore = "cancel-reader" | "abort" | "reset" | "idle-text" | "status";

/**
 * What it waits for: the answers of commands sent before it and in it, the end of a contactless transaction, and (`grace`) an answer to CARD STATUS that may not come
 * because the state itself did.
 */
export type Outstanding = "plain" | "transaction" | "reader-end" | "grace" | Chore;

/** Brings the device back to where nothing runs (PROTOCOL.md 7.2, 7.6 and 7.8). */
export interface Stop {
  readonly is: "stop";
  readonly open: readonly Outstanding[];
  readonly todo: readonly Chore[];
  readonly triesLeft: number;
  /** The ending notices, given when the device is idle again. */
  readonly notices: readonly Notice[];
}

export interface Complete {
  readonly is: "complete";
  readonly n: number;
  readonly verdict: IssuerResponse["verdict"];
  readonly held: Held;
  /** CONTINUE was answered, so that a bare end that comes unasked is its own (PROTOCOL.md 7.15). */
  readonly isAccepted: boolean;
}

/** The one job of the device. Everything of a command but its number is in here, so a fresh link forgets it all. */
export type Job = NoJob | Identify | Single | Collect | { readonly is: "ask-pin"; readonly n: number; readonly held: Held } | Complete | Stop;

export type JobInput = Input<Heard>;
export type Step = JobStep<Job, Device>;

/** `daily` and `greeting` run on whatever the device does (PROTOCOL.md 7.17 and 7.18). */
export const timerNames = ["answer", "card", "pin", "watchdog", "daily", "greeting"] as const;

/** Tells the cashier something, unless that is what was told last. */
export const prompted = promptStep<Collect>;
export const promptedAnew = promptAnew<Collect>;

/** The packets of one command. */
export function packetsOf(apdu: Apdu): readonly Uint8Array[] {
  return encodeMessage({ unsolicited: false, body: encodeApdu(apdu) });
}

export function framesOf(name: CommandName, parameters: Parameters = {}): readonly Uint8Array[] {
  return packetsOf(commandApdu(name, parameters));
}

/** The numbers of the commands that a job will end. */
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
