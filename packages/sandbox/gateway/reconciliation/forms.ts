import type { Json } from "../exchange.ts";
import { type Aggregation, feesOf, payout } from "./aggregation.ts";
import { CLEARING_INSTITUTE, COLUMNS, twoPlaces } from "./columns.ts";
import type { SettlementRecord } from "./settlement-record.ts";

/**
 * Specification, "Reconciliation file": semicolons, header line, UTF-8, line feeds; quoting by RFC 4180. Values that
 * spreadsheets take for formulas stay unchanged: the specification escapes nothing.
 */
export function csvOf(records: readonly SettlementRecord[]): string {
  const lines = [
    COLUMNS.map(({ name }) => name),
    ...records.map((record) => COLUMNS.map((column) => quoted(column.of(record)))),
  ];
  return lines.map((cells) => `${cells.join(";")}\n`).join("");
}

function quoted(value: string): string {
  return /[;"\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** One record under API names, without empty values. */
export function recordJson(record: SettlementRecord): Json {
  const groups: Record<string, Record<string, string>> = {};
  const plain: Record<string, string> = {};
  for (const { api, of } of COLUMNS) {
    const value = of(record);
    const [group = "", name] = (typeof api === "function" ? api(record) : api)?.split(".") ?? [];
    if (group === "" || value === "") continue;
    if (name === undefined) plain[group] = value;
    else groups[group] = { ...groups[group], [name]: value };
  }
  const { payment } = record;
  return {
    ...plain,
    ...groups,
    ...(payment && { matchedTransactions: { status: "MATCHED", payment: [{ id: payment.id }] } }),
  };
}

/** One payout in the summary. */
export function aggregationJson({ id, settlementDate, currency, records }: Aggregation): Json {
  return {
    id,
    clearingInstitute: CLEARING_INSTITUTE,
    settlement: {
      date: settlementDate,
      currency: currency.code,
      amount: twoPlaces(payout(records), currency),
      fee: twoPlaces(feesOf(records), currency),
    },
    count: records.length,
  };
}
