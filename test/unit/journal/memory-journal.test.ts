import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMemoryJournal, type MemoryJournal } from "../../../src/journal/memory-journal.ts";
import type { Clock } from "../../../src/kit/clock.ts";
import { AT, paymentRow } from "./payment-row.ts";

/** A clock that stands until the test moves it; timers of one moment run in the order in which they were set. */
function standingClock(): Clock & { advance(ms: number): void } {
  let now = 0;
  let timers: { readonly due: number; readonly run: () => void }[] = [];
  return {
    now: () => now,
    monotonic: () => now,
    after: (delayMs, run) => {
      const timer = { due: now + delayMs, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    advance: (ms) => {
      now += ms;
      const due = timers.filter((timer) => timer.due <= now).toSorted((a, b) => a.due - b.due);
      timers = timers.filter((timer) => timer.due > now);
      for (const { run } of due) run();
    },
  };
}

/** Lets every promise that can settle do so. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("the journal in memory", () => {
  it("acknowledges and shows an append when its time has passed, not earlier", async () => {
    const clock = standingClock();
    const journal = createMemoryJournal({ clock, appendDelayMs: 5 });
    let acknowledged = 0;
    const append = journal.append([1], AT, paymentRow(1)).then(({ last }) => {
      acknowledged = last;
    });
    clock.advance(4);
    await settle();
    expect([acknowledged, await journal.lastNumber(), journal.waiting()]).toEqual([0, 0, 1]);
    clock.advance(1);
    await append;
    await settle();
    expect([acknowledged, await journal.lastNumber(), journal.waiting()]).toEqual([1, 1, 0]);
  });

  it("never answers a process that is dead", async () => {
    const clock = standingClock();
    const journal = createMemoryJournal({ clock, appendDelayMs: 5 });
    const answers: unknown[] = [];
    const hear = (promise: Promise<unknown>) =>
      void promise.then(
        (value) => answers.push(value),
        (cause: unknown) => answers.push(cause),
      );
    hear(journal.append([1], AT, paymentRow(1)));
    journal.crash(1);
    hear(journal.append([2], AT, paymentRow(2)));
    for (const asked of [
      journal.lastNumber(),
      journal.openPayments(),
      journal.facts("p"),
      journal.after(0, 1),
      journal.list({ limit: 1 }),
    ])
      hear(asked);
    hear(journal.byReference("r", "r"));
    clock.advance(100);
    await settle();
    expect(answers).toEqual([]);
  });

  it("loses nothing that was acknowledged in a crash, and of the rest keeps a beginning", async () => {
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constant("append" as const),
          payment: fc.nat(5),
          facts: fc.integer({ min: 1, max: 3 }),
        }),
      },
      { weight: 3, arbitrary: fc.record({ do: fc.constant("advance" as const), ms: fc.nat(10) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant("crash" as const), kept: fc.nat(4) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const clock = standingClock();
        let journal: MemoryJournal = createMemoryJournal({ clock, appendDelayMs: 5 });
        let acknowledged = 0;
        let life = 0;
        let expected: number[] = [];
        let waiting: number[][] = [];
        let next = 0;
        for (const one of steps) {
          if (one.do === "append") {
            const facts = Array.from({ length: one.facts }, () => next++);
            const born = life;
            waiting.push(facts);
            void journal.append(facts, AT, paymentRow(one.payment)).then(({ last }) => {
              expect(life).toBe(born);
              acknowledged = Math.max(acknowledged, last);
              expected.push(...(waiting.shift() ?? []));
            });
          } else if (one.do === "advance") clock.advance(one.ms);
          else {
            journal = journal.crash(one.kept);
            life += 1;
            expected = [...expected, ...waiting.slice(0, one.kept).flat()];
            waiting = [];
          }
          await settle();
          expect((await journal.after(0, 1000)).map(({ fact }) => fact)).toEqual(expected);
          expect(await journal.lastNumber()).toBeGreaterThanOrEqual(acknowledged);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("takes the facts of a thousand sales in a few seconds of a processor", async () => {
    const clock = standingClock();
    const journal = createMemoryJournal({ clock, appendDelayMs: 1 });
    const began = process.cpuUsage();
    const appends: Promise<unknown>[] = [];
    for (let n = 0; n < 12_000; n += 1) {
      appends.push(journal.append([{ fact: "queued", n, text: "x".repeat(200) }], AT, paymentRow(n % 1000)));
      if (n % 100 === 99) clock.advance(1);
    }
    await Promise.all(appends);
    expect(await journal.lastNumber()).toBe(12_000);
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1_000_000).toBeLessThan(10);
  });
});
