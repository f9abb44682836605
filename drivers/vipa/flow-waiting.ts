import type { PromptCode } from "../../src/card/notice.ts";
import { type Offer, promptFor } from "../../src/card/offer.ts";
import { type CardWait, type Face, isReady, type Slot } from "../../src/card/waiting.ts";

/**
 * Waiting for a card. Only one plain command is outstanding, and the next step waits for its answer (PROTOCOL.md 7.9).
 */
export interface WaitingFor<Command extends string, Swipe> {
  readonly at: "waiting";
  readonly slot: Slot;
  /** The card in the slot must be removed first (PROTOCOL.md 7.14). */
  readonly askOut: boolean;
  /** The outstanding command, and its attempts left. */
  readonly open: { readonly what: Face | Command; readonly triesLeft: number } | undefined;
  /** The text last sent to the display. */
  readonly shown: Face | undefined;
  readonly swipe?: Swipe;
}

/** The red key (PROTOCOL.md 6). */
export const CANCEL_KEY = "1B";

interface Waits {
  readonly offer: Offer;
  readonly unreadable: number;
}

export interface SlotChange {
  readonly askOut: boolean;
  /** Number of cards with a silent chip. */
  readonly unreadable: number;
  /** Undefined: the chip in the slot can be used. */
  readonly prompt: PromptCode | undefined;
}

/**
 * The slot state, first or changed. A card in the slot may be reported repeatedly; only a new card counts as
 * unreadable.
 */
export function slotChange(
  { offer, unreadable }: Waits,
  before: Pick<CardWait, "slot" | "askOut">,
  slot: Slot,
): SlotChange {
  const askOut = before.askOut && slot.card;
  if (slot.card && (askOut || !offer.chip)) return { askOut, unreadable, prompt: "REMOVE_CARD" };
  if (isReady(slot)) return { askOut, unreadable, prompt: undefined };
  if (!slot.card) return { askOut, unreadable, prompt: promptFor(offer) };
  return { askOut, unreadable: unreadable + (before.slot.card ? 0 : 1), prompt: "TRY_AGAIN" };
}
