import { concat } from "../kit/bytes.ts";
import { fromHex, toHex } from "../kit/hex.ts";

/** One BER-TLV object as EMV Book 3 annex B codes it: the tag in upper-case hexadecimal ("9F02"), the value as bytes. */
export interface Tlv {
  readonly tag: string;
  readonly value: Uint8Array;
}

export type TlvParse = { readonly ok: true; readonly objects: readonly Tlv[] } | { readonly ok: false; readonly error: string };

const MAX_TAG_BYTES = 4;
const MAX_LENGTH_BYTES = 4;

/** What may stand between objects and means nothing (ISO 7816-4 allows both; devices send them). */
const FILLER: readonly number[] = [0x00, 0xff];

/**
 * Splits bytes into the objects that stand in them, one level deep. `filler` is for devices with tags of their own that begin with FF.
 * Never throws, whatever the bytes; a value that reaches beyond the end is an error that names the tag and the offset.
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
    const tag = toHex(bytes.subarray(at, tagEnd));
    const length = readLength(bytes, tagEnd);
    if (length === undefined) return { ok: false, error: `length of ${tag} at offset ${tagEnd} is not valid` };
    const end = length.next + length.value;
    if (end > bytes.length) return { ok: false, error: `${tag} claims ${length.value} bytes, ${bytes.length - length.next} are left` };
    objects.push({ tag, value: bytes.slice(length.next, end) });
    at = end;
  }
  return { ok: true, objects };
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

function readLength(bytes: Uint8Array, at: number): { value: number; next: number } | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  if (first < 0x80) return { value: first, next: at + 1 };
  const count = first & 0x7f;
  if (count === 0 || count > MAX_LENGTH_BYTES || at + 1 + count > bytes.length) return undefined;
  let value = 0;
  for (const byte of bytes.subarray(at + 1, at + 1 + count)) value = value * 256 + byte;
  return { value, next: at + 1 + count };
}

/** The bytes of one object, with the shortest form of its length. */
export function encodeTlv(tag: string, value: Uint8Array): Uint8Array {
  return concat(fromHex(tag), encodeLength(value.length), value);
}

export function encodeTlvs(objects: readonly Tlv[]): Uint8Array {
  return concat(...objects.map(({ tag, value }) => encodeTlv(tag, value)));
}

function encodeLength(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length);
  if (length < 0x100) return Uint8Array.of(0x81, length);
  if (length < 0x10000) return Uint8Array.of(0x82, length >> 8, length & 0xff);
  throw new RangeError(`TLV value of ${length} bytes`);
}

/** The first value with that tag, or undefined. */
export function findTag(objects: readonly Tlv[], tag: string): Uint8Array | undefined {
  return objects.find((object) => object.tag === tag)?.value;
}
