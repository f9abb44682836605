import type { FileRow } from "./file-row.ts";
import type { JournalBooking } from "./journal-booking.ts";
import type { Pair, Reconciliation } from "./match.ts";
import { moneyText } from "./money-text.ts";
import { payoutsOf, totalsOf } from "./totals.ts";

/** Number of rows and bookings that disagree; the command's exit code depends on it. */
export function differencesIn({ differing, missingHere, missingThere }: Reconciliation): number {
  return differing.length + missingHere.length + missingThere.length;
}

/** The reconciliation for --json: amounts as decimal strings with the currency's own decimals. */
export function reportJson(reconciliation: Reconciliation): object {
  const { period, matched, differing, missingHere, missingThere, chargebacks, fees } = reconciliation;
  return {
    reconciled: differencesIn(reconciliation) === 0,
    period,
    counts: {
      ...{
        matched: matched.length,
        differing: differing.length,
        missingHere: missingHere.length,
        missingThere: missingThere.length,
      },
      ...{ chargebacks: chargebacks.length, fees: fees.length },
    },
    matched: matched.map(pairJson),
    differing: differing.map(({ differences, ...pair }) => ({ ...pairJson(pair), differences })),
    missingHere: missingHere.map(({ row, note }) => ({ ...rowJson(row), note })),
    missingThere: missingThere.map(bookingJson),
    chargebacks: chargebacks.map(({ row, booking }) => ({
      ...rowJson(row),
      ...(booking && { journal: bookingJson(booking) }),
    })),
    fees: fees.map(rowJson),
    totals: totalsOf(reconciliation).map(({ currency, ...sums }) => ({ currency, ...moneyTexts(sums, currency) })),
    payouts: payoutsOf(reconciliation).map(({ date, currency, rows, ...sums }) => ({
      date,
      currency,
      rows,
      ...moneyTexts(sums, currency),
    })),
  };
}

function moneyTexts(sums: Readonly<Record<string, bigint>>, currency: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(sums).map(([name, minor]) => [name, moneyText(minor, currency)]));
}

function pairJson({ row, booking }: Pair): object {
  return { file: rowJson(row), journal: bookingJson(booking) };
}

function rowJson({ amount, settlement, ...row }: FileRow): object {
  const { currency } = settlement.amount;
  return {
    ...row,
    ...{ amount: moneyText(amount.minor, amount.currency), currency: amount.currency },
    settlement: {
      ...{ amount: moneyText(settlement.amount.minor, currency), currency, fee: moneyText(settlement.fee, currency) },
      ...{ date: settlement.date, status: settlement.status },
    },
  };
}

function bookingJson({ amount, currency, intendedAt, knownAt: _, ...booking }: JournalBooking): object {
  return { ...booking, amount: moneyText(amount, currency), currency, at: new Date(intendedAt).toISOString() };
}

/** One line of the printed table. */
export interface Finding {
  readonly isDifference: boolean;
  readonly cells: readonly string[];
}

export const FINDING_HEADINGS = [
  "WHAT",
  "LINE",
  "REFERENCE",
  "GATEWAY ID",
  "TYPE",
  "AMOUNT",
  "CURRENCY",
  "REMARK",
] as const;

/** Lines for people: differences first, then chargebacks. */
export function findingsOf({ differing, missingHere, missingThere, chargebacks }: Reconciliation): readonly Finding[] {
  return [
    ...differing.map(({ row, booking, differences }) => {
      const what = differences.some(({ of }) => of === "amount") ? "amount differs" : "differs";
      const remark = differences.map(({ of, file, journal }) => `${of}: file ${file}, journal ${journal}`).join("; ");
      return { isDifference: true, cells: [what, ...rowCells(row, booking, remark)] };
    }),
    ...missingHere.map(({ row, note }) => ({
      isDifference: true,
      cells: ["missing here", ...rowCells(row, undefined, note)],
    })),
    ...missingThere.map((booking) => ({ isDifference: true, cells: ["missing there", ...bookingCells(booking)] })),
    ...chargebacks.map(({ row, booking }) => ({
      isDifference: false,
      cells: [row.recordType.toLowerCase(), ...rowCells(row, booking, row.reason ?? "")],
    })),
  ];
}

function rowCells(row: FileRow, booking: JournalBooking | undefined, remark: string): readonly string[] {
  const { line, gatewayId = "-", transactionType, amount } = row;
  return [
    String(line),
    booking?.reference ?? "-",
    gatewayId,
    transactionType,
    moneyText(amount.minor, amount.currency),
    amount.currency,
    remark,
  ];
}

function bookingCells({
  reference,
  gatewayId,
  transactionType,
  amount,
  currency,
  intendedAt,
}: JournalBooking): readonly string[] {
  return [
    "-",
    reference,
    gatewayId,
    transactionType,
    moneyText(amount, currency),
    currency,
    `booked ${new Date(intendedAt).toISOString()}`,
  ];
}

export const TOTAL_HEADINGS = ["CURRENCY", "FILE", "JOURNAL", "DIFFERENCE", "CHARGEBACKS", "FEES", "PAYOUT"] as const;

export function totalCells(reconciliation: Reconciliation): readonly (readonly string[])[] {
  return totalsOf(reconciliation).map(({ currency, file, journal, difference, chargebacks, fees, payout }) => [
    currency,
    ...[file, journal, difference, chargebacks, fees, payout].map((minor) => moneyText(minor, currency)),
  ]);
}

export const PAYOUT_HEADINGS = ["PAID OUT ON", "CURRENCY", "ROWS", "FEES", "PAYOUT"] as const;

export function payoutCells(reconciliation: Reconciliation): readonly (readonly string[])[] {
  return payoutsOf(reconciliation).map(({ date, currency, rows, fees, payout }) => [
    ...[date, currency, String(rows), moneyText(fees, currency), moneyText(payout, currency)],
  ]);
}
