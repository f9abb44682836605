import { describe, expect, test } from "vitest";
import type { GatewayOrder } from "../../../src/engine/ports.ts";
import { isInUse, mayBeArchived } from "../../../src/engine/shell/archivable.ts";
import type { Archived } from "../../../src/journal/archiver.ts";
import type { Answer } from "../../../src/payment/fact/answer.ts";
import type { Granted } from "../../../src/payment/fact/refusal.ts";
import type { FollowUpRequest } from "../../../src/payment/fact/request.ts";
import type { PaymentChange } from "../../../src/register/ports.ts";
import { type Counter, openCounter, startRequest, till } from "../../support/counter.ts";
import { approval, silence } from "../../support/sale.ts";

const DAY_MS = 86_400_000;

async function through<T>(counter: Counter, asked: Promise<T>, ms = 5_000): Promise<T> {
  await counter.clock.advance(ms);
  return asked;
}

function value<T>(result: Granted<T>): T {
  if (!result.ok) throw new Error(`${result.refusal.code}: ${result.refusal.message}`);
  return result.value;
}

/** Each booking has an id of its own. */
function openShop(answer?: (order: GatewayOrder) => Answer | undefined): Counter {
  let bookings = 0;
  return openCounter({
    answer: (order) => {
      bookings += 1;
      return (
        answer?.(order) ?? approval(order.operation.amount ?? order.operation.reverses ?? 1234, `booking-${bookings}`)
      );
    },
  });
}

const sell = async (counter: Counter, reference: string, type: "SALE" | "PREAUTHORIZATION" = "SALE") =>
  value(await through(counter, counter.payments.start(till, startRequest(reference, { type }))));

const follow = async (counter: Counter, type: FollowUpRequest["type"], of: string, reference: string) =>
  value(
    await through(
      counter,
      counter.payments.followUp(till, { type, reference, of: { name: of }, fingerprint: reference }),
    ),
  );

/** What a shop does once a day, with all that is older than so many days. */
function archive({ journal, clock, engine }: Counter, days = 0): Promise<Archived> {
  const before = new Date(clock.now() - days * DAY_MS).toISOString();
  return journal.archive({
    before,
    mayGo: mayBeArchived,
    isInUse: (payment) => isInUse(engine.active(), payment),
    pause: async () => true,
  });
}

const isHere = async (counter: Counter, reference: string): Promise<boolean> => {
  const payment = await counter.journal.byReference("till", reference);
  return (await counter.journal.after(0, 1000)).some((fact) => fact.payment === payment);
};

test("in a year of a shop the journal stays within its plan, and of payments that were archived everything is there", async () => {
  const counter = openShop();
  const sizes: number[] = [];
  const told = new Map<string, unknown>();
  const ask = async (reference: string) => [
    value(await through(counter, counter.payments.get(till, { reference }), 0)),
    value(await through(counter, counter.payments.receipt(till, { reference }), 0)),
  ];
  for (let week = 1; week <= 52; week += 1) {
    for (const n of [1, 2, 3]) await sell(counter, `W${week}-${n}`);
    told.set(`W${week}-1`, await ask(`W${week}-1`));
    await counter.clock.advance(7 * DAY_MS);
    await archive(counter, 60);
    sizes.push(counter.journal.size());
  }
  // Rows and names of each payment stay, and pages for new ones.
  const perPayment = ((sizes.at(-1) ?? 0) - (sizes[20] ?? 0)) / (31 * 3);
  expect(perPayment).toBeLessThan(2_500);
  for (const [reference, before] of told) expect(await ask(reference)).toEqual(before);
  const reused = await through(counter, counter.payments.start(till, startRequest("W1-1", { amount: 5 })));
  expect(reused).toMatchObject({ refusal: { code: "reference-reused" } });
  expect(value(await through(counter, counter.payments.start(till, startRequest("W1-1"))))).toMatchObject({
    created: false,
  });
  const totals = await through(counter, counter.payments.totals(till, { from: "2026-01-15T00:00:00.000Z" }));
  expect(totals.map(({ count }) => count)).toEqual([156]);
});

describe("what is archived", () => {
  test("is a payment with everything closed: none that is open, and no reservation before it is captured or voided", async () => {
    let silent = false;
    const counter = openShop(() => (silent ? silence : undefined));
    await sell(counter, "sold");
    for (const reference of ["reserved", "captured", "voided"]) await sell(counter, reference, "PREAUTHORIZATION");
    await follow(counter, "CAPTURE", "captured", "capture");
    await follow(counter, "VOID", "voided", "void");
    await counter.clock.advance(8 * DAY_MS);
    silent = true;
    await sell(counter, "unknown");
    silent = false;
    await counter.clock.advance(120_000);
    await sell(counter, "newest");
    await archive(counter);
    const references = ["sold", "reserved", "captured", "capture", "voided", "void", "unknown", "newest"];
    const here = await Promise.all(
      references.map(async (reference) => ((await isHere(counter, reference)) ? reference : undefined)),
    );
    expect(here.filter((reference) => reference !== undefined)).toEqual(["reserved", "unknown", "newest"]);
  });

  test("is no payment of which a refund is under way, and one that was archived is refunded all the same", async () => {
    let silent = false;
    const counter = openShop(({ operation }) => (silent && operation.paymentType === "RF" ? silence : undefined));
    for (const reference of ["first", "second", "newest"]) await sell(counter, reference);
    await counter.clock.advance(600_000);
    silent = true;
    await follow(counter, "LINKED_REFUND", "first", "refund 1");
    await archive(counter);
    expect([await isHere(counter, "first"), await isHere(counter, "second")]).toEqual([true, false]);
    silent = false;
    await follow(counter, "LINKED_REFUND", "second", "refund 2");
    expect(value(await through(counter, counter.payments.get(till, { reference: "second" })))).toMatchObject({
      refundedAmount: "12.34",
    });
    const again = await through(
      counter,
      counter.payments.followUp(till, {
        type: "LINKED_REFUND",
        reference: "refund 3",
        of: { name: "second" },
        fingerprint: "3",
      }),
    );
    expect(again).toMatchObject({ ok: false });
  });

  test("is told to no register any more: its cursor is gone, also across a restart, and one that stands behind it goes on", async () => {
    const counter = openShop();
    const heard: PaymentChange[] = [];
    value(await counter.payments.follow(till, undefined, (change) => heard.push(change)));
    for (const reference of ["first", "second"]) await sell(counter, reference);
    const [early, end] = [heard[0]?.cursor, heard.at(-1)?.cursor];
    await sell(counter, "newest");
    await archive(counter);
    expect(await counter.journal.archivedTo()).toBeGreaterThan(0);
    for (const after of ["0", early]) {
      const refused = await counter.payments.follow(till, after, () => undefined);
      expect(refused).toMatchObject({
        refusal: { code: "cursor-gone", message: expect.stringContaining("was archived") },
      });
    }
    // It was made by this folder, and proves nothing against it.
    expect(counter.journal.cursors.read(early ?? "")).toMatchObject({ is: "held" });
    const late: PaymentChange[] = [];
    value(
      await through(
        counter,
        counter.payments.follow(till, end, (change) => late.push(change)),
      ),
    );
    await counter.clock.advance(1_000);
    expect(new Set(late.map(({ payment }) => payment.reference))).toEqual(new Set(["newest"]));
    const to = await counter.journal.archivedTo();
    const next = counter.journal.crash(0);
    expect(await next.archivedTo()).toBe(to);
    expect(next.cursors.read(early ?? "")).toMatchObject({ is: "held" });
  });
});
