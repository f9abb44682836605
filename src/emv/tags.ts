import { ascii, fromAscii } from "../kit/bytes.ts";
import { toHex } from "../kit/hex.ts";
import { hasZeroMiddle } from "./mask.ts";
import type { Tlv } from "./tlv.ts";

/**
 * Objects allowed in clear in a request, the journal and on a receipt, with lengths from EMV Book 3 annex A (Books C-2,
 * C-3 for contactless). All others are removed. 9F7C is missing because cards put any data into it; 9F5B is one
 * scheme's membership number.
 */
const clearTags: ReadonlyMap<string, { readonly name: string; readonly min: number; readonly max: number }> = new Map(
  Object.entries({
    "4F": { name: "application identifier on the card", min: 5, max: 16 },
    "50": { name: "application label", min: 1, max: 16 },
    "82": { name: "application interchange profile", min: 2, max: 2 },
    "84": { name: "dedicated file name", min: 5, max: 16 },
    "8A": { name: "authorisation response code", min: 2, max: 2 },
    "95": { name: "terminal verification results", min: 5, max: 5 },
    "9A": { name: "transaction date", min: 3, max: 3 },
    "9B": { name: "transaction status information", min: 2, max: 2 },
    "9C": { name: "transaction type", min: 1, max: 1 },
    "5F2A": { name: "transaction currency", min: 2, max: 2 },
    "5F34": { name: "PAN sequence number", min: 1, max: 1 },
    "5F36": { name: "currency exponent", min: 1, max: 1 },
    "9F02": { name: "authorised amount", min: 6, max: 6 },
    "9F03": { name: "other amount", min: 6, max: 6 },
    "9F06": { name: "application identifier in the terminal", min: 5, max: 16 },
    "9F09": { name: "application version in the terminal", min: 2, max: 2 },
    "9F10": { name: "issuer application data", min: 1, max: 32 },
    "9F11": { name: "issuer code table index", min: 1, max: 1 },
    "9F12": { name: "preferred application name", min: 1, max: 16 },
    "9F1A": { name: "terminal country", min: 2, max: 2 },
    "9F1E": { name: "device serial number", min: 8, max: 8 },
    "9F21": { name: "transaction time", min: 3, max: 3 },
    "9F26": { name: "application cryptogram", min: 8, max: 8 },
    "9F27": { name: "cryptogram information data", min: 1, max: 1 },
    "9F33": { name: "terminal capabilities", min: 3, max: 3 },
    "9F34": { name: "cardholder verification results", min: 3, max: 3 },
    "9F35": { name: "terminal type", min: 1, max: 1 },
    "9F36": { name: "application transaction counter", min: 2, max: 2 },
    "9F37": { name: "unpredictable number", min: 4, max: 4 },
    "9F39": { name: "entry mode", min: 1, max: 1 },
    "9F41": { name: "transaction sequence counter", min: 2, max: 4 },
    "9F53": { name: "transaction category code", min: 1, max: 3 },
    "9F66": { name: "terminal transaction qualifiers", min: 4, max: 4 },
    "9F6C": { name: "card transaction qualifiers", min: 2, max: 2 },
    "9F6E": { name: "form factor or third party data", min: 4, max: 32 },
  }),
);

/** Text that the card's issuer chose freely. */
const LABELS: readonly string[] = ["50", "9F12"];

/**
 * Objects that may leave the terminal in clear, in order. Removed are objects of another length, because their content
 * is unknown, and labels that hold a number.
 */
export function clearable(objects: readonly Tlv[]): readonly Tlv[] {
  return objects.filter(({ tag, value }) => {
    const limits = clearTags.get(tag);
    const isOfItsLength = limits !== undefined && value.length >= limits.min && value.length <= limits.max;
    return isOfItsLength && !(LABELS.includes(tag) && holdsNumber(value));
  });
}

/**
 * Form of clear card data: packed digits, digits as text, or any value. With `zeroFrom`, a device hides digits as 0: a
 * number is clear if a digit between the first `zeroFrom` and the last four is not 0.
 */
export type ClearForm = "packed" | "text" | "any" | { readonly as: "packed" | "text"; readonly zeroFrom: number };

/**
 * Objects that identify card or holder (EMV Book 3 annex A, Book C-2), with the form of clear data. A value without a
 * form never leaves the driver, but proves no leak: devices with loaded keys send it.
 */
const sensitiveTags: ReadonlyMap<string, { readonly name: string; readonly clear?: ClearForm }> = new Map(
  Object.entries({
    // Magstripe images have no form: the card chooses their content and must not put a terminal out of service.
    // A terminal without keys shows by 57 and 5A, or by missing ciphertext.
    "56": { name: "track 1 image" },
    "57": { name: "track 2 equivalent data", clear: "packed" },
    "5A": { name: "primary account number", clear: "packed" },
    "5F20": { name: "cardholder name" },
    "5F24": { name: "expiry date" },
    "5F30": { name: "service code" },
    "5F53": { name: "international bank account number" },
    "99": { name: "PIN data", clear: "any" },
    "9F0B": { name: "cardholder name, extended" },
    "9F1F": { name: "track 1 discretionary data" },
    "9F20": { name: "track 2 discretionary data" },
    "9F5E": { name: "data storage identifier made from the number", clear: "packed" },
    "9F60": { name: "track 1 verification value" },
    "9F61": { name: "track 2 verification value" },
    "9F6B": { name: "track 2 data of stripe mode" },
  }),
);

/** The standard's name of an object; undefined if neither table lists it. */
export function tagName(tag: string): string | undefined {
  return clearTags.get(tag)?.name ?? sensitiveTags.get(tag)?.name;
}

/** Account numbers of payment schemes have 12 to 19 digits (ISO/IEC 7812 allows 8 to 19). */
const NUMBER_AT_START = /^[1-9][0-9]{11,18}/;
const LEAST_DIGITS = 12;

/**
 * Tags with clear card data, each once: a device that protects card data sends none. Masked numbers are not clear.
 * `own` lists the device's own objects that hold numbers, with their form.
 */
export function sensitiveClear(
  objects: readonly Tlv[],
  own: Readonly<Record<string, ClearForm>> = {},
): readonly string[] {
  const found = objects.filter(({ tag, value }) => {
    const form = Object.hasOwn(own, tag) ? own[tag] : sensitiveTags.get(tag)?.clear;
    return form !== undefined && isClear(form, value);
  });
  return [...new Set(found.map(({ tag }) => tag))];
}

function isClear(form: ClearForm, value: Uint8Array): boolean {
  if (typeof form === "object")
    return isClearBesideZeros(form.as === "packed" ? toHex(value) : ascii(value), form.zeroFrom);
  switch (form) {
    case "any":
      return value.length > 0;
    case "packed":
      return NUMBER_AT_START.test(toHex(value));
    case "text":
      return holdsNumber(value);
  }
}

const ZERO = 0x30;
const NINE = 0x39;

/** Tells whether a text holds enough digits for a number that does not begin with 0. */
function holdsNumber(text: Uint8Array): boolean {
  let digits = 0;
  for (const byte of text) {
    digits = byte <= NINE && (byte > ZERO || (byte === ZERO && digits > 0)) ? digits + 1 : 0;
    if (digits === LEAST_DIGITS) return true;
  }
  return false;
}

/** A run of digits long enough for a number. After a track's separator, expiry and service code precede it. */
const RUN_OF_DIGITS = /([=D^]?)([0-9]{12,})/g;
const ANY_RUN = /[0-9]{12}/;
const EXPIRY_AND_SERVICE_CODE = 7;

/** In such a track, expiry and service code stay unmasked, followed by zeros. */
function isClearBesideZeros(text: string, zeroFrom: number): boolean {
  if (!ANY_RUN.test(text)) return false;
  return Array.from(text.matchAll(RUN_OF_DIGITS)).some(([, separator, digits = ""]) =>
    separator === "" ? !hasZeroMiddle(digits, zeroFrom) : holdsNumber(fromAscii(digits.slice(EXPIRY_AND_SERVICE_CODE))),
  );
}
