import { maskedPan, packed } from "../../packages/sandbox/testbed/card-tracks.ts";
import type { DukptUse } from "../../packages/sandbox/testbed/dukpt.ts";
import type { SealedBytes } from "../../packages/sandbox/testbed/sealed-bytes.ts";
import { trackText } from "../../packages/sandbox/testbed/sred-layouts.ts";
import { encodeTlv, findTag, type Tlv } from "../../src/emv/tlv.ts";
import { ascii, fromAscii } from "../../src/kit/bytes.ts";
import { toHex } from "../../src/kit/hex.ts";
import type { Attributed } from "./attributed.ts";
import { tags } from "./message.ts";
import { encodeMsrRecord } from "./msr-record.ts";
import type { Neo } from "./simulator-core.ts";

/*
 * Encrypted card data as the device sends it: a KSN, then the masked and the encrypted form (PROTOCOL.md 4.3 and 4.6).
 */

const USE: DukptUse = "data-request";
/** Digits of a card number that stay clear at either end. */
const FIRST_DIGITS = 4;

/** Encrypts and stores the data of a card. Undefined once the keys are used up. */
export function sealCard(neo: Neo, data: readonly Tlv[]): SealedBytes | undefined {
  const [track1, track2, tapped] = ["5F21", "5F22", "9F6B"].map((tag) => findTag(data, tag));
  if (track1 !== undefined && track2 !== undefined) return sealMagstripe(neo, track1, track2);
  if (tapped === undefined) return sealChip(neo, data);
  const [coin = 0] = neo.on.random.bytes(1);
  return coin % 2 === 0 ? sealTapped(neo, trackText(tapped)) : sealTappedObject(neo, tapped);
}

const plainly = (tag: string, value: Uint8Array): Attributed => ({ tag, value, form: "plain" });

/** Number and track 2 of a chip, each first masked, then encrypted as a whole object. */
function sealChip(neo: Neo, data: readonly Tlv[]): SealedBytes | undefined {
  const [track, number] = [findTag(data, "57") ?? new Uint8Array(0), findTag(data, "5A") ?? new Uint8Array(0)];
  const sealed = neo.on.secure.sealParts(USE, [encodeTlv("57", track), encodeTlv("5A", number)]);
  const [track2, pan] = sealed?.parts ?? [];
  if (sealed === undefined || track2 === undefined || pan === undefined) return undefined;
  const digits = toHex(number).replace(/F+$/, "");
  const masked = maskedPan(digits, "C", FIRST_DIGITS);
  neo.sealed = [
    plainly(tags.ksn, sealed.ksn),
    { tag: "57", value: packed(toHex(track).replace(/F+$/, "").replace(digits, masked)), form: "masked" },
    { tag: "57", value: track2, form: "encrypted" },
    { tag: "5A", value: packed(masked), form: "masked" },
    { tag: "5A", value: pan, form: "encrypted" },
  ];
  return { data: track2, ksn: sealed.ksn };
}

/** Track 2 of a magstripe tap: length in clear, encrypted track, and masked text. */
function sealTapped(neo: Neo, clear: Uint8Array): SealedBytes | undefined {
  const sealed = neo.on.secure.sealParts(USE, [clear]);
  const [track] = sealed?.parts ?? [];
  if (sealed === undefined || track === undefined) return undefined;
  neo.sealed = [
    plainly(tags.ksn, sealed.ksn),
    plainly(tags.trackLengths, Uint8Array.of(0, 0, clear.length >> 8, clear.length & 0xff, 0, 0)),
    plainly(tags.tracks, track),
    plainly("DFEF18", fromAscii(hidden(ascii(clear)))),
  ];
  return { data: track, ksn: sealed.ksn };
}

/** Track 2 of a magstripe tap as an object: masked, then encrypted as a whole, like chip data. */
function sealTappedObject(neo: Neo, track: Uint8Array): SealedBytes | undefined {
  const sealed = neo.on.secure.sealParts(USE, [encodeTlv("9F6B", track)]);
  const [data] = sealed?.parts ?? [];
  if (sealed === undefined || data === undefined) return undefined;
  const [digits = ""] = toHex(track).split("D");
  const masked = maskedPan(digits, "C", FIRST_DIGITS);
  neo.sealed = [
    plainly(tags.ksn, sealed.ksn),
    { tag: "9F6B", value: packed(toHex(track).replace(/F+$/, "").replace(digits, masked)), form: "masked" },
    { tag: "9F6B", value: data, form: "encrypted" },
  ];
  return { data, ksn: sealed.ksn };
}

/** Tracks 1 and 2 of a swipe in one record, with the KSN inside. */
function sealMagstripe(neo: Neo, first: Uint8Array, second: Uint8Array): SealedBytes | undefined {
  const sealed = neo.on.secure.sealParts(USE, [first, second]);
  const [track1, track2] = sealed?.parts ?? [];
  if (sealed === undefined || track1 === undefined || track2 === undefined) return undefined;
  const masked = [hidden(ascii(first)), hidden(ascii(second))] as const;
  const serial = fromAscii(neo.on.serialNumber.padEnd(10).slice(0, 10));
  neo.sealed = [
    plainly(tags.msrRecord, encodeMsrRecord({ masked, encrypted: [track1, track2], serial, ksn: sealed.ksn })),
  ];
  return { data: track2, ksn: sealed.ksn };
}

/** Replaces digits with `*`: all of the number except four at either end, and all digits after it. */
function hidden(track: string): string {
  const at = track.lastIndexOf(track.startsWith("%") ? "^" : "=") + 1;
  const front = track.slice(0, at).replace(/[0-9]{12,19}/, (pan) => maskedPan(pan, "*", FIRST_DIGITS));
  return front.replace(/^%B/, "%*") + track.slice(at).replace(/[0-9]/g, "*");
}
