import type { Currency, Minor } from "../../../../src/kit/money.ts";
import { madeId } from "./identifiers.ts";
import { type SettlementRecord, settledAmount } from "./settlement-record.ts";

/** One payout: all records of a settlement date and currency, with the clearing institute's payout fee last. */
export interface Aggregation {
  readonly id: string;
  readonly entityId: string;
  readonly settlementDate: string;
  readonly currency: Currency;
  readonly records: readonly SettlementRecord[];
}

/** Fee of each payout: 0.20 (20 in currencies without decimals). */
const PAYOUT_FEE: Minor = 20;

/** Payouts of these records, by date, then by currency. */
export function aggregationsOf(records: readonly SettlementRecord[]): readonly Aggregation[] {
  const groups = Map.groupBy(records, ({ settlementDate, currency }) => `${settlementDate} ${currency.code}`);
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, of]) => {
      const [first] = of;
      if (first === undefined) return [];
      const { entityId, settlementDate, currency } = first;
      const id = madeId("aggregation", entityId, settlementDate, currency.code);
      return [{ id, entityId, settlementDate, currency, records: [...of, payoutFee(id, first)] }];
    });
}

function payoutFee(aggregation: string, { entityId, settlementDate, currency }: SettlementRecord): SettlementRecord {
  return {
    ...{ recordType: "FEE", transactionType: "BATCH", cashflow: "NEG", amount: PAYOUT_FEE, fee: 0 },
    ...{
      entityId,
      settlementDate,
      currency,
      settlementId: madeId("fee", aggregation),
      requestedAt: Date.parse(settlementDate),
    },
  };
}

/** The merchant's payout, minor units; negative: the merchant owes it. Sums may exceed exact numbers, hence bigint. */
export function payout(records: readonly SettlementRecord[]): bigint {
  return records.reduce(
    (total, record) => total + BigInt(record.cashflow === "POS" ? settledAmount(record) : -settledAmount(record)),
    0n,
  );
}

/** All fees of the clearing institute: deductions from records, and FEE records. */
export function feesOf(records: readonly SettlementRecord[]): bigint {
  return records.reduce(
    (total, { recordType, amount, fee }) => total + BigInt(recordType === "FEE" ? amount : fee),
    0n,
  );
}
