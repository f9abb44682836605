import { put } from "../kit/bytes.ts";
import { hexByte, putHex, toHex } from "../kit/hex.ts";

/** One BER-TLV object (EMV Book 3 annex B): the tag in upper-case hexadecimal ("9F02"), the value as bytes. */
export interface Tlv {
  readonly tag: string;
  readonly value: Uint8Array;
}

export type TlvParse =
  | { readonly ok: true; readonly objects: readonly Tlv[] }
  | { readonly ok: false; readonly error: string };

const MAX_TAG_BYTES = 4;
const MAX_LENGTH_BYTES = 4;

/** Padding between objects (ISO 7816-4 allows both; devices send them). */
const FILLER: readonly number[] = [0x00, 0xff];

/**
 * Splits bytes into objects, one level deep. `filler` is for devices with own tags that begin with FF. Never throws. An
 * incomplete value is an error that names the tag and the offset.
 */
export function parseTlv(bytes: Uint8Array, filler: readonly number[] = FILLER): TlvParse {
  const objects: Tlv[] = [];
  let at = 0;
  while (at < bytes.length) {
    const first = bytes[at];
    if (first !== undefined && filler.includes(first)) {
      at += 1;
      continue;
    }
    const tagEnd = endOfTag(bytes, at);
    if (tagEnd === undefined) return { ok: false, error: `tag at offset ${at} does not end` };
    const tag = tagText(bytes, at, tagEnd);
    const short = bytes[tagEnd] ?? 0xff;
    const length = short < LONG_FORM ? short : longLength(bytes, tagEnd);
    if (length === undefined) return { ok: false, error: `length of ${tag} at offset ${tagEnd} is not valid` };
    const begin = tagEnd + 1 + (short < LONG_FORM ? 0 : short & 0x7f);
    const end = begin + length;
    if (end > bytes.length)
      return { ok: false, error: `${tag} claims ${length} bytes, ${bytes.length - begin} are left` };
    objects.push({ tag, value: bytes.slice(begin, end) });
    at = end;
  }
  return { ok: true, objects };
}

/** Texts of all tags seen, by number: every card sends the same few, and one shared text is faster to compare. */
const met = new Map<number, string>();
/** A limit, because a device may send any tag. */
const MOST_MET = 4096;

function tagText(bytes: Uint8Array, at: number, end: number): string {
  const first = bytes[at] ?? 0;
  if (end - at === 1) return hexByte(first);
  // Tags of different lengths are different numbers, because the first byte of a long one is never 0.
  let number = first;
  for (let index = at + 1; index < end; index += 1) number = number * 256 + (bytes[index] ?? 0);
  const known = met.get(number);
  if (known !== undefined) return known;
  const text = toHex(bytes.subarray(at, end));
  if (met.size < MOST_MET) met.set(number, text);
  return text;
}

function endOfTag(bytes: Uint8Array, start: number): number | undefined {
  const first = bytes[start];
  if (first === undefined) return undefined;
  if ((first & 0x1f) !== 0x1f) return start + 1;
  for (let at = start + 1; at < start + MAX_TAG_BYTES; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    if ((byte & 0x80) === 0) return at + 1;
  }
  return undefined;
}

/** From this value on, the low bits give the number of length bytes that follow. */
const LONG_FORM = 0x80;

function longLength(bytes: Uint8Array, at: number): number | undefined {
  const count = (bytes[at] ?? 0) & 0x7f;
  if (count === 0 || count > MAX_LENGTH_BYTES || at + 1 + count > bytes.length) return undefined;
  let value = 0;
  for (let index = at + 1; index <= at + count; index += 1) value = value * 256 + (bytes[index] ?? 0);
  return value;
}

/** The bytes of one object, with the shortest form of its length. */
export function encodeTlv(tag: string, value: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(sizeOf(tag, value));
  putTlv(tag, value, bytes, 0);
  return bytes;
}

export function encodeTlvs(objects: readonly Tlv[]): Uint8Array {
  let size = 0;
  for (const { tag, value } of objects) size += sizeOf(tag, value);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const { tag, value } of objects) at = putTlv(tag, value, bytes, at);
  return bytes;
}

function sizeOf(tag: string, { length }: Uint8Array): number {
  return (tag.length >> 1) + 1 + lengthBytesOf(length) + length;
}

/** Number of length bytes after the first. */
function lengthBytesOf(length: number): number {
  if (length < LONG_FORM) return 0;
  if (length < 0x100) return 1;
  if (length < 0x10000) return 2;
  throw new RangeError(`TLV value of ${length} bytes`);
}

/** Returns the offset of the next object. */
function putTlv(tag: string, value: Uint8Array, into: Uint8Array, begin: number): number {
  putHex(tag, into, begin);
  let at = begin + (tag.length >> 1);
  const count = lengthBytesOf(value.length);
  if (count > 0) into[at++] = LONG_FORM | count;
  if (count === 2) into[at++] = value.length >> 8;
  into[at++] = value.length & 0xff;
  put(value, into, at);
  return at + value.length;
}

export function findTag(objects: readonly Tlv[], tag: string): Uint8Array | undefined {
  for (const object of objects) if (object.tag === tag) return object.value;
  return undefined;
}
