import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FileRow } from "../../../src/reconcile/file-row.ts";
import type { JournalAttempt, JournalBooking } from "../../../src/reconcile/journal-booking.ts";
import { match, type Reconciliation } from "../../../src/reconcile/match.ts";
import { periodOf } from "../../../src/reconcile/period.ts";
import { differencesIn, findingsOf, reportJson } from "../../../src/reconcile/report.ts";
import { totalsOf } from "../../../src/reconcile/totals.ts";

const DAY_MS = 86_400_000;
const NOON = Date.parse("2026-11-18T12:00:00Z");
const PERIOD = { from: "2026-11-18", to: "2026-11-18" };

function booking(n: number, changes: Partial<JournalBooking> = {}): JournalBooking {
  return {
    ...{
      register: "till",
      reference: `R-${n}`,
      entityId: "e",
      gatewayId: `id-${n}`,
      merchantTransactionId: `name-${n}`,
      paymentType: "CP",
    },
    ...{
      transactionType: "DEBIT",
      cashflow: "POS",
      amount: 1234,
      currency: "EUR",
      intendedAt: NOON + n,
      knownAt: NOON + n + 5,
    },
    ...changes,
  };
}

/** The row that settles a booking. */
function rowOf(
  { gatewayId, merchantTransactionId, transactionType, cashflow, amount, currency }: JournalBooking,
  line: number,
  changes: Partial<FileRow> = {},
): FileRow {
  return {
    ...{
      line,
      recordType: "SETTLED",
      transactionType,
      cashflow,
      gatewayId,
      merchantTransactionId,
      amount: { minor: amount, currency },
    },
    settlement: { amount: { minor: amount, currency }, fee: 0, date: "2026-11-19", status: "SUCCESS" },
    ...changes,
  };
}

const paidOut = (minor: number, fee = 0, currency = "EUR"): Pick<FileRow, "settlement"> => ({
  settlement: { amount: { minor, currency }, fee, date: "2026-11-19", status: "SUCCESS" },
});

const inShort = ({ matched, differing, missingHere, missingThere, chargebacks, fees }: Reconciliation) => ({
  matched: matched.map(({ row, booking: { reference } }) => `${row.line} ${reference}`),
  differing: differing.map(
    ({ row, booking: { reference }, differences }) =>
      `${row.line} ${reference} ${differences.map(({ of }) => of).join(",")}`,
  ),
  missingHere: missingHere.map(({ row, note }) => `${row.line} ${note}`),
  missingThere: missingThere.map(({ reference }) => reference),
  chargebacks: chargebacks.map(({ row, booking: of }) => `${row.line} ${of?.reference ?? "-"}`),
  fees: fees.map(({ line }) => line),
});
const NOTHING = { matched: [], differing: [], missingHere: [], missingThere: [], chargebacks: [], fees: [] };
const matched = (
  rows: readonly FileRow[],
  bookings: readonly JournalBooking[],
  others: readonly JournalAttempt[] = [],
) => inShort(match(rows, { bookings, others }, PERIOD));

describe("a row", () => {
  it("is found by the gateway's id, and by merchantTransactionId where it has none", () => {
    const [a, b] = [booking(1), booking(2)];
    const { gatewayId: _, ...nameless } = rowOf(b, 3);
    expect(matched([rowOf(a, 2, { merchantTransactionId: "name-2" }), nameless], [a, b])).toEqual({
      ...NOTHING,
      matched: ["2 R-1", "3 R-2"],
    });
  });

  it.each<[string, Partial<FileRow>]>([
    ["amount", { amount: { minor: 1243, currency: "EUR" } }],
    ["currency,amount", { amount: { minor: 1234, currency: "JPY" } }],
    ["type", { transactionType: "CREDIT" }],
    ["cashflow", { cashflow: "NEG" }],
    ["gateway id", { gatewayId: "another" }],
    [
      "settlement status",
      { settlement: { amount: { minor: 0, currency: "EUR" }, fee: 0, date: "2026-11-19", status: "FAILED" } },
    ],
    ["settlement amount", paidOut(1235)],
    ["settlement amount", paidOut(1213, 20)],
  ])("that has another %s differs by that", (what, change) => {
    expect(matched([rowOf(booking(1), 2, change)], [booking(1)])).toEqual({ ...NOTHING, differing: [`2 R-1 ${what}`] });
  });

  it.each<[string, Partial<JournalBooking>, Pick<FileRow, "settlement">]>([
    ["less the fee", {}, paidOut(1214, 20)],
    ["whole, the fee being taken elsewhere", {}, paidOut(1234, 20)],
    [
      "and the fee besides, where the money goes back",
      { transactionType: "REFUND", cashflow: "NEG" },
      paidOut(1254, 20),
    ],
    ["in another currency, by a rate that the file rounds", {}, paidOut(1500, 20, "USD")],
  ])("may be paid out %s", (_, kind, settlement) => {
    expect(matched([rowOf(booking(1, kind), 2, settlement)], [booking(1, kind)])).toEqual({
      ...NOTHING,
      matched: ["2 R-1"],
    });
  });

  it.each(["CHARGEBACK", "CHARGEBACK REVERSAL", "FEE"] as const)(
    "of type %s that the file has twice is told",
    (recordType) => {
      const own = rowOf(booking(1), 2, { recordType, settlementId: "settled-1" });
      const other = { ...own, line: 5, settlementId: "settled-2" };
      const { settlementId: _, ...nameless } = own;
      const twice = [
        own,
        { ...own, line: 3 },
        { ...own, line: 4 },
        other,
        { ...nameless, line: 6 },
        { ...nameless, line: 7 },
      ];
      expect(matched(twice, [])).toMatchObject({ missingHere: ["3 repeats line 2", "4 repeats line 2"] });
      const lines = [2, 5, 6, 7];
      expect(matched(twice, [])).toMatchObject(
        recordType === "FEE" ? { fees: lines } : { chargebacks: lines.map((line) => `${line} -`) },
      );
    },
  );

  it.each(["CHARGEBACK", "CHARGEBACK REVERSAL", "FEE"] as const)(
    "of type %s whose own amounts do not fit is told",
    (recordType) => {
      const of = (changes: Partial<FileRow>): FileRow =>
        rowOf(booking(1), 2, { recordType, cashflow: "NEG", ...changes });
      expect(matched([of(paidOut(1235))], []).missingHere).toEqual([
        "2 its settlement amount 12.35 is not its amount 12.34 and the fee 0.00",
      ]);
      for (const fits of [paidOut(1234), paidOut(1254, 20), paidOut(1500, 0, "USD")])
        expect(matched([of(fits)], []).missingHere).toEqual([]);
    },
  );

  it("is looked up, not looked for: very many rows that nobody knows take no time", () => {
    const many = Array.from({ length: 100_000 }, (_, at) => at);
    const others = many.map((n) => ({
      register: "till",
      reference: `R-${n}`,
      merchantTransactionId: `other-${n}`,
      says: "declined",
    }));
    const result = match(
      many.map((n) => rowOf(booking(n), n + 2)),
      { bookings: [], others },
      PERIOD,
    );
    expect(result.missingHere).toHaveLength(many.length);
  });

  it("that is of no booking is missing here, with what the journal says of such a request", () => {
    const declined = {
      register: "till",
      reference: "R-9",
      merchantTransactionId: "name-9",
      gatewayId: "id-9",
      says: "declined (800.100.152)",
    };
    expect(matched([rowOf(booking(9), 2), rowOf(booking(8), 3)], [], [declined]).missingHere).toEqual([
      "2 the journal has reference R-9 of register till as declined (800.100.152)",
      "3 the journal knows nothing of it",
    ]);
  });

  it("without any name is nobody's, also where a booking has none", () => {
    const { gatewayId: _, merchantTransactionId: __, ...nameless } = rowOf(booking(1), 2);
    expect(matched([nameless], [booking(1, { merchantTransactionId: "" })], []).missingHere).toEqual([
      "2 the journal knows nothing of it",
    ]);
  });

  it("that is a second one for a booking is missing here; the one that fits better is the booking's own", () => {
    const wrong = { amount: { minor: 1, currency: "EUR" } };
    const expected = {
      ...NOTHING,
      matched: ["3 R-1"],
      missingHere: ["2 a second row for reference R-1 of register till"],
    };
    expect(matched([rowOf(booking(1), 2, wrong), rowOf(booking(1), 3)], [booking(1)])).toEqual(expected);
    expect(matched([rowOf(booking(1), 3), rowOf(booking(1), 2, wrong)], [booking(1)])).toEqual(expected);
  });

  it("that is a chargeback or a fee is information", () => {
    const rows = [
      rowOf(booking(1), 2),
      rowOf(booking(1), 3, { recordType: "CHARGEBACK", cashflow: "NEG" }),
      rowOf(booking(7), 4, { recordType: "FEE" }),
    ];
    expect(matched(rows, [booking(1)])).toEqual({ ...NOTHING, matched: ["2 R-1"], chargebacks: ["3 R-1"], fees: [4] });
  });

  it("whose id an operator gave need not have that id", () => {
    expect(
      matched([rowOf(booking(1), 2)], [booking(1, { gatewayId: "from the back office", byOperator: true })]),
    ).toEqual({ ...NOTHING, matched: ["2 R-1"] });
  });
});

describe("a booking that is not in the file", () => {
  it("is missing there if the file covers its day", () => {
    const days = [-1, 0, 1].map((day) =>
      booking(day, { intendedAt: NOON + day * DAY_MS, knownAt: NOON + day * DAY_MS }),
    );
    expect(matched([], days).missingThere).toEqual(["R-0"]);
  });

  it("may be in the file of either day where a day ended while it was on its way", () => {
    const midnight = Date.parse("2026-11-19T00:00:00Z");
    expect(matched([], [booking(1, { intendedAt: midnight - 1000, knownAt: midnight + 1000 })])).toEqual(NOTHING);
  });

  const sold = booking(1, { reversed: true });
  const undone = booking(2, { paymentType: "RV", transactionType: "REFUND", cashflow: "NEG", reverses: "id-1" });

  it.each<[string, readonly FileRow[], readonly string[]]>([
    ["neither it nor its reversal", [], []],
    ["both", [rowOf(sold, 2), rowOf(undone, 3)], []],
    ["only the booking", [rowOf(sold, 2)], ["R-2"]],
    ["only the reversal", [rowOf(undone, 3)], ["R-1"]],
  ])("and was taken back: the file has %s", (_, rows, missing) => {
    expect(matched(rows, [sold, undone]).missingThere).toEqual(missing);
  });

  it("and takes back what an earlier file had is missing there", () => {
    expect(matched([], [{ ...sold, intendedAt: NOON - DAY_MS, knownAt: NOON - DAY_MS }, undone]).missingThere).toEqual([
      "R-2",
    ]);
  });

  it("and of which nobody knows when it was made is demanded of no file", () => {
    const { knownAt: _, ...sometime } = undone;
    expect(matched([rowOf(sold, 2)], [sold, sometime]).missingThere).toEqual([]);
    expect(matched([rowOf(sold, 2), rowOf(undone, 3)], [sold, sometime]).matched).toEqual(["2 R-1", "3 R-2"]);
  });

  it("and was taken back by the gateway itself may be in the file or not", () => {
    expect(matched([], [sold])).toEqual(NOTHING);
    expect(matched([rowOf(sold, 2)], [sold])).toEqual({ ...NOTHING, matched: ["2 R-1"] });
  });
});

describe("the days that a file covers", () => {
  const settledOn = (...dates: readonly string[]) =>
    periodOf(
      dates.map((date, at) =>
        rowOf(booking(at), at, {
          settlement: { amount: { minor: 0, currency: "EUR" }, fee: 0, date, status: "SUCCESS" },
        }),
      ),
    );
  it.each([
    [["2026-11-19"], { from: "2026-11-18", to: "2026-11-18" }],
    [["2026-11-23"], { from: "2026-11-20", to: "2026-11-22" }],
    [["2026-11-24", "2026-11-20"], { from: "2026-11-19", to: "2026-11-23" }],
    [["2026-11-22"], { from: "2026-11-21", to: "2026-11-21" }],
    [[], undefined],
  ])("settled on %j are %j", (dates, period) => expect(settledOn(...dates)).toEqual(period));
});

const journalOf = fc
  .array(
    fc.record({
      amount: fc.integer({ min: 1, max: 999_999_999_999 }),
      currency: fc.constantFrom("EUR", "JPY", "USD"),
      kind: fc.constantFrom<Pick<JournalBooking, "transactionType" | "cashflow">>(
        { transactionType: "DEBIT", cashflow: "POS" },
        { transactionType: "REFUND", cashflow: "NEG" },
        { transactionType: "CREDIT", cashflow: "NEG" },
      ),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .map((drawn) => drawn.map(({ kind, ...money }, at) => booking(at, { ...money, ...kind })));

describe("the laws of matching", () => {
  const strange = (at: number): FileRow => rowOf(booking(1000 + at), 1000 + at);

  it("a file made of the journal is reconciled: all matched, every total 0 apart", () => {
    fc.assert(
      fc.property(journalOf, (bookings) => {
        const result = match(
          bookings.map((one, at) => rowOf(one, at + 2)),
          { bookings, others: [] },
          PERIOD,
        );
        expect([differencesIn(result), result.matched.length]).toEqual([0, bookings.length]);
        expect(totalsOf(result).every(({ difference }) => difference === 0n)).toBe(true);
      }),
    );
  });

  const files = journalOf.chain((bookings) =>
    fc.record({
      bookings: fc.constant(bookings),
      rows: fc
        .array(
          fc.record({
            of: fc.nat(bookings.length + 3),
            amount: fc.option(fc.integer({ min: 1, max: 5000 }), { nil: undefined, freq: 3 }),
            recordType: fc.constantFrom<FileRow["recordType"]>(
              "SETTLED",
              "SETTLED",
              "SETTLED",
              "FEE",
              "CHARGEBACK",
              "CHARGEBACK REVERSAL",
            ),
          }),
          { maxLength: 30 },
        )
        .map((drawn) =>
          drawn.map(({ of, amount, recordType }, at): FileRow => {
            const base = bookings[of] === undefined ? strange(at) : rowOf(bookings[of], at + 2);
            return {
              ...base,
              recordType,
              line: at + 2,
              ...(amount !== undefined && { amount: { ...base.amount, minor: amount } }),
            };
          }),
        ),
    }),
  );

  it("every row lands in exactly one class, and so does every booking that is due", () => {
    fc.assert(
      fc.property(files, ({ bookings, rows }) => {
        const {
          matched: same,
          differing,
          missingHere,
          missingThere,
          chargebacks,
          fees,
        } = match(rows, { bookings, others: [] }, PERIOD);
        const lines = [...same, ...differing, ...missingHere, ...chargebacks].map(({ row }) => row.line);
        expect([...lines, ...fees.map(({ line }) => line)].toSorted((a, b) => a - b)).toEqual(
          rows.map(({ line }) => line),
        );
        const found = [...same, ...differing].map(({ booking: one }) => one);
        expect([...found, ...missingThere].map(({ gatewayId }) => gatewayId).toSorted()).toEqual(
          bookings.map(({ gatewayId }) => gatewayId).toSorted(),
        );
      }),
    );
  });

  it("in whichever order rows and bookings come, the answer is the same", () => {
    fc.assert(
      fc.property(
        files.chain(({ bookings, rows }) =>
          fc.tuple(
            fc.constant({ bookings, rows }),
            fc.shuffledSubarray([...rows], { minLength: rows.length }),
            fc.shuffledSubarray([...bookings], { minLength: bookings.length }),
          ),
        ),
        ([{ bookings, rows }, otherRows, otherBookings]) => {
          const [one, other] = [
            match(rows, { bookings, others: [] }, PERIOD),
            match(otherRows, { bookings: otherBookings, others: [] }, PERIOD),
          ];
          expect(other).toEqual(one);
          expect(totalsOf(other)).toEqual(totalsOf(one));
        },
      ),
    );
  });

  it("a row taken out moves exactly its booking to what is missing there", () => {
    fc.assert(
      fc.property(journalOf, fc.nat(), (bookings, drawn) => {
        const out = drawn % bookings.length;
        const rows = bookings.map((one, at) => rowOf(one, at + 2));
        const result = inShort(match(rows.toSpliced(out, 1), { bookings, others: [] }, PERIOD));
        const whole = inShort(match(rows, { bookings, others: [] }, PERIOD));
        expect(result).toEqual({ ...whole, matched: whole.matched.toSpliced(out, 1), missingThere: [`R-${out}`] });
      }),
    );
  });

  it("file less journal is what the differences come to, in every currency", () => {
    fc.assert(
      fc.property(files, ({ bookings, rows }) => {
        const result = match(rows, { bookings, others: [] }, PERIOD);
        const sign = (cashflow: string, minor: number): bigint => BigInt(cashflow === "POS" ? minor : -minor);
        const apart = new Map<string, bigint>();
        const add = (currency: string, minor: bigint): void =>
          void apart.set(currency, (apart.get(currency) ?? 0n) + minor);
        for (const { row, booking: one } of result.differing)
          add(one.currency, sign(row.cashflow, row.amount.minor) - sign(one.cashflow, one.amount));
        for (const { row } of result.missingHere)
          if (row.recordType === "SETTLED") add(row.amount.currency, sign(row.cashflow, row.amount.minor));
        for (const { cashflow, amount, currency } of result.missingThere) add(currency, -sign(cashflow, amount));
        for (const { currency, difference } of totalsOf(result)) expect(difference).toBe(apart.get(currency) ?? 0n);
      }),
    );
  });
});

describe("the report", () => {
  const bookings = [booking(1), booking(2), booking(3, { currency: "JPY", amount: 1200 })];
  const rows = [
    rowOf(booking(1), 2, { amount: { minor: 1243, currency: "EUR" } }),
    rowOf(booking(3, { currency: "JPY", amount: 1200 }), 3, {
      settlement: { amount: { minor: 1180, currency: "JPY" }, fee: 20, date: "2026-11-19", status: "SUCCESS" },
    }),
    rowOf(booking(3), 4, {
      recordType: "CHARGEBACK",
      cashflow: "NEG",
      amount: { minor: 1200, currency: "JPY" },
      reason: "000.100.203",
    }),
    rowOf(booking(9, { amount: 25 }), 5, { recordType: "FEE", cashflow: "NEG" }),
  ];
  const result = match(rows, { bookings, others: [] }, PERIOD);

  it("names each difference in the currency's own decimals", () => {
    expect(
      findingsOf(result).map(({ isDifference, cells }) => [isDifference, ...cells.slice(0, 3), ...cells.slice(5)]),
    ).toEqual([
      [true, "amount differs", "2", "R-1", "12.43", "EUR", "amount: file 12.43, journal 12.34"],
      [true, "missing there", "-", "R-2", "12.34", "EUR", "booked 2026-11-18T12:00:00.002Z"],
      [false, "chargeback", "4", "R-3", "1200", "JPY", "000.100.203"],
    ]);
  });

  it("sums up by currency, fees and chargebacks apart", () => {
    expect(totalsOf(result)).toEqual([
      {
        currency: "EUR",
        file: 1243n,
        journal: 2468n,
        difference: -1225n,
        chargebacks: 0n,
        fees: 25n,
        payout: 1234n - 1234n - 25n,
      },
      { currency: "JPY", file: 1200n, journal: 1200n, difference: 0n, chargebacks: -1200n, fees: 20n, payout: 1180n },
    ]);
    expect(reportJson(result)).toMatchObject({
      reconciled: false,
      counts: { matched: 1, differing: 1, missingHere: 0, missingThere: 1, chargebacks: 1, fees: 1 },
      totals: [
        { currency: "EUR", difference: "-12.25" },
        { currency: "JPY", payout: "1180" },
      ],
    });
  });
});
