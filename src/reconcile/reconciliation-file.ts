import { CsvError, parse } from "csv-parse/sync";
import { z } from "zod";
import { currencyOf, type Minor } from "../kit/money.ts";
import {
  CASHFLOWS,
  type FileMoney,
  type FileRow,
  RECORD_TYPES,
  SETTLEMENT_STATUSES,
  TRANSACTION_TYPES,
} from "./file-row.ts";

/** Size limit: far above a year of one shop. */
export const MAX_FILE_BYTES = 64 * 1_048_576;
const MAX_ROWS = 200_000;

/** Longer than any value of the specification. */
const MAX_RECORD_CHARACTERS = 65_536;
const MAX_SHOWN = 40;
/** Nobody reads more at once. */
const MAX_PROBLEMS = 1000;

/** Specification, "Reconciliation file": the required columns that matching uses. Their values may not be empty. */
const REQUIRED = [
  ...["ReconciliationType", "PaymentType", "Cashflow", "Amount", "Currency"],
  ...["SettlementAmount", "SettlementCurrency", "SettlementDate", "SettlementStatus"],
] as const;
/** Required, but may be empty: the first key for matching. */
const ID_COLUMN = "UniqueID";

interface FileProblem {
  readonly line: number;
  readonly column?: string;
  readonly problem: string;
}

type FileParse =
  | { readonly ok: true; readonly rows: readonly FileRow[] }
  | { readonly ok: false; readonly problems: readonly FileProblem[] };

/**
 * The rows of a reconciliation file, or all its problems. Columns are found by their names in the header; others are
 * optional.
 */
export function parseReconciliationFile(text: string): FileParse {
  const rows: FileRow[] = [];
  const problems: FileProblem[] = [];
  let header: ReadonlyMap<string, number> | undefined;
  const broken = eachRecord(text, (cells, line) => {
    if (header === undefined) {
      const names = cells.map((name) => name.trim());
      header = new Map(names.map((name, column) => [name, column]));
      problems.push(...problemsOfHeader(names, line));
      return problems.length === 0;
    }
    const reader = cellReader(header, cells, line);
    const row = rowOf(line, reader);
    if (reader.problems.length > 0) problems.push(...reader.problems);
    else rows.push(row);
    if (rows.length > MAX_ROWS) problems.push({ line, problem: `is one more than ${MAX_ROWS} rows; split the file` });
    return rows.length <= MAX_ROWS && problems.length < MAX_PROBLEMS;
  });
  if (broken !== undefined) problems.push(broken);
  else if (header === undefined)
    problems.push({ line: 1, problem: "the file is empty; its first line must name the columns" });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, rows };
}

/**
 * Calls `take` with each record's cells and first line, until it returns false; returns the parse error. Line ends
 * become line feeds first: csv-parse counts CRLF as two lines, and expects the first line's end everywhere.
 */
function eachRecord(text: string, take: (cells: readonly string[], line: number) => boolean): FileProblem | undefined {
  let goesOn = true;
  const onRecord = (record: readonly string[], { lines }: { readonly lines: number }): null => {
    if (goesOn) goesOn = take(record, firstLine(lines, record));
    return null;
  };
  try {
    parse(text.replaceAll(/\r\n?/g, "\n"), {
      bom: true,
      delimiter: ";",
      skip_empty_lines: true,
      max_record_size: MAX_RECORD_CHARACTERS,
      on_record: onRecord,
    });
    return undefined;
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const { lines } = z.object({ lines: z.int().optional() }).parse(cause);
    return { line: lines ?? 1, problem: TEXTS[cause.code] ?? "is no semicolon-separated CSV" };
  }
}

const TEXTS: Readonly<Record<string, string>> = {
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: "does not have as many values as the header has columns",
  CSV_INVALID_CLOSING_QUOTE: "has a quote in the middle of a quoted value; a quote in a value is written twice",
  INVALID_OPENING_QUOTE: "has a quote in a value that does not begin with one",
  CSV_QUOTE_NOT_CLOSED: "has a quoted value that never ends",
  CSV_MAX_RECORD_SIZE: `is longer than ${MAX_RECORD_CHARACTERS} characters`,
};

/** csv-parse reports a record's last line; quoted line breaks must be subtracted. */
function firstLine(last: number, record: readonly string[]): number {
  return last - record.reduce((breaks, cell) => breaks + cell.split("\n").length - 1, 0);
}

function problemsOfHeader(cells: readonly string[], line: number): readonly FileProblem[] {
  const twice = cells.filter((name, at) => name !== "" && cells.indexOf(name) !== at);
  const missing = [...REQUIRED, ID_COLUMN].filter((name) => !cells.includes(name));
  return [
    ...missing.map((column) => ({ line, column, problem: "is missing from the header" })),
    ...twice.map((column) => ({ line, column, problem: "is in the header more than once" })),
  ];
}

interface CellReader {
  readonly problems: readonly FileProblem[];
  /** Empty if the cell or the whole column is missing. */
  text(column: string): string;
  oneOf<const T extends string>(column: string, values: readonly [T, ...T[]]): T;
  money(column: string, currencyColumn: string): FileMoney;
  date(column: string): string;
}

/** Reads the cells of one record and collects problems; a placeholder replaces each wrong value. */
function cellReader(header: ReadonlyMap<string, number>, cells: readonly string[], line: number): CellReader {
  const problems: FileProblem[] = [];
  const text = (column: string): string => cells[header.get(column) ?? -1]?.trim() ?? "";
  const wrong = (column: string, must: string): void => {
    const value = text(column);
    if (problems.some((one) => one.column === column)) return;
    problems.push({
      line,
      column,
      problem: value === "" ? `is empty; it must be ${must}` : `${shown(value)} must be ${must}`,
    });
  };
  return {
    problems,
    text,
    oneOf(column, values) {
      const value = values.find((one) => one === text(column));
      if (value === undefined) wrong(column, `one of ${values.join(", ")}`);
      return value ?? values[0];
    },
    money(column, currencyColumn) {
      const currency = text(currencyColumn);
      if (!/^[A-Z]{3}$/.test(currency)) wrong(currencyColumn, "three capital letters");
      const minor = minorOf(text(column), currency);
      if (minor === undefined) wrong(column, amountOf(currency));
      return { minor: minor ?? 0, currency };
    },
    date(column) {
      const [, day = ""] = DATE.exec(text(column)) ?? [];
      if (day === "" || !isDay(day)) wrong(column, "a date such as 2026-11-23");
      return day;
    },
  };
}

/** With or without a time of day. The zone does not matter: the day is the clearing institute's. */
const DATE =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?$/;

function isDay(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/**
 * Specification: "decimal 2 places". Without decimals, "1200.00" equals "1200", and a fraction is invalid. An
 * unsupported currency has the file's two places.
 */
function minorOf(text: string, currency: string): Minor | undefined {
  const [, whole, fraction = "00"] = /^([0-9]{1,12})(?:\.([0-9]{2}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  if (decimalsOf(currency) === 0) return fraction === "00" ? Number(whole) : undefined;
  return Number(whole + fraction);
}

function decimalsOf(currency: string): number {
  return currencyOf(currency)?.decimals ?? 2;
}

function amountOf(currency: string): string {
  return decimalsOf(currency) === 0
    ? `an amount of ${currency}, which has no decimals, such as 1200.00 or 1200`
    : `an amount of ${currency} with two decimals or none, such as 12.30`;
}

function rowOf(line: number, read: CellReader): FileRow {
  const [gatewayId, merchantTransactionId, shortId] = [ID_COLUMN, "TransactionId", "ShortId"].map(read.text);
  const [settlementId, reason, chargebackId] = ["SettlementTxId", "ReasonCode", "ChargebackId"].map(read.text);
  return {
    line,
    recordType: read.oneOf("ReconciliationType", RECORD_TYPES),
    transactionType: read.oneOf("PaymentType", TRANSACTION_TYPES),
    cashflow: read.oneOf("Cashflow", CASHFLOWS),
    ...(gatewayId && { gatewayId }),
    ...(merchantTransactionId && { merchantTransactionId }),
    ...(shortId && { shortId }),
    amount: read.money("Amount", "Currency"),
    settlement: {
      amount: read.money("SettlementAmount", "SettlementCurrency"),
      fee: read.text("SettlementFee") === "" ? 0 : read.money("SettlementFee", "SettlementCurrency").minor,
      date: read.date("SettlementDate"),
      status: read.oneOf("SettlementStatus", SETTLEMENT_STATUSES),
    },
    ...(settlementId && { settlementId }),
    ...(reason && { reason }),
    ...(chargebackId && { chargebackId }),
  };
}

/** For an error: short, without control characters. */
function shown(value: string): string {
  const plain = value.replace(/[^\x20-\x7E\u00A0-\uFFFF]/g, "?");
  return JSON.stringify(plain.length > MAX_SHOWN ? `${plain.slice(0, MAX_SHOWN)}...` : plain);
}
