import { fromHex } from "../kit/hex.ts";
import type { Minor } from "../kit/money.ts";
import type { Tlv } from "./tlv.ts";

/**
 * Transaction data for a terminal. Already validated: a driver refuses a request whose values do not fit their tags.
 */
export interface Transaction {
  readonly amount: Minor;
  /** ISO 4217, three digits. */
  readonly currencyNumeric: string;
  readonly decimals: number;
  readonly transactionType: "00" | "20";
  /** YYMMDD and HHMMSS. */
  readonly now: { readonly date: string; readonly time: string };
}

/** 9F02: twelve digits. */
export function packedAmount(amount: Minor): string {
  return String(amount).padStart(12, "0");
}

const TAGS = ["9C", "9F02", "9F03", "9A", "9F21", "5F2A", "5F36"] as const;

/**
 * Objects that describe the transaction to a terminal (EMV Book 3, annex A): all, or those named, in that order. There
 * is no cashback (9F03 is 0).
 */
export function transactionData(
  transaction: Transaction,
  tags: readonly (typeof TAGS)[number][] = TAGS,
): readonly Tlv[] {
  const { amount, currencyNumeric, decimals, transactionType, now } = transaction;
  const values: Readonly<Record<(typeof TAGS)[number], string>> = {
    "9C": transactionType,
    "9F02": packedAmount(amount),
    "9F03": packedAmount(0),
    "9A": now.date,
    "9F21": now.time,
    "5F2A": `0${currencyNumeric}`,
    "5F36": `0${decimals}`,
  };
  return tags.map((tag) => ({ tag, value: fromHex(values[tag]) }));
}
