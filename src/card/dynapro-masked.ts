import type { MaskedNumber } from "../emv/mask.ts";
import type { Tlv } from "../emv/tlv.ts";
import { ascii } from "../kit/bytes.ts";

/* Tracks as such a device shows them (drivers/magtek-dynaflex/PROTOCOL.md 6.5): hidden digits are usually 0, and one of them may be another so that the number passes the check of its last digit. */

/** How much of a number the device leaves as it is: its properties tell. */
export interface Masking {
  readonly leading: number;
  readonly trailing: number;
}

export const USUAL_MASKING: Masking = { leading: 4, trailing: 4 };

/** The most that the device can be told to leave. */
const MOST_LEADING = 8;
const MOST_LEADING_SHORT = 6;
const MOST_TRAILING = 4;
const SHORT_BELOW = 16;

/** Objects that hold a masked track. */
const maskedTags: readonly string[] = ["DFDF31", "DFDF33", "DFDF35", "DFDF4D"];

/** The number in a track: behind its sentinel, up to its separator. A magnetic card of another kind than ISO 7813 has none. */
const NUMBER = /^(?:;|%[A-Z])?([^;%=^?]{8,21})[=^?]/;
const CARD_NUMBER = /^[0-9]{12,19}$/;
const BIN_DIGITS = 6;
const LAST_DIGITS = 4;

function numberIn(track: Uint8Array): string | undefined {
  return NUMBER.exec(ascii(track))?.[1];
}

/** First six and last four digits where the device shows so many; undefined where no track of it does. */
export function maskedIn(leaves: readonly Tlv[], { leading, trailing }: Masking): MaskedNumber | undefined {
  const number = leaves.flatMap(({ tag, value }) => (tag === "DFDF33" || tag === "DFDF4D" ? (numberIn(value) ?? []) : []))[0];
  if (number === undefined) return undefined;
  const [first, last] = [number.slice(0, BIN_DIGITS), number.slice(-LAST_DIGITS)];
  const last4 = trailing >= LAST_DIGITS && /^[0-9]{4}$/.test(last) ? last : "";
  return leading >= BIN_DIGITS && /^[0-9]{6}$/.test(first) ? { bin: first, last4 } : { last4 };
}

/** What stands behind expiry and service code, in either track: values to verify the card by. */
const DISCRETIONARY = /[=^][0-9]{7}([0-9]+)\??$/;

/** Whether a masked track is masked at all: of the digits that the device can never leave as they are, one at most is not 0. */
export function isClear({ tag, value }: Tlv): boolean {
  if (!maskedTags.includes(tag)) return false;
  // Track 1 may have spaces in its number (ISO/IEC 7813).
  const number = (numberIn(value) ?? ascii(value)).replaceAll(" ", "");
  if (!CARD_NUMBER.test(number)) return /[1-9][0-9]{11,18}/.test(number);
  const shown = number.length < SHORT_BELOW ? MOST_LEADING_SHORT : MOST_LEADING;
  return isShown(number.slice(shown, -MOST_TRAILING)) || isShown(DISCRETIONARY.exec(ascii(value))?.[1] ?? "");
}

function isShown(hidden: string): boolean {
  return hidden.replaceAll("0", "").length > 1;
}
