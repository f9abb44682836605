import type { Currency, Minor } from "../../kit/money.ts";

/** The payment that a record is of, as far as the clearing institute and the gateway know it. */
export interface SettledPayment {
  readonly id: string;
  readonly shortId: string;
  readonly merchantTransactionId?: string | undefined;
  readonly merchantInvoiceId?: string | undefined;
  readonly brand?: string | undefined;
  readonly descriptor?: string | undefined;
  /** Up to three. */
  readonly connectorTxIds: readonly string[];
  readonly account: {
    readonly is: "card" | "bankAccount";
    readonly last4?: string | undefined;
    readonly holder?: string | undefined;
    readonly bankCode?: string | undefined;
  };
}

/** One line of the clearing institute's file (specification, "Reconciliation file"). Amounts in minor units, never negative: `cashflow` is the sign. */
export interface SettlementRecord {
  readonly recordType: "SETTLED" | "CHARGEBACK" | "CHARGEBACK REVERSAL" | "FEE";
  readonly transactionType: "DEBIT" | "CREDIT" | "REFUND" | "BATCH";
  /** POS: the merchant gets it. */
  readonly cashflow: "POS" | "NEG";
  /** 32 hexadecimal digits, of this record alone. */
  readonly settlementId: string;
  readonly entityId: string;
  readonly amount: Minor;
  /** What the clearing institute keeps of it. */
  readonly fee: Minor;
  readonly currency: Currency;
  /** "2026-11-23". */
  readonly settlementDate: string;
  /** Epoch milliseconds: when the payment was made. */
  readonly requestedAt: number;
  /** Absent on a fee for the whole payout. */
  readonly payment?: SettledPayment;
  readonly chargeback?: { readonly id: string; readonly reasonCode: string };
}

/** What the merchant gets (or gives back) for it once the fee is off. */
export function settledAmount({ amount, fee }: Pick<SettlementRecord, "amount" | "fee">): Minor {
  return amount - fee;
}
