import { encodeTlvs, findTag, parseTlv, type Tlv } from "../emv/tlv.ts";
import { ascii } from "../kit/bytes.ts";
import { toHex } from "../kit/hex.ts";
import { tdesKey } from "./des.ts";
import type { SealedBytes } from "./secure-module.ts";
import type { SredLayout } from "./sred-layouts.ts";

export interface SredCard {
  readonly pan: string;
  /** YYMM, where the track says it. */
  readonly expiry?: string;
}

/** What was sealed: the card's number, and where the layout seals everything, all of its objects, with chip data (TLV in hexadecimal) and PIN block among them. */
export type SredOpening =
  | { readonly ok: true; readonly card: SredCard; readonly icc?: string; readonly pin?: SealedBytes; readonly objects?: readonly Tlv[] }
  | { readonly ok: false; readonly error: string };

/** Decrypts SRED data and reads what is in it, in the form in which its device type seals. Never throws, whatever the bytes. */
export function openSred({ form }: SredLayout, key: Uint8Array, data: Uint8Array): SredOpening {
  if (data.length === 0 || data.length % 8 !== 0) return { ok: false, error: `SRED data of ${data.length} bytes is not whole blocks` };
  const clear = tdesKey(key).cbcDecrypt(data);
  switch (form.is) {
    case "tlv":
      return opened(numberIn(objectsIn(clear)));
    case "first":
      return opened(numberIn(objectsIn(clear)) ?? numberInText(clear));
    case "tracks":
      return opened(numberInText(clear));
    case "whole":
      return openWhole(form.wrapper, clear);
  }
}

function opened(card: SredCard | undefined): SredOpening {
  return card === undefined ? { ok: false, error: "SRED data does not decrypt to card data" } : { ok: true, card };
}

function objectsIn(clear: Uint8Array): readonly Tlv[] {
  const parsed = parseTlv(clear);
  return parsed.ok ? parsed.objects : [];
}

/** Where the number stands, the best place first: tracks tell the expiry too. */
const NUMBERS: readonly { readonly tag: string; readonly text: boolean; readonly number: RegExp }[] = [
  { tag: "57", text: false, number: /^([0-9]{12,19})D([0-9]{4})/ },
  { tag: "9F6B", text: false, number: /^([0-9]{12,19})D([0-9]{4})/ },
  { tag: "5F22", text: true, number: /^;([0-9]{12,19})=([0-9]{4})/ },
  { tag: "DF42", text: true, number: /^;([0-9]{12,19})=([0-9]{4})/ },
  { tag: "5A", text: false, number: /^([0-9]{12,19})F?$/ },
  { tag: "DFA211", text: true, number: /^([0-9]{12,19})$/ },
];

function numberIn(objects: readonly Tlv[]): SredCard | undefined {
  return NUMBERS.flatMap(({ tag, text, number }) => {
    const value = findTag(objects, tag);
    const [, pan, expiry] = (value && number.exec(text ? ascii(value) : toHex(value))) ?? [];
    return pan === undefined ? [] : [{ pan, ...(expiry !== undefined && { expiry }) }];
  })[0];
}

/** Track 2 without a tag around it, at the beginning or behind track 1. */
const TRACK_TEXT = /^(?:%[^?]*\?[^;]?)?;([0-9]{12,19})=([0-9]{4})/;

function numberInText(clear: Uint8Array): SredCard | undefined {
  const [, pan, expiry] = TRACK_TEXT.exec(ascii(clear)) ?? [];
  return pan === undefined || expiry === undefined ? undefined : { pan, expiry };
}

/** What is no chip data: the number in its own places, tracks, and the PIN. */
const NOT_CHIP_DATA: readonly string[] = ["57", "5A", "5F20", "5F24", "9F6B", "DF41", "DF42", "F5"];

function openWhole(wrapper: string, clear: Uint8Array): SredOpening {
  const [whole, ...more] = objectsIn(clear);
  const objects = whole?.tag === wrapper && more.length === 0 ? objectsIn(whole.value) : [];
  const found = opened(numberIn(objects));
  if (!found.ok) return found;
  const icc = objects.filter(({ tag }) => !NOT_CHIP_DATA.includes(tag));
  const inside = objectsIn(findTag(objects, "F5") ?? new Uint8Array(0));
  const [data, ksn] = [findTag(inside, "99"), findTag(inside, "DFDF41")];
  const pin = data !== undefined && ksn !== undefined ? { data, ksn } : undefined;
  return { ...found, objects, ...(findTag(icc, "9F26") !== undefined && { icc: toHex(encodeTlvs(icc)) }), ...(pin && { pin }) };
}
