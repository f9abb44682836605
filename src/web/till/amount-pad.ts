import { currencyOf, formatAmount } from "../../kit/money.ts";

export type PadKey = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "00" | "back" | "clear";
export const PAD_KEYS: readonly PadKey[] = ["7", "8", "9", "4", "5", "6", "1", "2", "3", "00", "0", "back"];

/** Specification of the register API: ten digits before the dot. */
const WHOLE_DIGITS = 10;

/** The typed digits in the currency's smallest unit: 1 2 3 4 are 12.34 euros. Digits beyond the limit are ignored. */
export function typed(digits: string, key: PadKey, currency: string): string {
  switch (key) {
    case "back":
      return digits.slice(0, -1);
    case "clear":
      return "";
    default: {
      const next = (digits + key).replace(/^0+/, "");
      return next.length > WHOLE_DIGITS + decimalsOf(currency) ? digits : next;
    }
  }
}

/** The pad's key for a keyboard key; undefined: none. */
export function padKeyOf(key: string): PadKey | undefined {
  if (key === "Backspace") return "back";
  if (key === "Delete") return "clear";
  return PAD_KEYS.find((each) => each === key);
}

/** The typed amount as the register API's decimal string. */
export function amountTyped(digits: string, currency: string): string {
  return formatAmount(Number(digits), { decimals: decimalsOf(currency) });
}

/** The digits to type for this amount. */
export function digitsOf(amount: string): string {
  return amount.replace(".", "").replace(/^0+/, "");
}

export function sumOf(one: string, other: string): string {
  const sum = Number(one) + Number(other);
  return sum === 0 ? "" : String(sum);
}

function decimalsOf(currency: string): number {
  return currencyOf(currency)?.decimals ?? 2;
}
