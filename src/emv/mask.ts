import { toHex } from "../kit/hex.ts";

/** What may be shown of an account number: never more than the first six and the last four digits (PCI DSS 3.4.1). */
export interface MaskedNumber {
  readonly bin?: string;
  readonly last4: string;
}

const BIN_DIGITS = 6;
const PACKED = /^([0-9]*)F+([0-9]{4})$/;
const TEXT = /^([0-9]*)\*+([0-9]{4})$/;

/** Reads a number or track 2 packed two digits a byte, hidden digits as F, track fields after D. Undefined where nothing is hidden or the end is. */
export function maskedFromPacked(bytes: Uint8Array): MaskedNumber | undefined {
  const [number = ""] = toHex(bytes).split("D");
  return masked(PACKED.exec(number.replace(/F+$/, "")));
}

/** Reads a number or track as text, hidden digits as "*": `;476173******0101=1512...`. Undefined where nothing is hidden or the end is. */
export function maskedFromText(text: string): MaskedNumber | undefined {
  const [number = ""] = text.replace(/^(;|%[A-Z]?)/, "").split(/[=^?]/);
  return masked(TEXT.exec(number));
}

function masked(parts: RegExpExecArray | null): MaskedNumber | undefined {
  const [, first = "", last4] = parts ?? [];
  if (last4 === undefined) return undefined;
  return first.length < BIN_DIGITS ? { last4 } : { bin: first.slice(0, BIN_DIGITS), last4 };
}
