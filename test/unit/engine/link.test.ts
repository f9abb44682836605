import { expect, test } from "vitest";
import type { GatewayOrder } from "../../../src/engine/ports.ts";
import { createMemoryJournal } from "../../../src/journal/memory-journal.ts";
import type { Answer, LinkSight, SearchResult } from "../../../src/payment/fact/answer.ts";
import type { Granted } from "../../../src/payment/fact/refusal.ts";
import type { LinkRequest } from "../../../src/payment/fact/request.ts";
import type { PaymentView } from "../../../src/payment/view-schema.ts";
import { type Counter, type CounterOptions, openCounter, till } from "../../support/counter.ts";
import { approval, linkMade, silence } from "../../support/sale.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const MINUTE = 60_000;

/** A gateway with one link, which the customer opens and pays when a test says so. */
function shop(options: CounterOptions = {}) {
  const gateway: { sight: LinkSight; booked: boolean; looks: number; queries: number } = {
    sight: { is: "open", opened: false },
    booked: false,
    looks: 0,
    queries: 0,
  };
  let made = "";
  const answer = (order: GatewayOrder): Answer => {
    if (order.operation.link === undefined) return approval(order.operation.amount ?? 1234, "rv-1");
    made = order.operation.merchantTransactionId;
    return linkMade;
  };
  const search = (): SearchResult => {
    gateway.queries += 1;
    if (!gateway.booked) return { is: "absent" };
    return {
      is: "found",
      bookings: [{ id: "booking-1", merchantTransactionId: made, paymentType: "DB", answer: approval() }],
    };
  };
  const look = (): LinkSight => {
    gateway.looks += 1;
    return gateway.sight;
  };
  const counter = openCounter({ answer, search, look, ...options });
  const pays = (): void => {
    gateway.sight = { is: "paid", transactionId: "booking-1" };
    gateway.booked = true;
  };
  return { counter, gateway, pays };
}

async function link(counter: Counter, reference: string, changes: Partial<LinkRequest> = {}, forMs = 1_000) {
  const content = { reference, currency: "EUR", amount: 1234, validForMs: 10 * MINUTE, parameters: {}, ...changes };
  const asked = counter.payments.link(till, { ...content, fingerprint: JSON.stringify(content) });
  await counter.clock.advance(forMs);
  return asked;
}

function value<T>(result: Granted<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal.message}`);
  return result.value;
}

async function shown({ payments, clock }: Counter, reference: string): Promise<PaymentView> {
  const asked = payments.get(till, { reference });
  await clock.advance(10);
  return value(await asked);
}

test("the reply has the link in it, and the payment is approved some seconds after the customer has paid", async () => {
  const { counter, pays } = shop();
  const started = value(await link(counter, "L-1"));
  expect(started).toMatchObject({
    created: true,
    payment: { type: "SALE", terminal: "", state: "AWAITING_CARD", link: { url: "https://gateway.example/link-1" } },
  });
  await counter.clock.advance(MINUTE);
  pays();
  await counter.clock.advance(31_000);
  expect(await shown(counter, "L-1")).toMatchObject({ outcome: "APPROVED", capturedAmount: "12.34" });
  expect(counter.posted.map(({ operation }) => operation.paymentType)).toEqual(["DB"]);
});

test("the same reference has the same link, also while the gateway is slow; then it comes with a change", async () => {
  const { counter } = shop({ hostMs: 20_000 });
  const slow = value(await link(counter, "L-1", {}, 6_000));
  expect(slow).toMatchObject({ created: true, payment: { state: "AUTHORIZING" } });
  expect(slow.payment.link).toBeUndefined();
  const again = value(await link(counter, "L-1", {}, 16_000));
  expect(again.created).toBe(false);
  expect(await shown(counter, "L-1")).toMatchObject({
    state: "AWAITING_CARD",
    link: { url: "https://gateway.example/link-1" },
  });
  expect(counter.posted.length).toBe(1);
});

test("a link is looked at every ten seconds, later every thirty, and never by a query that a card may need", async () => {
  const { counter, gateway } = shop();
  await link(counter, "L-1", { validForMs: 60 * MINUTE });
  await counter.clock.advance(10 * MINUTE);
  expect(gateway.looks).toBeGreaterThan(20);
  expect(gateway.looks).toBeLessThan(32);
  expect(gateway.queries).toBe(0);
  const facts = await counter.journal.lastNumber();
  await counter.clock.advance(10 * MINUTE);
  expect(await counter.journal.lastNumber()).toBe(facts);
});

test("a link that is valid for three months is waited for without turning in circles: no timer of Node runs for so long", async () => {
  let timers = 0;
  const clock = createVirtualClock(Date.UTC(2026, 0, 15), {
    afterEach: () => {
      timers += 1;
    },
  });
  const looking = { answer: () => linkMade, look: (): LinkSight => ({ is: "open", opened: false }) };
  const counter = openCounter(looking, { clock, journal: createMemoryJournal({ clock, appendDelayMs: 1 }) });
  await link(counter, "L-1", { validForMs: 90 * 24 * 60 * MINUTE });
  await clock.advance(MINUTE);
  expect(timers).toBeLessThan(50);
  expect(await shown(counter, "L-1")).toMatchObject({ state: "AWAITING_CARD" });
});

test("time over: the register is told at once, and what is paid later is reversed", async () => {
  const { counter, gateway, pays } = shop();
  await link(counter, "L-1");
  await counter.clock.advance(10 * MINUTE + 1_000);
  expect(await shown(counter, "L-1")).toMatchObject({
    state: "RESOLVING",
    decision: "not-approved",
    reason: { code: "link-expired", advice: "retry" },
  });
  expect(gateway.queries).toBe(1);
  pays();
  await counter.clock.advance(3 * MINUTE);
  expect(await shown(counter, "L-1")).toMatchObject({ state: "FINAL", outcome: "FAILED", lateBooking: true });
  expect(counter.posted.map(({ operation }) => operation.paymentType)).toEqual(["DB", "RV"]);
});

test("a cancelled link is watched until the gateway takes no payment by it any more", async () => {
  const { counter, gateway } = shop();
  await link(counter, "L-1");
  const cancelled = counter.payments.cancel(till, { reference: "L-1" });
  await counter.clock.advance(100);
  expect(value(await cancelled)).toMatchObject({
    cancellation: "accepted",
    payment: { state: "RESOLVING", decision: "not-approved" },
  });
  await counter.clock.advance(55 * MINUTE);
  expect(gateway.queries).toBe(0);
  gateway.sight = { is: "expired" };
  await counter.clock.advance(60 * MINUTE);
  expect(await shown(counter, "L-1")).toMatchObject({ state: "FINAL", outcome: "CANCELLED" });
  const looks = gateway.looks;
  await counter.clock.advance(80 * 60 * MINUTE);
  expect(gateway.looks).toBe(looks);
  expect(counter.engine.active()).toEqual([]);
});

test("a cancelled link that never comes to its end is looked at ever more seldom: every hour after some two hours", async () => {
  const { counter, gateway } = shop({ search: () => ({ is: "no-answer", description: "" }) });
  await link(counter, "L-1");
  void counter.payments.cancel(till, { reference: "L-1" });
  await counter.clock.advance(5 * MINUTE);
  const anHourLater = async (hours = 1): Promise<number> => {
    const before = gateway.looks;
    await counter.clock.advance(hours * 60 * MINUTE);
    return (gateway.looks - before) / hours;
  };
  expect(gateway.looks).toBeGreaterThan(15);
  expect(await anHourLater(2)).toBeCloseTo(12, 0);
  await anHourLater();
  expect(await anHourLater(10)).toBe(1);
});

test("a bridge that is killed while it watches goes on watching", async () => {
  const first = shop();
  await link(first.counter, "L-1");
  const journal = first.counter.journal.crash(0);
  const mtid = first.counter.posted[0]?.operation.merchantTransactionId ?? "";
  const life = openCounter(
    {
      look: () => ({ is: "paid" }),
      search: () => ({
        is: "found",
        bookings: [{ id: "booking-1", merchantTransactionId: mtid, paymentType: "DB", answer: approval() }],
      }),
    },
    { clock: first.counter.clock, journal },
  );
  await life.engine.recover();
  expect(await shown(life, "L-1")).toMatchObject({
    state: "AWAITING_CARD",
    link: { url: "https://gateway.example/link-1" },
  });
  await life.clock.advance(MINUTE);
  expect(await shown(life, "L-1")).toMatchObject({ outcome: "APPROVED" });
  expect(life.posted).toEqual([]);
});

test("one lost look is nothing; where the link is silent for minutes, a query finds what was paid", async () => {
  const { counter, gateway, pays } = shop({ look: () => ({ is: "no-answer", description: "" }) });
  await link(counter, "L-1");
  await counter.clock.advance(25_000);
  expect(gateway.queries).toBe(0);
  pays();
  await counter.clock.advance(3 * MINUTE);
  expect(await shown(counter, "L-1")).toMatchObject({ outcome: "APPROVED" });
});

test("a link whose reply is lost fails the sale at once and for good", async () => {
  const { counter } = shop({ answer: () => silence });
  expect(value(await link(counter, "L-1"))).toMatchObject({
    payment: { state: "FINAL", outcome: "FAILED", reason: { code: "gateway-unreached", advice: "retry" } },
  });
  await counter.clock.advance(60 * MINUTE);
  expect(counter.posted.length).toBe(1);
});

test("a list names the links that may be paid, without their pictures, so that however many of them fit into a message", async () => {
  const { counter } = shop();
  await link(counter, "L-1");
  expect((await shown(counter, "L-1")).link?.qr).toMatch(/^<svg /);
  const asked = counter.payments.list(till, { limit: 500 });
  await counter.clock.advance(10);
  const [listed] = value(await asked).payments;
  expect(listed?.link).toEqual({ url: "https://gateway.example/link-1", validUntil: expect.any(String) });
});
