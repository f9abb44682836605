import { describe, expect, test } from "vitest";
import { type Journal, JournalUnwritable } from "../../../src/engine/ports.ts";
import { createMemoryJournal, type MemoryJournal } from "../../../src/journal/memory-journal.ts";
import { joinCursor } from "../../../src/kit/cursor.ts";
import type { Granted } from "../../../src/payment/fact/refusal.ts";
import type { Caller } from "../../../src/register/ports.ts";
import {
  type Counter,
  type CounterOptions,
  openCounter,
  startRequest,
  till,
  tillOfAnyBooking,
} from "../../support/counter.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

/*
 * A data folder that was put back to an earlier moment has forgotten what was sold since: nothing is accepted until a
 * technician has confirmed that.
 */

const other: Caller = { register: "other", all: false };
const word = { by: "anna", reason: "compared with the gateway" };
const COMMAND = expect.stringContaining("posbridge rollbacks confirm --reason TEXT");
const ROLLED_BACK = {
  ok: false,
  refusal: { code: "data-folder-rolled-back", advice: "call-support", message: COMMAND },
};

function value<T>(result: Granted<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal.message}`);
  return result.value;
}

async function settled<T>(counter: Counter, asked: Promise<T>, forMs = 5_000): Promise<T> {
  await counter.clock.advance(forMs);
  return asked;
}

const sell = (counter: Counter, reference: string, caller = till) =>
  settled(counter, counter.payments.start(caller, startRequest(reference)));

/** Journals in memory have one key, as copies of one folder do: a fresh one is the folder put back to its first day. */
function putBack({ clock }: Counter, options: CounterOptions = {}): Counter {
  return openCounter(options, { clock, journal: createMemoryJournal({ clock, appendDelayMs: 1 }) });
}

/** What the till was told on a bridge that has sold, and the bridge on the folder that has forgotten it. */
async function forgotten(options: CounterOptions = {}) {
  const before = openCounter();
  value(await sell(before, "R-1"));
  const cursor = await before.payments.cursor();
  await before.engine.stop(() => 0);
  return { cursor, counter: putBack(before, options) };
}

const open = (counter: Counter, cursor: string, caller = till) =>
  settled(counter, counter.payments.shown(caller, cursor), 10);

describe("once a register has shown a cursor from the future", () => {
  test("no call that moves money is accepted, of any register; what is asked for is not in the journal", async () => {
    const { counter, cursor } = await forgotten();
    value(await sell(counter, "R-0"));
    const last = await counter.journal.lastNumber();
    await open(counter, cursor);
    const money = { currency: "EUR", amount: 1234, parameters: {} };
    const asked = [
      counter.payments.start(other, startRequest("R-1")),
      counter.payments.charge(till, {
        ...money,
        type: "SALE",
        registration: "card1",
        reference: "C-1",
        fingerprint: "C-1",
      }),
      counter.payments.link(till, { ...money, validForMs: 600_000, reference: "L-1", fingerprint: "L-1" }),
      ...(["CAPTURE", "VOID", "LINKED_REFUND", "INCREMENT"] as const).map((type) =>
        counter.payments.followUp(till, { type, of: { name: "R-0" }, reference: type, fingerprint: type }),
      ),
      counter.payments.followUp(tillOfAnyBooking, {
        type: "VOID",
        of: { gatewayId: "cp77" },
        reference: "V-2",
        fingerprint: "V-2",
      }),
    ];
    await counter.clock.advance(10_000);
    for (const reply of await Promise.all(asked)) expect(reply).toMatchObject(ROLLED_BACK);
    expect(await counter.journal.lastNumber()).toBe(last);
    expect(counter.pastMissing).toEqual([`till ${numberOf(cursor)} proven`]);
  });

  test("the same reference still finds what it stands for, and whatever else is asked is answered", async () => {
    const { counter, cursor } = await forgotten();
    value(await sell(counter, "R-0"));
    await open(counter, cursor);
    expect(value(await sell(counter, "R-0")).created).toBe(false);
    expect(value(await settled(counter, counter.payments.get(till, { reference: "R-0" })))).toMatchObject({
      outcome: "APPROVED",
    });
    expect(await settled(counter, counter.payments.get(till, { reference: "R-1" }))).toMatchObject({
      refusal: { code: "not-found" },
    });
    value(await settled(counter, counter.payments.list(till, { limit: 10 })));
  });

  test("what was accepted before goes on to its end", async () => {
    const { counter, cursor } = await forgotten();
    value(await settled(counter, counter.payments.start(till, startRequest("R-0")), 1));
    await open(counter, cursor);
    await counter.clock.advance(5_000);
    expect(value(await settled(counter, counter.payments.get(till, { reference: "R-0" })))).toMatchObject({
      outcome: "APPROVED",
      capture: "captured",
    });
  });

  test("a start that is being accepted in that moment meets it", async () => {
    const { counter, cursor } = await forgotten();
    const asked = counter.payments.start(till, startRequest("R-1"));
    void counter.payments.shown(other, cursor);
    expect(await settled(counter, asked)).toMatchObject(ROLLED_BACK);
  });

  test("a subscription behind it is refused as ever, and closes the shop as well", async () => {
    const { counter, cursor } = await forgotten();
    expect(
      await settled(
        counter,
        counter.payments.follow(till, cursor, () => undefined),
      ),
    ).toMatchObject({ refusal: { code: "cursor-gone" } });
    expect(await sell(counter, "R-1")).toMatchObject(ROLLED_BACK);
  });

  test("it holds after a restart, until a technician confirms; then the same cursor is in nobody's way, and who said so is kept", async () => {
    const { counter, cursor } = await forgotten();
    await open(counter, cursor);
    await counter.engine.stop(() => 0);
    const next = openCounter({}, { clock: counter.clock, journal: counter.journal.crash(0) });
    expect(await sell(next, "R-1")).toMatchObject(ROLLED_BACK);
    value(await next.payments.confirmRollback(word));
    value(await sell(next, "R-2"));
    await open(next, cursor);
    value(await sell(next, "R-3"));
    expect(await next.payments.confirmRollback(word)).toMatchObject({ refusal: { code: "not-allowed" } });
    const last = openCounter({}, { clock: next.clock, journal: next.journal.crash(0) });
    expect(last.payments.rollbacks()).toMatchObject([
      { number: 1, last: 0, shown: [{ register: "till" }], confirmed: word },
    ]);
  });

  test("it is noticed once more where the same copy is put back again", async () => {
    const { counter, cursor } = await forgotten();
    await open(counter, cursor);
    value(await counter.payments.confirmRollback(word));
    value(await sell(counter, "R-2"));
    const since = await counter.payments.cursor();
    await counter.engine.stop(() => 0);
    const again = putBack(counter);
    await open(again, since);
    expect(await sell(again, "R-2")).toMatchObject(ROLLED_BACK);
  });

  test("it is noticed too late only where other registers have sold meanwhile, and not overlooked because they have", async () => {
    const { counter, cursor } = await forgotten();
    for (const reference of ["O-1", "O-2", "O-3"]) value(await sell(counter, reference, other));
    expect(await counter.journal.lastNumber()).toBeGreaterThan(numberOf(cursor));
    await open(counter, cursor);
    expect(await sell(counter, "R-1")).toMatchObject(ROLLED_BACK);
  });

  test("it holds where the disk takes nothing, and people are told", async () => {
    const full = async (): Promise<never> => {
      throw new JournalUnwritable("the disk is full");
    };
    const options = {
      journal: (journal: MemoryJournal): Journal => ({ ...journal, cursors: { ...journal.cursors, notice: full } }),
    };
    const { counter, cursor } = await forgotten(options);
    await open(counter, cursor);
    expect(counter.pastMissing).toEqual([expect.stringMatching(/^till [0-9]+ proven$/)]);
  });
});

describe("a register cannot close the shop", () => {
  test("by a number beyond the end: people are told that it is not proven, and the shop sells on", async () => {
    const counter = openCounter();
    await open(counter, "99");
    await open(counter, joinCursor(99, "123456789"));
    value(await sell(counter, "R-1"));
    expect(counter.pastMissing).toEqual(["till 99 not proven", "till 99 not proven"]);
  });

  test("by trying: after three cursors that were never made none of its own is believed, and those of others still are", async () => {
    const { counter, cursor } = await forgotten();
    for (const tail of ["000000001", "000000002", "000000003"]) await open(counter, joinCursor(99, tail));
    await open(counter, cursor);
    value(await sell(counter, "R-1"));
    await open(counter, cursor, other);
    expect(await sell(counter, "R-2")).toMatchObject(ROLLED_BACK);
  });

  test("by a cursor of another bridge, however often it shows it", async () => {
    const { counter, cursor } = await forgotten();
    for (let n = 0; n < 5; n += 1) await open(counter, joinCursor(99, "000000001"));
    expect(counter.payments.rollbacks()).toEqual([]);
    await open(counter, cursor);
    expect(counter.payments.rollbacks()).toHaveLength(1);
  });
});

test("no cursor that was ever told closes a shop whose folder was never put back, wherever its process dies", async () => {
  const clock = createVirtualClock(Date.UTC(2026, 0, 15));
  let journal = createMemoryJournal({ clock, appendDelayMs: 1 });
  const told: string[] = [];
  for (let life = 0; life < 60; life += 1) {
    const counter = openCounter({}, { clock, journal });
    void counter.engine.recover();
    for (const cursor of told) void counter.payments.shown(till, cursor);
    void counter.payments.follow({ register: "all", all: true }, undefined, (change) => told.push(change.cursor));
    void counter.payments.cursor().then((cursor) => told.push(cursor));
    void counter.payments.start(till, startRequest(`R-${life}`, { queue: true }));
    await clock.advance(life * 3);
    expect(counter.payments.rollbacks()).toEqual([]);
    expect(counter.pastMissing).toEqual([]);
    journal = journal.crash(life % 3);
  }
  expect(told.length).toBeGreaterThan(100);
});

function numberOf(cursor: string): number {
  const read = createMemoryJournal({ clock: createVirtualClock(0), appendDelayMs: 0 }).cursors.read(cursor);
  return read.is === "none" ? expect.unreachable() : read.number;
}
