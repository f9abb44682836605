import type { Currency, Minor } from "../../../../src/kit/money.ts";

/** The payment of a record, as clearing institute and gateway know it. */
export interface SettledPayment {
  readonly id: string;
  readonly shortId: string;
  readonly merchantTransactionId?: string | undefined;
  readonly merchantInvoiceId?: string | undefined;
  readonly brand?: string | undefined;
  readonly descriptor?: string | undefined;
  /** At most three. */
  readonly connectorTxIds: readonly string[];
  readonly account: {
    readonly is: "card" | "bankAccount";
    readonly last4?: string | undefined;
    readonly holder?: string | undefined;
    readonly bankCode?: string | undefined;
  };
}

/**
 * One line of the clearing institute's file (specification, "Reconciliation file"). Amounts are minor units, never
 * negative; `cashflow` gives the sign.
 */
export interface SettlementRecord {
  readonly recordType: "SETTLED" | "CHARGEBACK" | "CHARGEBACK REVERSAL" | "FEE";
  readonly transactionType: "DEBIT" | "CREDIT" | "REFUND" | "BATCH";
  /** POS: the merchant receives it. */
  readonly cashflow: "POS" | "NEG";
  /** 32 hexadecimal digits, unique to the record. */
  readonly settlementId: string;
  readonly entityId: string;
  readonly amount: Minor;
  /** The clearing institute's fee. */
  readonly fee: Minor;
  readonly currency: Currency;
  /** "2026-11-23". */
  readonly settlementDate: string;
  /** Epoch milliseconds of the payment. */
  readonly requestedAt: number;
  /** Absent for a fee on the whole payout. */
  readonly payment?: SettledPayment;
  readonly chargeback?: { readonly id: string; readonly reasonCode: string };
}

/** Net amount after the fee. */
export function settledAmount({ amount, fee }: Pick<SettlementRecord, "amount" | "fee">): Minor {
  return amount - fee;
}
