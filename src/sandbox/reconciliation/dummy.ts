import { currencyOf } from "../../kit/money.ts";
import type { Aggregation } from "./aggregation.ts";
import { madeId } from "./identifiers.ts";
import { feeOf } from "./settlement.ts";
import type { SettlementRecord } from "./settlement-record.ts";

/** The id that tenants' pages and public clients name for the gateway's own dummy data. */
const DUMMY_ID = "8a82944a4cc25ebf014cc2c782423202";
const DUMMY_DATE = "2015-08-02";
/** More than a page. */
const RECORDS = 120;

/** Gateway facts, 0: with testMode=INTERNAL the answer is dummy data, always the same: one payout of euros (or of the currency asked for), whatever is in the ledger. */
export function dummyAggregation(entityId: string, currencyCode: string, settlementDate = DUMMY_DATE): Aggregation | undefined {
  const currency = currencyOf(currencyCode);
  if (currency === undefined) return undefined;
  const records = Array.from({ length: RECORDS }, (_, at): SettlementRecord => {
    const id = madeId("dummy", String(at));
    const amount = 1000 + 7 * at;
    return {
      ...{ recordType: "SETTLED", transactionType: "DEBIT", cashflow: "POS", amount, fee: feeOf(amount) },
      ...{ entityId, currency, settlementDate, settlementId: madeId("dummy settlement", String(at)) },
      requestedAt: Date.parse(settlementDate) - 86_400_000 + at * 60_000,
      payment: {
        ...{ id, shortId: `0000.0000.${String(at).padStart(4, "0")}`, merchantTransactionId: `dummy-transaction-${at}`, brand: "VISA" },
        ...{ connectorTxIds: [], account: { is: "card", last4: "1111" } },
      },
    };
  });
  return { id: DUMMY_ID, entityId, settlementDate, currency, records };
}
