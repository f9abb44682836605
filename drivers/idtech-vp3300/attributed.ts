import { isConstructed } from "../../src/emv/leaves.ts";
import type { Tlv } from "../../src/emv/tlv.ts";
import { encodeTlv } from "../../src/emv/tlv.ts";
import { concat } from "../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../src/kit/hex.ts";

/* TLV whose length field says whether the value is plain, masked or encrypted (PROTOCOL.md 4.3). */

export interface Attributed extends Tlv {
  readonly form: "plain" | "masked" | "encrypted";
}

const LONG = 0x80;
const ENCRYPTED = 0x40;
const MASKED = 0x20;
const COUNT = 0x1f;
const MAX_LENGTH_BYTES = 4;
const MAX_TAG_BYTES = 4;

/**
 * Objects in order, one level deep; undefined if the bytes do not parse. 00 between objects is filler; FF begins the
 * device's own tags.
 */
export function parseAttributed(bytes: Uint8Array): readonly Attributed[] | undefined {
  const objects: Attributed[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (bytes[at] === 0x00) {
      at += 1;
      continue;
    }
    const lengthAt = endOfTag(bytes, at);
    const length = lengthAt === undefined ? undefined : readLength(bytes, lengthAt);
    if (lengthAt === undefined || length === undefined) return undefined;
    const end = length.next + length.bytes;
    if (end > bytes.length) return undefined;
    objects.push({ tag: toHex(bytes.subarray(at, lengthAt)), value: bytes.slice(length.next, end), form: length.form });
    at = end;
  }
  return objects;
}

function endOfTag(bytes: Uint8Array, start: number): number | undefined {
  if (((bytes[start] ?? 0) & 0x1f) !== 0x1f) return start + 1;
  for (let at = start + 1; at < start + MAX_TAG_BYTES; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    if ((byte & 0x80) === 0) return at + 1;
  }
  return undefined;
}

function readLength(
  bytes: Uint8Array,
  at: number,
): { readonly bytes: number; readonly next: number; readonly form: Attributed["form"] } | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  if ((first & LONG) === 0) return { bytes: first, next: at + 1, form: "plain" };
  const count = first & COUNT;
  const next = at + 1 + count;
  if (count === 0 || count > MAX_LENGTH_BYTES || next > bytes.length) return undefined;
  const length = bytes.subarray(at + 1, next).reduce((sum, byte) => sum * 256 + byte, 0);
  return {
    bytes: length,
    next,
    form: (first & ENCRYPTED) !== 0 ? "encrypted" : (first & MASKED) !== 0 ? "masked" : "plain",
  };
}

/** Throws a RangeError on a masked or encrypted value of more than 255 bytes; no device sends one. */
export function encodeAttributed(objects: readonly Attributed[]): Uint8Array {
  return concat(
    ...objects.map(({ tag, value, form }) => {
      if (form === "plain") return encodeTlv(tag, value);
      if (value.length > 0xff) throw new RangeError(`a ${form} value of ${value.length} bytes`);
      return concat(
        fromHex(tag),
        Uint8Array.of(LONG | 1 | (form === "encrypted" ? ENCRYPTED : MASKED), value.length),
        value,
      );
    }),
  );
}

/** Tags that look constructed and are not (PROTOCOL.md 4.2). */
const RAW: readonly string[] = ["FFEE12", "FFEE13", "FFEE14", "FFEE1F"];
const DEEPEST = 8;

/**
 * All primitive objects in order, at any depth. A constructed object whose content does not parse counts as primitive.
 */
export function leavesOf(objects: readonly Attributed[], depth = 0): readonly Attributed[] {
  return objects.flatMap((object) => {
    const holdsOthers = isConstructed(object.tag) && !RAW.includes(object.tag) && object.form !== "encrypted";
    const inner = holdsOthers && depth < DEEPEST && object.value.length > 0 ? parseAttributed(object.value) : undefined;
    return inner === undefined ? [object] : leavesOf(inner, depth + 1);
  });
}

/** The first plain value with this tag. */
export function plain(leaves: readonly Attributed[], tag: string): Uint8Array | undefined {
  return leaves.find((object) => object.tag === tag && object.form === "plain")?.value;
}
