import type { MaskedNumber } from "../emv/mask.ts";
import type { Tlv } from "../emv/tlv.ts";
import { ascii } from "../kit/bytes.ts";

/*
 * Masked tracks (drivers/magtek-dynaflex/PROTOCOL.md 6.5). Hidden digits are 0; one may differ, so that the number
 * passes its check digit.
 */

/** Digits of a number that the device leaves visible; its properties set them. */
export interface Masking {
  readonly leading: number;
  readonly trailing: number;
}

export const USUAL_MASKING: Masking = { leading: 4, trailing: 4 };

/** The most visible digits that can be set. */
const MOST_LEADING = 8;
const MOST_LEADING_SHORT = 6;
const MOST_TRAILING = 4;
const SHORT_BELOW = 16;

/** Objects that hold a masked track. */
const maskedTags: readonly string[] = ["DFDF31", "DFDF33", "DFDF35", "DFDF4D"];

/** The number in a track: after its sentinel, up to its separator. Magnetic cards outside ISO 7813 have none. */
const NUMBER = /^(?:;|%[A-Z])?([^;%=^?]{8,21})[=^?]/;
const CARD_NUMBER = /^[0-9]{12,19}$/;
const BIN_DIGITS = 6;
const LAST_DIGITS = 4;

function numberIn(track: Uint8Array): string | undefined {
  return NUMBER.exec(ascii(track))?.[1];
}

/** First six and last four digits, as far as the device shows them; undefined if no track does. */
export function maskedIn(leaves: readonly Tlv[], { leading, trailing }: Masking): MaskedNumber | undefined {
  const number = leaves.flatMap(({ tag, value }) =>
    tag === "DFDF33" || tag === "DFDF4D" ? (numberIn(value) ?? []) : [],
  )[0];
  if (number === undefined) return undefined;
  const [first, last] = [number.slice(0, BIN_DIGITS), number.slice(-LAST_DIGITS)];
  const last4 = trailing >= LAST_DIGITS && /^[0-9]{4}$/.test(last) ? last : "";
  return leading >= BIN_DIGITS && /^[0-9]{6}$/.test(first) ? { bin: first, last4 } : { last4 };
}

/** The discretionary data after expiry and service code, which verify the card. */
const DISCRETIONARY = /[=^][0-9]{7}([0-9]+)\??$/;

/** Tells whether a masked track is in fact clear: more than one of the always hidden digits is not 0. */
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
