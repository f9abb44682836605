import type { Tlv } from "../emv/tlv.ts";
import { fromAscii } from "../kit/bytes.ts";
import { fromHex } from "../kit/hex.ts";
import type { CardProfile } from "./card-profile.ts";

/*
 * The card's number in every form in which a terminal gets it without a contact chip. Tags are those by which sred-layouts names what goes into the cipher.
 */

/** What follows the number in every track: expiry, service code, and discretionary data that say nothing. */
function rest({ expiry, serviceCode }: CardProfile): string {
  return `${expiry.slice(0, 4)}${serviceCode}0000000000`;
}

/** An even number of digits: F fills the last byte. */
export function packed(digits: string): Uint8Array {
  return fromHex(digits.length % 2 === 0 ? digits : `${digits}F`);
}

/** Track 2 packed, as 57 and 9F6B hold it. */
export function packedTrack2(profile: CardProfile): Uint8Array {
  return packed(`${profile.pan}D${rest(profile)}`);
}

/** A swipe: tracks 1 and 2 with their sentinels (ISO/IEC 7813), under 5F21 and 5F22. */
export function stripeData(profile: CardProfile): readonly Tlv[] {
  return [
    { tag: "5F21", value: fromAscii(`%B${profile.pan}^${profile.cardholder.padEnd(26)}^${rest(profile)}?`) },
    { tag: "5F22", value: fromAscii(`;${profile.pan}=${rest(profile)}?`) },
  ];
}

/** A tap in stripe mode: track 2 alone, under 9F6B (EMV Book C-2). */
export function tappedStripeData(profile: CardProfile): readonly Tlv[] {
  return [{ tag: "9F6B", value: packedTrack2(profile) }];
}

/** A number as a terminal shows it: `first` digits and the last four, `character` for those between. */
export function maskedPan(pan: string, character: string, first = 6): string {
  return `${pan.slice(0, first)}${character.repeat(pan.length - first - 4)}${pan.slice(-4)}`;
}

/** Track 2 packed, its number masked with a hexadecimal digit; expiry and service code stay. */
export function maskedTrack2(profile: CardProfile, character: string, first = 6): Uint8Array {
  return packed(`${maskedPan(profile.pan, character, first)}D${rest(profile)}`);
}
