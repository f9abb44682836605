import { describe, expect, test } from "vitest";
import type { Granted } from "../../../src/payment/fact/refusal.ts";
import type { FollowUpType } from "../../../src/payment/follow-up/follow-up.ts";
import type { Caller, TotalsRow } from "../../../src/register/ports.ts";
import { type Counter, openCounter, startRequest, till } from "../../support/counter.ts";
import { approval, refusal } from "../../support/sale.ts";

const DECLINED = 1300;
const PARTLY = 8000;

function open(): Counter {
  let bookings = 0;
  return openCounter({
    answer: ({ operation: { reverses, amount = reverses ?? 0, paymentType } }) => {
      bookings += 1;
      if (amount === DECLINED) return refusal();
      return approval(amount === PARTLY && paymentType === "PA" ? 5000 : amount, `booking-${bookings}`);
    },
  });
}

async function through<T>(counter: Counter, asked: Promise<Granted<T>>): Promise<T> {
  await counter.clock.advance(5_000);
  const result = await asked;
  if (!result.ok) throw new Error(`${result.refusal.code}: ${result.refusal.message}`);
  return result.value;
}

type Start = Parameters<typeof startRequest>[1];
const start = (counter: Counter, reference: string, changes: Start = {}, caller = till) =>
  through(counter, counter.payments.start(caller, startRequest(reference, changes)));

const follow = (counter: Counter, type: FollowUpType, of: string, reference: string, amount?: string, caller = till) =>
  through(
    counter,
    counter.payments.followUp(caller, {
      type,
      of: { name: of },
      reference,
      fingerprint: reference,
      ...(amount !== undefined && { amount }),
    }),
  );

async function rows(counter: Counter, period = {}, caller: Caller = till): Promise<readonly string[]> {
  const asked = counter.payments.totals(caller, period);
  await counter.clock.advance(100);
  return (await asked).map(
    ({ type, brand, currency, count, amount, terminal }: TotalsRow) =>
      `${terminal} ${type} ${brand} ${currency} ${count} ${amount}`,
  );
}

const now = (counter: Counter): string => new Date(counter.clock.now()).toISOString();

describe("the totals of a day", () => {
  test("are nothing where nothing was approved", async () => {
    const counter = open();
    expect(await rows(counter)).toEqual([]);
    await start(counter, "R-1", { amount: DECLINED });
    expect(await rows(counter)).toEqual([]);
  });

  test("count what was approved, a part as what it is, by type and currency", async () => {
    const counter = open();
    await start(counter, "R-1");
    await start(counter, "R-2", { amount: 1 });
    await start(counter, "R-3", { amount: PARTLY });
    await start(counter, "R-4", { amount: 999 });
    await start(counter, "R-5", { type: "REFUND", amount: 500 });
    await start(counter, "R-6", { type: "REGISTRATION", amount: 0 });
    await start(counter, "R-7", { amount: DECLINED });
    expect(await rows(counter)).toEqual([
      "till-1 REFUND VISA EUR 1 5.00",
      "till-1 REGISTRATION VISA EUR 1 0.00",
      "till-1 SALE VISA EUR 4 72.34",
    ]);
  });

  test("leave out what is still open", async () => {
    const counter = open();
    const started = counter.payments.start(till, startRequest("R-1"));
    await counter.clock.advance(20);
    await started;
    const asked = counter.payments.totals(till, {});
    await counter.clock.advance(0);
    expect(await asked).toEqual([]);
  });

  test("show refunds as rows of their own, with the brand of the card that paid, and leave the sale whole", async () => {
    const counter = open();
    await start(counter, "R-1");
    await follow(counter, "LINKED_REFUND", "R-1", "F-1", "5.00");
    await follow(counter, "LINKED_REFUND", "R-1", "F-2");
    expect(await rows(counter)).toEqual(["till-1 LINKED_REFUND VISA EUR 2 12.34", "till-1 SALE VISA EUR 1 12.34"]);
  });

  test("hold neither a voided sale nor its void", async () => {
    const counter = open();
    await start(counter, "R-1");
    await start(counter, "R-2", { amount: 100 });
    await follow(counter, "VOID", "R-1", "V-1");
    expect(await rows(counter)).toEqual(["till-1 SALE VISA EUR 1 1.00"]);
  });

  test("keep a sale that is voided later, and show that void in its own time", async () => {
    const counter = open();
    const from = now(counter);
    await start(counter, "R-1");
    const midnight = now(counter);
    await follow(counter, "VOID", "R-1", "V-1");
    const to = now(counter);
    expect(await rows(counter, { from, to: midnight })).toEqual(["till-1 SALE VISA EUR 1 12.34"]);
    expect(await rows(counter, { from: midnight, to })).toEqual(["till-1 VOID VISA EUR 1 12.34"]);
    expect(await rows(counter, { from, to })).toEqual([]);
  });

  test("are half open: what was made at `from` counts, what was made at `to` does not", async () => {
    const counter = open();
    const { payment } = await start(counter, "R-1");
    const later = new Date(Date.parse(payment.createdAt) + 1).toISOString();
    expect(await rows(counter, { from: payment.createdAt })).toHaveLength(1);
    expect(await rows(counter, { from: later })).toEqual([]);
    expect(await rows(counter, { to: payment.createdAt })).toEqual([]);
    expect(await rows(counter, { to: later })).toHaveLength(1);
  });

  test("tell what was reserved apart from what was captured, the brand found through two steps", async () => {
    const counter = open();
    await start(counter, "P-1", { type: "PREAUTHORIZATION", amount: 10_000 });
    await follow(counter, "INCREMENT", "P-1", "I-1", "20.00");
    await follow(counter, "CAPTURE", "P-1", "C-1", "70.00");
    await follow(counter, "CAPTURE", "P-1", "C-2");
    await follow(counter, "LINKED_REFUND", "C-1", "F-1", "1.00");
    expect(await rows(counter)).toEqual([
      "till-1 CAPTURE VISA EUR 2 120.00",
      "till-1 INCREMENT VISA EUR 1 20.00",
      "till-1 LINKED_REFUND VISA EUR 1 1.00",
      "till-1 PREAUTHORIZATION VISA EUR 1 100.00",
    ]);
    await follow(counter, "VOID", "C-2", "V-1");
    expect(await rows(counter)).toContain("till-1 CAPTURE VISA EUR 1 70.00");
  });

  test("let a voided reservation take its increments with it; a later void counts both", async () => {
    const counter = open();
    await start(counter, "P-1", { type: "PREAUTHORIZATION", amount: 10_000 });
    await follow(counter, "INCREMENT", "P-1", "I-1", "20.00");
    const midnight = now(counter);
    await follow(counter, "VOID", "P-1", "V-1");
    expect(await rows(counter)).toEqual([]);
    expect(await rows(counter, { from: midnight })).toEqual(["till-1 VOID VISA EUR 1 120.00"]);
  });

  test("are over what the caller may read", async () => {
    const counter = open();
    const other = { register: "other", all: false };
    await start(counter, "R-1");
    await start(counter, "R-1", { amount: 100 }, other);
    expect(await rows(counter)).toEqual(["till-1 SALE VISA EUR 1 12.34"]);
    expect(await rows(counter, {}, other)).toEqual(["till-1 SALE VISA EUR 1 1.00"]);
    expect(await rows(counter, {}, { register: "office", all: true })).toEqual(["till-1 SALE VISA EUR 2 13.34"]);
  });

  test("are the same after a restart, and go over as many pages as there are", async () => {
    const counter = open();
    for (let sale = 1; sale <= 205; sale += 1) await start(counter, `R-${sale}`, { amount: 1 });
    expect(await rows(counter)).toEqual(["till-1 SALE VISA EUR 205 2.05"]);
    const again = openCounter({}, { clock: counter.clock, journal: counter.journal.crash(0) });
    expect(await rows(again)).toEqual(["till-1 SALE VISA EUR 205 2.05"]);
  });
});
