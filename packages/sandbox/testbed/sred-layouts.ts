import { encodeTlvs, findTag, type Tlv } from "../../../src/emv/tlv.ts";
import { ascii, concat, fromAscii, xor } from "../../../src/kit/bytes.ts";
import { toHex } from "../../../src/kit/hex.ts";
import { packed, withLrc } from "./card-tracks.ts";
import { bitPad, DES_BLOCK, tdesKey, zeroPad } from "./des.ts";
import type { DukptUse } from "./dukpt.ts";
import type { SealedBytes } from "./sealed-bytes.ts";

/** Form of one object inside the cipher: TLV, the bare value, or a packed track 2 as magstripe text. */
export type SealedAs = "tlv" | "value" | "track-text";

export type SredForm =
  /** All listed objects of the card, in this order, as TLV. */
  | { readonly is: "tlv"; readonly tags: readonly string[] }
  /** Only the first listed object of the card. `orTlv`: some devices seal that value as TLV under one of these tags. */
  | {
      readonly is: "first";
      readonly of: readonly { readonly tag: string; readonly as: SealedAs; readonly orTlv?: readonly string[] }[];
    }
  /** The tracks as text, joined. */
  | { readonly is: "tracks"; readonly separator: string }
  /** The whole transaction in one constructed object, including chip data and the PIN block under its own key. */
  | { readonly is: "whole"; readonly wrapper: "FC"; readonly tags: readonly string[] };

/** A device type's layout of SRED data. The cipher is TDES in CBC. */
export interface SredLayout {
  /** The acquirer's name for it (pos.deviceType). */
  readonly deviceType: string;
  readonly use: DukptUse;
  /**
   * `own-vector`: a random vector for each block, and ISO 9797-1 padding method 2. Absent: zero vector and zero
   * padding.
   */
  readonly cipher?: "own-vector";
  readonly form: SredForm;
  /**
   * The device's tags for magstripe tracks 1 and 2; default 5F21 and 5F22. `lrc`: with the check character after the
   * end sentinel.
   */
  readonly tracks?: { readonly track1: string; readonly track2: string; readonly lrc: boolean };
  /** Form of a typed number: own tags of the device, or a short track 2. Absent: no number can be typed. */
  readonly typed?: TypedForm;
  /** False: not in public sources, the most likely reading of `source`. */
  readonly confirmed: boolean;
  readonly source: string;
}

/** Number and expiry in own tags, as text (MMYY) or packed digits (YYMM); or both as track 2. */
export type TypedForm =
  | { readonly number: string; readonly expiry: string; readonly as: "text" | "packed" }
  | "track-2";

const LAYOUTS: readonly SredLayout[] = [
  {
    deviceType: "MIURA_M020",
    use: "data-request",
    form: { is: "tlv", tags: ["5A", "57", "56", "9F6B", "5F21", "5F22", "DFA211", "DFA215"] },
    typed: { number: "DFA211", expiry: "DFA215", as: "text" },
    confirmed: false,
    source:
      "P2PEDOL.CFG of Miura's own sample configuration names the tags up to 9F6B; published cipher texts of 24 bytes fit one tag 57 as TLV padded to whole blocks, one of 120 bytes tracks 1 and 2; " +
      "tracks of a swipe and typed numbers as TLV, key variant and padding (ANSI X9.24-1:2009) are inferred",
  },
  {
    deviceType: "VERIFONE_P400",
    use: "data-request",
    cipher: "own-vector",
    form: { is: "tlv", tags: ["57", "9F6B", "5A", "DFDB06", "DFDB05", "DFDB01", "DFDB03", "DFDB02"] },
    tracks: { track1: "DFDB05", track2: "DFDB06", lrc: true },
    typed: { number: "DFDB01", expiry: "DFDB03", as: "packed" },
    confirmed: true,
    source:
      "published blocks of P200 and UX301 devices under the published test key (web-projects/PYTHON_SCRIPTS and VIPA_PARSER): chip, typed number and track 1 open to the last byte; " +
      "track 2 before track 1 of a swipe, from the same scripts; a tap in stripe mode as 9F6B is inferred",
  },
  {
    deviceType: "INGENICO_IPP350",
    use: "data-request",
    form: { is: "tracks", separator: "|" },
    typed: "track-2",
    confirmed: false,
    source:
      "an open-source host of On-Guard SDE (mode 19): track 1, separator, track 2 as text, filled with NUL; the key variant, and track 2 alone for chip, tap and typed numbers, are inferred",
  },
  {
    deviceType: "IDTECH_VP3300",
    use: "data-request",
    form: {
      is: "first",
      of: [
        { tag: "57", as: "tlv" },
        { tag: "5F22", as: "value" },
        { tag: "9F6B", as: "track-text", orTlv: ["9F6B", "57"] },
        { tag: "5A", as: "tlv" },
      ],
    },
    confirmed: false,
    source:
      "tag 57 as TLV, zeros, TDES CBC, data key of ANSI X9.24-1:2009: reproduced on two published answers of ID TECH readers; track 2 of a swipe as text with its sentinels: " +
      "the maker's enhanced stripe record; the same for a tap in stripe mode, and the name of the device type, are inferred",
  },
  {
    deviceType: "MAGTEK_DYNAFLEX",
    use: "data-request",
    form: {
      is: "whole",
      wrapper: "FC",
      tags: (
        "4F 50 57 5A 9F6B 82 84 95 9A 9B 9C 5F20 5F24 5F28 5F2A 5F30 5F34 9F02 9F03 9F06 9F09 9F10 9F1A 9F1E 9F21 9F26 9F27 9F33 9F34 9F35 9F36 9F37 9F39 9F41 " +
        "9F66 9F6C 9F6E DF41 DF42"
      ).split(" "),
    },
    tracks: { track1: "DF41", track2: "DF42", lrc: false },
    typed: "track-2",
    confirmed: false,
    source:
      "the maker's programmer's manual: the object FC with EMV tags, and F5 with the PIN block, under the data key; reproduced on its published ARQC; clear tracks as DF41 and DF42 inside it: " +
      "the manual's enhanced flavour; what of it an acquirer reads, and a typed number as track 2, are inferred",
  },
  {
    deviceType: "MAGTEK_EDYNAMO",
    use: "data-request",
    form: {
      is: "whole",
      wrapper: "FC",
      tags: (
        "4F 50 57 5A 9F6B 82 84 95 9A 9B 9C 5F20 5F24 5F28 5F2A 5F30 5F34 9F02 9F03 9F06 9F09 9F10 9F1A 9F1E 9F21 9F26 9F27 9F33 9F34 9F35 9F36 9F37 9F39 9F41 " +
        "9F66 9F6C 9F6E F4"
      ).split(" "),
    },
    tracks: { track1: "DF41", track2: "DF42", lrc: false },
    confirmed: false,
    source:
      "the maker's manuals of eDynamo and mDynamo: at security level 3 the object FC under the data variant of the key, with the tags that the device is set up for, and a stripe's tracks in " +
      "F4, each encrypted, with a key serial number of their own; its variant, and what an acquirer reads of all that, are inferred",
  },
  {
    deviceType: "PAX_D180",
    use: "data-request-unhashed",
    form: {
      is: "first",
      of: [
        { tag: "57", as: "tlv" },
        { tag: "5F22", as: "value" },
        { tag: "9F6B", as: "tlv" },
        { tag: "5A", as: "tlv" },
      ],
    },
    confirmed: false,
    source:
      "the maker's PIN-pad protocol hands out 57, else 5A, as ciphertext of its TDES DUKPT keys, and the tracks of a swipe each in whole blocks; plaintext as TLV (a track: as text), " +
      "and the key variant (the DES key of that protocol, without a further step), are inferred; so is 9F6B, which no tap brings there",
  },
];

/** Device types that can be opened, sorted by name. */
export const sredDeviceTypes: readonly string[] = LAYOUTS.map(({ deviceType }) => deviceType).toSorted();

export function sredLayoutOf(deviceType: string): SredLayout | undefined {
  return LAYOUTS.find((layout) => layout.deviceType === deviceType);
}

/** Throws a RangeError on an unknown device type, which is an error of the caller. */
export function knownSredLayout(deviceType: string): SredLayout {
  const layout = sredLayoutOf(deviceType);
  if (layout === undefined) throw new RangeError(`no SRED layout of ${deviceType}`);
  return layout;
}

/** Whether chip data and PIN are sealed together with the number; the request then has neither on its own. */
export function sealsChipData(deviceType: string | undefined): boolean {
  return LAYOUTS.some((layout) => layout.deviceType === deviceType && layout.form.is === "whole");
}

/** A typed number and expiry as the layout's card data. Undefined: the device accepts no typed numbers. */
export function typedData({ typed }: SredLayout, number: string, expiry: string): readonly Tlv[] | undefined {
  if (typed === undefined) return undefined;
  const yearFirst = `${expiry.slice(2)}${expiry.slice(0, 2)}`;
  if (typed === "track-2") return [{ tag: "5F22", value: fromAscii(`;${number}=${yearFirst}?`) }];
  const isPacked = typed.as === "packed";
  return [
    { tag: typed.number, value: isPacked ? packed(number) : fromAscii(number) },
    { tag: typed.expiry, value: isPacked ? packed(yearFirst) : fromAscii(expiry) },
  ];
}

export const ZERO_VECTOR = new Uint8Array(DES_BLOCK);

/**
 * Encrypts the layout's card data under its working key. A PIN block is included only if the layout seals everything;
 * `vector` counts only for `own-vector`.
 */
export function sealSred(
  layout: SredLayout,
  key: Uint8Array,
  card: readonly Tlv[],
  pin?: SealedBytes,
  vector: Uint8Array = ZERO_VECTOR,
): Uint8Array {
  const plain = plainOf(layout.form, ownObjects(layout, card), pin);
  const des = tdesKey(key);
  return layout.cipher === "own-vector"
    ? des.cbcEncrypt(overFirst(bitPad(plain), vector))
    : des.cbcEncrypt(zeroPad(plain));
}

/** All forms in which devices of that type may seal the data. */
export function sealSredForms(layout: SredLayout, key: Uint8Array, card: readonly Tlv[]): readonly Uint8Array[] {
  const { form } = layout;
  const usual = sealSred(layout, key, card);
  if (form.is !== "first") return [usual];
  const first = form.of.find(({ tag }) => findTag(card, tag) !== undefined);
  const value = first && findTag(card, first.tag);
  if (first?.orTlv === undefined || value === undefined) return [usual];
  return [usual, ...first.orTlv.map((tag) => tdesKey(key).cbcEncrypt(zeroPad(encodeTlvs([{ tag, value }]))))];
}

/** Combines the chain's vector with the first block, before encryption or after decryption. */
export function overFirst(data: Uint8Array, vector: Uint8Array): Uint8Array {
  return concat(xor(data.subarray(0, DES_BLOCK), vector), data.subarray(DES_BLOCK));
}

function plainOf(form: SredForm, card: readonly Tlv[], pin: SealedBytes | undefined): Uint8Array {
  switch (form.is) {
    case "tlv":
      return encodeTlvs(chosen(form.tags, card));
    case "first": {
      const [first] = form.of.flatMap(({ tag, as }) => chosen([tag], card).map((object) => laidOut(as, object)));
      return first ?? new Uint8Array(0);
    }
    case "tracks":
      return fromAscii(tracksOf(card).join(form.separator));
    case "whole":
      return encodeTlvs([
        {
          tag: form.wrapper,
          value: concat(encodeTlvs(chosen(form.tags, card)), pin === undefined ? new Uint8Array(0) : pinObject(pin)),
        },
      ]);
  }
}

function chosen(tags: readonly string[], card: readonly Tlv[]): readonly Tlv[] {
  return tags.flatMap((tag) => card.find((object) => object.tag === tag) ?? []);
}

function laidOut(as: SealedAs, object: Tlv): Uint8Array {
  switch (as) {
    case "tlv":
      return encodeTlvs([object]);
    case "value":
      return object.value;
    case "track-text":
      return trackText(object.value);
  }
}

/** Track 2 as magstripe text, from its packed form. */
export function trackText(packed: Uint8Array): Uint8Array {
  return fromAscii(`;${toHex(packed).replace(/F+$/, "").replace("D", "=")}?`);
}

/** The magstripe's tracks if present, else track 2 only. */
function tracksOf(card: readonly Tlv[]): readonly string[] {
  const magstripe = chosen(["5F21", "5F22"], card);
  if (magstripe.length > 0) return magstripe.map(({ value }) => ascii(value));
  const track2 = findTag(card, "9F6B") ?? findTag(card, "57");
  return track2 === undefined ? [] : [ascii(trackText(track2))];
}

/** The card's data with magstripe tracks under the device's tags. */
export function ownObjects({ tracks }: SredLayout, card: readonly Tlv[]): readonly Tlv[] {
  if (tracks === undefined) return card;
  const own = (tag: string, value: Uint8Array): Tlv => ({ tag, value: tracks.lrc ? withLrc(value) : value });
  return card.map((object) => {
    if (object.tag === "5F21") return own(tracks.track1, object.value);
    return object.tag === "5F22" ? own(tracks.track2, object.value) : object;
  });
}

/** ISO format 0, PIN block, KSN and encryption type (DUKPT, TDES, PIN). */
function pinObject({ data, ksn }: SealedBytes): Uint8Array {
  const parts: readonly Tlv[] = [
    { tag: "DF71", value: Uint8Array.of(0x00) },
    { tag: "99", value: data },
    { tag: "DFDF41", value: ksn },
    { tag: "DFDF42", value: Uint8Array.of(0x81) },
  ];
  return encodeTlvs([{ tag: "F5", value: encodeTlvs(parts) }]);
}
