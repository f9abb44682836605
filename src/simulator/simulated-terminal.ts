import type { CardWord } from "../../packages/sandbox/testbed/card.ts";
import type { Memory } from "../../packages/sandbox/testbed/memory.ts";
import type { Capabilities } from "../card/capabilities.ts";
import type { Clock } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import type { FaultName } from "./fault.ts";
import type { Look } from "./look.ts";
import type { PaceName } from "./pace.ts";
import type { Screen, Way } from "./panel.ts";

/**
 * Kind of connection; some devices greet new network connections but not serial ones. Over "usb" every `send` and
 * `receive` is one whole HID report, over "websocket" one whole message.
 */
export type LineKind = "serial" | "tcp" | "usb" | "websocket";

/** One end of a line. The host's bytes go to `receive`; `detach` is the host hanging up. */
export interface Attachment {
  receive(bytes: Uint8Array): void;
  detach(): void;
}

/** Events of a terminal's line. `sent` has the host's bytes, even if the terminal does not listen. */
export interface LineEvents {
  opened(line: LineKind): void;
  lost(): void;
  sent(bytes: Uint8Array): void;
  received(bytes: Uint8Array): void;
}

/** The automatic customer's card, and whether the customer acts. */
export interface CustomerState {
  readonly card: string;
  readonly acts: boolean;
}

/**
 * A terminal with one line: a second host disconnects the first. `send` is never called during `receive`. Impossible
 * calls throw a SimulatorProblem, as does "usb" without HID.
 */
export interface SimulatedTerminal {
  readonly serialNumber: string;
  attach(send: (bytes: Uint8Array) => void, line?: LineKind): Attachment;
  /** Presents the named card (packages/sandbox/testbed/deck.ts) in its holder's way or the given one: insert, tap, swipe or key. */
  present(card: string, way?: Way): void;
  removeCard(): void;
  /** Changes the automatic customer's card. */
  customerUses(card: string): void;
  /** Turns the automatic customer on or off. */
  customerActs(acts: boolean): void;
  /** Undefined: there is none. */
  customer(): CustomerState | undefined;
  /** Digits, ENTER, CANCEL, CLEAR: "1234", or a list of them. */
  press(keys: string | readonly string[]): void;
  screen(): Screen;
  /** `after`: number of the terminal's frames that pass first. */
  fault(name: FaultName, after?: number): void;
  plugged(): boolean;
  /** Answers nothing until a reboot. */
  hung(): boolean;
  /** Called on unplug and plug, to close and reopen the line. */
  onPlug(listener: (plugged: boolean) => void): void;
  /** Called after visible changes: screen, slot, lights, cable, customer. */
  onChange(listener: () => void): void;
  /** Receives the line's traffic. */
  onLine(listener: LineEvents): void;
}

export interface Automatic {
  /** The card presented whenever the host asks. */
  readonly card: string;
}

export interface SimulatorOn {
  readonly clock: Clock;
  readonly random: Random;
  /** Undefined: no customer; card and keys come through the functions above. */
  readonly automatic: Automatic | undefined;
  /** Counters of cards and keys. Terminals that share a memory share cards; absent: a new one. */
  readonly memory?: Memory;
  /** The device's serial number; default: the model's. Two terminals at one bridge need different ones. */
  readonly serialNumber?: string;
  /** Whether ENTER without a PIN moves on to the card's next CVM rule; default no. */
  readonly allowsPinBypass?: boolean;
  /** Default: quick. */
  readonly pace?: PaceName;
  /** Taps above this amount, in minor units, require cardholder verification; absent: no limit. */
  readonly contactlessCvmLimit?: number;
  /** Receives every cryptogram of a card in this terminal, as evidence for checkers. */
  readonly cardSaid?: (word: CardWord) => void;
}

export interface SimulatorModel {
  /** Name of the simulated member; several members of a family share a driver. */
  readonly id: string;
  /** Id of the driver that speaks to it. */
  readonly driver: string;
  readonly title: string;
  /** The pos.deviceType of the model's SRED layout. */
  readonly deviceType: string;
  /** Properties confirmed by public sources, and inferred ones, one line each (`simulate --list`). */
  readonly evidence: { readonly confirmed: readonly string[]; readonly inferred: readonly string[] };
  /** Capabilities of this member of the family. */
  readonly capabilities: Capabilities;
  /** Default: appearance by capabilities. */
  readonly look?: Look;
  readonly serialNumber: SerialNumbers;
  /** Options that the configuration needs for it (`terminals[].options`). */
  readonly options?: Readonly<Record<string, string>>;
  /** Protocol on a network port; absent: a plain stream. */
  readonly network?: "websocket";
  create(on: SimulatorOn): SimulatedTerminal;
}

/** Format of a model's serial numbers. */
export interface SerialNumbers {
  /** Default serial number. */
  readonly usual: string;
  /** Matches a complete serial number. */
  readonly pattern: RegExp;
  /** The pattern in words, after "must be". */
  readonly form: string;
}
