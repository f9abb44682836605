import { toHex } from "../kit/hex.ts";

/** What may be shown of an account number: never more than the first six and the last four digits (PCI DSS 3.4.1). */
export interface MaskedNumber {
  readonly bin?: string;
  /** The first four or five digits, where the device shows no more: enough to tell the brand by. */
  readonly beginning?: string;
  readonly last4: string;
}

const BIN_DIGITS = 6;
/** The longest range that tells a brand (brand.ts). */
const BRAND_DIGITS = 4;
const LAST_DIGITS = 4;

/** The hexadecimal digit that stands for a hidden one in a packed number: not one that a number may hold, nor D, which ends it. */
export type HiddenNibble = "A" | "C" | "F";
/**
 * What stands for a hidden digit in a text: a character, or the digit 0. The latter shows by its place alone: `zeroFrom` is how many digits at the beginning the device
 * leaves as they are, and all between those and the last four must be 0.
 */
export type HiddenCharacter = "*" | "\u00aa" | { readonly zeroFrom: number };

const PACKED: Readonly<Record<HiddenNibble, RegExp>> = { A: /^([0-9]*)A+([0-9]{4})$/, C: /^([0-9]*)C+([0-9]{4})$/, F: /^([0-9]*)F+([0-9]{4})$/ };
const TEXT: Readonly<Record<"*" | "\u00aa", RegExp>> = { "*": /^([0-9]*)\*+([0-9]{4})$/, "\u00aa": /^([0-9]*)\u00aa+([0-9]{4})$/ };

/** Reads a number or track 2 packed two digits a byte, track fields after D. Undefined where nothing is hidden or the end is. */
export function maskedFromPacked(bytes: Uint8Array, hidden: HiddenNibble = "F"): MaskedNumber | undefined {
  const [number = ""] = toHex(bytes).split("D");
  return masked(PACKED[hidden].exec(number.replace(/F+$/, "")));
}

/** Reads a number or track as text: `;476173******0101=1512...`. Undefined where nothing is hidden or the end is. */
export function maskedFromText(text: string, hidden: HiddenCharacter = "*"): MaskedNumber | undefined {
  const [number = ""] = text.replace(/^(;|%[A-Z]?)/, "").split(/[=^?]/);
  return typeof hidden === "string" ? masked(TEXT[hidden].exec(number)) : maskedByZeros(number, hidden.zeroFrom);
}

function masked(parts: RegExpExecArray | null): MaskedNumber | undefined {
  const [, first = "", last4] = parts ?? [];
  return last4 === undefined ? undefined : shown(first, last4);
}

function maskedByZeros(number: string, zeroFrom: number): MaskedNumber | undefined {
  if (!/^[0-9]{12,19}$/.test(number) || !hasZeroMiddle(number, zeroFrom)) return undefined;
  return shown(number.slice(0, zeroFrom), number.slice(-LAST_DIGITS));
}

/** Whether all digits between the first so many and the last four of a number are 0. */
export function hasZeroMiddle(number: string, zeroFrom: number): boolean {
  return /^0+$/.test(number.slice(zeroFrom, -LAST_DIGITS));
}

function shown(first: string, last4: string): MaskedNumber {
  if (first.length >= BIN_DIGITS) return { bin: first.slice(0, BIN_DIGITS), last4 };
  return first.length >= BRAND_DIGITS ? { beginning: first, last4 } : { last4 };
}
