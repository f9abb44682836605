import { encodeTlvs, findTag, parseTlv, type Tlv } from "../../../src/emv/tlv.ts";
import { ascii } from "../../../src/kit/bytes.ts";
import { toHex } from "../../../src/kit/hex.ts";
import { bitUnpadded, DES_BLOCK, tdesKey } from "./des.ts";
import { sealedBlocksIn } from "./sealed-blocks.ts";
import type { SealedBytes } from "./sealed-bytes.ts";
import { overFirst, type SredLayout } from "./sred-layouts.ts";

export interface SredCard {
  readonly pan: string;
  /** YYMM, if a track contains it. */
  readonly expiry?: string;
}

/**
 * The opened data: card number and, if the layout seals everything, all objects with chip data (TLV in hexadecimal) and
 * PIN block.
 */
export type SredOpening =
  | {
      readonly ok: true;
      readonly card: SredCard;
      readonly icc?: string;
      readonly pin?: SealedBytes;
      readonly objects?: readonly Tlv[];
      /** KSN inside the data itself. */
      readonly ksn?: Uint8Array;
    }
  | { readonly ok: false; readonly error: string };

/** Key for a KSN inside the data, for parts encrypted twice. */
export type InnerKey = (ksn: Uint8Array) => Uint8Array | undefined;

/** Decrypts SRED data and reads its device type's form. Never throws. */
export function openSred(layout: SredLayout, key: Uint8Array, data: Uint8Array, innerKey?: InnerKey): SredOpening {
  if (layout.cipher === "own-vector") return openWithVector(layout, key, data);
  if (!isWholeBlocks(data)) return notBlocks(data);
  const clear = tdesKey(key).cbcDecrypt(data);
  const { form } = layout;
  switch (form.is) {
    case "tlv":
      return opened(numberIn(objectsIn(clear)));
    case "first":
      return opened(numberIn(objectsIn(clear)) ?? numberInText(clear));
    case "tracks":
      return opened(numberInText(clear));
    case "whole":
      return openWhole(form.wrapper, clear, innerKey);
  }
}

const isWholeBlocks = (data: Uint8Array): boolean => data.length > 0 && data.length % DES_BLOCK === 0;
const notBlocks = (data: Uint8Array): SredOpening => ({
  ok: false,
  error: `SRED data of ${data.length} bytes is not whole blocks`,
});

/**
 * A block with its own vector: as the device's template, after its vector, or alone, which opens only with a zero
 * vector.
 */
function openWithVector({ form }: SredLayout, key: Uint8Array, data: Uint8Array): SredOpening {
  const sent = sealedBlocksIn(data);
  if (!sent.ok) return sent;
  const odd = sent.blocks.findLast((block) => !isWholeBlocks(block.data));
  if (odd !== undefined) return notBlocks(odd.data);
  const tags = form.is === "tlv" ? form.tags : [];
  for (const { data: sealed, vector } of sent.blocks) {
    const clear = bitUnpadded(overFirst(tdesKey(key).cbcDecrypt(sealed), vector));
    const objects = clear && objectsIn(clear);
    // Other tags mean a wrong vector, which damages the first block and so the first tag.
    const card = objects !== undefined && tags.includes(objects[0]?.tag ?? "") ? numberIn(objects) : undefined;
    if (card !== undefined && objects !== undefined)
      return { ok: true, card, objects, ...(sent.ksn && { ksn: sent.ksn }) };
  }
  return {
    ok: false,
    error: sent.ksn === undefined ? NO_VECTOR : "the FF7F block does not decrypt to card data by its vector (DFDF12)",
  };
}

const NO_VECTOR =
  "SRED data does not decrypt to card data, neither by the eight bytes before it nor by a zero vector; " +
  "a terminal that seals under a vector must send it (option sred: template or vector-and-data)";

function opened(card: SredCard | undefined): SredOpening {
  return card === undefined ? { ok: false, error: "SRED data does not decrypt to card data" } : { ok: true, card };
}

function objectsIn(clear: Uint8Array): readonly Tlv[] {
  const parsed = parseTlv(clear);
  return parsed.ok ? parsed.objects : [];
}

/** Places of the number, best first: tracks contain the expiry too. */
const NUMBERS: readonly { readonly tag: string; readonly text: boolean; readonly number: RegExp }[] = [
  { tag: "57", text: false, number: /^([0-9]{12,19})D([0-9]{4})/ },
  { tag: "9F6B", text: false, number: /^([0-9]{12,19})D([0-9]{4})/ },
  { tag: "5F22", text: true, number: /^;([0-9]{12,19})=([0-9]{4})/ },
  { tag: "DF42", text: true, number: /^;([0-9]{12,19})=([0-9]{4})/ },
  { tag: "5A", text: false, number: /^([0-9]{12,19})F?$/ },
  { tag: "DFA211", text: true, number: /^([0-9]{12,19})$/ },
  { tag: "DFDB06", text: true, number: /^;([0-9]{12,19})=([0-9]{4})/ },
  { tag: "DFDB05", text: true, number: /^%B([0-9]{12,19})\^[^^]*\^([0-9]{4})/ },
  { tag: "DFDB01", text: false, number: /^([0-9]{12,19})F?$/ },
];

function numberIn(objects: readonly Tlv[]): SredCard | undefined {
  return NUMBERS.flatMap(({ tag, text, number }) => {
    const value = findTag(objects, tag);
    const [, pan, expiry] = (value && number.exec(text ? ascii(value) : toHex(value))) ?? [];
    return pan === undefined ? [] : [{ pan, ...(expiry !== undefined && { expiry }) }];
  })[0];
}

/** Track 2 without a tag, at the start or after track 1. */
const TRACK_TEXT = /^(?:%[^?]*\?[^;]?)?;([0-9]{12,19})=([0-9]{4})/;

function numberInText(clear: Uint8Array): SredCard | undefined {
  const [, pan, expiry] = TRACK_TEXT.exec(ascii(clear)) ?? [];
  return pan === undefined || expiry === undefined ? undefined : { pan, expiry };
}

/** Objects other than chip data: number, tracks and PIN. */
const NOT_CHIP_DATA: readonly string[] = ["57", "5A", "5F20", "5F24", "9F6B", "DF41", "DF42", "F5"];

/** Batch data repeats the card's objects in F2 and has those for a reversal in F3. */
function ofBatch(object: Tlv): readonly Tlv[] {
  if (object.tag === "F3") return [];
  return object.tag === "F2" ? objectsIn(object.value) : [object];
}

/** Magstripe tracks, each encrypted again under an own key; tracks that do not open stay unchanged. */
function ofTracks(object: Tlv, innerKey: InnerKey | undefined): readonly Tlv[] {
  if (object.tag !== "F4") return [object];
  const inside = objectsIn(object.value);
  const ksn = findTag(inside, "DFDF50");
  const key = ksn && innerKey?.(ksn);
  if (key === undefined) return [object];
  return TRACKS.flatMap(([sealed, tag]) => {
    const data = findTag(inside, sealed);
    if (data === undefined || !isWholeBlocks(data)) return [];
    return [{ tag, value: withoutZeros(tdesKey(key).cbcDecrypt(data)) }];
  });
}

/** Encrypted tracks 1 and 2, and their tags in clear. */
const TRACKS = [
  ["DFDF37", "DF41"],
  ["DFDF39", "DF42"],
] as const;

function withoutZeros(bytes: Uint8Array): Uint8Array {
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  return bytes.slice(0, end);
}

function openWhole(wrapper: string, clear: Uint8Array, innerKey: InnerKey | undefined): SredOpening {
  const [whole, ...more] = objectsIn(clear);
  const sealed = whole?.tag === wrapper && more.length === 0 ? objectsIn(whole.value).flatMap(ofBatch) : [];
  const objects = sealed.flatMap((object) => ofTracks(object, innerKey));
  const found = opened(numberIn(objects));
  if (!found.ok) return found;
  const icc = objects.filter(({ tag }) => !NOT_CHIP_DATA.includes(tag));
  const inside = objectsIn(findTag(objects, "F5") ?? new Uint8Array(0));
  const [data, ksn] = [findTag(inside, "99"), findTag(inside, "DFDF41")];
  const pin = data !== undefined && ksn !== undefined ? { data, ksn } : undefined;
  return {
    ...found,
    objects,
    ...(findTag(icc, "9F26") !== undefined && { icc: toHex(encodeTlvs(icc)) }),
    ...(pin && { pin }),
  };
}
