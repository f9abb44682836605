import { describe, expect, it } from "vitest";
import { readLostBookings } from "../../../src/engine/lost-bookings.ts";
import type { Listed, Listing, LostBooking } from "../../../src/engine/ports.ts";
import { rowOf } from "../../../src/engine/row.ts";
import { closeUndecided, undecidedIn } from "../../../src/engine/undecided.ts";
import { createMemoryJournal, type MemoryJournal } from "../../../src/journal/memory-journal.ts";
import { nameBeginnings } from "../../../src/journal/signed-cursor.ts";
import { isoTime } from "../../../src/kit/clock.ts";
import type { SearchResult } from "../../../src/payment/answer.ts";
import { fold } from "../../../src/payment/payment.ts";
import { openCounter, startRequest, till } from "../../support/counter.ts";
import { approval, authorizing, type Story, sale } from "../../support/sale.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";

/* A journal that was restored from a backup: what the gateway has booked since, what was undecided then, and which references are used. */

const NOW = Date.UTC(2026, 0, 15);
const HOUR = 3_600_000;
const MARK = "a1b2c3d4";

async function journalWith(clock: VirtualClock, ...stories: readonly Story[]): Promise<MemoryJournal> {
  const journal = createMemoryJournal({ clock, appendDelayMs: 1 });
  for (const { facts } of stories) {
    for (const [at, fact] of facts.entries()) {
      const payment = fold(facts.slice(0, at + 1));
      if (payment === undefined) continue;
      const written = journal.append([fact], isoTime(fact.at), rowOf(payment));
      await clock.advance(1);
      await written;
    }
  }
  return journal;
}

const bookedSale = () => authorizing().answer(approval());
const listed = (changes: Partial<Listed> = {}): Listed => ({
  ...{
    id: "lost-1",
    paymentType: "PA",
    amount: "12.34",
    currency: "EUR",
    merchantTransactionId: `${MARK}0011`,
    resultCode: "000.100.110",
    is: "booked",
    at: NOW,
  },
  ...changes,
});

/** A gateway that has these, and takes two questions a minute. */
function gatewayWith(all: readonly Listed[], clock: VirtualClock, most = 500) {
  const asked: { readonly from: number; readonly to: number; readonly at: number }[] = [];
  const list = async (_entity: string, from: number, to: number): Promise<Listing> => {
    const at = clock.monotonic();
    if (asked.filter((one) => at - one.at < 60_000).length >= 2) return { is: "throttled" };
    asked.push({ from, to, at });
    const found = all.filter((one) => one.at === undefined || (one.at >= from && one.at <= to + 999));
    return { is: "listed", bookings: found.slice(0, most), isFull: found.length >= most };
  };
  return { asked, lister: { list } };
}

async function read(journal: MemoryJournal, clock: VirtualClock, lister: { list: (entity: string, from: number, to: number) => Promise<Listing> }) {
  const reading = readLostBookings({ lister, journal, clock, mark: MARK }, { entities: ["e1"], from: NOW - HOUR, to: NOW });
  await clock.advance(48 * HOUR);
  return reading;
}

describe("what the gateway has booked since the backup", () => {
  it("is all that the journal does not know: this bridge's by their names, what belongs to its payments, and others' of that time", async () => {
    const clock = createVirtualClock(NOW);
    const journal = await journalWith(clock, bookedSale().meets({ on: "finished", verdict: "approved", chip: {} }));
    const { lister } = gatewayWith(
      [
        listed(),
        listed({ id: "booking-1", merchantTransactionId: "mtid-2" }),
        listed({ id: "refund", paymentType: "RF", merchantTransactionId: `${MARK}0022`, referencedId: "booking-1" }),
        listed({ id: "other", merchantTransactionId: "somebody-elses" }),
        listed({ id: "old other", merchantTransactionId: "somebody-elses", at: NOW - 3 * HOUR }),
        listed({ id: "undated", merchantTransactionId: undefined, at: undefined }),
      ],
      clock,
    );
    const found = await read(journal, clock, lister);
    const told = found.ok ? found.bookings.map(({ id, isOwn, of }) => [id, isOwn, of?.reference]) : found;
    expect(told).toEqual([
      ["undated", false, undefined],
      ["lost-1", true, undefined],
      ["refund", true, "R-1"],
      ["other", false, undefined],
    ]);
  });

  it("is read whole where a list may be cut off, at no more than two questions a minute, each booking once", async () => {
    const clock = createVirtualClock(NOW);
    const journal = await journalWith(clock);
    const all = Array.from({ length: 60 }, (_, n) => listed({ id: `lost-${n}`, at: NOW - HOUR + n * 61_000 }));
    const { lister, asked } = gatewayWith(all, clock, 10);
    const found = await read(journal, clock, lister);
    expect(found.ok && found.bookings.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(asked.length).toBeGreaterThan(10);
    for (const [at, one] of asked.entries()) expect(one.at - (asked[at - 2]?.at ?? -Infinity)).toBeGreaterThan(60_000);
  });

  it.each([
    ["no answer", { is: "no-answer", description: "connect ECONNREFUSED" }, "no-answer"],
    ["queries by time not enabled", { is: "refused", description: "800.900.300" }, "refused"],
    ["a throttle without an end", { is: "throttled" }, "no-answer"],
    ["more in one second than a list holds", { is: "listed", bookings: [], isFull: true }, "refused"],
  ] as const)("is not known where there is %s, and that is said", async (_name, answer, why) => {
    const clock = createVirtualClock(NOW);
    const journal = await journalWith(clock);
    expect(await read(journal, clock, { list: async () => answer })).toMatchObject({ ok: false, why });
  });
});

describe("a sale that was undecided when the backup was made", () => {
  const shown: SearchResult = {
    is: "found",
    bookings: [{ id: "booking-1", merchantTransactionId: "mtid-2", paymentType: "PA", answer: approval() }],
  };
  const order = { reason: "the till says approved", by: "anna" };

  async function undecided(result: SearchResult) {
    const clock = createVirtualClock(NOW);
    const journal = await journalWith(clock, authorizing());
    const close = async (more: { readonly as: "approved" | "reversed" | "declined"; readonly gatewayId?: string }) => {
      const gateway = { reaches: () => true, search: async () => result };
      const closing = closeUndecided({ journal, gateway, now: clock.now }, { reference: "R-1" }, { ...order, ...more });
      await clock.advance(100);
      return closing;
    };
    return { clock, journal, close };
  }

  it.each([
    [{ as: "approved", gatewayId: "booking-1" }, "APPROVED"],
    [{ as: "declined" }, "DECLINED"],
    [{ as: "reversed" }, "FAILED"],
  ] as const)("is closed by a person as %o, and what the gateway showed by then is never reversed by the bridge", async (word, outcome) => {
    const { clock, journal, close } = await undecided(shown);
    expect(await undecidedIn(journal)).toHaveLength(1);
    expect(await close(word)).toMatchObject({ ok: true, value: { payment: { state: "FINAL", outcome }, gateway: "booked" } });
    expect(await undecidedIn(journal)).toEqual([]);
    const counter = openCounter({ search: () => shown }, { clock, journal });
    void counter.engine.recover();
    await clock.advance(5 * 24 * HOUR);
    expect([counter.posted, counter.broken]).toEqual([[], []]);
    expect(await counter.payments.get(till, { reference: "R-1" })).toMatchObject({ value: { outcome } });
  });

  it("would be reversed by a bridge that took it up as after a crash, which is why it has to have that word", async () => {
    const { clock, journal } = await undecided(shown);
    const counter = openCounter({ search: () => shown }, { clock, journal });
    void counter.engine.recover();
    await clock.advance(HOUR);
    expect(counter.posted.map(({ operation }) => operation.paymentType)).toContain("RV");
  });

  it("is approved only by a booking that the gateway shows", async () => {
    const { close } = await undecided({ is: "absent" });
    for (const gatewayId of ["booking-1", "other"])
      expect(await close({ as: "approved", gatewayId })).toMatchObject({ ok: false, refusal: { code: "not-allowed" } });
    expect(await close({ as: "approved" })).toMatchObject({ refusal: { message: expect.stringContaining("--gateway-id") } });
  });

  it("is none where only its card was waited for, and none where it was decided", async () => {
    const clock = createVirtualClock(NOW);
    const waiting = authorizing({ ...sale, id: "pay_2", reference: "R-2" });
    const { facts } = waiting;
    facts.splice(facts.findIndex(({ fact }) => fact === "collecting") + 1);
    const approved = bookedSale().meets({ on: "finished", verdict: "approved", chip: {} });
    const journal = await journalWith(clock, approved, waiting);
    expect(await journal.openPayments()).toHaveLength(2);
    expect(await undecidedIn(journal)).toEqual([]);
  });
});

describe("the counter on a restored folder", () => {
  const nameBegins = nameBeginnings("key", "brg_a1b2c3d4e5f60718293a4b5c");
  const lost = (reference: string, changes: Partial<LostBooking> = {}): LostBooking => ({
    ...{ id: "lost-1", entityId: "e1", paymentType: "PA", amount: "12.34", currency: "EUR", resultCode: "000.100.110", is: "booked", isOwn: true },
    ...{ merchantTransactionId: `${nameBegins({ register: "till", reference })}0123456789ab` },
    ...changes,
  });

  it("accepts nothing until that is confirmed, and then no reference of which the gateway holds a booking", async () => {
    const clock = createVirtualClock(NOW);
    const counter = openCounter({ nameBegins }, { clock, journal: await journalWith(clock) });
    const { cursors } = counter.journal;
    await cursors.restored({ at: isoTime(NOW), last: 0, madeAt: isoTime(NOW - HOUR) });
    const bookings = [lost("R-1"), lost("R-2", { is: "refused", resultCode: "800.100.152" })];
    await cursors.lost({ at: isoTime(NOW), from: isoTime(NOW - HOUR), to: isoTime(NOW), bookings });
    const start = async (reference: string) => {
      const started = counter.payments.start(till, startRequest(reference));
      await clock.advance(5_000);
      return started;
    };
    expect(await start("R-3")).toMatchObject({
      refusal: { code: "data-folder-rolled-back", message: expect.stringContaining("restored from a backup of 2026-01-14T23:00") },
    });
    expect(await counter.payments.confirmRollback({ by: "anna", reason: "looked" })).toMatchObject({ ok: true });
    expect(await start("R-1")).toMatchObject({
      refusal: { code: "reference-reused", message: expect.stringContaining("lost-1 (PA 12.34 EUR)"), path: "reference" },
    });
    expect(counter.posted).toEqual([]);
    for (const reference of ["R-2", "R-3"]) expect(await start(reference)).toMatchObject({ value: { created: true } });
    const names = counter.posted.map(({ operation }) => operation.merchantTransactionId.slice(0, 20));
    expect(new Set(names)).toEqual(new Set(["R-2", "R-3"].map((reference) => nameBegins({ register: "till", reference }))));
  });
});
