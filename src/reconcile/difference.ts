import type { Minor } from "../kit/money.ts";
import type { FileRow } from "./file-row.ts";
import type { JournalBooking } from "./journal-booking.ts";
import { moneyText } from "./money-text.ts";

/** In what a row of the file and the booking that it is of do not agree. */
export interface Difference {
  readonly of: "amount" | "currency" | "type" | "cashflow" | "gateway id" | "settlement status" | "settlement amount";
  readonly file: string;
  readonly journal: string;
}

export function differencesOf(row: FileRow, booking: JournalBooking): readonly Difference[] {
  const { amount, settlement, transactionType, cashflow, gatewayId = booking.gatewayId } = row;
  const found: Difference[] = [];
  const compare = (of: Difference["of"], file: string, journal: string): void => void (file !== journal && found.push({ of, file, journal }));
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

/** An amount that differs is told by itself, and what fits the row's own amount is not told once more here. */
function differenceOfPayout(row: FileRow, { amount, currency }: JournalBooking): readonly Difference[] {
  const { settlement } = row;
  if (addsUp(row) || row.amount.currency !== currency || isPaidFor(amount, row)) return [];
  return [{ of: "settlement amount", file: moneyText(settlement.amount.minor, currency), journal: moneyText(net(amount, row), currency) }];
}

/**
 * Whether a row's own amounts fit each other. In another currency than the amount's the rate decides, which the file rounds to two places; and a settlement that failed
 * paid nothing.
 */
export function addsUp(row: FileRow): boolean {
  const { amount, settlement } = row;
  return settlement.status === "FAILED" || settlement.amount.currency !== amount.currency || isPaidFor(amount.minor, row);
}

/** What is paid out is the amount with the fee, or the whole amount where fees are taken elsewhere: the specification does not say which. */
function isPaidFor(amount: Minor, row: FileRow): boolean {
  const { minor } = row.settlement.amount;
  return minor === amount || minor === net(amount, row);
}

/** Less the fee; of what goes back, and the fee. */
function net(amount: Minor, { cashflow, settlement: { fee } }: FileRow): Minor {
  return cashflow === "POS" ? amount - fee : amount + fee;
}
