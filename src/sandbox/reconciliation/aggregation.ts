import type { Currency, Minor } from "../../kit/money.ts";
import { madeId } from "./identifiers.ts";
import { type SettlementRecord, settledAmount } from "./settlement-record.ts";

/** What one payout is made of: all records of one settlement date in one currency, the clearing institute's own fee last. */
export interface Aggregation {
  readonly id: string;
  readonly entityId: string;
  readonly settlementDate: string;
  readonly currency: Currency;
  readonly records: readonly SettlementRecord[];
}

/** For every payout: 0.20 (20 where the currency has no decimals). */
const PAYOUT_FEE: Minor = 20;

/** The payouts of these records, by date and then by currency. */
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
    ...{ entityId, settlementDate, currency, settlementId: madeId("fee", aggregation), requestedAt: Date.parse(settlementDate) },
  };
}

/** What the merchant is paid, minor units: negative where he owes. A sum of very many large amounts is more than a number holds exactly, hence bigint. */
export function payout(records: readonly SettlementRecord[]): bigint {
  return records.reduce((total, record) => total + BigInt(record.cashflow === "POS" ? settledAmount(record) : -settledAmount(record)), 0n);
}

/** All that the clearing institute keeps: what it takes off each record, and its records of type FEE. */
export function feesOf(records: readonly SettlementRecord[]): bigint {
  return records.reduce((total, { recordType, amount, fee }) => total + BigInt(recordType === "FEE" ? amount : fee), 0n);
}
