import { expect, it } from "vitest";
import { createMemoryJournal } from "../../../src/journal/memory-journal.ts";
import { SLICE_ROWS } from "../../../src/journal/page.ts";
import { SLICE_FACTS } from "../../../src/journal/reader.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { AT, paymentRow } from "./payment-row.ts";

const NEEDLE = 5;

/** Of all payments but one every fact is the same. */
async function haystack(payments: number) {
  const journal = createMemoryJournal({ clock: systemClock, appendDelayMs: 0 });
  await Promise.all(
    Array.from({ length: payments }, (_, n) =>
      journal.append(
        [{ fact: "noted", name: n === NEEDLE ? "needle" : "hay" }],
        AT,
        paymentRow(n, { outcome: n === NEEDLE ? "DECLINED" : "APPROVED" }),
      ),
    ),
  );
  return journal;
}

/** How often the thread served others before the work was done. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ readonly turns: number; readonly done: T }> {
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const done = await work();
  isDone = true;
  return { turns, done };
}

it("a list of little in much lets others do their work between its slices", async () => {
  const journal = await haystack(3 * SLICE_ROWS + 7);
  const { turns, done } = await turnsDuring(() => journal.list({ outcome: "DECLINED", limit: 50 }));
  expect([done.rows.map(({ payment }) => payment), done.next]).toEqual([[paymentRow(NEEDLE).payment], undefined]);
  expect(turns).toBeGreaterThanOrEqual(3);
});

it("a search through the text of all facts does so too", async () => {
  const journal = await haystack(2 * SLICE_FACTS + 7);
  const { turns, done } = await turnsDuring(() => journal.naming("needle"));
  expect(done).toEqual([paymentRow(NEEDLE).payment]);
  expect(turns).toBeGreaterThanOrEqual(2);
});
