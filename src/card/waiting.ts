import type { CollectRequest } from "./command.ts";
import type { Offer } from "./offer.ts";

/** The slot as the terminal reports it: `card`: occupied; `chip`: a chip answers. */
export interface Slot {
  readonly card: boolean;
  readonly chip: boolean;
}

/** The display while a card is awaited: insert, insert again, remove, or wrong PIN. */
export type Face = "present" | "again" | "remove" | "wrong-pin";

/** Progress of waiting for a card, at a terminal that reports its slot and has a host-drawn display. */
export interface CardWait {
  readonly offer: Offer;
  readonly request: Pick<CollectRequest, "again">;
  readonly slot: Slot;
  /** The card in the slot must be removed first. */
  readonly askOut: boolean;
  readonly isSwiped: boolean;
  readonly tapsLeft: number;
  readonly shown: Face | undefined;
}

/** Tells whether a chip is ready in the slot. */
export const isReady = ({ card, chip }: Slot): boolean => card && chip;

/** The display for the current state. */
export function faceFor({ offer, slot, askOut }: Pick<CardWait, "offer" | "slot" | "askOut">): Face {
  if (!slot.card) return "present";
  if (askOut || !offer.chip) return "remove";
  return isReady(slot) ? "wrong-pin" : "again";
}

/**
 * The next step. A present card precedes a possible one, and the customer must read that a PIN was wrong before the
 * chip is asked again.
 */
export function aimOf({
  offer,
  request,
  slot,
  askOut,
  isSwiped,
  tapsLeft,
  shown,
}: CardWait): "read-magstripe" | "start" | "tap" | "show" {
  if (isSwiped) return "read-magstripe";
  if (isReady(slot) && offer.chip && !askOut)
    return request.again === "wrong-pin" && shown !== "wrong-pin" ? "show" : "start";
  return !slot.card && offer.tap && tapsLeft > 0 ? "tap" : "show";
}
