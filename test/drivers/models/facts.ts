import type { Capabilities } from "../../../src/card/capabilities.ts";
import type { PromptCode } from "../../../src/card/notice.ts";
import type { TransportKind } from "../../../src/terminal/driver.ts";

/**
 * A guess of a PROTOCOL.md, and a device that does it the other way round: a driver survives that, or faults, but never
 * tells a verdict that is not the card's.
 */
export interface Flip {
  /** The clause, for example "I7". */
  readonly clause: string;
  /** What the device does instead. */
  readonly instead: string;
  /** What it sends in place of this chunk: nothing, one, or several. */
  readonly rewrite: (chunk: Uint8Array) => readonly Uint8Array[];
}

/**
 * What the stories of this folder need to know of one simulated device beside its driver's contract. Every simulator
 * has one of these.
 */
export interface ModelFacts {
  readonly driver: string;
  readonly simulator: string;
  /** Where this member of the family can do less than its driver says. */
  readonly can?: Capabilities;
  /** Whether the host sets the device's clock. */
  readonly clock: "host" | "own";
  /** Whether it can tell what keys it has before a card comes. */
  readonly keys: "told" | "unknown";
  /** What it shows of the card's number. */
  readonly masked: "bin-and-last4" | "last4" | "none";
  /** How a chip ends a refund: after the first GENERATE AC, or as a card that waits for nothing. */
  readonly refund: "declined-offline" | "online";
  /** At least so many frames of the device's make a sale with its identification; the faults go through all of them. */
  readonly frames: number;
  /**
   * From this moment of a collect on (milliseconds) a press of the red key is heard; undefined where the device has no
   * keys, or keeps them to itself.
   */
  readonly redKeyFromMs?: number;
  /** A card that is waited for may cost so many milliseconds more than one that is in already. */
  readonly cardWaitMs: number;
  /**
   * What stands on the display while a card is asked for, and with a card in: absent without a display, or one whose
   * words are the device's own.
   */
  readonly screen?: { readonly asks: readonly string[]; readonly cardIn: string };
  /** What a cashier sees here, of what the stories usually show. */
  readonly prompts: (usual: readonly PromptCode[]) => readonly PromptCode[];
  /**
   * Of a PIN that the card compares the device tells nothing, or not how the entry ended; with the clause that says so.
   */
  readonly hidesOfflinePin?: { readonly what: "all" | "end"; readonly clause: string };
  /** A frame by which the host asks for a card, as `terminals trace` names it. */
  readonly asksBy: string;
  /** Cards of the deck that the device cannot take, each with the clause that says so. */
  readonly without: Readonly<Record<string, string>>;
  /**
   * The clause that says why a swiped card does not show whether it has a chip: it then cannot be asked to its slot.
   */
  readonly hidesServiceCode?: string;
  /** Cards of whose holder's verification the device tells nothing. */
  readonly cvmUntold?: readonly string[];
  /**
   * The chunk with its checksums made right again, for spoiled ones that are to be believed; absent where the protocol
   * has none.
   */
  readonly reseal?: (chunk: Uint8Array, transport: TransportKind) => Uint8Array;
  /** How the inferred clauses of its PROTOCOL.md are flipped. */
  readonly flips: readonly Flip[];
}

/** Lines on which a chunk is one report or message, and cannot arrive in pieces. */
export function isWhole(transport: TransportKind): boolean {
  return transport === "usb" || transport === "websocket";
}
