import type { Cashflow, FileRow } from "./file-row.ts";
import type { Reconciliation } from "./match.ts";

/**
 * Totals of file and journal in one currency, minor units; negative: from the merchant. Sums may exceed exact numbers,
 * hence bigint.
 */
interface CurrencyTotals {
  readonly currency: string;
  /** All rows of type SETTLED. */
  readonly file: bigint;
  /** The journal's bookings of these rows, and those missing in the file. */
  readonly journal: bigint;
  /** file - journal; 0 means reconciled. */
  readonly difference: bigint;
  readonly chargebacks: bigint;
  /** Kept by the clearing institute: rows of type FEE, and the fee of every other row. */
  readonly fees: bigint;
  /** Payout of all successfully settled rows. Fees and payout are in the currency of the settlement. */
  readonly payout: bigint;
}

interface Signed {
  readonly currency: string;
  readonly minor: bigint;
}

/** One day's payment to the merchant's bank, to be found on its statement. Minor units of the payout's currency. */
interface Payout {
  readonly date: string;
  readonly currency: string;
  readonly rows: number;
  readonly fees: bigint;
  readonly payout: bigint;
}

/** By day, then by currency. */
export function payoutsOf(reconciliation: Reconciliation): readonly Payout[] {
  const groups = Map.groupBy(
    rowsOf(reconciliation),
    ({ settlement }) => `${settlement.date} ${settlement.amount.currency}`,
  );
  const payouts = [...groups].map(([name, rows]) => {
    const [date = "", currency = ""] = name.split(" ");
    return {
      date,
      currency,
      rows: rows.length,
      fees: sumOf(feesOf(rows), currency),
      payout: sumOf(paidOf(rows), currency),
    };
  });
  return payouts.toSorted((a, b) => (`${a.date} ${a.currency}` < `${b.date} ${b.currency}` ? -1 : 1));
}

/** Sorted by currency code. */
export function totalsOf(reconciliation: Reconciliation): readonly CurrencyTotals[] {
  const { matched, differing, missingThere } = reconciliation;
  const bookings = [...[...matched, ...differing].map(({ booking }) => booking), ...missingThere];
  const rows = rowsOf(reconciliation);
  const sides = {
    file: rows.filter(({ recordType }) => recordType === "SETTLED").map(amountOf),
    journal: bookings.map(({ cashflow, amount, currency }) => signed(cashflow, amount, currency)),
    chargebacks: rows
      .filter(({ recordType }) => recordType === "CHARGEBACK" || recordType === "CHARGEBACK REVERSAL")
      .map(amountOf),
    fees: feesOf(rows),
    payout: paidOf(rows),
  };
  const currencies = new Set(Object.values(sides).flatMap((all) => all.map(({ currency }) => currency)));
  return [...currencies].toSorted().map((currency) => {
    const [file, journal] = [sumOf(sides.file, currency), sumOf(sides.journal, currency)];
    const rest = {
      chargebacks: sumOf(sides.chargebacks, currency),
      fees: sumOf(sides.fees, currency),
      payout: sumOf(sides.payout, currency),
    };
    return { currency, file, journal, difference: file - journal, ...rest };
  });
}

/** Every row of the file. */
function rowsOf({ matched, differing, missingHere, chargebacks, fees }: Reconciliation): readonly FileRow[] {
  return [...[...matched, ...differing, ...missingHere, ...chargebacks].map(({ row }) => row), ...fees];
}

function amountOf({ cashflow, amount }: FileRow): Signed {
  return signed(cashflow, amount.minor, amount.currency);
}

/** A FEE row contributes its amount, every other row its deduction. */
function feesOf(rows: readonly FileRow[]): readonly Signed[] {
  return rows.map(({ recordType, amount, settlement }) =>
    recordType === "FEE"
      ? signed("POS", amount.minor, amount.currency)
      : signed("POS", settlement.fee, settlement.amount.currency),
  );
}

function paidOf(rows: readonly FileRow[]): readonly Signed[] {
  const paid = rows.filter(({ settlement }) => settlement.status === "SUCCESS");
  return paid.map(({ cashflow, settlement }) => signed(cashflow, settlement.amount.minor, settlement.amount.currency));
}

function signed(cashflow: Cashflow, minor: number, currency: string): Signed {
  return { currency, minor: BigInt(cashflow === "POS" ? minor : -minor) };
}

function sumOf(all: readonly Signed[], currency: string): bigint {
  return all.reduce((total, one) => (one.currency === currency ? total + one.minor : total), 0n);
}
