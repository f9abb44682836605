import type { Minor } from "../kit/money.ts";

/** Specification, "Reconciliation file", ReconciliationType and PaymentType. */
export const RECORD_TYPES = ["SETTLED", "CHARGEBACK", "CHARGEBACK REVERSAL", "FEE"] as const;
export const TRANSACTION_TYPES = [
  ...["DEBIT", "CREDIT", "REFUND", "BATCH", "MONTHLY", "SUBMERCHANT", "PAYMENT_FACILITATOR"],
  ...["AUTH_FEE", "CAPTURE_FEE", "CANCEL_FEE", "REFUND_FEE"],
] as const;
/** POS: to the merchant; NEG: from the merchant. */
export const CASHFLOWS = ["POS", "NEG"] as const;
export const SETTLEMENT_STATUSES = ["SUCCESS", "FAILED"] as const;

export type Cashflow = (typeof CASHFLOWS)[number];

/**
 * Money in the file, in the currency's smallest unit (hundredths for an unsupported currency). Never negative: the
 * cashflow is its sign.
 */
export interface FileMoney {
  readonly minor: Minor;
  readonly currency: string;
}

/** One line of the gateway's reconciliation file, as far as matching needs it. */
export interface FileRow {
  /** In the file, counted from 1; the first line if a quoted value has several. */
  readonly line: number;
  readonly recordType: (typeof RECORD_TYPES)[number];
  readonly transactionType: string;
  readonly cashflow: Cashflow;
  /** UniqueID, TransactionId and ShortId. */
  readonly gatewayId?: string;
  readonly merchantTransactionId?: string;
  readonly shortId?: string;
  readonly amount: FileMoney;
  readonly settlement: {
    readonly amount: FileMoney;
    /** Deduction of the clearing institute; in the currency of the settlement. */
    readonly fee: Minor;
    /** "2026-11-23", in the clearing institute's time zone. */
    readonly date: string;
    readonly status: (typeof SETTLEMENT_STATUSES)[number];
  };
  /** SettlementTxId: unique to this record. */
  readonly settlementId?: string;
  /** ReasonCode and ChargebackId, of a chargeback. */
  readonly reason?: string;
  readonly chargebackId?: string;
}
