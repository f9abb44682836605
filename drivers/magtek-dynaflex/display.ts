import type { Command } from "../../src/card/command.ts";
import type { PromptCode } from "../../src/card/notice.ts";
import { findTag } from "../../src/emv/tlv.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { objectsIn, tlvPayload } from "./message.ts";

/* The device draws its own screen: a host chooses among its texts by number (PROTOCOL.md 4.5), and a device without one says what it would show (5.4). */

/** Texts by number, as far as they are used. */
export const texts = {
  approved: [0x03, "APPROVED"],
  notAccepted: [0x0c, "NOT ACCEPTED"],
  wait: [0x0e, "PLEASE WAIT"],
  remove: [0x10, "REMOVE CARD"],
  welcome: [0x14, "WELCOME"],
} as const;

export type TextName = keyof typeof texts;

/** DISPLAY: shown until something else is. */
export function displayPayload(name: TextName): Uint8Array {
  const [id] = texts[name];
  return tlvPayload(["81", Uint8Array.of(0)], ["82", Uint8Array.of(id)]);
}

/** The text that says what the host's lines mean: a card that is to be taken out comes first, because that is what its holder has to do. */
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

/** What the cashier is told when a device without a screen asks to show a text. */
const prompts: readonly (readonly [RegExp, PromptCode])[] = [
  [/ONE CARD ONLY/, "ONE_CARD_ONLY"],
  [/SEE PHONE/, "SEE_PHONE"],
  [/TRY AGAIN|CARD AGAIN|CARD ERROR/, "TRY_AGAIN"],
];

const MESSAGE = "83";
const MOST_TEXT = 512;

/** Code of the notification that asks for a choice (PROTOCOL.md 5.4). */
export const CHOICE = "02020000";

/** The prompt in a text that the host should show; undefined for one that a cashier need not see. */
export function promptIn(payload: Uint8Array): PromptCode | undefined {
  const text = ascii((findTag(objectsIn(payload), MESSAGE) ?? new Uint8Array(0)).slice(0, MOST_TEXT)).toUpperCase();
  return prompts.find(([words]) => words.test(text))?.[1];
}

/** Nobody can choose at a till: the first is taken, which is the one that the card itself prefers (PROTOCOL.md 7.11). */
export const firstChoice: Uint8Array = tlvPayload(["81", Uint8Array.of(0)], ["82", Uint8Array.of(0)]);
