import { describe, expect, test } from "vitest";
import type { Journal } from "../../../src/engine/ports.ts";
import type { MemoryJournal } from "../../../src/journal/memory-journal.ts";
import type { Granted } from "../../../src/payment/fact/refusal.ts";
import type { PaymentChange } from "../../../src/register/ports.ts";
import { type Counter, openCounter, startRequest, till } from "../../support/counter.ts";

function value<T>(result: Granted<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal.message}`);
  return result.value;
}

async function start(counter: Counter, reference: string): Promise<void> {
  const started = counter.payments.start(till, startRequest(reference));
  await counter.clock.advance(10);
  value(await started);
}

describe("the feed", () => {
  test("tells everything after a cursor once and in order, then goes on live without a gap or a repeat", async () => {
    const counter = openCounter();
    const live: PaymentChange[] = [];
    value(await counter.payments.follow(till, "0", (change) => live.push(change)));
    await start(counter, "R-1");
    await counter.clock.advance(2_000);
    await start(counter, "R-2");
    await counter.clock.advance(20);
    const late: PaymentChange[] = [];
    const following = counter.payments.follow(till, "0", (change) => late.push(change));
    await counter.clock.advance(2_000);
    value(await following);
    const durable = (changes: readonly PaymentChange[]): string[] => [
      ...new Map(
        changes.map(({ cursor, payment }) => [
          cursor,
          `${cursor} ${payment.reference} ${payment.state} ${payment.capture ?? ""}`,
        ]),
      ).values(),
    ];
    expect(durable(late)).toEqual(durable(live));
    const cursors = live.map(({ cursor }) => Number(cursor));
    expect(cursors).toEqual([...cursors].sort((a, b) => a - b));
    expect(live.at(-1)?.payment).toMatchObject({ reference: "R-2", capture: "captured" });
  });

  test("refuses a cursor that this bridge never gave", async () => {
    const counter = openCounter();
    for (const after of ["7", "-1", "x", "1.5"])
      expect(await counter.payments.follow(till, after, () => undefined)).toMatchObject({
        refusal: { code: "cursor-gone" },
      });
  });

  test("reads nothing more of the past for somebody who has gone, and tells him nothing", async () => {
    const read = { pages: 0, payments: new Set<string>() };
    const counting = (journal: MemoryJournal): Journal => ({
      ...journal,
      after: (number, limit) => {
        read.pages += 1;
        return journal.after(number, limit);
      },
      facts: (payment) => {
        read.payments.add(payment);
        return journal.facts(payment);
      },
    });
    const counter = openCounter({ journal: counting });
    for (const reference of ["R-1", "R-2"]) {
      await start(counter, reference);
      await counter.clock.advance(2_000);
    }
    const { id } = value(await counter.payments.get(till, { reference: "R-1" }));
    Object.assign(read, { pages: 0, payments: new Set() });
    value(await counter.payments.follow(till, "0", () => expect.unreachable())).stop();
    const heard: string[] = [];
    const { stop, told } = value(
      await counter.payments.follow(till, "0", ({ payment }) => {
        heard.push(payment.reference);
        stop();
      }),
    );
    await counter.clock.advance(2_000);
    await told;
    expect([heard, read]).toEqual([["R-1"], { pages: 2, payments: new Set([id]) }]);
  });

  test("tells a prompt that was shown while the past was told", async () => {
    const counter = openCounter({ script: () => [] });
    await start(counter, "R-1");
    const heard: PaymentChange[] = [];
    const following = counter.payments.follow(till, "0", (change) => heard.push(change));
    // The past is read from the journal, which takes turns of the loop; some more are taken before it is begun.
    for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
    const [payment] = counter.engine.active();
    counter.engine.find(payment?.accepted.id ?? "")?.show({ code: "REMOVE_CARD" });
    await counter.clock.advance(100);
    value(await following);
    expect(heard.at(-1)?.payment).toMatchObject({ reference: "R-1", prompt: { code: "REMOVE_CARD" } });
    expect(heard.filter(({ payment: { prompt } }) => prompt !== undefined)).toHaveLength(1);
  });
});
