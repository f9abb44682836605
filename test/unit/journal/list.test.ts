import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Journal, type ListFilter, PageUnknown, type PaymentRow } from "../../../src/engine/ports.ts";
import { createMemoryJournal } from "../../../src/journal/memory-journal.ts";
import { type Place, pageQueries } from "../../../src/journal/page.ts";
import { MAX_ROWS } from "../../../src/journal/reader.ts";
import { migrate } from "../../../src/journal/schema.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { AT, paymentRow } from "./payment-row.ts";

const few = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const times = few(
  "2026-02-03T00:00:00.000Z",
  "2026-02-03T00:00:00.001Z",
  "2026-02-03T12:00:00.000Z",
  "2026-02-04T00:00:00.000Z",
);
const changes = fc.record({
  register: few("till-1", "till-2"),
  terminal: few("terminal-1", "terminal-2"),
  outcome: few(null, "APPROVED", "DECLINED"),
  open: fc.boolean(),
  createdAt: times,
  type: few("SALE", "REGISTRATION"),
  amount: few(12, 1200, 1234),
  currency: few("EUR", "JPY"),
});
const filters = fc.record(
  {
    register: few("till-1", "till-2", "till-3"),
    terminal: few("terminal-1", "terminal-2"),
    outcome: few("APPROVED", "DECLINED"),
    open: fc.boolean(),
    from: times,
    to: times,
    payment: few(paymentRow(0).payment, paymentRow(3).payment, "none"),
    amounts: few([{ decimals: 2, amount: 1234 }], [
      { decimals: 0, amount: 12 },
      { decimals: 2, amount: 1200 },
    ] as const),
  },
  { requiredKeys: [] },
);

async function journalOf(rows: readonly PaymentRow[]): Promise<Journal> {
  const journal = createMemoryJournal({ clock: systemClock, appendDelayMs: 0 });
  await Promise.all(rows.map((row) => journal.append([1], AT, row)));
  return journal;
}

/** The list as the contract has it, in plain words: half open on createdAt, newest first. */
function expected(rows: readonly PaymentRow[], filter: Omit<ListFilter, "limit">): readonly PaymentRow[] {
  return rows
    .filter((row) => filter.register === undefined || row.register === filter.register)
    .filter((row) => filter.terminal === undefined || row.terminal === filter.terminal)
    .filter((row) => filter.outcome === undefined || row.outcome === filter.outcome)
    .filter((row) => filter.open === undefined || row.open === filter.open)
    .filter((row) => filter.payment === undefined || row.payment === filter.payment)
    .filter(
      (row) =>
        filter.amounts === undefined ||
        (row.type !== "REGISTRATION" && filter.amounts.some((wanted) => isOf(row, wanted))),
    )
    .filter((row) => filter.from === undefined || row.createdAt >= filter.from)
    .filter((row) => filter.to === undefined || row.createdAt < filter.to)
    .toSorted((a, b) => (`${b.createdAt} ${b.payment}` < `${a.createdAt} ${a.payment}` ? -1 : 1));
}

function isOf(
  { amount, currency }: PaymentRow,
  wanted: { readonly decimals: number; readonly amount: number },
): boolean {
  return amount === wanted.amount && wanted.decimals === (currency === "JPY" ? 0 : 2);
}

/** The indexes by which a page, and a slice of it, is found. */
function plansOf(filter: ListFilter): readonly string[] {
  const database = new DatabaseSync(":memory:");
  migrate(database, 0);
  const place: Place = ["2026-02-03T12:00:00.000Z", "pay_1"];
  const { rows, sliceEnd } = pageQueries(filter);
  return [rows({ after: place, until: place }, 51), rows({}, 51), sliceEnd(place)].map(({ sql, values }) =>
    JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values)),
  );
}

const rest = { terminal: "t", outcome: "APPROVED", amounts: [{ decimals: 2, amount: 1234 }] } as const;
const day = { from: "2026-02-03T00:00:00.000Z", to: "2026-02-04T00:00:00.000Z" } as const;

describe("a list", () => {
  it.each([
    ["all payments", {}, "payments_newest"],
    ["a day", day, "payments_newest"],
    ["a day, and little of it", { ...day, ...rest }, "payments_newest"],
    ["a register", { register: "till-1" }, "payments_of_register"],
    ["a register's day", { register: "till-1", ...day }, "payments_of_register"],
    ["a register's day, and little of it", { register: "till-1", ...day, ...rest }, "payments_of_register"],
    ["what is closed of a register", { register: "till-1", open: false }, "payments_of_register"],
    ["what is open", { open: true }, "payments_open"],
    ["what is open of a register", { open: true, register: "till-1" }, "payments_open"],
    ["one payment", { payment: "pay_1", ...day, ...rest }, "PRIMARY KEY (payment=?"],
  ])("of %s is found by its index, and nothing is sorted", (_name, filter, index) => {
    for (const plan of plansOf({ ...filter, limit: 50 })) {
      expect(plan).toContain(index);
      expect(plan).not.toContain("TEMP B-TREE");
    }
  });

  it("read page by page is the whole list, each payment once, newest first, for every filter and page size", async () => {
    const worlds = fc.tuple(fc.array(changes, { maxLength: 30 }), filters, fc.integer({ min: 1, max: 7 }));
    await fc.assert(
      fc.asyncProperty(worlds, async ([made, filter, limit]) => {
        const rows = made.map((change, n) => paymentRow(n, change));
        const journal = await journalOf(rows);
        const read: PaymentRow[] = [];
        let next: string | undefined;
        do {
          const page = await journal.list({ ...filter, limit, ...(next !== undefined && { after: next }) });
          expect(page.rows.length).toBe(page.next === undefined ? page.rows.length : limit);
          read.push(...page.rows);
          next = page.next;
        } while (next !== undefined);
        expect(read).toEqual(expected(rows, filter));
      }),
      { numRuns: 60 },
    );
  });

  it("has no next when it ends exactly with a page", async () => {
    const journal = await journalOf([paymentRow(1), paymentRow(2)]);
    expect(Object.keys(await journal.list({ limit: 2 }))).toEqual(["rows"]);
    expect((await journal.list({ limit: 1 })).next).toEqual(expect.any(String));
  });

  it("neither repeats nor skips a payment when new ones come between two pages", async () => {
    const journal = await journalOf([1, 2, 3, 4].map((n) => paymentRow(n)));
    const { next = "" } = await journal.list({ limit: 2 });
    await journal.append([1], AT, paymentRow(5));
    expect((await journal.list({ limit: 9, after: next })).rows).toEqual([paymentRow(2), paymentRow(1)]);
  });

  it("refuses whatever is no next of a page", async () => {
    const journal = await journalOf([paymentRow(1)]);
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    for (const after of [
      "",
      "x",
      encoded(["2026"]),
      encoded({}),
      encoded([1, 2]),
      encoded(["a", "b", "c"]),
      encoded(["a", "b".repeat(600)]),
    ]) {
      await expect(journal.list({ limit: 1, after })).rejects.toThrow(PageUnknown);
    }
    await fc.assert(
      fc.asyncProperty(fc.string(), async (after) => {
        await expect(journal.list({ limit: 1, after })).rejects.toThrow(PageUnknown);
      }),
    );
  });

  it(`takes a limit from 1 to ${MAX_ROWS}, and so do the facts after a cursor`, async () => {
    const journal = await journalOf([paymentRow(1)]);
    for (const limit of [0, -1, 1.5, MAX_ROWS + 1, Number.NaN]) {
      await expect(journal.list({ limit })).rejects.toThrow(RangeError);
      await expect(journal.after(0, limit)).rejects.toThrow(RangeError);
    }
    expect((await journal.list({ limit: MAX_ROWS })).rows).toHaveLength(1);
    expect(await journal.after(0, MAX_ROWS)).toHaveLength(1);
  });
});
