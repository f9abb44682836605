import { describe, expect, test } from "vitest";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import type { Granted } from "../../../src/payment/fact/refusal.ts";
import type { FollowUpRequest } from "../../../src/payment/fact/request.ts";
import type { PaymentView } from "../../../src/payment/view-schema.ts";
import {
  type Counter,
  type CounterOptions,
  openCounter,
  startRequest,
  till,
  tillOfAnyBooking,
} from "../../support/counter.ts";
import { approval } from "../../support/sale.ts";

/*
 * A void of a reservation takes its increments back with it: each of them says by which void, as every payment does
 * that was taken back.
 */

function value<T>(result: Granted<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal.message}`);
  return result.value;
}

/** Each order is approved under an id that tells what it was: PA1, PA2, RV3, ... */
function approving(
  special: (paymentType: string, id: string) => Answer | undefined = () => undefined,
): NonNullable<CounterOptions["answer"]> {
  let count = 0;
  return ({ operation: { paymentType, reverses, amount = reverses ?? 0 } }) => {
    count += 1;
    const id = `${paymentType}${count}`;
    return special(paymentType, id) ?? approval(amount, id);
  };
}

async function follow(
  counter: Counter,
  type: FollowUpRequest["type"],
  reference: string,
  of: FollowUpRequest["of"],
  amount?: string,
): Promise<PaymentView> {
  const money = amount === undefined ? {} : { amount };
  const asked = counter.payments.followUp(tillOfAnyBooking, { type, reference, of, fingerprint: reference, ...money });
  await counter.clock.advance(90_000);
  return value(await asked).payment;
}

async function shown(counter: Counter, reference: string): Promise<PaymentView> {
  const asked = counter.payments.get(till, { reference });
  await counter.clock.advance(10);
  return value(await asked);
}

async function reservedAndRaised(options: CounterOptions): Promise<Counter> {
  const counter = openCounter(options);
  const started = counter.payments.start(till, startRequest("R-1", { type: "PREAUTHORIZATION" }));
  await counter.clock.advance(10_000);
  value(await started);
  await follow(counter, "INCREMENT", "I-1", { name: "R-1" }, "5.00");
  await follow(counter, "INCREMENT", "I-2", { name: "R-1" }, "2.00");
  return counter;
}

describe("a void of a reservation", () => {
  test("is what each of its increments was voided by, and every register that listens is told", async () => {
    const counter = await reservedAndRaised({ answer: approving() });
    const told: string[] = [];
    counter.engine.feed.live(({ payment: { reference, voidedBy } }) => {
      if (voidedBy !== undefined) told.push(`${reference} by ${voidedBy}`);
    });
    const { id } = await follow(counter, "VOID", "V-1", { name: "R-1" });
    for (const reference of ["R-1", "I-1", "I-2"])
      expect(await shown(counter, reference)).toMatchObject({ outcome: "APPROVED", voidedBy: id });
    expect(told).toEqual(expect.arrayContaining([`R-1 by ${id}`, `I-1 by ${id}`, `I-2 by ${id}`]));
  });

  test("is not what an increment was voided by that had been voided before by itself", async () => {
    const counter = await reservedAndRaised({ answer: approving() });
    const own = await follow(counter, "VOID", "V-1", { name: "I-1" });
    const whole = await follow(counter, "VOID", "V-2", { name: "R-1" });
    expect((await shown(counter, "I-1")).voidedBy).toBe(own.id);
    expect((await shown(counter, "I-2")).voidedBy).toBe(whole.id);
  });

  test("that is refused leaves the increments as they were", async () => {
    const refused: Answer = { is: "not-reversible", resultCode: "700.300.700", description: "" };
    const counter = await reservedAndRaised({
      answer: approving((paymentType) => (paymentType === "RV" ? refused : undefined)),
    });
    await follow(counter, "VOID", "V-1", { name: "R-1" });
    await counter.clock.advance(3_600_000);
    expect((await shown(counter, "V-1")).outcome).toBe("FAILED");
    for (const reference of ["R-1", "I-1", "I-2"]) expect((await shown(counter, reference)).voidedBy).toBeUndefined();
  });

  test("tells them after a restart where the bridge ended before it could", async () => {
    const counter = await reservedAndRaised({ answer: approving() });
    const asked = counter.payments.followUp(till, {
      type: "VOID",
      reference: "V-1",
      of: { name: "R-1" },
      fingerprint: "V-1",
    });
    const isDecided = () =>
      counter.engine
        .active()
        .some(({ accepted, concluded }) => accepted.reference === "V-1" && concluded !== undefined);
    await counter.clock.runUntil(isDecided, 10_000);
    value(await asked);
    const next = openCounter({ answer: approving() }, { clock: counter.clock, journal: counter.journal.crash(0) });
    const recovered = next.engine.recover();
    await next.clock.advance(5_000);
    await recovered;
    for (const reference of ["R-1", "I-1", "I-2"]) expect((await shown(next, reference)).voidedBy).toMatch(/^pay_/);
  });
});

test("a void of a reservation that this journal does not know is what our increment of it was voided by", async () => {
  const euros = (amount: number, id: string): Answer => ({
    ...approval(amount, id),
    ...({ currency: "EUR" } as const),
  });
  const room: Found = { id: "pa1", paymentType: "PA", answer: euros(1000, "pa1") };
  const counter = openCounter({ answer: approving(), search: () => ({ is: "found", bookings: [room] }) });
  await follow(counter, "INCREMENT", "I-1", { gatewayId: "pa1" }, "5.00");
  const { id } = await follow(counter, "VOID", "V-1", { gatewayId: "pa1" });
  expect(counter.posted.map(({ operation }) => `${operation.paymentType} ${operation.referencedId}`)).toEqual([
    "PA pa1",
    "RV pa1",
    "RV PA1",
  ]);
  expect(await shown(counter, "I-1")).toMatchObject({ outcome: "APPROVED", voidedBy: id });
});
