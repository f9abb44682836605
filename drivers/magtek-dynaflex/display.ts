import type { Command } from "../../src/card/command.ts";
import type { PromptCode } from "../../src/card/notice.ts";
import { findTag } from "../../src/emv/tlv.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { objectsIn, tlvPayload } from "./message.ts";

/*
 * The device draws its own screen: a host picks one of its texts by number (PROTOCOL.md 4.5). A device without a screen
 * sends its texts to the host (5.4).
 */

/** The used texts, by number. */
export const texts = {
  approved: [0x03, "APPROVED"],
  notAccepted: [0x0c, "NOT ACCEPTED"],
  wait: [0x0e, "PLEASE WAIT"],
  remove: [0x10, "REMOVE CARD"],
  welcome: [0x14, "WELCOME"],
} as const;

export type TextName = keyof typeof texts;

/** DISPLAY: the text stays until the next one. */
export function displayPayload(name: TextName): Uint8Array {
  const [id] = texts[name];
  return tlvPayload(["81", Uint8Array.of(0)], ["82", Uint8Array.of(id)]);
}

/** The device text for the host's lines. Removing the card comes first, because the customer must act on it. */
export function textFor({ lines, meaning }: Extract<Command, { do: "display" }>): TextName {
  if (meaning === undefined) return lines.some((line) => /\b(remove|take)\b/i.test(line)) ? "remove" : "wait";
  switch (meaning) {
    case "approved":
      return "approved";
    case "not-approved":
      return "notAccepted";
    case "undecided":
      return "wait";
  }
}

/** The cashier's prompt when a device without a screen sends a text. */
const prompts: readonly (readonly [RegExp, PromptCode])[] = [
  [/ONE CARD ONLY/, "ONE_CARD_ONLY"],
  [/SEE PHONE/, "SEE_PHONE"],
  [/TRY AGAIN|CARD AGAIN|CARD ERROR/, "TRY_AGAIN"],
];

const MESSAGE = "83";
const MOST_TEXT = 512;

/** Notification code of a choice (PROTOCOL.md 5.4). */
export const CHOICE = "02020000";

/** The prompt in a text from the device; undefined if the cashier does not need it. */
export function promptIn(payload: Uint8Array): PromptCode | undefined {
  const text = ascii((findTag(objectsIn(payload), MESSAGE) ?? new Uint8Array(0)).slice(0, MOST_TEXT)).toUpperCase();
  return prompts.find(([words]) => words.test(text))?.[1];
}

/** No customer can choose at a till, so the first application is taken: the card prefers it (PROTOCOL.md 7.11). */
export const firstChoice: Uint8Array = tlvPayload(["81", Uint8Array.of(0)], ["82", Uint8Array.of(0)]);
