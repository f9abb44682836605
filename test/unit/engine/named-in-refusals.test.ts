import { describe, expect, test } from "vitest";
import type { Granted } from "../../../src/payment/fact/refusal.ts";
import type { FollowUpRequest, StartRequest } from "../../../src/payment/fact/request.ts";
import type { Caller } from "../../../src/register/ports.ts";
import { type Counter, openCounter, startRequest, till } from "../../support/counter.ts";
import { approval, silence } from "../../support/sale.ts";

/*
 * Which payment is in the way stands in the refusal, so that no till has to read it out of the message; and no register
 * learns a reference of another one but that of the payment
 * which holds a terminal (contract, truth 5).
 */

const other: Caller = { register: "other", all: false };
const overseer: Caller = { register: "office", all: true };

function value<T>(result: Granted<T>): T {
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

async function started(
  counter: Counter,
  caller: Caller,
  reference: string,
  changes: Partial<StartRequest> = {},
): ReturnType<Counter["payments"]["start"]> {
  const asked = counter.payments.start(caller, startRequest(reference, changes));
  await counter.clock.advance(10);
  return asked;
}

describe("a busy terminal", () => {
  test.each([
    ["the same register", till],
    ["another register", other],
  ])("tells %s which payment of which register holds it", async (_who, caller) => {
    const counter = openCounter();
    value(await started(counter, till, "R-1"));
    expect(await started(counter, caller, "R-2")).toMatchObject({
      refusal: { code: "terminal-busy", about: { reference: "R-1", register: "till" } },
    });
  });

  test("tells it also where that is accepted in the same moment, and to who would test the terminal", async () => {
    const counter = openCounter();
    const both = [
      counter.payments.start(till, startRequest("R-1")),
      counter.payments.start(other, startRequest("R-2")),
    ];
    await counter.clock.advance(10);
    const about = { reference: "R-1", register: "till" };
    expect((await Promise.all(both))[1]).toMatchObject({ refusal: { code: "terminal-busy", about } });
    expect(await counter.payments.testTerminal("till-1")).toMatchObject({ refusal: { code: "terminal-busy", about } });
  });
});

test("an undecided payment of the same order is named", async () => {
  const counter = openCounter();
  value(await started(counter, till, "R-1", { order: "O" }));
  const refusal = { code: "undecided-payment", about: { reference: "R-1", register: "till" } };
  expect(await started(counter, till, "R-2", { order: "O", queue: true })).toMatchObject({ refusal });
});

describe("what follows a payment", () => {
  const refund = (reference: string, of: FollowUpRequest["of"]): FollowUpRequest => ({
    type: "LINKED_REFUND",
    reference,
    of,
    amount: "1.00",
    fingerprint: reference,
  });

  async function refunded(
    counter: Counter,
    caller: Caller,
    reference: string,
    of: FollowUpRequest["of"],
  ): ReturnType<Counter["payments"]["followUp"]> {
    const asked = counter.payments.followUp(caller, refund(reference, of));
    await counter.clock.advance(500);
    return asked;
  }

  test("is told the payment that is not decided yet", async () => {
    const counter = openCounter({ answer: () => silence });
    value(await started(counter, till, "R-1"));
    await counter.clock.advance(10_000);
    const refusal = { code: "undecided-payment", about: { reference: "R-1", register: "till" } };
    expect(await refunded(counter, till, "F-1", { name: "R-1" })).toMatchObject({ refusal });
  });

  test("is told what else is under way about the same booking, by its name only where the register may read it", async () => {
    const counter = openCounter({
      answer: ({ operation }) => (operation.paymentType === "RF" ? silence : approval(operation.amount ?? 1234)),
    });
    value(await started(counter, till, "R-1"));
    await counter.clock.advance(10_000);
    const { id } = value(await counter.payments.get(till, { reference: "R-1" }));
    value(await refunded(counter, overseer, "OFFICE-1", { id }));
    const seen = await refunded(counter, till, "F-1", { name: "R-1" });
    expect(seen).toMatchObject({
      refusal: { code: "undecided-payment", message: expect.stringContaining("a payment of another register") },
    });
    expect(JSON.stringify(seen)).not.toMatch(/OFFICE|office/);
    const about = { reference: "OFFICE-1", register: "office" };
    expect(await refunded(counter, overseer, "OFFICE-2", { id })).toMatchObject({
      refusal: { code: "undecided-payment", about },
    });
  });
});

describe("despite", () => {
  test.each<[string, Partial<StartRequest>, string]>([
    [
      "what never was a payment",
      { order: "O", despite: "R-9" },
      'reference "R-9" is not an undecided payment of this order',
    ],
    [
      "a payment of another order",
      { order: "P", despite: "R-1" },
      'reference "R-1" is not an undecided payment of this order',
    ],
    ["something without an order", { despite: "R-1" }, "say order too"],
    ["itself", { order: "O", despite: "R-2" }, 'reference "R-2" is not an undecided payment of this order'],
  ])("that names %s is refused, and the reference stays free", async (_what, changes, why) => {
    const counter = openCounter();
    value(await started(counter, till, "R-1", { order: "O" }));
    const refusal = {
      code: "not-allowed",
      advice: "fix-request",
      path: "despite",
      message: expect.stringContaining(why),
    };
    expect(await started(counter, till, "R-2", { queue: true, ...changes })).toMatchObject({ refusal });
    value(await started(counter, till, "R-2", { order: "O", queue: true, despite: "R-1" }));
  });

  test("that names another register's payment is refused: it is not this register's order", async () => {
    const counter = openCounter();
    value(await started(counter, till, "R-1", { order: "O" }));
    expect(await started(counter, other, "R-2", { queue: true, order: "O", despite: "R-1" })).toMatchObject({
      refusal: { code: "not-allowed", path: "despite" },
    });
  });

  test("that names a payment which is decided by now is refused: how it ended is to be looked at first", async () => {
    const counter = openCounter();
    value(await started(counter, till, "R-1", { order: "O" }));
    await counter.clock.advance(2_000);
    expect(await started(counter, till, "R-2", { order: "O", despite: "R-1" })).toMatchObject({
      refusal: { code: "not-allowed", path: "despite" },
    });
    value(await started(counter, till, "R-2", { order: "O" }));
  });

  test("counts for nothing where the payment was accepted before: a repeat is a repeat", async () => {
    const counter = openCounter();
    value(await started(counter, till, "R-1", { order: "O" }));
    const second = { order: "O", queue: true, despite: "R-1" };
    const { payment } = value(await started(counter, till, "R-2", second));
    await counter.clock.advance(4_000);
    expect(value(await started(counter, till, "R-2", second))).toMatchObject({
      created: false,
      payment: { id: payment.id },
    });
  });
});
