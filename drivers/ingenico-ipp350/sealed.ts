import type { CardData, Sealed } from "../../src/card/card-data.ts";
import { sealedOf } from "../../src/card/sealed.ts";
import { isConstructed } from "../../src/emv/leaves.ts";
import { hasZeroMiddle, maskedFromText } from "../../src/emv/mask.ts";
import { type ClearForm, sensitiveClear } from "../../src/emv/tags.ts";
import { findTag, parseTlv, type Tlv } from "../../src/emv/tlv.ts";
import { ascii, fromAscii } from "../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../src/kit/hex.ts";
import { own } from "./emv-message.ts";
import { type CardRead, cardReadIn, type Heard } from "./message.ts";

/** Clear digits before the zeros of a masked number (PROTOCOL.md 7.2). */
const FIRST_DIGITS = 6;
const PACKED: ClearForm = { as: "packed", zeroFrom: FIRST_DIGITS };
const TEXT: ClearForm = { as: "text", zeroFrom: FIRST_DIGITS };

/**
 * Objects with card numbers; encryption replaces the middle digits with zeros. Sealed objects are checked if they do
 * not parse as sealed.
 */
const NUMBERS: Readonly<Record<string, ClearForm>> = {
  "57": PACKED,
  "5A": PACKED,
  "1017": TEXT,
  "1018": TEXT,
  "1019": TEXT,
  [own.maskedNumber]: TEXT,
  FF1E: TEXT,
  FF1F: TEXT,
  FF21: TEXT,
};

/** Names the clear card data in a message; undefined if all of it is protected (PROTOCOL.md 7.5). */
export function leakIn(objects: readonly Tlv[]): string | undefined {
  const seen = withInsides(objects).filter(
    (object) => !(object.tag === "99" && pinOf(object.value) !== undefined) && !isSealed(object),
  );
  const names = clearIn(seen);
  return names.length === 0 ? undefined : `the device sent card data in clear: ${names.join(", ")}`;
}

/** Deeper than any card's template. */
const DEEPEST = 4;

/** A template holds objects of its own (EMV Book 3, annex B). An unreadable template stays one value. */
function withInsides(objects: readonly Tlv[], depth = 0): readonly Tlv[] {
  return objects.flatMap((object) => {
    const isTemplate = isConstructed(object.tag) && !Object.hasOwn(NUMBERS, object.tag);
    const inside = isTemplate && depth < DEEPEST ? parseTlv(object.value) : undefined;
    return inside?.ok ? [object, ...withInsides(inside.objects, depth + 1)] : [object];
  });
}

function clearIn(objects: readonly Tlv[]): readonly string[] {
  const numbers = sensitiveClear(objects.map(joined), NUMBERS);
  return [...new Set([...numbers, ...objects.filter(showsMore).map(({ tag }) => tag)])];
}

/** Magstripe images, whose content the card chooses (emv/tags). */
const OF_THE_CARD: readonly string[] = ["56", "9F1F", "9F20", "9F6B"];

/** Blank and hyphen. */
const PARTS: readonly number[] = [0x20, 0x2d];

/** Some tracks group the digits of the number (ISO/IEC 7813), so the separators are removed before the check. */
function joined(object: Tlv): Tlv {
  const form = NUMBERS[object.tag];
  if (typeof form !== "object" || form.as !== "text" || !PARTS.some((part) => object.value.includes(part)))
    return object;
  return { ...object, value: fromAscii(ascii(object.value).replace(/(?<=[0-9])[ -]+(?=[0-9])/g, "")) };
}

/**
 * A masked track holds only zeros after expiry and service code. Other digits are a card verification value or a number
 * (PROTOCOL.md 7.2).
 */
const DISCRETIONARY = /[=^D][0-9]{7}[0-9]*[1-9]/;

function showsMore({ tag, value }: Tlv): boolean {
  if (OF_THE_CARD.includes(tag)) return false;
  switch (tag) {
    case "57":
      return DISCRETIONARY.test(toHex(value));
    case "1017":
    case "1018":
    case "1019":
      return DISCRETIONARY.test(ascii(value));
    default:
      return holdsTrack(ascii(value));
  }
}

/** A clear number with a separator before its expiry or holder name. */
function holdsTrack(text: string): boolean {
  if (!text.includes("=") && !text.includes("^")) return false;
  return Array.from(text.matchAll(/([0-9]{12,})[=^]/g)).some(([, digits = ""]) => !hasZeroMiddle(digits, FIRST_DIGITS));
}

/** The same check for a message that should hold no card data. */
function leakInText(id: string, text: string): string | undefined {
  return holdsTrack(text) ? `the device sent card data in clear: message ${id}` : undefined;
}

function isSealed({ tag, value }: Tlv): boolean {
  return own.sealedTracks.some((one) => one === tag) && recordOf(ascii(value)) !== undefined;
}

/** The same check for the tracks of 23.; the third is exempt if it parses as sealed. */
export function leakInTracks({ tracks: [first, second, third] }: Pick<CardRead, "tracks">): string | undefined {
  const shown = [first, second, ...(recordOf(third) === undefined ? [third] : [])];
  const objects = shown.map((text, at) => ({ tag: ["1017", "1018", "1019"][at] ?? "1019", value: fromAscii(text) }));
  const names = clearIn(objects);
  return names.length === 0
    ? undefined
    : `the device sent card data in clear: track ${names.map((tag) => Number(tag) - 1016).join(", ")}`;
}

/** x:n:CIPHER:KSN; the parts before the cipher may be missing (PROTOCOL.md 7.1). */
const RECORD = /^(?:[^:]{0,8}:){0,2}((?:[0-9A-Fa-f]{2})+):((?:[0-9A-Fa-f]{2}){10,12})$/;

function recordOf(text: string): Sealed | undefined {
  const [, cipher, ksn] = RECORD.exec(text.trim()) ?? [];
  if (cipher === undefined || ksn === undefined || NUMBER.test(ascii(fromHex(cipher)))) return undefined;
  return sealedOf(fromHex(cipher), fromHex(ksn));
}

/** Ciphertext has no such run of digits; this is a clear track. */
const NUMBER = /[0-9]{12}/;

/** Encrypted card data with its KSN; undefined if there is none. */
export function sealedIn(objects: readonly Tlv[]): Sealed | undefined {
  const [first] = own.sealedTracks.flatMap((tag) => recordOf(ascii(findTag(objects, tag) ?? new Uint8Array(0))) ?? []);
  return first;
}

export function sealedInTracks({ tracks: [, , third] }: Pick<CardRead, "tracks">): Sealed | undefined {
  return recordOf(third);
}

const BLOCK_DIGITS = 16;

/** A PIN block of 16 digits, followed by its KSN, as text (PROTOCOL.md 7.3). */
export function pinOfText(text: string): Sealed | undefined {
  if (!/^(?:[0-9A-Fa-f]{36}|[0-9A-Fa-f]{40})$/.test(text)) return undefined;
  return sealedOf(fromHex(text.slice(0, BLOCK_DIGITS)), fromHex(text.slice(BLOCK_DIGITS)));
}

/** The same in an object, as bytes or as text. */
function pinOf(value: Uint8Array): Sealed | undefined {
  return pinOfText(toHex(value)) ?? pinOfText(ascii(value));
}

export function pinIn(objects: readonly Tlv[]): Sealed | undefined {
  const value = findTag(objects, "99");
  return value && pinOf(value);
}

const NOTHING: CardData["masked"] = { last4: "" };

function maskedOf(number: string): CardData["masked"] | undefined {
  return maskedFromText(number) ?? maskedFromText(number, { zeroFrom: FIRST_DIGITS });
}

/** The masked number. */
export function maskedIn(objects: readonly Tlv[]): CardData["masked"] {
  const shown = findTag(objects, own.maskedNumber);
  const packed = ["5A", "57", "9F6B"].map((tag) =>
    toHex(findTag(objects, tag) ?? new Uint8Array(0))
      .replace(/D.*$/, "")
      .replace(/F+$/, ""),
  );
  const [first] = [ascii(shown ?? new Uint8Array(0)), ...packed].flatMap((number) => maskedOf(number) ?? []);
  return first ?? NOTHING;
}

export function maskedInTracks({ tracks: [first, second] }: Pick<CardRead, "tracks">): CardData["masked"] {
  return maskedOf(second) ?? maskedOf(first.replace(/^M/, "")) ?? NOTHING;
}

/** Names the clear card data in any message, for any job or none (PROTOCOL.md 7.5). */
export function leakHeard(heard: Heard): string | undefined {
  switch (heard.is) {
    case "emv":
    case "damaged":
      return leakIn(heard.objects);
    case "reply":
      return (heard.id === "23" ? leakInTracks(cardReadIn(heard.text)) : undefined) ?? leakInText(heard.id, heard.text);
    case "slot":
    case "cancel-key":
    case "other":
      return undefined;
  }
}
