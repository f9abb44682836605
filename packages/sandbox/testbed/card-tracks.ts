import type { Tlv } from "../../../src/emv/tlv.ts";
import { concat, fromAscii } from "../../../src/kit/bytes.ts";
import { fromHex } from "../../../src/kit/hex.ts";
import type { CardProfile } from "./card-profile.ts";

/* Every form of the card's number outside a contact chip. The tags are those of sred-layouts for sealed data. */

/** The rest of every track: expiry, service code, and discretionary data without meaning. */
function rest({ expiry, serviceCode }: CardProfile): string {
  return `${expiry.slice(0, 4)}${serviceCode}0000000000`;
}

/** Pads to an even number of digits with F. */
export function packed(digits: string): Uint8Array {
  return fromHex(digits.length % 2 === 0 ? digits : `${digits}F`);
}

/** Packed track 2, as in 57 and 9F6B. */
export function packedTrack2(profile: CardProfile): Uint8Array {
  return packed(`${profile.pan}D${rest(profile)}`);
}

/** A swipe: tracks 1 and 2 with their sentinels (ISO/IEC 7813), under 5F21 and 5F22. */
export function magstripeData(profile: CardProfile): readonly Tlv[] {
  return [
    { tag: "5F21", value: fromAscii(`%B${profile.pan}^${profile.cardholder.padEnd(26)}^${rest(profile)}?`) },
    { tag: "5F22", value: fromAscii(`;${profile.pan}=${rest(profile)}?`) },
  ];
}

/**
 * A track with its longitudinal check character: exclusive or of the characters as encoded on the magstripe (ISO/IEC
 * 7811-2).
 */
export function withLrc(track: Uint8Array): Uint8Array {
  const base = track[0] === PERCENT ? 0x20 : 0x30;
  return concat(track, Uint8Array.of(track.reduce((sum, character) => sum ^ (character - base), 0) + base));
}

/** Start sentinel of track 1, encoded from the space character; track 2 is encoded from digit 0. */
const PERCENT = 0x25;

/** A tap in magstripe mode: track 2 only, in 9F6B (EMV Book C-2). */
export function tappedMagstripeData(profile: CardProfile): readonly Tlv[] {
  return [{ tag: "9F6B", value: packedTrack2(profile) }];
}

/** A number as shown by a terminal: `first` digits, the last four, and `character` between. */
export function maskedPan(pan: string, character: string, first = 6): string {
  return `${pan.slice(0, first)}${character.repeat(pan.length - first - 4)}${pan.slice(-4)}`;
}

/** Packed track 2, its number masked with a hexadecimal digit; expiry and service code stay. */
export function maskedTrack2(profile: CardProfile, character: string, first = 6): Uint8Array {
  return packed(`${maskedPan(profile.pan, character, first)}D${rest(profile)}`);
}
