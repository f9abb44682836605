import { toHex } from "../kit/hex.ts";

/** The visible part of an account number: at most the first six and the last four digits (PCI DSS 3.4.1). */
export interface MaskedNumber {
  readonly bin?: string;
  /** The first four or five digits, if the device shows no more. They are enough for the brand. */
  readonly beginning?: string;
  readonly last4: string;
}

const BIN_DIGITS = 6;
/** The longest range that identifies a brand (brand.ts). */
const BRAND_DIGITS = 4;
const LAST_DIGITS = 4;

/** The hexadecimal digit that hides another in a packed number. It is neither a digit nor D, which ends the number. */
export type HiddenNibble = "A" | "C" | "F";
/**
 * The mask of a digit in a text: a character, or the digit 0. The device leaves the first `zeroFrom` digits; all others
 * except the last four must then be 0.
 */
export type HiddenCharacter = "*" | "\u00aa" | { readonly zeroFrom: number };

const PACKED: Readonly<Record<HiddenNibble, RegExp>> = {
  A: /^([0-9]*)A+([0-9]{4})$/,
  C: /^([0-9]*)C+([0-9]{4})$/,
  F: /^([0-9]*)F+([0-9]{4})$/,
};
const TEXT: Readonly<Record<"*" | "\u00aa", RegExp>> = {
  "*": /^([0-9]*)\*+([0-9]{4})$/,
  "\u00aa": /^([0-9]*)\u00aa+([0-9]{4})$/,
};

/**
 * Reads a number or track 2, packed two digits a byte, with track fields after D. Undefined: no digit is hidden, or the
 * last four are.
 */
export function maskedFromPacked(bytes: Uint8Array, hidden: HiddenNibble = "F"): MaskedNumber | undefined {
  const [number = ""] = toHex(bytes).split("D");
  return masked(PACKED[hidden].exec(number.replace(/F+$/, "")));
}

/**
 * Reads a number or track as text: `;476173******0101=1512...`. Undefined: no digit is hidden, or the last four are.
 */
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

/** Tells whether all digits between the first `zeroFrom` and the last four are 0. */
export function hasZeroMiddle(number: string, zeroFrom: number): boolean {
  return /^0+$/.test(number.slice(zeroFrom, -LAST_DIGITS));
}

function shown(first: string, last4: string): MaskedNumber {
  if (first.length >= BIN_DIGITS) return { bin: first.slice(0, BIN_DIGITS), last4 };
  return first.length >= BRAND_DIGITS ? { beginning: first, last4 } : { last4 };
}
