import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Booking } from "../../../packages/sandbox/gateway/ledger/booking.ts";
import { aggregationsOf, feesOf, payout } from "../../../packages/sandbox/gateway/reconciliation/aggregation.ts";
import { csvOf } from "../../../packages/sandbox/gateway/reconciliation/forms.ts";
import { feeOf, settlements } from "../../../packages/sandbox/gateway/reconciliation/settlement.ts";
import { type Bench, bench } from "./bench.ts";
import { ENTITY, TOKEN } from "./simulated-till.ts";

/** Specification, "Reconciliation file": its columns in order, and the two that "also occur". */
const HEADER =
  "ReconciliationType;PaymentType;Cashflow;ClearingInstituteMerchantId;MerchantAccountId;MerchantAccountName;PspId;DivisionId;MerchantId;SettlementTxId;UniqueID;ShortId;" +
  "ConnectorTxId1;ConnectorTxId2;ConnectorTxId3;Amount;Currency;Brand;TxRequestTime;SettlementAmount;SettlementCurrency;SettlementFee;SettlementFxRate;SettlementDate;" +
  "SettlementStatus;Descriptor;AccountNumberLast4;BankCode;AccountHolder;ReasonCode;ReasonDesc;SettlementFileFormat;ClearingInsitituteName;MatchingStatus;" +
  "MatchedTransactions;ChargebackId;TransactionId;InvoiceId";

const at = (time: string): number => Date.parse(`${time}Z`);
const id = (digit: string): string => digit.repeat(32);

function row(name: string, paymentType: Booking["paymentType"], time: string, changes: Partial<Booking> = {}): Booking {
  return {
    ...{ id: id(name), entityId: ENTITY, paymentType, amount: 1000, currency: "EUR", testMode: "INTERNAL" },
    ...{ resultCode: "000.100.110", answeredCode: "000.100.110", receivedAt: at(time), parameters: {}, issuer: {} },
    ...changes,
  };
}

const told = (ledger: readonly Booking[], now = "2026-12-31 00:00:00") =>
  settlements(ledger, ENTITY, at(now)).map(
    ({ recordType, transactionType, cashflow, amount, settlementDate, payment }) => [
      ...[recordType, transactionType, cashflow, amount, settlementDate, payment?.id[0]],
    ],
  );

describe("what the clearing institute settles", () => {
  test("is what moved money: debits, captures, rebills, credits, refunds, chargebacks and what reverses them", () => {
    const day = "2026-11-18 12:00:00";
    const ledger = [
      row("1", "PA", day),
      row("2", "CP", day, { referencedId: id("1"), amount: 700 }),
      row("3", "DB", day),
      row("4", "RB", day, { referencedId: id("3"), amount: 50 }),
      row("5", "CD", day, { amount: 20 }),
      row("6", "RF", day, { referencedId: id("3"), amount: 30 }),
      row("7", "CB", day, {
        referencedId: id("2"),
        amount: 700,
        resultCode: "000.100.203",
        parameters: { chargebackResultCode: "000.100.203" },
      }),
      row("8", "CR", day, { referencedId: id("7"), amount: 700 }),
      row("9", "DB", day, { resultCode: "800.100.152" }),
      row("a", "DB", day, { entityId: id("e") }),
      row("b", "RG", day),
    ];
    expect(told(ledger)).toEqual([
      ["SETTLED", "DEBIT", "POS", 700, "2026-11-19", "2"],
      ["SETTLED", "DEBIT", "POS", 1000, "2026-11-19", "3"],
      ["SETTLED", "DEBIT", "POS", 50, "2026-11-19", "4"],
      ["SETTLED", "CREDIT", "NEG", 20, "2026-11-19", "5"],
      ["SETTLED", "REFUND", "NEG", 30, "2026-11-19", "6"],
      ["CHARGEBACK", "DEBIT", "NEG", 700, "2026-11-19", "2"],
      ["CHARGEBACK REVERSAL", "DEBIT", "POS", 700, "2026-11-19", "2"],
    ]);
    const charged = settlements(ledger, ENTITY, at("2026-12-31 00:00:00")).flatMap(
      ({ chargeback }) => chargeback ?? [],
    );
    expect(charged).toEqual([
      { id: id("7"), reasonCode: "000.100.203" },
      { id: id("8"), reasonCode: "000.100.203" },
    ]);
  });

  test.each([
    ["2026-11-18 23:59:59", "2026-11-19"],
    ["2026-11-20 00:00:00", "2026-11-23"],
    ["2026-11-21 10:00:00", "2026-11-23"],
    ["2026-11-22 23:59:59", "2026-11-23"],
    ["2026-11-23 00:00:00", "2026-11-24"],
  ])("of %s is paid out on the next business day, %s, and is not in the books before", (booked, settled) => {
    const ledger = [row("1", "DB", booked)];
    expect(told(ledger)).toEqual([["SETTLED", "DEBIT", "POS", 1000, settled, "1"]]);
    expect(told(ledger, `${settled} 00:00:00`)).toHaveLength(1);
    expect(settlements(ledger, ENTITY, at(`${settled} 00:00:00`) - 1)).toEqual([]);
  });

  test("leaves out what was reversed the same day, wholly or in part, and has a later reversal as a line of its own", () => {
    const same = { referencedId: id("1"), amount: 400 };
    expect(told([row("1", "CP", "2026-11-18 12:00:00"), row("2", "RV", "2026-11-18 13:00:00", same)])).toEqual([
      ["SETTLED", "DEBIT", "POS", 600, "2026-11-19", "1"],
    ]);
    expect(
      told([row("1", "CP", "2026-11-18 12:00:00"), row("2", "RV", "2026-11-18 13:00:00", { ...same, amount: 1000 })]),
    ).toEqual([]);
    expect(told([row("1", "CP", "2026-11-18 23:00:00"), row("2", "RV", "2026-11-19 01:00:00", same)])).toEqual([
      ["SETTLED", "DEBIT", "POS", 1000, "2026-11-19", "1"],
      ["SETTLED", "REFUND", "NEG", 400, "2026-11-20", "2"],
    ]);
    expect(told([row("1", "PA", "2026-11-18 23:00:00"), row("2", "RV", "2026-11-19 01:00:00", same)])).toEqual([]);
    expect(told([row("1", "CD", "2026-11-18 23:00:00"), row("2", "RV", "2026-11-19 01:00:00", same)])).toEqual([
      ["SETTLED", "CREDIT", "NEG", 1000, "2026-11-19", "1"],
      ["SETTLED", "REFUND", "POS", 400, "2026-11-20", "2"],
    ]);
  });

  test("has no line for giving back what an issuer held although it declined", () => {
    const declined = row("1", "DB", "2026-11-18 23:00:00", { resultCode: "800.100.192" });
    expect(told([declined, row("2", "RV", "2026-11-19 01:00:00", { referencedId: id("1") })])).toEqual([]);
  });

  test("counts what waited for somebody from when it was decided, and a receipt only where it is the payment itself", () => {
    const waited = row("1", "DB", "2026-11-18 12:00:00", {
      interim: { resultCode: "000.200.000", until: at("2026-11-19 12:00:00") },
    });
    expect(told([waited])).toEqual([["SETTLED", "DEBIT", "POS", 1000, "2026-11-20", "1"]]);
    expect(told([waited], "2026-11-19 11:00:00")).toEqual([]);
    const received = [
      row("1", "PA", "2026-11-18 12:00:00"),
      row("2", "RC", "2026-11-18 12:00:00", { referencedId: id("1") }),
    ];
    expect(told(received)).toEqual([["SETTLED", "DEBIT", "POS", 1000, "2026-11-19", "2"]]);
    expect(
      told([row("1", "DB", "2026-11-18 12:00:00"), row("2", "RC", "2026-11-18 12:00:00", { referencedId: id("1") })]),
    ).toHaveLength(1);
  });

  test.each([
    [1000, 17],
    [1234, 20],
    [2042, 30],
    [1, 1],
    [5, 5],
    [6, 5],
    [999_999_999_999, 12_000_000_005],
  ])("keeps of %i: %i", (amount, fee) => expect(feeOf(amount)).toBe(fee));
});

describe("the laws of settling", () => {
  const DAY_MS = 86_400_000;
  const start = at("2026-11-16 00:00:00");
  /** A ledger in order of time: debits and credits, and reversals of part of one of those before. */
  const ledgers = fc
    .array(
      fc.record({
        type: fc.constantFrom("DB", "CP", "CD", "RF", "RV"),
        of: fc.nat(),
        after: fc.nat(DAY_MS),
        amount: fc.integer({ min: 1, max: 9999 }),
      }),
      {
        maxLength: 30,
      },
    )
    .map((drawn) => {
      const ledger: Booking[] = [];
      let now = start;
      for (const [n, { type, of, after, amount }] of drawn.entries()) {
        now += after;
        const time = new Date(now).toISOString().slice(0, 19).replace("T", " ");
        const parents = ledger.filter(
          ({ paymentType }) => paymentType === "DB" || paymentType === "CP" || paymentType === "CD",
        );
        const parent = parents[of % Math.max(1, parents.length)];
        const left =
          (parent?.amount ?? 0) -
          ledger.reduce(
            (sum, one) => (one.referencedId === parent?.id && one.paymentType === "RV" ? sum + (one.amount ?? 0) : sum),
            0,
          );
        const name = n.toString(16).padStart(32, "0");
        if (type !== "RV") ledger.push(row("0", type, time, { id: name, amount }));
        else if (parent !== undefined && left > 0)
          ledger.push(row("0", "RV", time, { id: name, amount: Math.min(left, amount), referencedId: parent.id }));
      }
      return ledger;
    });
  const end = start + 60 * DAY_MS;
  const net = (records: ReturnType<typeof settlements>): number =>
    records.reduce((sum, { cashflow, amount }) => sum + (cashflow === "POS" ? amount : -amount), 0);

  test("all files together come to what the ledger comes to, to the cent", () => {
    fc.assert(
      fc.property(ledgers, (ledger) => {
        const sign = ({ paymentType }: Booking): number => (paymentType === "CD" || paymentType === "RF" ? -1 : 1);
        const total = ledger.reduce((sum, one) => {
          const of = one.paymentType === "RV" ? ledger.find(({ id: own }) => own === one.referencedId) : undefined;
          return sum + (of === undefined ? sign(one) : -sign(of)) * (one.amount ?? 0);
        }, 0);
        expect(net(settlements(ledger, ENTITY, end))).toBe(total);
      }),
    );
  });

  test("a file once made never changes, whatever is booked later", () => {
    fc.assert(
      fc.property(ledgers, fc.nat(40), (ledger, days) => {
        const now = start + days * DAY_MS;
        const then = settlements(
          ledger.filter(({ receivedAt }) => receivedAt < now),
          ENTITY,
          now,
        );
        const today = new Date(now).toISOString().slice(0, 10);
        expect(settlements(ledger, ENTITY, end).filter(({ settlementDate }) => settlementDate <= today)).toEqual(then);
      }),
    );
  });
});

describe("a payout", () => {
  const records = settlements(
    [
      row("1", "DB", "2026-11-18 12:00:00", { amount: 10_000 }),
      row("2", "RF", "2026-11-18 12:00:00", { amount: 2500, referencedId: id("1") }),
      row("3", "DB", "2026-11-18 12:00:00", { amount: 1200, currency: "JPY" }),
      row("4", "DB", "2026-11-19 12:00:00", { amount: 10 }),
    ],
    ENTITY,
    at("2026-12-31 00:00:00"),
  );

  test("is all of one date and currency, less the fees, the payout's own among them", () => {
    const found = aggregationsOf(records).map((one) => [
      one.settlementDate,
      one.currency.code,
      one.records.length,
      payout(one.records),
      feesOf(one.records),
    ]);
    expect(found).toEqual([
      ["2026-11-19", "EUR", 3, 10_000n - 125n - 2500n - 20n, 145n],
      ["2026-11-19", "JPY", 2, 1200n - 19n - 20n, 39n],
      ["2026-11-20", "EUR", 2, 10n - 5n - 20n, 25n],
    ]);
    expect(aggregationsOf(records).map(({ id: own }) => own)).toEqual(
      aggregationsOf(records.toReversed()).map(({ id: own }) => own),
    );
  });

  test("in the file has two decimals in every currency, and the columns of the specification in their order", () => {
    const [header, ...lines] = csvOf(records).trimEnd().split("\n");
    expect(header).toBe(HEADER);
    const cells = lines.map((line) =>
      Object.fromEntries(line.split(";").map((cell, column) => [HEADER.split(";")[column], cell])),
    );
    expect(cells[2]).toMatchObject({
      Amount: "1200.00",
      Currency: "JPY",
      SettlementAmount: "1181.00",
      SettlementFee: "19.00",
      SettlementFxRate: "1.00",
    });
    expect(cells[0]).toMatchObject({
      UniqueID: id("1"),
      TxRequestTime: "2026-11-18 12:00:00",
      SettlementDate: "2026-11-19",
      MatchingStatus: "MATCHED",
    });
  });

  test("names the account of each payment: its own, or that of what it refers to", () => {
    const card = (last4Digits: string): Partial<Booking> => ({ issuer: { card: { last4Digits } } });
    const day = "2026-11-18 12:00:00";
    const ledger = [
      row("1", "PA", day, card("1111")),
      row("2", "CP", day, { referencedId: id("1") }),
      row("3", "RF", day, { referencedId: id("2") }),
      row("4", "SD", day),
      row("5", "DB", day, { referencedId: id("4"), ...card("5555") }),
    ];
    const accounts = settlements(ledger, ENTITY, at("2026-12-31 00:00:00")).map(
      ({ payment }) => payment?.account.last4,
    );
    expect(accounts).toEqual(["1111", "1111", "5555"]);
  });

  test("gives every record a TransactionId of 8 to 255 characters: the merchant's, or the gateway's own id where he gave none", () => {
    const [header = "", ...lines] = csvOf(aggregationsOf(records).flatMap((one) => one.records))
      .trimEnd()
      .split("\n");
    const column = header.split(";").indexOf("TransactionId");
    const names = lines.map((line) => line.split(";")[column] ?? "");
    expect(names.every((name) => name.length >= 8)).toBe(true);
    expect(names.slice(0, 2)).toEqual([id("1"), id("2")]);
    const named = csvOf(
      settlements(
        [row("1", "DB", "2026-11-18 12:00:00", { merchantTransactionId: "order-4711" })],
        ENTITY,
        at("2026-12-31 00:00:00"),
      ),
    );
    expect(named.split("\n")[1]?.split(";")[column]).toBe("order-4711");
  });

  test("quotes what would break a line, and changes nothing else: a formula stays what was sent", () => {
    const odd = row("1", "DB", "2026-11-18 12:00:00", { parameters: { descriptor: '=1+1; "so"\nit goes' } });
    expect(csvOf(settlements([odd], ENTITY, at("2026-12-31 00:00:00")))).toContain(';"=1+1; ""so""\nit goes";');
  });
});

const REPORTS = "reports/v1/reconciliations/aggregations";
const replySchema = z.looseObject({
  result: z.looseObject({ code: z.string(), parameterErrors: z.array(z.looseObject({ name: z.string() })).optional() }),
  aggregations: z.array(z.looseObject({ id: z.string(), count: z.number() })).optional(),
  records: z.array(z.looseObject({ recordType: z.string(), amount: z.string() })).optional(),
  pages: z.number().optional(),
});

async function report({ raw }: Bench, path: string, query: Readonly<Record<string, string>>, accept = "*/*") {
  const handled = await raw("GET", `/${path}?${new URLSearchParams({ entityId: ENTITY, ...query })}`, "", {
    authorization: `Bearer ${TOKEN}`,
    accept,
  });
  if (handled.is !== "reply") throw new Error("cut");
  return handled;
}
const json = async (one: Bench, path: string, query: Readonly<Record<string, string>>) =>
  replySchema.parse(JSON.parse((await report(one, path, query)).body));

const WEEK = { "date.from": "2026-11-16", "date.to": "2026-11-27" };

/** Two captured sales and one that was never captured, on a Saturday; then it is Monday. */
async function traded(): Promise<Bench> {
  const one = bench();
  for (const amount of ["12.34", "20.00"]) {
    const { body } = await one.sell({ amount });
    await one.refer(body.id, "CP", amount, { merchantTransactionId: `capture-of-${amount}` });
  }
  await one.sell({ amount: "99.00" });
  await one.clock.advance(2 * 86_400_000);
  return one;
}

describe("GET /reports/v1/reconciliations/aggregations", () => {
  test("tells the payouts of these days and this currency, and each of them in detail", async () => {
    const one = await traded();
    const { result, aggregations = [] } = await json(one, REPORTS, WEEK);
    expect(result.code).toBe("000.000.100");
    expect(aggregations).toMatchObject([
      { count: 3, settlement: { date: "2026-11-23", currency: "EUR", amount: "31.65", fee: "0.69" } },
    ]);
    const { records = [] } = await json(one, `${REPORTS}/${aggregations[0]?.id}`, {});
    expect(records).toMatchObject([
      {
        recordType: "SETTLED",
        transactionType: "DEBIT",
        amount: "12.34",
        merchantTransactionId: "capture-of-12.34",
        card: { last4Digits: "0050" },
      },
      {
        recordType: "SETTLED",
        amount: "20.00",
        settlement: { cashflow: "POS", amount: "19.71", fee: "0.29" },
        matchedTransactions: { status: "MATCHED" },
      },
      { recordType: "FEE", transactionType: "BATCH", amount: "0.20", settlement: { cashflow: "NEG" } },
    ]);
    expect(records[2]).not.toHaveProperty("payment");
    const sorted = await json(one, `${REPORTS}/${aggregations[0]?.id}`, {
      sortValue: "SettlementTxDate",
      sortOrder: "desc",
    });
    expect(sorted.records?.[0]).toMatchObject({ recordType: "FEE" });
    expect((await json(one, REPORTS, { ...WEEK, currency: "USD" })).result.code).toBe("700.400.580");
  });

  test("answers 404 and 700.400.580 where nothing is settled, or no payout has that id", async () => {
    const one = bench();
    await one.sell({ paymentType: "DB" });
    expect(await report(one, REPORTS, WEEK)).toMatchObject({ status: 404 });
    expect((await json(one, `${REPORTS}/${"0".repeat(32)}`, {})).result.code).toBe("700.400.580");
  });

  test("is the file itself for whoever accepts text/csv", async () => {
    const one = await traded();
    const file = await report(one, REPORTS, WEEK, "text/csv; charset=utf-8, */*;q=0.1");
    expect(file.headers["content-type"]).toBe("text/csv;charset=UTF-8");
    expect(file.body.split("\n").map((line) => line.split(";")[0])).toEqual([
      "ReconciliationType",
      "SETTLED",
      "SETTLED",
      "FEE",
      "",
    ]);
    const { aggregations = [] } = await json(one, REPORTS, WEEK);
    expect((await report(one, `${REPORTS}/${aggregations[0]?.id}`, {}, "text/csv")).body).toBe(file.body);
  });

  test("has pages of a hundred records in the second version", async () => {
    const one = bench();
    for (let sale = 0; sale < 101; sale += 1) await one.sell({ paymentType: "DB", pin: null });
    await one.clock.advance(2 * 86_400_000);
    const [{ id: own } = { id: "" }] = (await json(one, REPORTS, WEEK)).aggregations ?? [];
    const pages = [];
    for (const pageNo of ["1", "2", "3"])
      pages.push(await json(one, `reports/v2/reconciliations/aggregations/${own}`, { pageNo }));
    expect(pages.map(({ records, pages: all }) => [records?.length, all])).toEqual([
      [100, 2],
      [2, 2],
      [0, 2],
    ]);
  });

  test("gives dummy data with testMode=INTERNAL, whatever is in the ledger, and the ledger's with EXTERNAL", async () => {
    const one = await traded();
    const query = { "date.from": "2015-08-01", "date.to": "2015-08-02", currency: "EUR", testMode: "INTERNAL" };
    const { aggregations } = await json(one, REPORTS, query);
    expect(aggregations).toMatchObject([
      { id: "8a82944a4cc25ebf014cc2c782423202", count: 120, settlement: { date: "2015-08-02" } },
    ]);
    const page = await json(one, "reports/v2/reconciliations/aggregations/8a82944a4cc25ebf014cc2c782423202", {
      testMode: "INTERNAL",
      pageNo: "2",
    });
    expect([page.records?.length, page.pages]).toEqual([20, 2]);
    expect((await json(one, REPORTS, { ...WEEK, testMode: "EXTERNAL" })).aggregations).toMatchObject([{ count: 3 }]);
  });
});
