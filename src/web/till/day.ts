import type { RegisterClient } from "../../client/client.ts";
import { currencyOf, formatAmount, parseAmount } from "../../kit/money.ts";

export type TotalsRow = Awaited<ReturnType<RegisterClient["totals"]>>[number];

/** A day of this machine's calendar, "2026-03-01", as the API's half-open period. */
export function periodOfDay(day: string): { readonly from: string; readonly to: string } | undefined {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const from = new Date(year, month - 1, date);
  const to = new Date(year, month - 1, date + 1);
  return Number.isNaN(from.getTime()) || day === "" ? undefined : { from: from.toISOString(), to: to.toISOString() };
}

/** The date of that time in this machine's calendar. */
export function dayOf(now: number): string {
  const date = new Date(now);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
}

export interface Taken {
  readonly currency: string;
  /** A decimal string; negative if more money went out than came in. */
  readonly amount: string;
}

/**
 * Money taken: sales and captures minus refunds and voids, by currency (docs/register-reference.md, totals.get).
 */
export function moneyTaken(rows: readonly TotalsRow[]): readonly Taken[] {
  const sums = new Map<string, number>();
  for (const { currency: code, type, amount } of rows) {
    const currency = currencyOf(code);
    const minor = currency && parseAmount(amount, currency);
    if (minor !== undefined) sums.set(code, (sums.get(code) ?? 0) + SIGNS[type] * minor);
  }
  return [...sums].map(([code, sum]) => {
    const amount = formatAmount(Math.abs(sum), currencyOf(code) ?? { decimals: 2 });
    return { currency: code, amount: sum < 0 ? `-${amount}` : amount };
  });
}

/** Money in, money out, and reservations. */
const ORDER: readonly TotalsRow["type"][] = [
  "SALE",
  "CAPTURE",
  "LINKED_REFUND",
  "REFUND",
  "VOID",
  "PREAUTHORIZATION",
  "INCREMENT",
  "REGISTRATION",
];

export function inOrder(rows: readonly TotalsRow[]): readonly TotalsRow[] {
  return rows.toSorted((one, other) => ORDER.indexOf(one.type) - ORDER.indexOf(other.type));
}

const SIGNS: Readonly<Record<TotalsRow["type"], -1 | 0 | 1>> = {
  ...{ SALE: 1, CAPTURE: 1 },
  ...{ LINKED_REFUND: -1, REFUND: -1, VOID: -1 },
  ...{ PREAUTHORIZATION: 0, INCREMENT: 0, REGISTRATION: 0 },
};
