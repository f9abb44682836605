import type { CollectRequest } from "../../src/card/command.ts";
import { type Offer, wordsFor } from "../../src/card/offer.ts";
import { concat, fromAscii } from "../../src/kit/bytes.ts";
import { amountText } from "../../src/kit/money.ts";
import { textRows } from "../../src/kit/text-rows.ts";
import type { Ask, Device, Face } from "./flow.ts";

/** PROTOCOL.md 4.8: the middle font has four rows of sixteen columns on the family's smallest screen. */
const MIDDLE_FONT = { rows: 4, columns: 16 };
const FONT = "%F1";

/** Text on the idle screen. */
export const IDLE_LINES: readonly string[] = ["", "Welcome"];
/** Text between a completion and the payment's result. */
export const WAIT_LINES: readonly string[] = ["", "PLEASE WAIT"];

/**
 * Clears the screen and shows the lines. "%" begins a screen command and is removed. Empty if the member has no display
 * for the host.
 */
export function screenOf({ member }: Pick<Device, "member">, lines: readonly string[]): readonly Ask[] {
  if (!member.capabilities.display) return [];
  const rows = textRows(
    lines.map((line) => line.replaceAll("%", "?")),
    MIDDLE_FONT,
  );
  const text = fromAscii(FONT + rows.join("\n"));
  return [{ name: "clear-screen" }, { name: "text", data: concat(Uint8Array.of(text.length), text) }];
}

export function faceLines(face: Face, request: CollectRequest, offer: Offer): readonly string[] {
  switch (face) {
    case "present":
      return [amountText(request), wordsFor(offer)];
    case "remove":
      return [amountText(request), "REMOVE CARD"];
    case "wait":
      return [amountText(request), "PLEASE WAIT"];
  }
}
