import { encodeTlvs, findTag, parseTlv, type Tlv } from "../emv/tlv.ts";
import { ascii } from "../kit/bytes.ts";
import { toHex } from "../kit/hex.ts";
import { tdesKey, zeroPad } from "./des.ts";
import type { DukptUse } from "./dukpt.ts";

/** How one device type lays out what it encrypts as SRED data. The cipher is TDES in CBC with a zero vector in all of them. */
export interface SredLayout {
  /** As the acquirer names it (pos.deviceType). */
  readonly deviceType: string;
  readonly use: DukptUse;
  /** The tags that go into the cipher where the card has them, in this order, as TLV padded with zeros. */
  readonly tags: readonly string[];
  /** False: no public source tells, this is the most likely reading of `source`. */
  readonly confirmed: boolean;
  readonly source: string;
}

const LAYOUTS: readonly SredLayout[] = [
  {
    deviceType: "MIURA_M020",
    use: "data-request",
    tags: ["5A", "57", "56", "9F6B", "5F21", "5F22", "DFA211", "DFA215"],
    confirmed: false,
    source:
      "P2PEDOL.CFG of Miura's own sample configuration names the tags up to 9F6B; published cipher texts of 24 bytes fit one tag 57 as TLV padded to whole blocks, one of 120 bytes tracks 1 and 2; " +
      "tracks of a swipe and typed numbers as TLV, key variant and padding (ANSI X9.24-1:2009) are inferred",
  },
];

export function sredLayoutOf(deviceType: string): SredLayout | undefined {
  return LAYOUTS.find((layout) => layout.deviceType === deviceType);
}

/** Encrypts what the layout names of a card's data. `key` is the working key for the layout's use. */
export function sealSred(layout: SredLayout, key: Uint8Array, card: readonly Tlv[]): Uint8Array {
  const chosen = layout.tags.flatMap((tag) => card.find((object) => object.tag === tag) ?? []);
  return tdesKey(key).cbcEncrypt(zeroPad(encodeTlvs(chosen)));
}

export interface SredCard {
  readonly pan: string;
  /** YYMM, where the track says it. */
  readonly expiry?: string;
}

export type SredOpening = { readonly ok: true; readonly card: SredCard } | { readonly ok: false; readonly error: string };

/** Decrypts SRED data and reads the card's number out of it, from whatever form it was sealed in. Never throws, whatever the bytes. */
export function openSred(key: Uint8Array, data: Uint8Array): SredOpening {
  if (data.length === 0 || data.length % 8 !== 0) return { ok: false, error: `SRED data of ${data.length} bytes is not whole blocks` };
  const plain = parseTlv(tdesKey(key).cbcDecrypt(data));
  if (!plain.ok) return { ok: false, error: "SRED data does not decrypt to card data" };
  const card = NUMBERS.flatMap(({ tag, text, number }) => {
    const value = findTag(plain.objects, tag);
    const [, pan, expiry] = (value && number.exec(text ? ascii(value) : toHex(value))) ?? [];
    return pan === undefined ? [] : [{ pan, ...(expiry !== undefined && { expiry }) }];
  })[0];
  return card === undefined ? { ok: false, error: "SRED data does not decrypt to card data" } : { ok: true, card };
}

/** Where the number stands, the best place first: tracks tell the expiry too. */
const NUMBERS: readonly { readonly tag: string; readonly text: boolean; readonly number: RegExp }[] = [
  { tag: "57", text: false, number: /^([0-9]{12,19})D([0-9]{4})/ },
  { tag: "9F6B", text: false, number: /^([0-9]{12,19})D([0-9]{4})/ },
  { tag: "5F22", text: true, number: /^;([0-9]{12,19})=([0-9]{4})/ },
  { tag: "5A", text: false, number: /^([0-9]{12,19})F?$/ },
  { tag: "DFA211", text: true, number: /^([0-9]{12,19})$/ },
];
