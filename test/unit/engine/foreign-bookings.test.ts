import { describe, expect, test } from "vitest";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import type { Granted } from "../../../src/payment/fact/refusal.ts";
import type { FollowUpRequest } from "../../../src/payment/fact/request.ts";
import { isOverExceptLateQueries } from "../../../src/payment/machine/owed.ts";
import type { PaymentView } from "../../../src/payment/view-schema.ts";
import {
  type Counter,
  type CounterOptions,
  openCounter,
  startRequest,
  till,
  tillOfAnyBooking,
} from "../../support/counter.ts";
import { approval, silence } from "../../support/sale.ts";

/*
 * Follow-ups of a booking that this journal does not know: never beyond what was captured, whoever shows more of it,
 * the gateway's query or this journal.
 */

const said = { resultCode: "", description: "" };
const euros = (amount: number, id: string): Answer => ({ ...approval(amount, id), ...({ currency: "EUR" } as const) });
const booking = (id: string, paymentType: string, amount: number, referencedId?: string): Found => ({
  ...{ id, paymentType, answer: euros(amount, id) },
  ...(referencedId !== undefined && { referencedId }),
});
const open = (
  id: string,
  paymentType: string,
  referencedId: string,
  is: "pending" | "unknown" | "duplicate" | "half-reversed" | "auto-reversed" | "declined",
): Found => ({
  ...{ id, paymentType, referencedId },
  answer: is === "declined" ? { is, id, ...said, why: "host-declined", held: false, issuer: {} } : { is, id, ...said },
});

const room = booking("pa1", "PA", 1000);
const bill = booking("cp1", "CP", 1000, "pa1");

/**
 * A gateway whose query shows these bookings, and which approves what is posted under an id that tells what it was:
 * RF1, CP2, ...
 */
function counterOf(shown: () => readonly Found[], options: CounterOptions = {}): Counter {
  let count = 0;
  const answer = ({
    operation: { paymentType, reverses, amount = reverses ?? 0 },
  }: Counter["posted"][number]): Answer => {
    count += 1;
    return euros(amount, `${paymentType}${count}`);
  };
  return openCounter({ answer, search: () => ({ is: "found", bookings: shown() }), ...options });
}

type Asked = Pick<FollowUpRequest, "type" | "reference" | "of"> & { readonly amount?: string };

/** A query a minute and a half, so that the gateway's budget is no matter. */
async function follow(counter: Counter, asked: Asked, forMs = 90_000, caller = tillOfAnyBooking) {
  const reply = counter.payments.followUp(caller, { ...asked, fingerprint: JSON.stringify(asked) });
  await counter.clock.advance(forMs);
  return reply;
}

function value<T>(result: Granted<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal.message}`);
  return result.value;
}

async function shownAs(counter: Counter, reference: string): Promise<PaymentView> {
  const asked = counter.payments.get(till, { reference });
  await counter.clock.advance(10);
  return value(await asked);
}

const posted = (counter: Counter) =>
  counter.posted.map(({ operation }) =>
    `${operation.paymentType} ${operation.referencedId} ${operation.amount ?? ""}`.trim(),
  );
const refusedFor = (message: string) => ({
  ok: false,
  refusal: { code: "not-allowed", message: expect.stringContaining(message) },
});

describe("what the gateway has not decided closes a booking to", () => {
  test.each([
    ["a refund", "a reversal", "cp1", "LINKED_REFUND", [bill, open("x", "RV", "cp1", "pending")], "not decided"],
    ["a refund", "a reversal", "cp1", "LINKED_REFUND", [bill, open("x", "RV", "cp1", "unknown")], "not decided"],
    ["a refund", "a reversal", "cp1", "LINKED_REFUND", [bill, open("x", "RV", "cp1", "half-reversed")], "half done"],
    ["a refund", "a refund", "cp1", "LINKED_REFUND", [bill, open("x", "RF", "cp1", "pending")], "not decided"],
    ["a refund", "a refund", "cp1", "LINKED_REFUND", [bill, open("x", "RF", "cp1", "duplicate")], "not decided"],
    [
      "a refund of its capture",
      "a reversal",
      "pa1",
      "LINKED_REFUND",
      [room, bill, open("x", "RV", "cp1", "pending")],
      "not decided",
    ],
    ["a void", "a reversal", "cp1", "VOID", [bill, open("x", "RV", "cp1", "half-reversed")], "half done"],
    ["a void", "a capture", "pa1", "VOID", [room, open("x", "CP", "pa1", "pending")], "not decided"],
    ["a void", "an increment", "pa1", "VOID", [room, open("x", "PA", "pa1", "unknown")], "not decided"],
    ["a capture", "a capture", "pa1", "CAPTURE", [room, open("x", "CP", "pa1", "pending")], "not decided"],
    ["a capture", "a capture", "pa1", "CAPTURE", [room, open("x", "CP", "pa1", "half-reversed")], "half done"],
    ["a capture", "a capture", "pa1", "CAPTURE", [room, open("x", "CP", "pa1", "auto-reversed")], "half done"],
    ["a capture", "a reversal", "pa1", "CAPTURE", [room, open("x", "RV", "pa1", "unknown")], "not decided"],
  ] as const)("%s: %s, case %#", async (_, what, gatewayId, type, bookings, why) => {
    const counter = counterOf(() => bookings);
    expect(await follow(counter, { type, reference: "F-1", of: { gatewayId } })).toMatchObject(
      refusedFor(`booking ${gatewayId} has ${what} that the gateway `),
    );
    expect(await follow(counter, { type, reference: "F-1", of: { gatewayId } })).toMatchObject(refusedFor(why));
    expect(posted(counter)).toEqual([]);
  });

  test.each([
    [
      "a refund of another capture",
      "cp1",
      "LINKED_REFUND",
      [room, bill, open("x", "CP", "pa1", "pending")],
      "RF cp1 1000",
    ],
    [
      "a refund, where another was sent twice",
      "cp1",
      "LINKED_REFUND",
      [bill, booking("y", "RF", 400, "cp1"), open("x", "RF", "cp1", "duplicate")],
      "RF cp1 600",
    ],
    [
      "a refund, where a reversal was declined",
      "cp1",
      "LINKED_REFUND",
      [bill, open("x", "RV", "cp1", "declined")],
      "RF cp1 1000",
    ],
    [
      "a capture, where another was taken back",
      "pa1",
      "CAPTURE",
      [room, open("x", "CP", "pa1", "auto-reversed"), booking("rv", "RV", 1000, "x")],
      "CP pa1 1000",
    ],
    [
      "a capture, where an increment could not be taken back",
      "pa1",
      "CAPTURE",
      [room, open("x", "PA", "pa1", "half-reversed")],
      "CP pa1 1000",
    ],
    ["a void of an increment", "pa2", "VOID", [room, booking("pa2", "PA", 500, "pa1")], "RV pa2"],
  ] as const)("but not to %s", async (_, gatewayId, type, bookings, order) => {
    const counter = counterOf(() => bookings);
    value(await follow(counter, { type, reference: "F-1", of: { gatewayId } }));
    expect(posted(counter)).toEqual([order]);
  });

  test("what was captured of a reservation is refunded by its id also where its rest was let go of, and nothing else follows it", async () => {
    const released = [room, booking("cp9", "CP", 400, "pa1"), booking("rv9", "RV", 1000, "pa1")];
    const counter = counterOf(() => released);
    const ask = (type: FollowUpRequest["type"], reference: string, amount?: string) =>
      follow(counter, { type, reference, of: { gatewayId: "pa1" }, ...(amount !== undefined && { amount }) });
    expect(await ask("CAPTURE", "C-1", "1.00")).toMatchObject(refusedFor("was taken back at the gateway already"));
    expect(await ask("INCREMENT", "I-1", "1.00")).toMatchObject(refusedFor("was taken back at the gateway already"));
    expect(await ask("VOID", "V-1")).toMatchObject(refusedFor("is captured: void or refund its capture"));
    value(await ask("LINKED_REFUND", "F-1", "1.00"));
    value(await ask("LINKED_REFUND", "F-2"));
    expect(await ask("LINKED_REFUND", "F-3")).toMatchObject(refusedFor("is refunded in full"));
    expect(posted(counter)).toEqual(["RF cp9 100", "RF cp9 300"]);
  });

  test("an increment has nothing of its own to capture, and is not voided once it is captured", async () => {
    const raised = [room, booking("pa2", "PA", 500, "pa1")];
    const counter = counterOf(() => (posted(counter).length === 0 ? raised : []));
    expect(await follow(counter, { type: "CAPTURE", reference: "C-1", of: { gatewayId: "pa2" } })).toMatchObject(
      refusedFor("nothing to capture"),
    );
    const used = counterOf(() => [...raised, booking("cp9", "CP", 1200, "pa1")]);
    expect(await follow(used, { type: "VOID", reference: "V-1", of: { gatewayId: "pa2" } })).toMatchObject(
      refusedFor("is captured"),
    );
  });
});

test("a booking with more linked to it than a query shows is closed: what of it was given back already is not known", async () => {
  const tries = Array.from({ length: 99 }, (_, at) => open(`x${at}`, "RF", "cp1", "declined"));
  const counter = counterOf(() => [bill, ...tries]);
  const asked = { type: "LINKED_REFUND", reference: "F-1", of: { gatewayId: "cp1" }, amount: "1.00" } as const;
  expect(await follow(counter, asked)).toMatchObject(refusedFor("more linked to it than a query shows"));
  expect(posted(counter)).toEqual([]);
});

describe("what this journal booked counts before a query shows it", () => {
  test.each([
    ["LINKED_REFUND", "cp1", [bill], "4.00", "is refunded in full"],
    ["VOID", "cp1", [bill], undefined, "is reversed already"],
    ["CAPTURE", "pa1", [room], "4.00", "is captured in full"],
    ["VOID", "pa1", [room], undefined, "is reversed already"],
  ] as const)("a %s of %s", async (type, gatewayId, bookings, part, full) => {
    const counter = counterOf(() => bookings);
    const ask = (reference: string, amount?: string) =>
      follow(counter, { type, reference, of: { gatewayId }, ...(amount !== undefined && { amount }) });
    value(await ask("F-1", part));
    expect(counter.engine.active().filter((payment) => !isOverExceptLateQueries(payment))).toEqual([]);
    if (part !== undefined) {
      expect(await ask("F-2", "6.01")).toMatchObject({
        refusal: { code: "invalid-amount", message: expect.stringContaining("6.00 EUR") },
      });
      value(await ask("F-2"));
    }
    expect(await ask("F-3")).toMatchObject(refusedFor(full));
  });

  test("once, also where the query shows it", async () => {
    let shown: readonly Found[] = [bill];
    const counter = counterOf(() => shown);
    const ask = (reference: string, amount?: string) =>
      follow(counter, {
        type: "LINKED_REFUND",
        reference,
        of: { gatewayId: "cp1" },
        ...(amount !== undefined && { amount }),
      });
    value(await ask("F-1", "4.00"));
    shown = [bill, booking("RF1", "RF", 400, "cp1")];
    value(await ask("F-2", "6.00"));
    expect(posted(counter)).toEqual(["RF cp1 400", "RF cp1 600"]);
  });

  test("also that a capture was told to be the last one", async () => {
    const counter = counterOf(() => [room]);
    const ask = (type: FollowUpRequest["type"], reference: string, gatewayId: string, amount?: string) =>
      follow(counter, { type, reference, of: { gatewayId }, ...(amount !== undefined && { amount }) });
    value(await ask("CAPTURE", "C-1", "pa1", "4.00"));
    value(await ask("CAPTURE", "C-2", "pa1"));
    value(await follow(counter, { type: "VOID", reference: "V-1", of: { name: "C-1" } }));
    expect(await ask("CAPTURE", "C-3", "pa1")).toMatchObject(refusedFor("was captured for the last time"));
    expect(await ask("INCREMENT", "I-1", "pa1", "1.00")).toMatchObject(refusedFor("was captured for the last time"));
    expect(posted(counter)).toEqual(["CP pa1 400", "CP pa1 600", "RV CP1"]);
  });

  test("after a restart too, and for a day in which the query shows nothing", async () => {
    const counter = counterOf(() => [bill]);
    value(await follow(counter, { type: "LINKED_REFUND", reference: "F-1", of: { gatewayId: "cp1" }, amount: "4.00" }));
    await counter.engine.stop(() => 0);
    const later = openCounter(
      { search: () => ({ is: "found", bookings: [bill] }) },
      { clock: counter.clock, journal: counter.journal.crash(0) },
    );
    await later.clock.advance(24 * 3_600_000);
    expect(
      await follow(later, { type: "LINKED_REFUND", reference: "F-2", of: { gatewayId: "cp1" }, amount: "6.01" }),
    ).toMatchObject({
      refusal: { code: "invalid-amount" },
    });
    expect(posted(later)).toEqual([]);
  });

  test("a refund that was declined does not count", async () => {
    const counter = counterOf(() => [bill], {
      answer: () => ({ is: "declined", ...said, id: "x", why: "host-declined", held: false, issuer: {} }),
    });
    value(await follow(counter, { type: "LINKED_REFUND", reference: "F-1", of: { gatewayId: "cp1" } }));
    value(await follow(counter, { type: "LINKED_REFUND", reference: "F-2", of: { gatewayId: "cp1" } }));
    expect(posted(counter)).toEqual(["RF cp1 1000", "RF cp1 1000"]);
  });

  test.each([0, 30])(
    "a refund by the reservation's id of a capture that we made %i days ago is a refund of that capture: not again by its reference",
    async (days) => {
      const counter = counterOf(() => [
        room,
        ...counter.posted
          .map(({ operation: { merchantTransactionId } }) => ({
            ...booking("CP1", "CP", 1000, "pa1"),
            merchantTransactionId,
          }))
          .slice(0, 1),
      ]);
      value(await follow(counter, { type: "CAPTURE", reference: "C-1", of: { gatewayId: "pa1" } }));
      await counter.clock.advance(days * 24 * 3_600_000);
      value(await follow(counter, { type: "LINKED_REFUND", reference: "F-1", of: { gatewayId: "pa1" } }));
      expect(await shownAs(counter, "C-1")).toMatchObject({ refundedAmount: "10.00" });
      expect(await follow(counter, { type: "LINKED_REFUND", reference: "F-2", of: { name: "C-1" } })).toMatchObject(
        refusedFor("refunded in full"),
      );
      expect(await follow(counter, { type: "VOID", reference: "V-1", of: { gatewayId: "CP1" } })).toMatchObject(
        refusedFor("is refunded already"),
      );
      expect(posted(counter)).toEqual(["CP pa1 1000", "RF CP1 1000"]);
    },
  );
});

describe("an increment of ours on a reservation that this journal does not know", () => {
  test.each([
    [1200, "is captured"],
    [1000, undefined],
  ])("with %i captured of it", async (captured, why) => {
    let shown: readonly Found[] = [room];
    const counter = counterOf(() => shown);
    value(await follow(counter, { type: "INCREMENT", reference: "I-1", of: { gatewayId: "pa1" }, amount: "5.00" }));
    shown = [room, booking("cp1", "CP", captured, "pa1")];
    const reply = await follow(counter, { type: "VOID", reference: "V-1", of: { name: "I-1" } });
    if (why === undefined) expect(await shownAs(counter, "I-1")).toMatchObject({ voidedBy: value(reply).payment.id });
    else expect(reply).toMatchObject(refusedFor(why));
    expect(posted(counter)).toEqual(["PA pa1 500", ...(why === undefined ? ["RV PA1"] : [])]);
  });
});

describe("what an operator says was booked, and no query shows,", () => {
  test.each([
    ["LINKED_REFUND", "cp1", "LINKED_REFUND", "refunded in full"],
    ["VOID", "cp1", "LINKED_REFUND", "reversed already"],
    ["CAPTURE", "pa1", "CAPTURE", "captured in full"],
    ["CAPTURE", "pa1", "VOID", "is captured"],
  ] as const)("counts: a %s of %s", async (type, gatewayId, next, why) => {
    let isReached = true;
    const shown = gatewayId === "pa1" ? [room] : [bill];
    const counter = counterOf(() => shown, {
      answer: () => silence,
      search: () => (isReached ? { is: "found", bookings: shown } : { is: "no-answer", description: "" }),
    });
    value(await follow(counter, { type, reference: "F-1", of: { gatewayId } }, 1_000));
    isReached = false;
    await counter.clock.advance(4_000_000);
    const closed = counter.payments.resolve(
      { reference: "F-1" },
      { as: "approved", gatewayId: "x", by: "anna", reason: "the back office shows it" },
    );
    await counter.clock.advance(120_000);
    value(await closed);
    isReached = true;
    const before = posted(counter);
    expect(await follow(counter, { type: next, reference: "F-2", of: { gatewayId } })).toMatchObject(refusedFor(why));
    expect(posted(counter)).toEqual(before);
  });
});

describe("one follow-up at a time of a booking and all that belongs to it, by whichever id it is asked for", () => {
  const hanging: CounterOptions = { hostMs: 30_000 };
  /** Each by a register of its own: one register has one look-up a minute. */
  const refund = (counter: Counter, reference: string, gatewayId: string, forMs: number) =>
    follow(counter, { type: "LINKED_REFUND", reference, of: { gatewayId }, amount: "1.00" }, forMs, {
      ...tillOfAnyBooking,
      register: `till ${reference}`,
      all: true,
    });

  test.each([
    ["pa1", "cp1"],
    ["cp1", "pa1"],
    ["cp1", "cp1"],
  ])("a refund of %s keeps one of %s waiting while it is on its way", async (first, second) => {
    const counter = counterOf(() => [room, bill], hanging);
    value(await refund(counter, "F-1", first, 1_000));
    const refusal = { code: "undecided-payment", message: expect.stringContaining('"F-1"') };
    expect(await refund(counter, "F-2", second, 1_000)).toMatchObject({ refusal });
    expect(posted(counter)).toEqual(["RF cp1 100"]);
  });

  test("also where the query of the capture does not say what it refers to", async () => {
    const counter = counterOf(
      () => (counter.posted.length === 0 ? [room, bill] : [booking("cp1", "CP", 1000)]),
      hanging,
    );
    value(await refund(counter, "F-1", "pa1", 1_000));
    expect(await refund(counter, "F-2", "cp1", 1_000)).toMatchObject({ refusal: { code: "undecided-payment" } });
  });

  test.each([
    ["pa1", "cp1"],
    ["cp1", "cp1"],
  ])("of two at once, of %s and of %s, one is accepted", async (first, second) => {
    const counter = counterOf(() => [room, bill], hanging);
    const both = await Promise.all([refund(counter, "F-1", first, 500), refund(counter, "F-2", second, 500)]);
    expect(both.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    expect(both.find(({ ok }) => !ok)).toMatchObject({ refusal: { code: "undecided-payment" } });
  });

  test("a booking of another tree does not wait", async () => {
    const counter = counterOf(
      () => (counter.posted.length === 0 ? [room, bill] : [booking("cp7", "CP", 500)]),
      hanging,
    );
    value(await refund(counter, "F-1", "cp1", 1_000));
    value(await refund(counter, "F-2", "cp7", 1_000));
  });
});

describe("a booking that goes by the name of a payment of ours", () => {
  async function sold(shown: (merchantTransactionId: string) => readonly Found[]): Promise<Counter> {
    const counter = counterOf(() => shown(counter.posted[0]?.operation.merchantTransactionId ?? ""));
    const started = counter.payments.start(till, startRequest("R-1"));
    await counter.clock.advance(10_000);
    value(await started);
    return counter;
  }

  test("and is the one it is worth is asked for by that id as by its reference", async () => {
    const counter = await sold((merchantTransactionId) => [{ ...booking("PA1", "PA", 1234), merchantTransactionId }]);
    value(await follow(counter, { type: "VOID", reference: "V-1", of: { gatewayId: "PA1" } }));
    expect(posted(counter).at(-1)).toBe("RV CP2");
    expect(await shownAs(counter, "R-1")).toMatchObject({ voidedBy: expect.any(String) });
  });

  test.each(["VOID", "LINKED_REFUND"] as const)(
    "and is a second one is not asked for by it: a %s would hit the first",
    async (type) => {
      const counter = await sold((merchantTransactionId) => [
        { ...booking("PA1", "PA", 1234), merchantTransactionId },
        { ...booking("second", "PA", 1234), merchantTransactionId },
      ]);
      const before = posted(counter);
      expect(await follow(counter, { type, reference: "F-1", of: { gatewayId: "second" } })).toMatchObject({
        refusal: {
          code: "not-allowed",
          path: "of.gatewayId",
          message: expect.stringContaining('second booking under the name of reference "R-1"'),
        },
      });
      expect(posted(counter)).toEqual(before);
    },
  );

  test("and is a second one is not there for another register, which is not told that name", async () => {
    const counter = await sold((merchantTransactionId) => [
      { ...booking("PA1", "PA", 1234), merchantTransactionId },
      { ...booking("second", "PA", 1234), merchantTransactionId },
    ]);
    const asked = counter.payments.followUp(
      { ...till, register: "other", foreign: true },
      { type: "VOID", reference: "V-1", of: { gatewayId: "second" }, fingerprint: "" },
    );
    await counter.clock.advance(90_000);
    const refused = await asked;
    expect(refused).toMatchObject({ refusal: { code: "not-found" } });
    expect(JSON.stringify(refused)).not.toContain("R-1");
  });

  test("and is a second one that the bridge takes back is left to it", async () => {
    const name = (counter: Counter) => counter.posted[0]?.operation.merchantTransactionId ?? "";
    const counter: Counter = counterOf(
      () => ["PA1", "second"].map((id) => ({ ...booking(id, "PA", 1234), merchantTransactionId: name(counter) })),
      {
        answer: ({ operation }) => (operation.paymentType === "PA" ? { is: "pending", id: "PA1", ...said } : silence),
      },
    );
    const started = counter.payments.start(till, startRequest("R-1"));
    await counter.clock.advance(120_000);
    value(await started);
    const before = posted(counter).filter((order) => !order.startsWith("RV"));
    expect(await follow(counter, { type: "VOID", reference: "V-1", of: { gatewayId: "second" } })).toMatchObject({
      refusal: {
        code: "not-allowed",
        path: "of.gatewayId",
        message: expect.stringContaining("the bridge takes it back itself"),
      },
    });
    expect(posted(counter).filter((order) => !order.startsWith("RV"))).toEqual(before);
  });

  test("and is a reversal by it is not asked for by it either", async () => {
    const counter = await sold((merchantTransactionId) => [{ ...booking("rv", "RV", 1234), merchantTransactionId }]);
    expect(await follow(counter, { type: "VOID", reference: "V-1", of: { gatewayId: "rv" } })).toMatchObject({
      refusal: { path: "of.gatewayId" },
    });
    expect(posted(counter)).toHaveLength(2);
  });
});
