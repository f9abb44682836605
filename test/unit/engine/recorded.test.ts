import { expect, test } from "vitest";
import type { Caller } from "../../../src/register/ports.ts";
import { type Counter, openCounter, startRequest, till } from "../../support/counter.ts";
import { approval, silence } from "../../support/sale.ts";

const WINDOW_MS = 1_800_000;
const other: Caller = { register: "other", all: false };

/**
 * A bridge that has sold once for each of two registers under one reference, and whose refund of the first nobody has
 * answered for longer than the unknown window.
 */
async function sold(): Promise<Counter> {
  const counter = openCounter({
    answer: ({ operation }) =>
      operation.paymentType === "RF"
        ? silence
        : approval(operation.amount ?? operation.reverses ?? 0, operation.paymentType),
    search: () => ({ is: "no-answer", description: "" }),
  });
  for (const caller of [till, other]) {
    void counter.payments.start(caller, startRequest("R-1"));
    await counter.clock.advance(60_000);
  }
  void counter.payments.followUp(till, {
    type: "LINKED_REFUND",
    reference: "F-1",
    of: { name: "R-1" },
    fingerprint: "f",
  });
  await counter.clock.advance(WINDOW_MS + 60_000);
  return counter;
}

async function told<T>({ clock }: Counter, answer: Promise<T>): Promise<T> {
  await clock.advance(120_000);
  return answer;
}

test("a payment of any register is found with all its facts, by its id or by its reference and register", async () => {
  const counter = await sold();
  const found = await told(counter, counter.payments.recorded({ reference: "R-1", register: "other" }));
  if (!found.ok) throw new Error(found.refusal.message);
  const { facts, payment, view } = found.value;
  expect([facts[0]?.fact, view.register, view.outcome, payment.concluded?.outcome]).toEqual([
    "accepted",
    "other",
    "APPROVED",
    "APPROVED",
  ]);
  expect(await told(counter, counter.payments.recorded({ id: view.id }))).toMatchObject({ value: { view } });
});

test("a reference of several registers wants a name, and what was never accepted is not found", async () => {
  const counter = await sold();
  expect(await told(counter, counter.payments.recorded({ reference: "R-1" }))).toMatchObject({
    refusal: { code: "not-allowed", message: expect.stringContaining("name its register") },
  });
  expect(await told(counter, counter.payments.recorded({ id: "pay_0" }))).toMatchObject({
    refusal: { code: "not-found", path: "id" },
  });
  expect(await told(counter, counter.payments.recorded({ reference: "R-9" }))).toMatchObject({
    refusal: { code: "not-found", path: "reference" },
  });
});

test("an operator closes a payment by its id, and the journal keeps who, when and why", async () => {
  const counter = await sold();
  const found = await told(counter, counter.payments.recorded({ reference: "F-1" }));
  if (!found.ok) throw new Error(found.refusal.message);
  const { id } = found.value.view;
  const order = { as: "reversed", by: "register workshop", reason: "not in the back office" } as const;
  expect(await told(counter, counter.payments.resolve({ id }, order))).toMatchObject({
    value: { payment: { outcome: "FAILED" }, gateway: "no-answer" },
  });
  const after = await told(counter, counter.payments.recorded({ id }));
  expect(after).toMatchObject({
    value: {
      facts: expect.arrayContaining([expect.objectContaining({ fact: "resolved", ...order, at: expect.any(Number) })]),
    },
  });
});
