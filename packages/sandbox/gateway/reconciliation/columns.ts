import type { Currency } from "../../../../src/kit/money.ts";
import { textOf } from "../ledger/result-texts.ts";
import { madeId } from "./identifiers.ts";
import { type SettlementRecord, settledAmount } from "./settlement-record.ts";

/** This gateway's only clearing institute. */
export const CLEARING_INSTITUTE = { name: "Sandbox Acquirer", merchantId: "SANDBOX00000001" } as const;
const FILE_FORMAT = "SANDBOX_1";

interface Column {
  /** As in the file. */
  readonly name: string;
  /** JSON name; absent if the specification gives no API name, or a list. */
  readonly api?: string | ((record: SettlementRecord) => string);
  /** Empty if the record has no value. */
  of(record: SettlementRecord): string;
}

/** Specification, "Reconciliation file": the file's columns in order, then the two that only its mapping names. */
export const COLUMNS: readonly Column[] = [
  { name: "ReconciliationType", api: "recordType", of: ({ recordType }) => recordType },
  { name: "PaymentType", api: "transactionType", of: ({ transactionType }) => transactionType },
  { name: "Cashflow", api: "settlement.cashflow", of: ({ cashflow }) => cashflow },
  { name: "ClearingInstituteMerchantId", api: "clearingInstitute.merchantId", of: () => CLEARING_INSTITUTE.merchantId },
  { name: "MerchantAccountId", api: "merchantAccount.id", of: ({ entityId }) => entityId },
  { name: "MerchantAccountName", api: "merchantAccount.name", of: () => "Sandbox" },
  { name: "PspId", api: "pspEntityId", of: () => madeId("psp") },
  { name: "DivisionId", api: "divisionEntityId", of: () => madeId("division") },
  { name: "MerchantId", api: "merchantEntityId", of: ({ entityId }) => madeId("merchant", entityId) },
  { name: "SettlementTxId", api: "settlement.id", of: ({ settlementId }) => settlementId },
  { name: "UniqueID", api: "payment.id", of: ({ payment }) => payment?.id ?? "" },
  { name: "ShortId", of: ({ payment }) => payment?.shortId ?? "" },
  { name: "ConnectorTxId1", api: "clearingInstitute.txId1", of: ({ payment }) => payment?.connectorTxIds[0] ?? "" },
  { name: "ConnectorTxId2", api: "clearingInstitute.txId2", of: ({ payment }) => payment?.connectorTxIds[1] ?? "" },
  { name: "ConnectorTxId3", api: "clearingInstitute.txId3", of: ({ payment }) => payment?.connectorTxIds[2] ?? "" },
  { name: "Amount", api: "amount", of: ({ amount, currency }) => twoPlaces(BigInt(amount), currency) },
  { name: "Currency", api: "currency", of: ({ currency }) => currency.code },
  { name: "Brand", api: "paymentBrand", of: ({ payment }) => payment?.brand?.slice(0, 16) ?? "" },
  {
    name: "TxRequestTime",
    api: "presentmentDate",
    of: ({ requestedAt }) => new Date(requestedAt).toISOString().slice(0, 19).replace("T", " "),
  },
  {
    name: "SettlementAmount",
    api: "settlement.amount",
    of: (record) => twoPlaces(BigInt(settledAmount(record)), record.currency),
  },
  { name: "SettlementCurrency", api: "settlement.currency", of: ({ currency }) => currency.code },
  { name: "SettlementFee", api: "settlement.fee", of: ({ fee, currency }) => twoPlaces(BigInt(fee), currency) },
  { name: "SettlementFxRate", api: "settlement.fxRate", of: () => "1.00" },
  { name: "SettlementDate", api: "settlement.date", of: ({ settlementDate }) => settlementDate },
  { name: "SettlementStatus", api: "settlement.status", of: () => "SUCCESS" },
  { name: "Descriptor", api: "descriptor", of: ({ payment }) => payment?.descriptor?.slice(0, 128) ?? "" },
  {
    name: "AccountNumberLast4",
    api: (record) => `${accountOf(record)}.last4Digits`,
    of: ({ payment }) => payment?.account.last4 ?? "",
  },
  { name: "BankCode", api: "bankAccount.bankCode", of: ({ payment }) => payment?.account.bankCode?.slice(0, 12) ?? "" },
  {
    name: "AccountHolder",
    api: (record) => `${accountOf(record)}.holder`,
    of: ({ payment }) => payment?.account.holder?.slice(0, 128) ?? "",
  },
  { name: "ReasonCode", api: "result.code", of: ({ chargeback }) => chargeback?.reasonCode ?? "" },
  {
    name: "ReasonDesc",
    api: "result.description",
    of: ({ chargeback }) => textOf(chargeback?.reasonCode ?? "").slice(0, 128),
  },
  { name: "SettlementFileFormat", api: "settlement.format", of: () => FILE_FORMAT },
  { name: "ClearingInsitituteName", api: "clearingInstitute.name", of: () => CLEARING_INSTITUTE.name },
  { name: "MatchingStatus", of: ({ payment }) => (payment === undefined ? "" : "MATCHED") },
  { name: "MatchedTransactions", of: ({ payment }) => payment?.id ?? "" },
  { name: "ChargebackId", api: "chargebackTransaction.id", of: ({ chargeback }) => chargeback?.id ?? "" },
  { name: "TransactionId", api: "merchantTransactionId", of: transactionIdOf },
  { name: "InvoiceId", api: "merchantInvoiceId", of: ({ payment }) => payment?.merchantInvoiceId ?? "" },
];

/** Required in every record, 8 to 255 characters; default: the payment's id, else the record's. */
function transactionIdOf({ payment, settlementId }: SettlementRecord): string {
  return payment?.merchantTransactionId ?? payment?.id ?? settlementId;
}

function accountOf({ payment }: SettlementRecord): string {
  return payment?.account.is ?? "card";
}

/** Specification: "decimal 2 places" in every currency, so 1200 yen are "1200.00". Sums may be negative. */
export function twoPlaces(minor: bigint, { decimals }: Currency): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, "0");
  const text = decimals === 0 ? `${digits}.00` : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return minor < 0n ? `-${text}` : text;
}
