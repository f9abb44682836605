import type { Capabilities } from "../card/capabilities.ts";
import type { Clock } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import type { CardWord } from "../testbed/card.ts";
import type { Memory } from "../testbed/memory.ts";
import type { FaultName } from "./fault.ts";
import type { Look } from "./look.ts";
import type { PaceName } from "./pace.ts";
import type { Screen, Way } from "./panel.ts";

/**
 * How a host is connected: some devices greet a new network connection but not a new serial one. Over "usb" bytes travel in HID reports: `send` is called with one whole
 * report at a time, and so is `receive`; over "websocket" likewise with one whole message.
 */
export type LineKind = "serial" | "tcp" | "usb" | "websocket";

/** One end of a line: what a host sends goes to `receive`; `detach` is the host's side hanging up. */
export interface Attachment {
  receive(bytes: Uint8Array): void;
  detach(): void;
}

/** What is heard on a terminal's line. `sent` is what the host sent, whether or not the terminal listens. */
export interface LineEvents {
  opened(line: LineKind): void;
  lost(): void;
  sent(bytes: Uint8Array): void;
  received(bytes: Uint8Array): void;
}

/** The automatic customer: the card in his hand, and whether he does anything by himself. */
export interface CustomerState {
  readonly card: string;
  readonly acts: boolean;
}

/**
 * A terminal of some model, its card slot, keypad and display included. It has one line; attaching a second host hangs up on the first. `send` is never called
 * while `receive` runs. Over "usb" only where the model has HID; else `attach` throws a SimulatorProblem. What is pressed, presented or broken from outside throws a SimulatorProblem where that is not possible.
 */
export interface SimulatedTerminal {
  readonly serialNumber: string;
  attach(send: (bytes: Uint8Array) => void, line?: LineKind): Attachment;
  /** Presents the card of that name (src/testbed/deck.ts) as its holder does it, or in the way named: into the slot, to the reader, through it, or typed. */
  present(card: string, way?: Way): void;
  removeCard(): void;
  /** The automatic customer presents this card from now on. */
  customerUses(card: string): void;
  /** The automatic customer acts by himself, or leaves card and keys to others. */
  customerActs(acts: boolean): void;
  /** undefined: there is none. */
  customer(): CustomerState | undefined;
  /** Digits, ENTER, CANCEL, CLEAR: "1234", or a list of them. */
  press(keys: string | readonly string[]): void;
  screen(): Screen;
  /** `after`: how many frames of the terminal's to let pass first. */
  fault(name: FaultName, after?: number): void;
  plugged(): boolean;
  /** It answers nothing until a reboot. */
  hung(): boolean;
  /** Told when the cable is pulled and put back, so that the line can be closed and opened anew. */
  onPlug(listener: (plugged: boolean) => void): void;
  /** Told when a person would see something else: screen, slot, lights, cable, customer. */
  onChange(listener: () => void): void;
  /** Hears what goes over the line. */
  onLine(listener: LineEvents): void;
}

/** What the terminal's holder does by himself. */
export interface Automatic {
  /** The card that is presented whenever the host asks for one. */
  readonly card: string;
}

export interface SimulatorOn {
  readonly clock: Clock;
  readonly random: Random;
  /** undefined: nobody stands before the terminal; card and keys come through the functions above. */
  readonly automatic: Automatic | undefined;
  /** Counters of cards and keys. Terminals that share a memory share their cards; absent: a fresh one. */
  readonly memory?: Memory;
  /** As the device tells it; absent: the model's usual one. Two terminals at one bridge need two. */
  readonly serialNumber?: string;
  /** Whether the terminal is configured so that the green key without a PIN goes on to the card's next rule; absent: it is not. */
  readonly allowsPinBypass?: boolean;
  /** Absent: quick. */
  readonly pace?: PaceName;
  /** A tap of more than so much, in minor units, wants its holder verified; absent: no tap does for its amount. */
  readonly contactlessCvmLimit?: number;
  /** Hears every cryptogram a card makes in this terminal: the card's own word, for those who check what others made of it. */
  readonly cardSaid?: (word: CardWord) => void;
}

/** A model that can be simulated. */
export interface SimulatorModel {
  /** The name by which it is simulated: several members of a family may have one driver. */
  readonly id: string;
  /** Id of the driver that speaks to it. */
  readonly driver: string;
  readonly title: string;
  /** pos.deviceType that fits the model's SRED layout. */
  readonly deviceType: string;
  /** What of it public sources confirm, and what is inferred, one line each (`simulate --list`). */
  readonly evidence: { readonly confirmed: readonly string[]; readonly inferred: readonly string[] };
  /** What this member of the family can do. */
  readonly capabilities: Capabilities;
  /** Absent: as models with such capabilities usually look. */
  readonly look?: Look;
  readonly serialNumber: SerialNumbers;
  /** What a configuration has to say for it (`terminals[].options`), where the usual does not fit. */
  readonly options?: Readonly<Record<string, string>>;
  /** What it is on a network port; absent: a plain stream. */
  readonly network?: "websocket";
  create(on: SimulatorOn): SimulatedTerminal;
}

/** How the serial numbers of a model look. */
export interface SerialNumbers {
  /** What a terminal has that was given none. */
  readonly usual: string;
  /** Matches a whole one. */
  readonly pattern: RegExp;
  /** The pattern in words, behind "must be". */
  readonly form: string;
}
