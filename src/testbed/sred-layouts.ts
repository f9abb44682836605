import { encodeTlvs, findTag, parseTlv, type Tlv } from "../emv/tlv.ts";
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
    tags: ["5A", "57", "56", "9F6B"],
    confirmed: false,
    source:
      "P2PEDOL.CFG of Miura's own sample configuration names the tags; published cipher texts of 24 bytes fit one tag 57 as TLV padded to whole blocks; key variant and padding are inferred from ANSI X9.24-1:2009",
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

/** Decrypts SRED data and reads the card's number out of it: 57 first, 5A where there is no track. Never throws, whatever the bytes. */
export function openSred(key: Uint8Array, data: Uint8Array): SredOpening {
  if (data.length === 0 || data.length % 8 !== 0) return { ok: false, error: `SRED data of ${data.length} bytes is not whole blocks` };
  const plain = parseTlv(tdesKey(key).cbcDecrypt(data));
  if (!plain.ok) return { ok: false, error: "SRED data does not decrypt to card data" };
  const track = findTag(plain.objects, "57");
  const match = track && /^([0-9]{12,19})D([0-9]{4})/.exec(toHex(track));
  const [, pan, expiry] = match ?? [];
  if (pan !== undefined && expiry !== undefined) return { ok: true, card: { pan, expiry } };
  const number = findTag(plain.objects, "5A");
  const digits = number && /^([0-9]{12,19})F?$/.exec(toHex(number))?.[1];
  return digits === undefined ? { ok: false, error: "SRED data does not decrypt to card data" } : { ok: true, card: { pan: digits } };
}
