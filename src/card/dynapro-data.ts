import { isConstructed, leavesOf as leavesBy } from "../emv/leaves.ts";
import { encodeTlv, encodeTlvs, findTag, parseTlv, type Tlv } from "../emv/tlv.ts";
import { concat } from "../kit/bytes.ts";

/*
 * Card data of two families of one maker, in the format DynaPro: `length F9{...} padding MAC`. The clauses are those of
 * drivers/magtek-dynaflex/PROTOCOL.md, chapter 6.
 */

/** The device's own tags (6.2); EMV tags appear as numbers in the code. */
export const tags = {
  whole: "F9",
  macKsn: "DFDF54",
  macType: "DFDF55",
  serialNumber: "DFDF25",
  generic: "FA",
  arqc: "70",
  results: "F0",
  status: "F1",
  merchant: "F7",
  sealed: "F8",
  fallback: "DFDF53",
  cardType: "DFDF52",
  maskedMagstripe: "DFDF33",
  maskedChip: "DFDF4D",
  accepted: "DFDF1A",
  reason: "DFDF1B",
  /** Content of the ciphertext. */
  plain: "FC",
  data: "DFDF59",
  ksn: "DFDF56",
  encryption: "DFDF57",
  padding: "DFDF58",
  arpc: "FF74",
} as const;

/** The data of an ARQC, or of the transaction's end. */
export interface Blob {
  readonly of: "arqc" | "batch";
  /** DFDF25 as received: the answer to the ARQC must repeat it (7.5). */
  readonly serialNumber: Uint8Array;
  /** DFDF54 as received; empty if missing. */
  readonly macKsn: Uint8Array;
  /** All primitive objects, in order. */
  readonly leaves: readonly Tlv[];
  /** The primitive objects for a receipt. */
  readonly merchant: readonly Tlv[];
}

/** Frame objects without card data. */
const FRAME: readonly string[] = [tags.macKsn, tags.macType, tags.serialNumber, tags.generic];

/** The device's own tags begin with FF, so only zeros are filler here. */
const FILLER: readonly number[] = [0x00];
const LENGTH_BYTES = 2;
const MAC_BYTES = 4;

/**
 * Reads ARQC or batch data, or returns the problem. The MAC is checked by the holder of its key. `beside`: objects
 * around the data, which count too because they came in clear (6.5). Never throws.
 */
export function parseDynaPro(bytes: Uint8Array, beside: readonly Tlv[] = []): Blob | string {
  const [high = 0, low = 0] = bytes;
  const length = (high << 8) | low;
  if (bytes.length < LENGTH_BYTES + length + MAC_BYTES)
    return `card data of ${bytes.length} bytes that claims ${length}`;
  const whole = inside(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length), tags.whole);
  const generic = whole && findTag(whole, tags.generic);
  const serialNumber = whole && findTag(whole, tags.serialNumber);
  if (whole === undefined || generic === undefined || serialNumber === undefined)
    return "card data without its frame (F9, FA, DFDF25)";
  const parts = parseTlv(generic, FILLER);
  if (!parts.ok) return "card data that is no TLV";
  const results = findTag(parts.objects, tags.results);
  const others = [...whole, ...beside].filter(({ tag }) => !FRAME.includes(tag));
  const leaves = leavesOf([...parts.objects, ...others]);
  const macKsn = findTag(whole, tags.macKsn) ?? new Uint8Array(0);
  if (results === undefined) {
    const isArqc = findTag(parts.objects, tags.arqc) !== undefined;
    return isArqc
      ? { of: "arqc", serialNumber, macKsn, leaves, merchant: [] }
      : "card data that is neither ARQC nor batch";
  }
  const merchant = leavesOf([
    { tag: tags.merchant, value: findTag(objectsOf(results), tags.merchant) ?? new Uint8Array(0) },
  ]);
  return { of: "batch", serialNumber, macKsn, leaves, merchant };
}

function inside(bytes: Uint8Array, tag: string): readonly Tlv[] | undefined {
  const value = findTag(objectsOf(bytes), tag);
  return value && objectsOf(value);
}

function objectsOf(bytes: Uint8Array): readonly Tlv[] {
  const parsed = parseTlv(bytes, FILLER);
  return parsed.ok ? parsed.objects : [];
}

/** All primitive objects at any depth. A constructed object without TLV inside counts as primitive. */
export function leavesOf(objects: readonly Tlv[]): readonly Tlv[] {
  return leavesBy(objects, insideOf);
}

function insideOf({ tag, value }: Tlv): readonly Tlv[] | undefined {
  const parsed = isConstructed(tag) ? parseTlv(value, FILLER) : undefined;
  return parsed?.ok ? parsed.objects : undefined;
}

/** The device's frame around its data. */
export interface BlobFrame {
  readonly macKsn: Uint8Array;
  readonly macType: number;
  readonly serialNumber: Uint8Array;
  /** Four bytes over everything before them. */
  readonly mac: (bytes: Uint8Array) => Uint8Array;
}

const BLOCK = 8;

/** Encodes the data around FA. */
export function encodeDynaPro({ macKsn, macType, serialNumber, mac }: BlobFrame, generic: readonly Tlv[]): Uint8Array {
  const framed = encodeTlv(
    tags.whole,
    encodeTlvs([
      { tag: tags.macKsn, value: macKsn },
      { tag: tags.macType, value: Uint8Array.of(macType) },
      { tag: tags.serialNumber, value: serialNumber },
      { tag: tags.generic, value: encodeTlvs(generic) },
    ]),
  );
  const counted = concat(Uint8Array.of(framed.length >> 8, framed.length & 0xff), framed);
  const padded = concat(counted, new Uint8Array((BLOCK - (counted.length % BLOCK)) % BLOCK));
  return concat(padded, mac(padded));
}
