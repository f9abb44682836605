import fs from "node:fs";
import { describe, expect, test } from "vitest";
import type { GatewayOrder, Journal } from "../../../src/engine/ports.ts";
import type { MemoryJournal } from "../../../src/journal/memory-journal.ts";
import type { RefundLimits } from "../../../src/payment/admission/refund-limits.ts";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import type { Granted } from "../../../src/payment/fact/refusal.ts";
import type { FollowUpRequest, StartRequest } from "../../../src/payment/fact/request.ts";
import type { Caller } from "../../../src/register/ports.ts";
import { type Counter, type CounterOptions, openCounter, startRequest, till } from "../../support/counter.ts";
import { approval, refusal, silence } from "../../support/sale.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { freshFolder, open } from "../journal/folder.ts";

/*
 * What a register may give back in a day, by whatever token of its name: worked out of the journal, and counted from
 * the acceptance on.
 */

const limited = (refundLimits: RefundLimits, register = "till"): Caller => ({ register, all: true, refundLimits });
const twenty = limited({ day: 2000 });
const DAY = 86_400_000;

function value<T>(result: Granted<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal.message}`);
  return result.value;
}

/** Every order is approved under an id of its own, but for those of which something else is said. */
function counterOf(
  say: (order: GatewayOrder) => Answer | undefined = () => undefined,
  options: CounterOptions = {},
): Counter {
  let count = 0;
  const answer = (order: GatewayOrder): Answer => {
    count += 1;
    const { paymentType, reverses, amount = reverses ?? 0 } = order.operation;
    return say(order) ?? approval(amount, `${paymentType}${count}`);
  };
  return openCounter({ answer, ...options });
}

/** Waits for an answer while the clock goes on. */
async function settled<T>(counter: Counter, asked: Promise<T>, forMs = 2_000): Promise<T> {
  await counter.clock.advance(forMs);
  return asked;
}

async function sell(counter: Counter, reference: string, changes: Partial<StartRequest> = {}): Promise<void> {
  value(await settled(counter, counter.payments.start(till, startRequest(reference, changes)), 10_000));
}

const ask = (
  counter: Counter,
  caller: Caller,
  type: FollowUpRequest["type"],
  of: string,
  reference: string,
  amount?: string,
) =>
  counter.payments.followUp(caller, {
    type,
    of: { reference: of },
    reference,
    fingerprint: reference,
    ...(amount !== undefined && { amount }),
  });
const refund = (counter: Counter, caller: Caller, reference: string, amount?: string, of = "R-1") =>
  settled(counter, ask(counter, caller, "LINKED_REFUND", of, reference, amount));
const credit = (counter: Counter, caller: Caller, reference: string, amount: number, currency = "EUR") =>
  settled(
    counter,
    counter.payments.start(caller, startRequest(reference, { type: "REFUND", amount, currency })),
    10_000,
  );

const beyond = (per: "payment" | "day", limit: string, left: string) => ({
  ok: false,
  refusal: { code: "refund-limit", advice: "fix-config", exceeded: { per, limit, left } },
});

describe("the limit of a day", () => {
  test("counts refunds, unlinked refunds and voids together; what is beyond it consumes nothing and says what is left", async () => {
    const counter = counterOf();
    await sell(counter, "R-1");
    await sell(counter, "R-2", { amount: 500 });
    value(await refund(counter, twenty, "F-1", "9.00"));
    value(await credit(counter, twenty, "F-2", 400));
    value(await settled(counter, ask(counter, twenty, "VOID", "R-2", "V-1")));
    const posted = counter.posted.length;
    const refused = await refund(counter, twenty, "F-3", "2.01");
    expect(refused).toMatchObject(beyond("day", "20.00", "2.00"));
    expect(refused).toMatchObject({
      refusal: {
        message:
          "2.01 EUR is more than this register may still give back today: 2.00 is left of 20.00; ask for a token that may give back more",
      },
    });
    expect(await credit(counter, twenty, "F-3", 201)).toMatchObject(beyond("day", "20.00", "2.00"));
    expect(await settled(counter, counter.payments.get(till, { reference: "F-3" }))).toMatchObject({
      refusal: { code: "not-found" },
    });
    expect(counter.posted).toHaveLength(posted);
    value(await refund(counter, twenty, "F-3", "2.00"));
    expect(await refund(counter, twenty, "F-4", "0.01")).toMatchObject(beyond("day", "20.00", "0.00"));
  });

  test("counts a refund or void of all that is left by what that is", async () => {
    const counter = counterOf();
    for (const reference of ["R-1", "R-2"]) await sell(counter, reference);
    value(await refund(counter, twenty, "F-1"));
    expect(await refund(counter, twenty, "F-2", undefined, "R-2")).toMatchObject(beyond("day", "20.00", "7.66"));
    expect(await settled(counter, ask(counter, twenty, "VOID", "R-2", "V-1"))).toMatchObject(
      beyond("day", "20.00", "7.66"),
    );
  });

  test("is not passed by requests of one moment", async () => {
    const counter = counterOf();
    const references = ["R-1", "R-2", "R-3", "R-4"];
    for (const reference of references) await sell(counter, reference);
    const asked = references.map((of) => ask(counter, twenty, "LINKED_REFUND", of, `F ${of}`, "9.00"));
    await counter.clock.advance(2_000);
    expect((await Promise.all(asked)).map((reply) => (reply.ok ? "granted" : reply.refusal.code))).toEqual([
      "granted",
      "granted",
      "refund-limit",
      "refund-limit",
    ]);
  });

  test("is of the register's name: a new token does not begin anew, another register has its own, and a token without a limit has none", async () => {
    const counter = counterOf();
    await sell(counter, "R-1", { amount: 9000 });
    value(await refund(counter, twenty, "F-1", "20.00"));
    const { id } = value(await settled(counter, counter.payments.get(till, { reference: "R-1" })));
    const other = (caller: Caller, reference: string) =>
      settled(
        counter,
        counter.payments.followUp(caller, {
          type: "LINKED_REFUND",
          of: { id },
          reference,
          amount: "9.00",
          fingerprint: reference,
        }),
      );
    expect(await other(limited({ day: 2500 }), "F-2")).toMatchObject(beyond("day", "25.00", "5.00"));
    value(await other(limited({ day: 2000 }, "other"), "F-2"));
    value(await other(till, "F-2"));
    expect(await other(limited({ day: 2500 }), "F-3")).toMatchObject(beyond("day", "25.00", "0.00"));
  });

  test("holds again on the next day, from midnight on, and a clock that is set back frees nothing", async () => {
    const counter = counterOf();
    await sell(counter, "R-1", { amount: 9000 });
    await counter.clock.advance(DAY - (counter.clock.now() % DAY) - 5_000);
    value(await refund(counter, twenty, "F-1", "20.00"));
    expect(await refund(counter, twenty, "F-2", "0.01")).toMatchObject(beyond("day", "20.00", "0.00"));
    await counter.clock.advance(2_000);
    value(await refund(counter, twenty, "F-2", "20.00"));
    await counter.engine.stop(() => 0);
    const behind = openCounter(
      {},
      { clock: createVirtualClock(counter.clock.now() - DAY), journal: counter.journal.crash(0) },
    );
    expect(await credit(behind, twenty, "F-3", 1)).toMatchObject(beyond("day", "20.00", "0.00"));
  });

  test("frees what ended as not given back, and not before it has", async () => {
    let says: Answer | undefined = refusal();
    const search: CounterOptions["search"] = () => ({
      is: "found",
      bookings: [{ id: "CP2", paymentType: "CP", answer: approval(1234, "CP2") }],
    });
    const counter = counterOf(({ operation }) => (operation.paymentType === "RF" ? says : undefined), { search });
    await sell(counter, "R-1");
    await sell(counter, "R-2");
    value(await refund(counter, twenty, "F-1", "12.00"));
    expect(value(await settled(counter, counter.payments.get(till, { reference: "F-1" })))).toMatchObject({
      state: "FINAL",
      outcome: "DECLINED",
    });
    says = silence;
    value(await refund(counter, twenty, "F-2", "12.00"));
    expect(value(await settled(counter, counter.payments.get(till, { reference: "F-2" }))).state).toBe("RESOLVING");
    expect(await refund(counter, twenty, "F-3", "8.01", "R-2")).toMatchObject(beyond("day", "20.00", "8.00"));
    await counter.clock.advance(4_000_000);
    expect(value(await settled(counter, counter.payments.get(till, { reference: "F-2" }))).outcome).toBe("FAILED");
    says = undefined;
    value(await refund(counter, twenty, "F-3", "12.34", "R-2"));
  });

  test("counts a refund that was called failed once it turns out to be booked", async () => {
    let bookings: readonly Found[] = [];
    const search: CounterOptions["search"] = () => ({ is: "found", bookings });
    const counter = counterOf(({ operation }) => (operation.paymentType === "RF" ? silence : undefined), { search });
    await sell(counter, "R-1");
    await sell(counter, "R-2");
    bookings = [{ id: "CP2", paymentType: "CP", answer: approval(1234, "CP2") }];
    value(await settled(counter, ask(counter, twenty, "LINKED_REFUND", "R-1", "F-1", "12.00"), 4_000_000));
    const { merchantTransactionId } = counter.posted.at(-1)?.operation ?? {};
    bookings = [
      ...bookings,
      { id: "RF3", merchantTransactionId, referencedId: "CP2", paymentType: "RF", answer: approval(1200, "RF3") },
    ];
    await counter.clock.advance(3_700_000);
    expect(value(await settled(counter, counter.payments.get(till, { reference: "F-1" })))).toMatchObject({
      outcome: "FAILED",
      lateBooking: true,
    });
    expect(await refund(counter, twenty, "F-2", "8.01", "R-2")).toMatchObject(beyond("day", "20.00", "8.00"));
  });

  test("says nothing to the same request again, which is the payment that was accepted", async () => {
    const counter = counterOf();
    await sell(counter, "R-1");
    value(await refund(counter, limited({ day: 1234 }), "F-1"));
    expect(value(await refund(counter, limited({ day: 1234 }), "F-1")).created).toBe(false);
  });

  test("counts one unit as one, whatever its currency", async () => {
    const counter = counterOf();
    const caller = limited({ day: 50_000 });
    value(await credit(counter, caller, "F-1", 300, "JPY"));
    value(await credit(counter, caller, "F-2", 10_050));
    expect(await credit(counter, caller, "F-3", 100, "JPY")).toMatchObject(beyond("day", "500.00", "99"));
    expect(await credit(counter, caller, "F-3", 9951, "USD")).toMatchObject(beyond("day", "500.00", "99.50"));
    value(await credit(counter, caller, "F-3", 9950, "USD"));
  });
});

describe("after a restart", () => {
  test("what was given back before counts, acknowledged or not", async () => {
    const counter = counterOf();
    await sell(counter, "R-1", { amount: 9000 });
    value(await refund(counter, twenty, "F-1", "12.00"));
    void ask(counter, twenty, "LINKED_REFUND", "R-1", "F-2", "5.00");
    await counter.clock.settle();
    const next = openCounter({}, { clock: counter.clock, journal: counter.journal.crash(1) });
    await settled(next, next.engine.recover());
    expect(await refund(next, twenty, "F-3", "3.01")).toMatchObject(beyond("day", "20.00", "3.00"));
  });

  test("the journal of a data folder that is opened again knows it", async () => {
    const dataDir = freshFolder();
    const before = await open(dataDir);
    const counter = counterOf(undefined, { journal: () => before });
    // A real disk needs turns of the event loop besides the clock's.
    const written = async <T>(asked: Promise<T>): Promise<T> => {
      let isAnswered = false;
      const answered = asked.finally(() => {
        isAnswered = true;
      });
      for (let n = 0; n < 30 || !isAnswered; n += 1) {
        await fs.promises.stat(dataDir);
        await counter.clock.advance(10);
      }
      return answered;
    };
    value(await written(counter.payments.start(till, startRequest("R-1"))));
    value(await written(ask(counter, twenty, "LINKED_REFUND", "R-1", "F-1", "12.00")));
    await before.close();
    const after = await open(dataDir);
    const next = openCounter({ journal: () => after }, { clock: counter.clock, journal: counter.journal });
    expect(
      await settled(next, next.payments.start(twenty, startRequest("F-2", { type: "REFUND", amount: 801 }))),
    ).toMatchObject(beyond("day", "20.00", "8.00"));
  });
});

describe("the limit of a payment", () => {
  test("is of each refund, unlinked refund and void by itself", async () => {
    const counter = counterOf();
    await sell(counter, "R-1");
    const ten = limited({ payment: 1000 });
    for (const reference of ["F-1", "F-2"])
      expect(await refund(counter, ten, reference, "10.01")).toMatchObject(beyond("payment", "10.00", "10.00"));
    expect(await settled(counter, ask(counter, ten, "VOID", "R-1", "V-1"))).toMatchObject(
      beyond("payment", "10.00", "10.00"),
    );
    expect(await credit(counter, ten, "F-1", 1001)).toMatchObject(beyond("payment", "10.00", "10.00"));
    value(await refund(counter, ten, "F-1", "10.00"));
    value(await refund(counter, ten, "F-2", "2.34"));
    value(await credit(counter, ten, "F-3", 1000));
  });

  test("limits neither sales, nor captures, nor increments", async () => {
    const counter = counterOf();
    const none = limited({ payment: 0, day: 0 });
    value(
      await settled(counter, counter.payments.start(none, startRequest("R-1", { type: "PREAUTHORIZATION" })), 10_000),
    );
    value(await settled(counter, ask(counter, none, "INCREMENT", "R-1", "I-1", "5.00")));
    value(await settled(counter, ask(counter, none, "CAPTURE", "R-1", "C-1", "5.00")));
    expect(await settled(counter, ask(counter, none, "LINKED_REFUND", "C-1", "F-1"))).toMatchObject(
      beyond("payment", "0.00", "0.00"),
    );
  });
});

test("only payments of today are read, and of those only what gives money back", async () => {
  const counter = counterOf();
  for (let n = 0; n < 20; n += 1) await sell(counter, `old ${n}`);
  value(await refund(counter, till, "old refund", "1.00", "old 1"));
  await counter.clock.advance(DAY);
  await sell(counter, "R-1");
  value(await refund(counter, twenty, "F-1", "1.00"));
  await counter.engine.stop(() => 0);
  const read: string[] = [];
  const watched = (journal: MemoryJournal): Journal => ({
    ...journal,
    facts: (payment) => {
      read.push(payment);
      return journal.facts(payment);
    },
  });
  const next = openCounter({ journal: watched }, { clock: counter.clock, journal: counter.journal.crash(0) });
  expect(await credit(next, twenty, "F-2", 1901)).toMatchObject(beyond("day", "20.00", "19.00"));
  expect(read).toHaveLength(1);
});
