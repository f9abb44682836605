import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Journal, StoredFact } from "../../src/engine/ports.ts";
import { openJournal } from "../../src/journal/sqlite-journal.ts";
import { systemClock } from "../../src/kit/system-clock.ts";
import { systemRandom } from "../../src/kit/system-random.ts";
import { shortOrLong } from "../support/dose.ts";
import { type Evening, liveThrough, type Month } from "./month.ts";

const DAYS = shortOrLong(3, 30);
const SALES_A_DAY = shortOrLong(4, 40);
/** Days after which all code is loaded, and the first payments are older than the last look at them. */
const SETTLED = shortOrLong(1, 5);
/** What caches that have a limit may still take; a leak of two KiB a payment is more. */
const HEAP_BYTES = 2_097_152;
/** docs/operating.md, Life in a shop. */
const JOURNAL_BYTES_A_PAYMENT = 16_384;
const LIMIT_MS = 900_000;

/** Garbage collection on demand, which no program has unless it asks for it. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new TypeError("this Node does not collect garbage on demand");
  return () => void collect();
}

let month: Month;
beforeAll(async () => {
  month = await liveThrough({ days: DAYS, salesADay: SALES_A_DAY, collect: collector() });
}, LIMIT_MS);
afterAll(() => month.shop.close());

/** A figure of the evenings once all is settled, and of the last ones. */
function early(of: (evening: Evening) => number): readonly number[] {
  return month.evenings.slice(SETTLED - 1, SETTLED + 2).map(of);
}
const late = (of: (evening: Evening) => number): readonly number[] => month.evenings.slice(-3).map(of);

describe(`a shop that is open for ${DAYS} days, ${SALES_A_DAY} sales a day, its terminals off every night`, () => {
  it("sells every day, first thing in the morning too, whatever was declined or lost", () => {
    expect(month.evenings).toHaveLength(DAYS);
    const sales = Object.values(month.outcomes).reduce((sum, count) => sum + count, 0);
    expect(sales).toBe(DAYS * SALES_A_DAY);
    expect(month.outcomes["APPROVED"]).toBeGreaterThan(sales / 3);
    expect(month.firstOfDay).toEqual(Array.from({ length: DAYS }, () => "APPROVED"));
  });

  it("agrees with the gateway's ledger to the cent", async () => {
    const { captured, credited } = await month.shop.books();
    expect([captured, credited]).toEqual([(month.takenCents / 100).toFixed(2), "0.00"]);
  });

  it("needs no more timers, sockets, open payments or figures than in the first days", () => {
    for (const of of [
      ({ timers }: Evening) => timers,
      ({ openPayments }: Evening) => openPayments,
      ({ figures }: Evening) => figures,
    ])
      expect(Math.max(...late(of))).toBeLessThanOrEqual(Math.max(...early(of)) + shortOrLong(10, 2));
    expect(month.evenings.map(({ sockets }) => sockets)).toEqual(month.evenings.map(() => 0));
  });

  it("keeps no memory for what is over", () => {
    const heap = ({ heapBytes }: Evening): number => heapBytes;
    expect(Math.min(...late(heap)) - Math.min(...early(heap))).toBeLessThan(shortOrLong(8 * HEAP_BYTES, HEAP_BYTES));
  });

  it("writes no more to the journal than is planned for its payments", async () => {
    const { journal } = month.shop;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-month-"));
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    const payments = await copy(journal(), path.join(folder, "data"));
    const empty = await openOn(path.join(folder, "empty"));
    await empty.close();
    const bytes = bytesIn(path.join(folder, "data")) - bytesIn(path.join(folder, "empty"));
    expect(bytes / payments).toBeGreaterThan(JOURNAL_BYTES_A_PAYMENT / 4);
    expect(bytes / payments).toBeLessThan(JOURNAL_BYTES_A_PAYMENT);
  });
});

const openOn = (dataDir: string) =>
  openJournal({ dataDir, environment: "test", clock: systemClock, random: systemRandom });

const bytesIn = (folder: string): number =>
  fs.readdirSync(folder).reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);

/** Writes a journal once more, to the disk; how many payments it has. */
async function copy(from: Journal, dataDir: string): Promise<number> {
  const rows = new Map((await allRows(from)).map((row) => [row.payment, row]));
  const to = await openOn(dataDir);
  let after = 0;
  for (let page = await from.after(after, 500); page.length > 0; page = await from.after(after, 500)) {
    await Promise.all(
      page.map(({ at, fact, payment }: StoredFact) => to.append([fact], at, rows.get(payment) ?? missing(payment))),
    );
    after = page.at(-1)?.number ?? after;
  }
  await to.close();
  return rows.size;
}

function missing(payment: string): never {
  throw new RangeError(`${payment} is not in the list`);
}

async function allRows(from: Journal) {
  const rows = [];
  let page = await from.list({ limit: 500 });
  rows.push(...page.rows);
  while (page.next !== undefined) {
    page = await from.list({ limit: 500, after: page.next });
    rows.push(...page.rows);
  }
  return rows;
}
