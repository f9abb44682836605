import fc from "fast-check";
import { expect, test } from "vitest";
import type { StoredFact } from "../../../src/engine/ports.ts";
import { chain, tipOfStamp } from "../../../src/journal/chain.ts";
import { createMemoryJournal, type MemoryJournal } from "../../../src/journal/memory-journal.ts";
import { lineOf, readLine, runsOf } from "../../../src/journal/segment.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { everything, paymentOf } from "./archived.ts";
import { AT, paymentRow } from "./payment-row.ts";

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      of: fc.integer({ min: 1, max: 6 }),
      open: fc.boolean(),
      fact: fc.dictionary(fc.string(), fc.jsonValue()),
    }),
  },
  { weight: 1, arbitrary: fc.constant("archive" as const) },
  { weight: 1, arbitrary: fc.constant("crash" as const) },
);

test("whatever was archived, and whenever, each payment has the facts that were written of it, numbered without a gap", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const clock = createVirtualClock(Date.UTC(2026, 0, 15), { settling: "promises" });
      let journal: MemoryJournal = createMemoryJournal({ clock, appendDelayMs: 1 });
      const written = new Map<number, unknown[]>();
      for (const [n, one] of steps.entries()) {
        if (one === "archive") await journal.archive(everything);
        else if (one === "crash") journal = journal.crash(0);
        else {
          const fact = { ...one.fact, operation: { merchantTransactionId: `name-${n}` } };
          const appended = journal.append(
            [JSON.parse(JSON.stringify(fact))],
            AT,
            paymentRow(one.of, { open: one.open }),
          );
          await clock.advance(2);
          await appended;
          written.set(one.of, [...(written.get(one.of) ?? []), JSON.parse(JSON.stringify(fact))]);
        }
      }
      const all: StoredFact[] = [];
      for (const [of, facts] of written) {
        const read = await journal.facts(paymentOf(of));
        expect(read.map(({ fact }) => fact)).toEqual(facts);
        all.push(...read);
      }
      expect(all.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(all.map((_, n) => n + 1));
      for (const [n, one] of steps.entries())
        if (typeof one === "object") expect(await journal.byMerchantTransactionId(`name-${n}`)).toBe(paymentOf(one.of));
      for (const { number } of all)
        expect(journal.cursors.read(journal.cursors.at(number))).toEqual({ is: "held", number });
    }),
    { numRuns: 40 },
  );
});

test("a line gives back the fact to the letter, whatever its text; a text that JSON would write otherwise has none", () => {
  const tip = tipOfStamp({ bridge: "brg_1", environment: "test", createdAt: AT });
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, payment) => {
      const fact = chain(tip, payment, AT, JSON.stringify(value));
      const line = lineOf(fact);
      expect(line === undefined ? undefined : readLine(line)).toEqual(line === undefined ? undefined : fact);
      expect(line).toBe(JSON.stringify(value) === JSON.stringify(JSON.parse(JSON.stringify(value))) ? line : undefined);
    }),
  );
  for (const text of ['{"a": 1}', '{"a":1,"a":2}', "1e0"])
    expect(lineOf(chain(tip, "pay_1", AT, text))).toBeUndefined();
});

test("runs cover the numbers of their facts and no others", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 60 })), (numbers) => {
      const sorted = numbers.toSorted((a, b) => a - b);
      const runs = runsOf(
        sorted.map((number) => ({
          number,
          payment: "p",
          at: AT,
          fact: "1",
          previous: `h${number - 1}`,
          hash: `h${number}`,
        })),
      );
      expect(runs.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, n) => first + n))).toEqual(
        sorted,
      );
      for (const [at, { first, last, previous, hash }] of runs.entries()) {
        expect([previous, hash]).toEqual([`h${first - 1}`, `h${last}`]);
        expect(first).toBeGreaterThan((runs[at - 1]?.last ?? -1) + 1);
      }
    }),
  );
});
