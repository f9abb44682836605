import type { CardData, Sealed } from "../../src/card/card-data.ts";
import { sealedOf } from "../../src/card/sealed.ts";
import { maskedFromPacked, maskedFromText } from "../../src/emv/mask.ts";
import { type ClearForm, sensitiveClear } from "../../src/emv/tags.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { toHex } from "../../src/kit/hex.ts";
import { type Attributed, plain } from "./attributed.ts";
import { tags } from "./message.ts";
import { type MsrRecord, parseMsrRecord } from "./msr-record.ts";

/**
 * The device's own objects with numbers or tracks (PROTOCOL.md 4.2). Masked objects count too, in case a device fails
 * to mask.
 */
const ownNumbers: Readonly<Record<string, ClearForm>> = {
  FFEE13: "text",
  FFEE14: "text",
  DFEF17: "text",
  DFEF18: "text",
  [tags.maskedNumber]: "packed",
  [tags.maskedTrack2]: "packed",
  [tags.tracks]: "text",
};

/** A card number as text in any field; ciphertext never holds so long a run of digits. */
const NUMBER_IN_TEXT = /[1-9][0-9]{11,18}/;

/** Names the tags with clear card data; undefined if all of it is protected (PROTOCOL.md 6.7). */
export function leakIn(leaves: readonly Attributed[]): string | undefined {
  const hasPinKsn = plain(leaves, tags.pinKsn) !== undefined;
  const seen = leaves.filter(
    (object) => object.form !== "encrypted" && !isTwin(leaves, object) && !(hasPinKsn && object.tag === "99"),
  );
  const leaked = sensitiveClear(seen, ownNumbers);
  const pretended = leaves.filter((object) => !seen.includes(object) && isStillClear(object)).map(({ tag }) => tag);
  const inRecord = leaves.some(isClearRecord) ? [tags.msrRecord] : [];
  const names = [...new Set([...leaked, ...pretended, ...inRecord])];
  return names.length === 0 ? undefined : `the device sent card data in clear: ${names.join(", ")}`;
}

/** Clear card data in an answer without objects: some readers send such tracks before they are set up. */
export function leakInRaw(data: Uint8Array): string | undefined {
  return NUMBER_IN_TEXT.test(ascii(data))
    ? "the device sent card data in clear: a number in an answer without objects"
    : undefined;
}

/**
 * An unreadable record is searched as a whole. In a readable one only tracks count, because its serial number may be
 * digits.
 */
function isClearRecord({ tag, value }: Attributed): boolean {
  if (tag !== tags.msrRecord) return false;
  const record = parseMsrRecord(value);
  if (record === undefined) return NUMBER_IN_TEXT.test(ascii(value));
  return [...record.masked, ...record.encrypted.map((track) => ascii(track))].some((track) =>
    NUMBER_IN_TEXT.test(track),
  );
}

const WHOLE_NUMBER = /^[1-9][0-9]{11,18}(?:D[0-9]{7,})?F*$/;

/**
 * Bytes in a ciphertext field, with or without tag and length, that are all digits. No cipher produces that
 * (PROTOCOL.md 4.3).
 */
function isStillClear({ tag, value }: Attributed): boolean {
  if (!sealedTags.includes(tag) || value.length <= 8) return false;
  const hex = toHex(value);
  const inner = hex.startsWith(tag)
    ? toHex(value.subarray(tag.length / 2 + 1, tag.length / 2 + 1 + (value[tag.length / 2] ?? 0)))
    : hex;
  return WHOLE_NUMBER.test(inner);
}

/** Tags that come twice, first masked and then encrypted; preferred one first. */
const sealedTags: readonly string[] = ["57", "9F6B", "5A"];

/** Some firmware marks neither copy; the second one is then encrypted (PROTOCOL.md 4.3). */
function isTwin(leaves: readonly Attributed[], object: Attributed): boolean {
  if (object.form !== "plain" || !sealedTags.includes(object.tag) || !isCiphertext(object.value)) return false;
  const first = leaves.find(({ tag, value }) => tag === object.tag && value.length > 0);
  return first !== object && first !== undefined && maskedFromPacked(first.value, "C") !== undefined;
}

const isCiphertext = (data: Uint8Array): boolean => data.length > 0 && data.length % 8 === 0;

/** Card data under the SRED key, with its KSN; undefined if either is missing. */
export function sealedIn(leaves: readonly Attributed[]): Sealed | undefined {
  const [record] = recordsIn(leaves);
  if (record?.ksn !== undefined) return sealedOf(trackOf(record), record.ksn);
  const ksn = plain(leaves, tags.ksn) ?? plain(leaves, tags.ksnOlder);
  if (ksn === undefined) return undefined;
  for (const tag of sealedTags) {
    const found = leaves.find(
      (object) => object.tag === tag && (object.form === "encrypted" || isTwin(leaves, object)),
    );
    if (found !== undefined) return sealedOf(found.value, ksn);
  }
  const track = trackIn(leaves);
  return track && sealedOf(track, ksn);
}

/** The PIN block with its own KSN (PROTOCOL.md 4.2). */
export function pinIn(leaves: readonly Attributed[]): Sealed | undefined {
  const [block, ksn] = [plain(leaves, "99"), plain(leaves, tags.pinKsn)];
  return block === undefined || ksn === undefined ? undefined : sealedOf(block, ksn);
}

export function recordsIn(leaves: readonly Attributed[]): readonly MsrRecord[] {
  return leaves.flatMap(({ tag, value }) => (tag === tags.msrRecord ? (parseMsrRecord(value) ?? []) : []));
}

/** Track 2 holds number and expiry. If it was not read, track 1 holds them. */
function trackOf({ encrypted: [first, second] }: MsrRecord): Uint8Array {
  return second.length > 0 ? second : first;
}

/**
 * Encrypted tracks of a magstripe tap: three lengths of two bytes in clear, then each track padded to whole blocks
 * (PROTOCOL.md 4.6).
 */
function trackIn(leaves: readonly Attributed[]): Uint8Array | undefined {
  const [lengths, data] = [plain(leaves, tags.trackLengths), plain(leaves, tags.tracks)];
  if (lengths?.length !== 6 || data === undefined) return undefined;
  const blocks = (at: number): number => Math.ceil((((lengths[at] ?? 0) << 8) | (lengths[at + 1] ?? 0)) / 8) * 8;
  const [first, second] = [blocks(0), blocks(2)];
  const track = second > 0 ? data.subarray(first, first + second) : data.subarray(0, first);
  return first + second <= data.length ? track : undefined;
}

/** The masked number. */
export function maskedIn(leaves: readonly Attributed[]): CardData["masked"] {
  for (const tag of ["5A", "57", "9F6B", tags.maskedNumber, tags.maskedTrack2]) {
    const first = leaves.find((object) => object.tag === tag && object.form !== "encrypted" && object.value.length > 0);
    const masked = first && maskedFromPacked(first.value, "C");
    if (masked !== undefined) return masked;
  }
  for (const text of textTracks(leaves)) {
    const masked = maskedFromText(text.replace(/^%\*/, "%B"));
    if (masked !== undefined) return masked;
  }
  return { last4: "" };
}

/** Masked tracks as text, from a swipe or a magstripe tap. */
export function textTracks(leaves: readonly Attributed[]): readonly string[] {
  const [record] = recordsIn(leaves);
  const own = ["DFEF18", "FFEE14", "DFEF17", "FFEE13"].map((tag) => ascii(plain(leaves, tag) ?? new Uint8Array(0)));
  return record === undefined ? own : [record.masked[1], record.masked[0]];
}
