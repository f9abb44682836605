import { currencyOf } from "../../../../src/kit/money.ts";
import type { Aggregation } from "./aggregation.ts";
import { madeId } from "./identifiers.ts";
import { feeOf } from "./settlement.ts";
import type { SettlementRecord } from "./settlement-record.ts";

/** Id of the gateway's dummy data in tenants' pages and public clients. */
const DUMMY_ID = "8a82944a4cc25ebf014cc2c782423202";
const DUMMY_DATE = "2015-08-02";
/** More than one page. */
const RECORDS = 120;

/**
 * Gateway facts, 0: testMode=INTERNAL returns constant dummy data, independent of the ledger: one payout in euros or
 * the requested currency.
 */
export function dummyAggregation(
  entityId: string,
  currencyCode: string,
  settlementDate = DUMMY_DATE,
): Aggregation | undefined {
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
        ...{
          id,
          shortId: `0000.0000.${String(at).padStart(4, "0")}`,
          merchantTransactionId: `dummy-transaction-${at}`,
          brand: "VISA",
        },
        ...{ connectorTxIds: [], account: { is: "card", last4: "1111" } },
      },
    };
  });
  return { id: DUMMY_ID, entityId, settlementDate, currency, records };
}
