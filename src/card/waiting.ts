import type { CollectRequest } from "./command.ts";
import type { Offer } from "./offer.ts";

/** What a terminal tells of its slot: something is in it, and it has a chip that answers. */
export interface Slot {
  readonly card: boolean;
  readonly chip: boolean;
}

/** What the display says while a card is waited for: come in, come in again, take it out, or the PIN was wrong. */
export type Face = "present" | "again" | "remove" | "wrong-pin";

/** How far waiting for a card has come, at a terminal that reports its slot by itself and whose display the host draws. */
export interface CardWait {
  readonly offer: Offer;
  readonly request: Pick<CollectRequest, "again">;
  readonly slot: Slot;
  /** Whatever is in the slot has to come out first. */
  readonly askOut: boolean;
  readonly isSwiped: boolean;
  readonly tapsLeft: number;
  readonly shown: Face | undefined;
}

/** Whether a chip stands ready in the slot. */
export const isReady = ({ card, chip }: Slot): boolean => card && chip;

/** What belongs on the display now. */
export function faceFor({ offer, slot, askOut }: Pick<CardWait, "offer" | "slot" | "askOut">): Face {
  if (!slot.card) return "present";
  if (askOut || !offer.chip) return "remove";
  return isReady(slot) ? "wrong-pin" : "again";
}

/** What is to be done next: a card that is there comes before one that may come, and a person reads that a PIN was wrong before the chip is asked again. */
export function aimOf({ offer, request, slot, askOut, isSwiped, tapsLeft, shown }: CardWait): "read-magstripe" | "start" | "tap" | "show" {
  if (isSwiped) return "read-magstripe";
  if (isReady(slot) && offer.chip && !askOut) return request.again === "wrong-pin" && shown !== "wrong-pin" ? "show" : "start";
  return !slot.card && offer.tap && tapsLeft > 0 ? "tap" : "show";
}
