import { isConstructed, leavesOf as leavesBy } from "../../src/emv/leaves.ts";
import { encodeTlv, encodeTlvs, findTag, parseTlv, type Tlv } from "../../src/emv/tlv.ts";
import { concat } from "../../src/kit/bytes.ts";

/* ARQC and batch data: `length F9{...} padding MAC` in the tag 84 of a progress notification (PROTOCOL.md 6). */

/** Tags of the device's own (PROTOCOL.md 6.2); those of EMV stand by their number where they are used. */
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
  maskedStripe: "DFDF33",
  maskedChip: "DFDF4D",
  accepted: "DFDF1A",
  reason: "DFDF1B",
  /** What the ciphertext holds. */
  plain: "FC",
  data: "DFDF59",
  ksn: "DFDF56",
  encryption: "DFDF57",
  padding: "DFDF58",
  arpc: "FF74",
} as const;

/** What a transaction told by itself, or how it ended. */
export interface Blob {
  readonly of: "arqc" | "batch";
  /** DFDF25 as it came: the answer to the ARQC has to repeat it (PROTOCOL.md 7.5). */
  readonly serialNumber: Uint8Array;
  /** All objects that hold no others, in the order they stand. */
  readonly leaves: readonly Tlv[];
  /** Those of them that are meant for a receipt. */
  readonly merchant: readonly Tlv[];
}

/** What stands around the card data and says nothing of the card. */
const FRAME: readonly string[] = ["84", tags.macKsn, tags.macType, tags.serialNumber, tags.generic];

/** Tags of the device's own begin with FF, so that only zeros are filler here. */
const FILLER: readonly number[] = [0x00];
const LENGTH_BYTES = 2;
const MAC_BYTES = 4;

/** Reads the payload of a progress notification that carries data, or says why it is none. The MAC is for whoever has its key. Never throws. */
export function parseBlob(payload: Uint8Array): Blob | string {
  const outer = parseTlv(payload, FILLER);
  const bytes = outer.ok ? findTag(outer.objects, "84") : undefined;
  if (bytes === undefined) return "a notification of card data without data (84)";
  const [high = 0, low = 0] = bytes;
  const length = (high << 8) | low;
  if (bytes.length < LENGTH_BYTES + length + MAC_BYTES) return `card data of ${bytes.length} bytes that claims ${length}`;
  const whole = inside(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length), tags.whole);
  const generic = whole && findTag(whole, tags.generic);
  const serialNumber = whole && findTag(whole, tags.serialNumber);
  if (whole === undefined || generic === undefined || serialNumber === undefined) return "card data without its frame (F9, FA, DFDF25)";
  const parts = parseTlv(generic, FILLER);
  if (!parts.ok) return "card data that is no TLV";
  const results = findTag(parts.objects, tags.results);
  // What stands beside the card data counts too: it came in clear (PROTOCOL.md 6.5).
  const beside = [...whole, ...(outer.ok ? outer.objects : [])].filter(({ tag }) => !FRAME.includes(tag));
  const leaves = leavesOf([...parts.objects, ...beside]);
  if (results === undefined)
    return findTag(parts.objects, tags.arqc) === undefined ? "card data that is neither ARQC nor batch" : { of: "arqc", serialNumber, leaves, merchant: [] };
  const merchant = leavesOf([{ tag: tags.merchant, value: findTag(objectsOf(results), tags.merchant) ?? new Uint8Array(0) }]);
  return { of: "batch", serialNumber, leaves, merchant };
}

function inside(bytes: Uint8Array, tag: string): readonly Tlv[] | undefined {
  const value = findTag(objectsOf(bytes), tag);
  return value && objectsOf(value);
}

function objectsOf(bytes: Uint8Array): readonly Tlv[] {
  const parsed = parseTlv(bytes, FILLER);
  return parsed.ok ? parsed.objects : [];
}

/** All objects that hold no others, however deep. One whose inside is no TLV counts as such. */
export function leavesOf(objects: readonly Tlv[]): readonly Tlv[] {
  return leavesBy(objects, insideOf);
}

function insideOf({ tag, value }: Tlv): readonly Tlv[] | undefined {
  const parsed = isConstructed(tag) ? parseTlv(value, FILLER) : undefined;
  return parsed?.ok ? parsed.objects : undefined;
}

/** What a device puts around its data. */
export interface BlobFrame {
  readonly macKsn: Uint8Array;
  readonly macType: number;
  readonly serialNumber: Uint8Array;
  /** Four bytes over everything before them. */
  readonly mac: (bytes: Uint8Array) => Uint8Array;
}

const BLOCK = 8;

/** The payload of a progress notification around what stands in FA. Tag 84 always takes the length of three bytes: hosts of the maker's own skip it blindly (PROTOCOL.md 6.1). */
export function encodeBlob({ macKsn, macType, serialNumber, mac }: BlobFrame, generic: readonly Tlv[]): Uint8Array {
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
  const blob = concat(padded, mac(padded));
  return concat(Uint8Array.of(0x84, 0x82, blob.length >> 8, blob.length & 0xff), blob);
}
