import type { Minor } from "../kit/money.ts";
import type { FileRow } from "./file-row.ts";
import type { JournalBooking } from "./journal-booking.ts";
import { moneyText } from "./money-text.ts";

/** A disagreement between a row of the file and its booking. */
export interface Difference {
  readonly of: "amount" | "currency" | "type" | "cashflow" | "gateway id" | "settlement status" | "settlement amount";
  readonly file: string;
  readonly journal: string;
}

export function differencesOf(row: FileRow, booking: JournalBooking): readonly Difference[] {
  const { amount, settlement, transactionType, cashflow, gatewayId = booking.gatewayId } = row;
  const found: Difference[] = [];
  const compare = (of: Difference["of"], file: string, journal: string): void =>
    void (file !== journal && found.push({ of, file, journal }));
  if (booking.byOperator !== true) compare("gateway id", gatewayId, booking.gatewayId);
  compare("type", transactionType, booking.transactionType);
  compare("cashflow", cashflow, booking.cashflow);
  compare("currency", amount.currency, booking.currency);
  if (amount.minor !== booking.amount || amount.currency !== booking.currency) {
    compare("amount", moneyText(amount.minor, amount.currency), moneyText(booking.amount, booking.currency));
  }
  compare("settlement status", settlement.status, "SUCCESS");
  return [...found, ...differenceOfPayout(row, booking)];
}

/** A different amount is reported separately, so a payout that fits the row's own amount is not reported again. */
function differenceOfPayout(row: FileRow, { amount, currency }: JournalBooking): readonly Difference[] {
  const { settlement } = row;
  if (addsUp(row) || row.amount.currency !== currency || isPaidFor(amount, row)) return [];
  return [
    {
      of: "settlement amount",
      file: moneyText(settlement.amount.minor, currency),
      journal: moneyText(net(amount, row), currency),
    },
  ];
}

/**
 * Checks a row's amounts against each other. Another currency depends on the rate, which the file rounds to two places;
 * a failed settlement paid nothing.
 */
export function addsUp(row: FileRow): boolean {
  const { amount, settlement } = row;
  return (
    settlement.status === "FAILED" || settlement.amount.currency !== amount.currency || isPaidFor(amount.minor, row)
  );
}

/**
 * The payout is the amount with the fee, or the whole amount if fees are charged separately: the specification does not
 * say which.
 */
function isPaidFor(amount: Minor, row: FileRow): boolean {
  const { minor } = row.settlement.amount;
  return minor === amount || minor === net(amount, row);
}

/** The fee reduces money for the merchant, and adds to money from the merchant. */
function net(amount: Minor, { cashflow, settlement: { fee } }: FileRow): Minor {
  return cashflow === "POS" ? amount - fee : amount + fee;
}
