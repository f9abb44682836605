import type { CollectRequest } from "../../src/card/command.ts";
import { type Offer, wordsFor } from "../../src/card/offer.ts";
import { concat, fromAscii } from "../../src/kit/bytes.ts";
import { amountText } from "../../src/kit/money.ts";
import { textRows } from "../../src/kit/text-rows.ts";
import type { Ask, Device, Face } from "./flow.ts";

/** PROTOCOL.md 4.8: the middle font has four rows of sixteen columns on the smallest screen of the family. */
const MIDDLE_FONT = { rows: 4, columns: 16 };
const FONT = "%F1";

/** What the display shows while the terminal is idle. */
export const IDLE_LINES: readonly string[] = ["", "Welcome"];
/** What a customer reads between a completion and what the payment came to. */
export const WAIT_LINES: readonly string[] = ["", "PLEASE WAIT"];

/** A screenful: the old one is cleared first. "%" begins a command of the screen's own and is never shown. Nothing where a member has no screen for us. */
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
