import { ascii } from "../kit/bytes.ts";
import { toHex } from "../kit/hex.ts";
import { clearable } from "./tags.ts";
import { findTag, type Tlv } from "./tlv.ts";

/** The cardholder verification. `failed`: tried and not passed. `unknown`: the terminal does not report it. */
export type CardholderVerification =
  | "online-pin"
  | "offline-pin"
  | "signature"
  | "none"
  | "device"
  | "failed"
  | "unknown";

/** Chip data for receipts and the payment's record: text only, nothing sensitive. Bytes are upper-case hexadecimal. */
export interface ReceiptData {
  /** Tag 84, else 4F, else 9F06. */
  readonly aid?: string;
  readonly applicationLabel?: string;
  readonly tvr?: string;
  readonly tsi?: string;
  readonly cryptogram?: string;
  readonly cryptogramType?: "ARQC" | "TC" | "AAC";
  /** Authorization response code as its two characters. */
  readonly arc?: string;
  readonly cvm: CardholderVerification;
  readonly panSequenceNumber?: string;
  readonly transactionSequenceNumber?: string;
  readonly atc?: string;
}

/**
 * Reads a card's objects; missing, long or unreadable values are left out. Never throws. `isTap`: set if the terminal
 * reports the entry mode separately.
 */
export function receiptDataOf(icc: readonly Tlv[], isTap?: boolean): ReceiptData {
  const clear = clearable(icc);
  const hex = (tag: string): string | undefined => {
    const value = findTag(clear, tag);
    return value && toHex(value);
  };
  const found = {
    aid: hex("84") ?? hex("4F") ?? hex("9F06"),
    applicationLabel: labelOf(clear),
    tvr: hex("95"),
    tsi: hex("9B"),
    cryptogram: hex("9F26"),
    cryptogramType: cryptogramTypeOf(findTag(clear, "9F27")),
    arc: arcOf(findTag(clear, "8A")),
    panSequenceNumber: digits(hex("5F34")),
    transactionSequenceNumber: digits(hex("9F41")),
    atc: hex("9F36"),
  };
  return { ...present(found), cvm: verificationOf(clear, isTap ?? isContactless(clear)) };
}

type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Removes keys that hold undefined: exact optional properties and JSON both require it. */
function present<T extends Readonly<Record<string, string | undefined>>>(record: T): Present<T>;
function present(record: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string | undefined>> {
  const left: Record<string, string> = {};
  for (const [name, value] of Object.entries(record)) if (value !== undefined) left[name] = value;
  return left;
}

const digits = (hex: string | undefined): string | undefined =>
  hex !== undefined && /^[0-9]+$/.test(hex) ? hex : undefined;

/** EMV Book 3, annex C: this product prints ISO 8859-1 only. */
const LATIN_1 = "01";

/** The application's name: 9F12 if its code table is printable, else 50 (EMV Book 4, 12.1.4). */
function labelOf(clear: readonly Tlv[]): string | undefined {
  const table = findTag(clear, "9F11");
  const preferred = table !== undefined && toHex(table) === LATIN_1 ? findTag(clear, "9F12") : undefined;
  return (
    textOf(preferred) ??
    textOf(findTag(clear, "50")) ??
    (table === undefined ? asciiOf(findTag(clear, "9F12")) : undefined)
  );
}

/**
 * A preferred name without a code table: only ASCII is common to all tables. Devices that seal the rest send it for
 * receipts.
 */
function asciiOf(value: Uint8Array | undefined): string | undefined {
  return value?.every((byte) => byte >= 0x20 && byte <= 0x7e) ? textOf(value) : undefined;
}

/**
 * A card may put any text into its label. Control characters, angle brackets (markup) and runs of digits as long as a
 * card number become "?".
 */
function textOf(value: Uint8Array | undefined): string | undefined {
  const text = ascii(value ?? new Uint8Array(0))
    .replace(/[^\x20-\x7e\xa1-\xff]|[<>]/g, "?")
    .replace(/[0-9]{12,}/g, "?")
    .trim();
  return text === "" ? undefined : text;
}

/** EMV Book 3, table 15: the two high bits of 9F27. */
function cryptogramTypeOf(information: Uint8Array | undefined): ReceiptData["cryptogramType"] {
  switch ((information?.[0] ?? 0xff) & 0xc0) {
    case 0x00:
      return "AAC";
    case 0x40:
      return "TC";
    case 0x80:
      return "ARQC";
    default:
      return undefined;
  }
}

function arcOf(code: Uint8Array | undefined): string | undefined {
  const text = code === undefined ? "" : ascii(code);
  return /^[0-9A-Z]{2}$/.test(text) ? text : undefined;
}

const FAILED = 0x01;
const SUCCESSFUL = 0x02;

/** EMV Book 4, annex A4 (9F34) with byte 3 of the terminal verification results (Book 3, annex C5). */
function verificationOf(clear: readonly Tlv[], isTap: boolean): CardholderVerification {
  const tvr = findTag(clear, "95");
  const results = findTag(clear, "9F34");
  const [rule, , result] = results ?? [];
  if (rule === undefined || result === undefined) return verificationWithoutResults(clear, tvr);
  if (result === FAILED) return "failed";
  // A terminal may report no verification although the customer's phone did it.
  const byTerminal = verificationByTerminal(rule, result, tvr, isTap);
  const isSilent = byTerminal === "none" || byTerminal === "unknown";
  return isSilent && isTap && isVerifiedByDevice(clear) ? "device" : byTerminal;
}

function verificationByTerminal(
  rule: number,
  result: number,
  tvr: Uint8Array | undefined,
  isTap: boolean,
): CardholderVerification {
  switch (rule & 0x3f) {
    case 0x01:
      return result === SUCCESSFUL && isTap ? "device" : offlinePin(result);
    case 0x04:
      return offlinePin(result);
    case 0x02:
      return onlinePin(tvr);
    case 0x03:
    case 0x05:
      // PIN and signature: the signature is still to be given at the counter.
      return "signature";
    case 0x1e:
      return "signature";
    case 0x1f:
    case 0x3f:
      return "none";
    default:
      return "unknown";
  }
}

const offlinePin = (result: number): CardholderVerification => (result === SUCCESSFUL ? "offline-pin" : "unknown");

const ONLINE_PIN_ENTERED = 0x04;
const PIN_NOT_ENTERED = 0x08;
const VERIFICATION_FAILED = 0x80;

/** The card does not know the result of an online PIN; the terminal reports whether a PIN was entered. */
function onlinePin(tvr: Uint8Array | undefined): CardholderVerification {
  const third = tvr?.[2] ?? ONLINE_PIN_ENTERED;
  if ((third & ONLINE_PIN_ENTERED) !== 0) return "online-pin";
  return (third & PIN_NOT_ENTERED) !== 0 ? "failed" : "unknown";
}

/** Card transaction qualifiers (9F6C) of Visa and UnionPay, byte 2, bit 8. */
function isVerifiedByDevice(clear: readonly Tlv[]): boolean {
  return ((findTag(clear, "9F6C")?.[1] ?? 0) & 0x80) !== 0;
}

/** ISO 8583 entry modes of contactless readers: 07 chip, 91 magstripe. Some terminals omit them. */
function isContactless(clear: readonly Tlv[]): boolean {
  const [mode] = findTag(clear, "9F39") ?? [];
  return mode === 0x07 || mode === 0x91;
}

/**
 * For kernels without 9F34: card transaction qualifiers (9F6C) of Visa and UnionPay, else the terminal verification
 * results.
 */
function verificationWithoutResults(clear: readonly Tlv[], tvr: Uint8Array | undefined): CardholderVerification {
  const [first, second] = findTag(clear, "9F6C") ?? [];
  if (first !== undefined && second !== undefined) {
    if ((first & 0x80) !== 0) return "online-pin";
    if ((first & 0x40) !== 0) return "signature";
    return (second & 0x80) !== 0 ? "device" : "none";
  }
  const third = tvr?.[2] ?? 0;
  if ((third & ONLINE_PIN_ENTERED) !== 0) return "online-pin";
  return (third & VERIFICATION_FAILED) !== 0 ? "failed" : "unknown";
}
