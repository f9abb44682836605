import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReconciliationFile } from "../../../src/reconcile/reconciliation-file.ts";

/** A row that is in order, by its columns. */
const GOOD = {
  ...{
    ReconciliationType: "SETTLED",
    PaymentType: "DEBIT",
    Cashflow: "POS",
    UniqueID: "a".repeat(32),
    TransactionId: "a-sale-1",
    ShortId: "1234.5678.9012",
  },
  ...{ Amount: "12.34", Currency: "EUR", SettlementAmount: "12.14", SettlementCurrency: "EUR", SettlementFee: "0.20" },
  ...{ SettlementDate: "2026-11-23", SettlementStatus: "SUCCESS" },
};
type Cells = Readonly<Record<string, string>>;

function fileOf(...rows: readonly Cells[]): string {
  const columns = Object.keys(rows[0] ?? GOOD);
  return [columns.join(";"), ...rows.map((row) => columns.map((column) => row[column] ?? "").join(";"))].join("\n");
}

const parsed = (text: string) => {
  const result = parseReconciliationFile(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.rows;
};
const problemsOf = (text: string) => {
  const result = parseReconciliationFile(text);
  return result.ok ? [] : result.problems.map(({ line, column = "-", problem }) => `${line} ${column}: ${problem}`);
};

describe("a reconciliation file", () => {
  it("is read by the names of its columns, in any order, with others among them", () => {
    const row = {
      ...{
        line: 2,
        recordType: "SETTLED",
        transactionType: "DEBIT",
        cashflow: "POS",
        gatewayId: "a".repeat(32),
        merchantTransactionId: "a-sale-1",
      },
      ...{ shortId: "1234.5678.9012", amount: { minor: 1234, currency: "EUR" } },
      settlement: { amount: { minor: 1214, currency: "EUR" }, fee: 20, date: "2026-11-23", status: "SUCCESS" },
    };
    expect(parsed(fileOf(GOOD))).toEqual([row]);
    expect(parsed(fileOf({ Unheard: "of", ...Object.fromEntries(Object.entries(GOOD).toReversed()), Of: "" }))).toEqual(
      [row],
    );
    expect(parsed(`\uFEFF${fileOf(GOOD).replaceAll("\n", "\r\n")}\r\n`)).toEqual([row]);
    const { TransactionId: _, ShortId: __, SettlementFee: ___, ...least } = GOOD;
    expect(parsed(fileOf({ ...least, UniqueID: "" }))).toMatchObject([{ line: 2, settlement: { fee: 0 } }]);
  });

  it("may have line breaks, semicolons and quotes in quoted values; lines are counted all the same", () => {
    const text = fileOf({ ...GOOD, Descriptor: '"one;\n""two""\nthree"' }, { ...GOOD, Descriptor: "plain" });
    expect(parsed(text).map(({ line }) => line)).toEqual([2, 5]);
  });

  it.each([
    ["\n", "\n"],
    ["\r\n", "\n"],
    ["\n", "\r\n"],
    ["\r\n", "\r\n"],
    ["\r", "\r"],
  ])(
    "may end its lines with %j and break quoted values with %j: they are counted as an editor counts them",
    (end, within) => {
      const [header = "", good = ""] = fileOf(GOOD).split("\n");
      const quoted = good.replace("1234.5678.9012", `"one${within}two"`);
      expect(parsed([header, quoted, "", good, good].join(end)).map(({ line }) => line)).toEqual([2, 5, 6]);
    },
  );

  it("may change the way in which its lines end, as a file does that was put together from several", () => {
    const [header = "", good = ""] = fileOf(GOOD).split("\n");
    for (const text of [`${header}\r\n${good}\n${good}\r\n`, `${header}\n${good}\r\n${good}\n`])
      expect(parsed(text).map(({ line }) => line)).toEqual([2, 3]);
  });

  it("may have blanks around the names of its columns, as around values", () => {
    expect(parsed(fileOf(GOOD).replace(";Amount;", "; Amount ;"))).toMatchObject([{ amount: { minor: 1234 } }]);
    expect(problemsOf(fileOf(GOOD).replace(";TransactionId;", "; Amount;"))).toEqual([
      "1 Amount: is in the header more than once",
    ]);
  });

  it.each([
    ["2026-11-23", true],
    ["2026-11-23 10:11:12", true],
    ["2026-11-23T10:11:12.345Z", true],
    ["2026-11-23T10:11:12+02:00", true],
    ["2026-11-23 rubbish", false],
    ["2026-11-23 24.11.2026", false],
    ["2026-11-233", false],
    ["20261123", false],
    ["11/23/2026", false],
  ])("takes the settlement date %j: %j", (SettlementDate, isTaken) => {
    expect(problemsOf(fileOf({ ...GOOD, SettlementDate })).length).toBe(isTaken ? 0 : 1);
  });

  it.each([
    ["1200.00", "JPY", 1200],
    ["1200", "JPY", 1200],
    ["1200", "EUR", 120_000],
    ["0.05", "EUR", 5],
    ["007.50", "EUR", 750],
    ["1.250", "BHD", undefined],
    ["1.25", "BHD", 125],
    ["1200.50", "JPY", undefined],
    ["12,34", "EUR", undefined],
    ["-12.34", "EUR", undefined],
    ["12.3", "EUR", undefined],
    ["1e3", "EUR", undefined],
    ["", "EUR", undefined],
  ])("takes the amount %j %s for %j", (Amount, Currency, minor) => {
    const result = parseReconciliationFile(fileOf({ ...GOOD, Amount, Currency }));
    expect(result.ok ? result.rows[0]?.amount.minor : undefined).toBe(minor);
  });

  it.each([
    [
      { ReconciliationType: "SETTELED" },
      "ReconciliationType",
      '"SETTELED" must be one of SETTLED, CHARGEBACK, CHARGEBACK REVERSAL, FEE',
    ],
    [{ PaymentType: "" }, "PaymentType", "is empty; it must be one of DEBIT, CREDIT, "],
    [{ Cashflow: "PLUS" }, "Cashflow", '"PLUS" must be one of POS, NEG'],
    [{ Amount: "12,34" }, "Amount", '"12,34" must be an amount of EUR with two decimals or none'],
    [
      { Amount: "12.50", Currency: "JPY" },
      "Amount",
      '"12.50" must be an amount of JPY, which has no decimals, such as 1200.00 or 1200',
    ],
    [{ Currency: "euro" }, "Currency", '"euro" must be three capital letters'],
    [{ SettlementFee: "x\u001B[31m" }, "SettlementFee", '"x?[31m" must be an amount'],
    [{ SettlementDate: "23.11.2026" }, "SettlementDate", '"23.11.2026" must be a date such as 2026-11-23'],
    [{ SettlementDate: "2026-02-30" }, "SettlementDate", "must be a date"],
    [{ SettlementStatus: "PENDING" }, "SettlementStatus", '"PENDING" must be one of SUCCESS, FAILED'],
  ])("with %j is refused by line and column", (change, column, problem) => {
    const [first, ...others] = problemsOf(fileOf(GOOD, { ...GOOD, ...change }));
    expect(first).toContain(`3 ${column}: `);
    expect(first).toContain(problem);
    expect(others).toEqual([]);
  });

  it.each([
    "ReconciliationType",
    "PaymentType",
    "Cashflow",
    "UniqueID",
    "Amount",
    "Currency",
    "SettlementAmount",
    "SettlementCurrency",
    "SettlementDate",
  ])("without the column %s is refused by that name", (missing) => {
    const rest = Object.fromEntries(Object.entries(GOOD).filter(([column]) => column !== missing));
    expect(problemsOf(fileOf(rest))).toEqual([`1 ${missing}: is missing from the header`]);
  });

  it.each([
    ["", "1 -: the file is empty"],
    [`${fileOf(GOOD).replace("ShortId", "UniqueID")}`, "1 UniqueID: is in the header more than once"],
    [`${fileOf(GOOD)};one more`, "2 -: does not have as many values as the header has columns"],
    [`${fileOf(GOOD)}\nSETTLED;DEBIT`, "3 -: does not have as many values"],
    [fileOf({ ...GOOD, ShortId: '"never closed' }), "-: has a quoted value that never ends"],
    [fileOf({ ...GOOD, ShortId: 'a"b' }), "2 -: has a quote in a value"],
    [fileOf({ ...GOOD, ShortId: '"a"b"' }), "2 -: has a quote in the middle"],
    [fileOf(GOOD).replaceAll(";", ","), "is missing from the header"],
  ])("that is no such CSV is refused: %#", (text, problem) => expect(problemsOf(text)[0]).toContain(problem));

  it("tells every problem, each once", () => {
    const problems = problemsOf(
      fileOf({ ...GOOD, Cashflow: "", SettlementCurrency: "eur" }, { ...GOOD, Amount: "much" }),
    );
    expect(problems.map((problem) => problem.split(":")[0])).toEqual([
      "2 Cashflow",
      "2 SettlementCurrency",
      "3 Amount",
    ]);
  });

  it("never throws, whatever it holds", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 200 }),
        fc.array(fc.constantFrom(...'SETTLED;"\n\r0123.,aé'), { maxLength: 60 }),
        (noise, pieces) => {
          expect(parseReconciliationFile(noise)).toHaveProperty("ok");
          expect(parseReconciliationFile(`${fileOf(GOOD)}\n${pieces.join("")}`)).toHaveProperty("ok");
        },
      ),
    );
  });
});
