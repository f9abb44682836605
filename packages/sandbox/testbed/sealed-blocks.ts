import { findTag, parseTlv } from "../../../src/emv/tlv.ts";
import { toHex } from "../../../src/kit/hex.ts";
import { DES_BLOCK } from "./des.ts";
import { ZERO_VECTOR } from "./sred-layouts.ts";

/** Ciphertext with the initialisation vector of its first block. */
export interface SealedBlock {
  readonly data: Uint8Array;
  readonly vector: Uint8Array;
}

/** Possible readings of the sent data, likeliest first; `ksn` if the device's template names one. */
export type SentBlocks =
  | { readonly ok: true; readonly blocks: readonly SealedBlock[]; readonly ksn?: Uint8Array }
  | { readonly ok: false; readonly error: string };

const TEMPLATE = "FF7F";
/** Zeros are filler in these templates; FF starts tags. */
const FILLER = [0x00] as const;

/**
 * Three forms: template FF7F {DFDF10 ciphertext, DFDF11 KSN, DFDF12 vector, DFDB0F status}; vector and ciphertext;
 * ciphertext alone. The last two look alike.
 */
export function sealedBlocksIn(data: Uint8Array): SentBlocks {
  const parsed = parseTlv(data, FILLER);
  const [template, ...more] = parsed.ok ? parsed.objects : [];
  if (template?.tag === TEMPLATE && more.length === 0) return blockOfTemplate(template.value);
  const alone = { data, vector: ZERO_VECTOR };
  const behind = { data: data.subarray(DES_BLOCK), vector: data.subarray(0, DES_BLOCK) };
  return { ok: true, blocks: data.length > DES_BLOCK ? [behind, alone] : [alone] };
}

function blockOfTemplate(value: Uint8Array): SentBlocks {
  const inside = parseTlv(value, FILLER);
  if (!inside.ok) return { ok: false, error: `the ${TEMPLATE} block holds no objects` };
  const one = (tag: string): Uint8Array | undefined => findTag(inside.objects, tag);
  const status = one("DFDB0F");
  if (status?.some((byte) => byte !== 0x00))
    return { ok: false, error: `the device could not encrypt (DFDB0F ${toHex(status.subarray(0, 4))})` };
  const [data, ksn, vector = ZERO_VECTOR] = [one("DFDF10"), one("DFDF11"), one("DFDF12")];
  if (data === undefined || ksn === undefined)
    return { ok: false, error: `the ${TEMPLATE} block lacks ${data === undefined ? "DFDF10" : "DFDF11"}` };
  if (vector.length !== DES_BLOCK)
    return { ok: false, error: `the vector (DFDF12) has ${vector.length} bytes instead of ${DES_BLOCK}` };
  return { ok: true, blocks: [{ data, vector }], ksn };
}
