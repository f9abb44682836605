import type { ReceiptView } from "../payment/view.ts";

/** The shop, as its configuration describes it. `language`: ISO 639-1, for receipts that are asked for without one. */
export interface MerchantData {
  readonly name: string;
  readonly address: readonly string[];
  readonly vatId?: string;
  readonly language?: string;
}

/** A moment as a clock on the shop's wall showed it: 2026-01-15, 12:34:56. */
export interface WallTime {
  readonly date: string;
  readonly time: string;
}

/** Everything a receipt is made from. `made`: when the payment was accepted. */
export interface ReceiptSource {
  readonly payment: ReceiptView;
  readonly merchant: MerchantData;
  readonly made: WallTime;
}

export type Copy = "merchant" | "customer";

/** One line of a receipt. `key` is the same in every language; a line without a label is a heading or a sentence. */
export interface ReceiptLine {
  readonly key: string;
  readonly label: string;
  readonly value: string;
}

/** A text of the register's, below its receipt. */
export function codeLine(code: string): ReceiptLine {
  return { key: "code", label: "", value: code };
}

/** Columns of the narrowest paper there is, of the widest, and of the usual one (80 mm). */
export const RECEIPT_COLUMNS = { min: 24, max: 80, normal: 42 } as const;
