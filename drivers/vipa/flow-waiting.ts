import type { PromptCode } from "../../src/card/notice.ts";
import { type Offer, promptFor } from "../../src/card/offer.ts";
import { type CardWait, type Face, isReady, type Slot } from "../../src/card/waiting.ts";

/** Waiting for a card to act upon. One plain command at a time goes out meanwhile, and what follows only after it is over (PROTOCOL.md 7.9). */
export interface WaitingFor<Command extends string, Swipe> {
  readonly at: "waiting";
  readonly slot: Slot;
  /** The card in the slot is asked out before anything else (PROTOCOL.md 7.14). */
  readonly askOut: boolean;
  /** The command whose answer is outstanding, and how often it may still be sent. */
  readonly open: { readonly what: Face | Command; readonly triesLeft: number } | undefined;
  /** What the display was last asked to show. */
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
  /** So many cards had a chip that did not answer. */
  readonly unreadable: number;
  /** Undefined: the chip in the slot is ready to be used. */
  readonly prompt: PromptCode | undefined;
}

/** The slot's state, for the first time or anew. A card that stays where it is may be reported more than once; only a new one counts as unreadable. */
export function slotChange({ offer, unreadable }: Waits, before: Pick<CardWait, "slot" | "askOut">, slot: Slot): SlotChange {
  const askOut = before.askOut && slot.card;
  if (slot.card && (askOut || !offer.chip)) return { askOut, unreadable, prompt: "REMOVE_CARD" };
  if (isReady(slot)) return { askOut, unreadable, prompt: undefined };
  if (!slot.card) return { askOut, unreadable, prompt: promptFor(offer) };
  return { askOut, unreadable: unreadable + (before.slot.card ? 0 : 1), prompt: "TRY_AGAIN" };
}
