import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaymentRow, StoredFact } from "../../../src/engine/ports.ts";
import { rowOf } from "../../../src/engine/shell/payment-row.ts";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { factSchema } from "../../../src/payment/fact/fact.ts";
import { fold } from "../../../src/payment/machine.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { BUSY_DAY, generateJournal, placesOf, REGISTERS } from "./generate.ts";

const NOW = Date.UTC(2026, 5, 15, 12);
const PAYMENTS = 70;
const clock = createVirtualClock(NOW);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-generated-"));
const random = seededRandom(2);
let facts: readonly StoredFact[] = [];
let rows: readonly PaymentRow[] = [];

beforeAll(async () => {
  const on = { dataDir: path.join(folder, "data"), clock, random };
  await generateJournal({ ...on, payments: PAYMENTS, seed: 1, progress: () => undefined });
  const journal = await openJournal({ ...on, environment: "test" });
  facts = await journal.after(0, 1_000);
  rows = (await journal.list({ limit: 1_000 })).rows;
  await journal.close();
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

describe("a generated journal", () => {
  it("has as many payments as were ordered, each of them closed", () => {
    expect(rows).toHaveLength(PAYMENTS);
    expect(rows.filter(({ open }) => open)).toEqual([]);
  });

  it("has sales, refunds and declined sales", () => {
    const outcomes = Map.groupBy(rows, ({ type, outcome }) => `${type} ${outcome}`);
    expect([...outcomes.keys()].toSorted()).toEqual(["LINKED_REFUND APPROVED", "SALE APPROVED", "SALE DECLINED"]);
    expect(outcomes.get("LINKED_REFUND APPROVED")).toHaveLength(2);
    expect(outcomes.get("SALE DECLINED")).toHaveLength(1);
  });

  it("has the row of each payment as its facts say", () => {
    const byPayment = Map.groupBy(facts, ({ payment }) => payment);
    expect(byPayment.size).toBe(PAYMENTS);
    for (const row of rows) {
      const own = byPayment.get(row.payment)?.map(({ fact }) => factSchema.parse(fact)) ?? [];
      const payment = fold(own);
      expect(payment && rowOf(payment)).toEqual(row);
    }
  });

  it("gives no two requests one name, and no two bookings one id", () => {
    const named = facts.map(({ fact }) => factSchema.parse(fact));
    const requests = named.flatMap((fact) =>
      fact.fact === "attempt-intended" ? [fact.operation.merchantTransactionId] : [],
    );
    const bookings = named.flatMap((fact) =>
      fact.fact === "attempt-answered" && fact.answer.is === "approved" ? [fact.answer.id] : [],
    );
    expect(new Set(requests).size).toBe(requests.length);
    expect(new Set(bookings).size).toBe(bookings.length);
  });

  it("has no hole of a recorded story left open", () => expect(JSON.stringify([facts, rows])).not.toMatch(/[«»]/));
});

describe("the times of generated payments", () => {
  it("rise from one payment to the next, and end yesterday", () => {
    const places = placesOf(2_000, NOW);
    const times = Array.from({ length: 2_000 }, (_, n) => places(n).at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Date(times.at(-1) ?? 0).toISOString().slice(0, 10)).toBe("2026-06-14");
  });

  it("give the first register a busy day, and every register a share of those before", () => {
    const places = placesOf(2_000, NOW);
    const registers = Array.from({ length: 2_000 }, (_, n) => places(n).register);
    expect(new Set(registers.slice(-BUSY_DAY))).toEqual(new Set([REGISTERS[0]]));
    expect(new Set(registers.slice(0, -BUSY_DAY))).toEqual(new Set(REGISTERS));
  });
});
