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

/** What is typed: the number, and the expiry as month and year, under the device's own tags. */
export function typedData({ pan, expiry }: CardProfile): readonly Tlv[] {
  return [
    { tag: "DFA211", value: fromAscii(pan) },
    { tag: "DFA215", value: fromAscii(`${expiry.slice(2, 4)}${expiry.slice(0, 2)}`) },
  ];
}
