import { describe, expect, it } from "vitest";
import { readLostBookings } from "../../../src/engine/gateway/lost-bookings.ts";
import type { Listed, Listing, LostBooking } from "../../../src/engine/ports.ts";
import type { MemoryJournal } from "../../../src/journal/memory-journal.ts";
import { isoTime } from "../../../src/kit/clock.ts";
import { openCounter, startRequest, till } from "../../support/counter.ts";
import { HOUR, journalWith, listed, lostName, MARK, NOW, nameBegins } from "../../support/restored-journal.ts";
import { approval, authorizing, Story, sale } from "../../support/sale.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";

/* A journal that was restored from a backup: what the gateway has booked since, and which references are used. */

const bookedSale = () => authorizing().answer(approval());

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

type ListOf = (entity: string, from: number, to: number) => Promise<Listing>;

async function read(
  journal: MemoryJournal,
  clock: VirtualClock,
  lister: { readonly list: ListOf },
  formerEntities: readonly string[] = [],
) {
  const period = { entities: ["e1"], formerEntities, from: NOW - HOUR, to: NOW };
  const reading = readLostBookings({ lister, journal, clock, mark: MARK, nameBegins }, period);
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

  it("names the payment that was still open then, by the name of the request alone", async () => {
    const clock = createVirtualClock(NOW);
    const journal = await journalWith(
      clock,
      bookedSale(),
      new Story({ ...sale, id: "pay_2", reference: "R-2" }).meets({ on: "leased" }),
    );
    const bookings = [
      listed({ merchantTransactionId: lostName("R-2") }),
      listed({ id: "lost-2", merchantTransactionId: lostName("R-3") }),
    ];
    const found = await read(journal, clock, gatewayWith(bookings, clock).lister);
    expect(found.ok && found.bookings.map(({ id, isOwn, of }) => [id, isOwn, of?.reference])).toEqual([
      ["lost-1", true, "R-2"],
      ["lost-2", true, undefined],
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

describe("an entity that only the journal knows", () => {
  const refused = { is: "refused", description: "800.900.300 invalid authentication information" } as const;

  it("is asked about too: refunds of its payments went there", async () => {
    const clock = createVirtualClock(NOW);
    const list: ListOf = async (entity) => ({
      is: "listed",
      bookings: entity === "e-old" ? [listed()] : [],
      isFull: false,
    });
    const found = await read(await journalWith(clock), clock, { list }, ["e-old"]);
    expect(found).toMatchObject({ ok: true, bookings: [{ id: "lost-1", entityId: "e-old" }], untold: [] });
  });

  it("keeps nothing else from being known where the gateway refuses to tell, which a person is told", async () => {
    const clock = createVirtualClock(NOW);
    const list: ListOf = async (entity) =>
      entity === "e-old" ? refused : { is: "listed", bookings: [listed()], isFull: false };
    const found = await read(await journalWith(clock), clock, { list }, ["e-old"]);
    const untold = [{ entityId: "e-old", description: refused.description }];
    expect(found).toMatchObject({ ok: true, bookings: [{ id: "lost-1", entityId: "e1" }], untold });
  });

  it("is asked again where the gateway did not answer, and one of the configuration where it refuses: which one it was is said", async () => {
    const clock = createVirtualClock(NOW);
    const silent: ListOf = async (entity) =>
      entity === "e-old"
        ? { is: "no-answer", description: "connect ECONNREFUSED" }
        : { is: "listed", bookings: [], isFull: false };
    const journal = await journalWith(clock);
    expect(await read(journal, clock, { list: silent }, ["e-old"])).toEqual({
      ok: false,
      why: "no-answer",
      description: "entity e-old: connect ECONNREFUSED",
    });
    expect(await read(journal, clock, { list: async () => refused }, ["e-old"])).toMatchObject({
      ok: false,
      why: "refused",
      description: expect.stringContaining("entity e1: "),
    });
  });
});

describe("the counter on a restored folder", () => {
  const lost = (reference: string, changes: Partial<LostBooking> = {}): LostBooking => ({
    ...{
      id: "lost-1",
      entityId: "e1",
      paymentType: "PA",
      amount: "12.34",
      currency: "EUR",
      resultCode: "000.100.110",
      is: "booked",
      isOwn: true,
    },
    ...{ merchantTransactionId: lostName(reference) },
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
      refusal: {
        code: "data-folder-rolled-back",
        message: expect.stringContaining("restored from a backup of 2026-01-14T23:00"),
      },
    });
    expect(await counter.payments.confirmRollback({ by: "anna", reason: "looked" })).toMatchObject({ ok: true });
    expect(await start("R-1")).toMatchObject({
      refusal: {
        code: "reference-reused",
        message: expect.stringContaining("lost-1 (PA 12.34 EUR)"),
        path: "reference",
      },
    });
    expect(counter.posted).toEqual([]);
    for (const reference of ["R-2", "R-3"]) expect(await start(reference)).toMatchObject({ value: { created: true } });
    const names = counter.posted.map(({ operation }) => operation.merchantTransactionId.slice(0, 20));
    expect(new Set(names)).toEqual(
      new Set(["R-2", "R-3"].map((reference) => nameBegins({ register: "till", reference }))),
    );
  });
});
