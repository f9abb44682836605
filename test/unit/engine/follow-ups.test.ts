import { describe, expect, test } from "vitest";
import { type GatewayOrder, JournalBroken } from "../../../src/engine/ports.ts";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import type { Granted } from "../../../src/payment/fact/refusal.ts";
import type { FollowUpRequest } from "../../../src/payment/fact/request.ts";
import { DAY_SEEN_MS as LATEST_SIGHT_MS } from "../../../src/payment/recovery/schedule.ts";
import type { PaymentView } from "../../../src/payment/view-schema.ts";
import {
  type Counter,
  type CounterOptions,
  openCounter,
  startRequest,
  till,
  tillOfAnyBooking,
} from "../../support/counter.ts";
import { approval, notSent, silence } from "../../support/sale.ts";

function value<T>(result: Granted<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal.message}`);
  return result.value;
}

/** Each order is approved under an id that tells what it was: PA-1, CP-2, ... */
function approving(
  special: (order: GatewayOrder, count: number) => Answer | undefined = () => undefined,
): NonNullable<CounterOptions["answer"]> {
  let count = 0;
  return (order) => {
    count += 1;
    const { paymentType, reverses, amount = reverses ?? 0 } = order.operation;
    return special(order, count) ?? approval(amount, `${paymentType}${count}`);
  };
}

async function paid(
  counter: Counter,
  type: "SALE" | "PREAUTHORIZATION" = "SALE",
  reference = "R-1",
): Promise<PaymentView> {
  const started = counter.payments.start(till, startRequest(reference, { type }));
  await counter.clock.advance(10_000);
  value(await started);
  return shown(counter, reference);
}

async function shown(counter: Counter, reference: string, register = "till"): Promise<PaymentView> {
  const asked = counter.payments.get({ ...till, register }, { reference });
  await counter.clock.advance(10);
  return value(await asked);
}

type Asked = Pick<FollowUpRequest, "type" | "reference"> & { readonly of?: string; readonly amount?: string };

async function follow(counter: Counter, { of = "R-1", ...rest }: Asked, forMs = 2_000) {
  const asked = counter.payments.followUp(till, { ...rest, of: { name: of }, fingerprint: JSON.stringify([rest, of]) });
  await counter.clock.advance(forMs);
  return asked;
}

/** A sale and its capture, as a query shows them. */
function ofSale({ posted }: Counter): readonly Found[] {
  const [pa, cp] = posted.map(({ operation }) => operation.merchantTransactionId);
  const shownAs = (id: string, paymentType: string, merchantTransactionId = ""): Found => ({
    id,
    merchantTransactionId,
    paymentType,
    answer: approval(1234, id),
  });
  return [shownAs("PA1", "PA", pa), { ...shownAs("CP2", "CP", cp), referencedId: "PA1" }];
}

const types = ({ posted }: Counter): readonly string[] =>
  posted.map(({ operation }) => `${operation.paymentType} ${operation.referencedId ?? ""}`.trim());

describe("a preauthorization and what follows it", () => {
  test("is raised, captured in parts, never beyond what is reserved, and refunded by its capture", async () => {
    const counter = openCounter({ answer: approving() });
    await paid(counter, "PREAUTHORIZATION");
    value(await follow(counter, { type: "INCREMENT", reference: "I-1", amount: "5.00" }));
    expect(await follow(counter, { type: "CAPTURE", reference: "C-0", amount: "17.35" })).toMatchObject({
      refusal: { code: "invalid-amount", path: "amount" },
    });
    value(await follow(counter, { type: "CAPTURE", reference: "C-1", amount: "10.00" }));
    value(await follow(counter, { type: "CAPTURE", reference: "C-2" }));
    expect(await shown(counter, "C-2")).toMatchObject({ outcome: "APPROVED", amount: "7.34" });
    expect(counter.posted.map(({ operation }) => operation.sequence)).toEqual([
      undefined,
      undefined,
      undefined,
      "FINAL",
    ]);
    expect(await shown(counter, "R-1")).toMatchObject({ capturedAmount: "17.34" });
    expect(await follow(counter, { type: "CAPTURE", reference: "C-3" })).toMatchObject({
      refusal: { code: "not-allowed" },
    });
    expect(await follow(counter, { type: "INCREMENT", reference: "I-2", amount: "1.00" })).toMatchObject({
      refusal: { code: "not-allowed" },
    });
    expect(await follow(counter, { type: "VOID", reference: "V-1" })).toMatchObject({
      refusal: { code: "not-allowed" },
    });
    expect(await follow(counter, { type: "LINKED_REFUND", reference: "F-0", amount: "1.00" })).toMatchObject({
      refusal: { code: "not-allowed" },
    });
    value(await follow(counter, { type: "LINKED_REFUND", reference: "F-1", of: "C-1", amount: "4.00" }));
    expect(await follow(counter, { type: "LINKED_REFUND", reference: "F-2", of: "C-1", amount: "6.01" })).toMatchObject(
      {
        refusal: { code: "invalid-amount" },
      },
    );
    expect(await shown(counter, "C-1")).toMatchObject({ refundedAmount: "4.00" });
    value(await follow(counter, { type: "LINKED_REFUND", reference: "F-3", of: "C-1", amount: "6.00" }));
    expect(await shown(counter, "C-1")).toMatchObject({ refundedAmount: "10.00" });
    expect(await shown(counter, "R-1")).toMatchObject({ refundedAmount: "10.00" });
    expect(types(counter)).toEqual(["PA", "PA PA1", "CP PA1", "CP PA1", "RF CP3", "RF CP3"]);
  });

  test("is voided with its increments", async () => {
    const counter = openCounter({ answer: approving() });
    await paid(counter, "PREAUTHORIZATION");
    value(await follow(counter, { type: "INCREMENT", reference: "I-1", amount: "5.00" }));
    value(await follow(counter, { type: "VOID", reference: "V-1" }));
    expect(types(counter)).toEqual(["PA", "PA PA1", "RV PA1", "RV PA2"]);
    expect((await shown(counter, "R-1")).voidedBy).toBe((await shown(counter, "V-1")).id);
    expect(await follow(counter, { type: "CAPTURE", reference: "C-1" })).toMatchObject({
      refusal: { code: "not-allowed" },
    });
  });

  test("whose increment is voided is captured up to what it holds without that", async () => {
    const counter = openCounter({ answer: approving() });
    await paid(counter, "PREAUTHORIZATION");
    value(await follow(counter, { type: "INCREMENT", reference: "I-1", amount: "5.00" }));
    value(await follow(counter, { type: "VOID", reference: "V-1", of: "I-1" }));
    expect(await follow(counter, { type: "CAPTURE", reference: "C-1", amount: "12.35" })).toMatchObject({
      refusal: { code: "invalid-amount", path: "amount" },
    });
    value(await follow(counter, { type: "CAPTURE", reference: "C-2" }));
    expect(counter.posted.at(-1)?.operation).toMatchObject({ paymentType: "CP", amount: 1234, sequence: "FINAL" });
    expect(types(counter)).toEqual(["PA", "PA PA1", "RV PA2", "CP PA1"]);
  });

  test("is captured once on a channel that takes one capture, whatever is left", async () => {
    const counter = openCounter({ answer: approving(), oneCapture: true });
    await paid(counter, "PREAUTHORIZATION");
    value(await follow(counter, { type: "CAPTURE", reference: "C-1", amount: "5.00" }));
    expect(counter.posted.at(-1)?.operation.sequence).toBe("FINAL");
    expect(await follow(counter, { type: "CAPTURE", reference: "C-2", amount: "1.00" })).toMatchObject({
      refusal: { code: "not-allowed", path: "of" },
    });
    expect(types(counter)).toEqual(["PA", "CP PA1"]);
  });

  test("is captured once on such a channel also when its terminal is configured no more", async () => {
    const before = openCounter({ answer: approving(), oneCapture: true });
    await paid(before, "PREAUTHORIZATION");
    await before.engine.stop(() => 0);
    const counter = openCounter({ answer: approving(), oneCapture: true, terminalGone: true }, before);
    value(await follow(counter, { type: "CAPTURE", reference: "C-1", amount: "5.00" }));
    expect(counter.posted.at(-1)?.operation.sequence).toBe("FINAL");
    expect(await follow(counter, { type: "CAPTURE", reference: "C-2", amount: "1.00" })).toMatchObject({
      refusal: { code: "not-allowed", path: "of" },
    });
  });

  test("of which the last capture stands takes no more, although an earlier one is voided: the gateway may have let go of the rest", async () => {
    const counter = openCounter({ answer: approving() });
    await paid(counter, "PREAUTHORIZATION");
    value(await follow(counter, { type: "CAPTURE", reference: "C-1", amount: "4.00" }));
    value(await follow(counter, { type: "CAPTURE", reference: "C-2" }));
    value(await follow(counter, { type: "VOID", reference: "V-1", of: "C-1" }));
    const refusal = {
      code: "not-allowed",
      message: expect.stringContaining('reference "R-1" was captured for the last time'),
    };
    expect(await follow(counter, { type: "INCREMENT", reference: "I-1", amount: "2.00" })).toMatchObject({ refusal });
    expect(await follow(counter, { type: "CAPTURE", reference: "C-3" })).toMatchObject({ refusal });
    value(await follow(counter, { type: "VOID", reference: "V-2", of: "C-2" }));
    value(await follow(counter, { type: "CAPTURE", reference: "C-4" }));
    expect(types(counter)).toEqual(["PA", "CP PA1", "CP PA1", "RV CP2", "RV CP3", "CP PA1"]);
  });

  test("a capture of it is voided by itself, and can then be made again", async () => {
    const counter = openCounter({ answer: approving() });
    await paid(counter, "PREAUTHORIZATION");
    value(await follow(counter, { type: "CAPTURE", reference: "C-1" }));
    value(await follow(counter, { type: "VOID", reference: "V-1", of: "C-1" }));
    expect(await shown(counter, "C-1")).toMatchObject({ voidedBy: expect.any(String) });
    expect((await shown(counter, "R-1")).capturedAmount).toBeUndefined();
    value(await follow(counter, { type: "CAPTURE", reference: "C-2" }));
    expect(types(counter)).toEqual(["PA", "CP PA1", "RV CP2", "CP PA1"]);
  });
});

describe("a sale and what follows it", () => {
  test("captured: its void reverses the capture, once", async () => {
    const counter = openCounter({ answer: approving() });
    await paid(counter);
    value(await follow(counter, { type: "VOID", reference: "V-1" }));
    expect(types(counter)).toEqual(["PA", "CP PA1", "RV CP2"]);
    expect(await follow(counter, { type: "VOID", reference: "V-2" })).toMatchObject({
      refusal: { code: "not-allowed" },
    });
    expect(await follow(counter, { type: "LINKED_REFUND", reference: "F-1" })).toMatchObject({
      refusal: { code: "not-allowed" },
    });
  });

  test("not captured yet: its void stops the capture and reverses the reservation", async () => {
    const counter = openCounter({
      answer: approving(({ operation }) => (operation.paymentType === "CP" ? notSent : undefined)),
    });
    expect(await paid(counter)).toMatchObject({ outcome: "APPROVED", capture: "pending" });
    expect(await follow(counter, { type: "LINKED_REFUND", reference: "F-1" })).toMatchObject({
      refusal: { code: "not-allowed" },
    });
    value(await follow(counter, { type: "VOID", reference: "V-1" }));
    expect(await shown(counter, "V-1")).toMatchObject({ outcome: "APPROVED" });
    await counter.clock.advance(3_600_000);
    expect(types(counter).filter((type) => type.startsWith("RV"))).toEqual(["RV PA1"]);
    expect(types(counter).at(-1)).toBe("RV PA1");
  });

  test("approved in part and not captured yet: its void is done once that part is taken back", async () => {
    const inPart = ({ operation }: GatewayOrder) =>
      operation.paymentType === "PA" ? approval(500, "PA1") : operation.paymentType === "CP" ? notSent : undefined;
    const counter = openCounter({ answer: approving(inPart) });
    expect(await paid(counter)).toMatchObject({
      outcome: "PARTIALLY_APPROVED",
      approvedAmount: "5.00",
      capture: "pending",
    });
    value(await follow(counter, { type: "VOID", reference: "V-1" }));
    expect(await shown(counter, "V-1")).toMatchObject({ outcome: "APPROVED" });
    expect(counter.posted.at(-1)?.operation).toMatchObject({ paymentType: "RV", referencedId: "PA1", reverses: 500 });
  });

  test.each([
    { sold: "SALE", type: "LINKED_REFUND", by: "RF3", before: undefined, after: "7.34" },
    { sold: "PREAUTHORIZATION", type: "CAPTURE", by: "CP2", before: "not-allowed", after: "12.34" },
  ] as const)(
    "$type in part is told as that; of a last capture the rest once it is voided, and not before",
    async ({ sold, type, by, before, after }) => {
      const counter = openCounter({
        answer: approving((order, count) =>
          `${order.operation.paymentType}${count}` === by ? approval(500, by) : undefined,
        ),
      });
      await paid(counter, sold);
      value(await follow(counter, { type, reference: "F-1" }));
      expect(await shown(counter, "F-1")).toMatchObject({
        decision: "approved",
        outcome: "PARTIALLY_APPROVED",
        approvedAmount: "5.00",
      });
      if (before !== undefined) {
        expect(await follow(counter, { type, reference: "F-2" })).toMatchObject({ refusal: { code: before } });
        value(await follow(counter, { type: "VOID", reference: "V-1", of: "F-1" }));
      }
      value(await follow(counter, { type, reference: "F-2" }));
      expect(await shown(counter, "F-2")).toMatchObject({ outcome: "APPROVED", approvedAmount: after });
    },
  );

  test("not decided yet: nothing follows it, and nobody is told that it is not approved", async () => {
    const counter = openCounter({ answer: () => silence });
    const started = counter.payments.start(till, startRequest("R-1"));
    await counter.clock.advance(10_000);
    value(await started);
    for (const type of ["VOID", "LINKED_REFUND"] as const) {
      expect(await follow(counter, { type, reference: "F-1" })).toMatchObject({
        refusal: {
          code: "undecided-payment",
          message: 'reference "R-1" is not decided yet: wait for it',
          advice: "retry",
        },
      });
    }
    expect(types(counter)).toEqual(["PA"]);
  });

  test("a void that is refused for good leaves the sale, its capture and the advice to refund", async () => {
    const refused: Answer = { is: "not-reversible", resultCode: "700.300.700", description: "" };
    const stands: Found = { id: "CP2", paymentType: "CP", answer: approval(1234, "CP2") };
    const counter = openCounter({
      answer: approving(({ operation }) => (operation.paymentType === "RV" ? refused : undefined)),
      search: () => ({ is: "found", bookings: [stands] }),
    });
    await paid(counter);
    value(await follow(counter, { type: "VOID", reference: "V-1" }));
    expect(await shown(counter, "V-1")).toMatchObject({
      outcome: "FAILED",
      reason: { code: "void-refused", advice: "refund" },
    });
    expect((await shown(counter, "R-1")).voidedBy).toBeUndefined();
    value(await follow(counter, { type: "LINKED_REFUND", reference: "F-1" }));
    expect(await shown(counter, "R-1")).toMatchObject({ refundedAmount: "12.34" });
  });

  test("a refund whose writing broke the journal is what the next start makes of it: once, whoever asks again under its reference", async () => {
    let isBreaking = false;
    const counter = openCounter({
      answer: approving(),
      journal: (journal) => ({
        ...journal,
        append: async (...append) => {
          const appended = await journal.append(...append);
          if (isBreaking) throw new JournalBroken("the journal cannot be written: EIO");
          return appended;
        },
      }),
    });
    await paid(counter);
    isBreaking = true;
    expect(await follow(counter, { type: "LINKED_REFUND", reference: "F-1", amount: "5.00" })).toMatchObject({
      refusal: { code: "journal-broken" },
    });
    expect(types(counter)).toEqual(["PA", "CP PA1"]);
    const next = openCounter({ answer: approving() }, { clock: counter.clock, journal: counter.journal.crash(0) });
    const recovered = next.engine.recover();
    await next.clock.advance(1_000);
    await recovered;
    expect(await follow(next, { type: "LINKED_REFUND", reference: "F-1", amount: "5.00" })).toMatchObject({
      value: { created: false },
    });
    expect(types(next)).toEqual(["RF CP2"]);
    expect(await shown(next, "F-1")).toMatchObject({ outcome: "APPROVED", amount: "5.00" });
  });

  test("two refunds at once: the second is told of the first, and the two never exceed what was captured", async () => {
    const counter = openCounter({ answer: approving() });
    await paid(counter);
    const [one, two] = await Promise.all([
      follow(counter, { type: "LINKED_REFUND", reference: "F-1", amount: "8.00" }, 500),
      follow(counter, { type: "LINKED_REFUND", reference: "F-2", amount: "8.00" }, 500),
    ]);
    expect(one.ok).toBe(true);
    expect(two).toMatchObject({ refusal: { code: "undecided-payment" } });
    await counter.clock.advance(2_000);
    expect(await follow(counter, { type: "LINKED_REFUND", reference: "F-2", amount: "8.00" })).toMatchObject({
      refusal: { code: "invalid-amount" },
    });
  });

  test("the same reference twice, from two sockets at once, is one refund", async () => {
    const counter = openCounter({ answer: approving() });
    await paid(counter);
    const asked = { type: "LINKED_REFUND", reference: "F-1" } as const;
    const [one, two] = await Promise.all([follow(counter, asked, 500), follow(counter, asked, 500)]);
    expect([value(one).created, value(two).created].toSorted()).toEqual([false, true]);
    expect(value(one).payment.id).toBe(value(two).payment.id);
  });

  test("of another register nothing follows, by whatever name it is called; whoever may see all refunds it", async () => {
    const counter = openCounter({
      answer: approving(),
      search: ({ of }) => ("id" in of ? { is: "found", bookings: ofSale(counter) } : { is: "absent" }),
    });
    const { id } = await paid(counter);
    const refund = async (all: boolean, of: FollowUpRequest["of"], reference: string) => {
      const asked = counter.payments.followUp(
        { register: "other", all },
        { type: "LINKED_REFUND", reference, of, fingerprint: reference },
      );
      await counter.clock.advance(2_000);
      return asked;
    };
    for (const of of [{ name: "R-1" }, { reference: "R-1" }, { id }, { gatewayId: "CP2" }] as const)
      expect(await refund(false, of, "F-1")).toMatchObject({ refusal: { code: "not-found", path: "of" } });
    expect(types(counter)).toEqual(["PA", "CP PA1"]);
    value(await refund(true, { id }, "F-2"));
    expect(types(counter)).toEqual(["PA", "CP PA1", "RF CP2"]);
  });

  test("what the bridge was told is on its originals after a restart too", async () => {
    const counter = openCounter({ answer: approving() });
    await paid(counter);
    const asked = counter.payments.followUp(till, {
      type: "LINKED_REFUND",
      reference: "F-1",
      of: { name: "R-1" },
      fingerprint: "f",
    });
    await counter.clock.runUntil(() => counter.posted.length === 3, 10_000);
    value(await asked);
    await counter.engine.stop(() => 0);
    const journal = counter.journal.crash(0);
    const own = {
      id: "RF3",
      merchantTransactionId: counter.posted[2]?.operation.merchantTransactionId ?? "",
      referencedId: "CP2",
      paymentType: "RF",
    };
    const bookings = [
      { id: "CP2", paymentType: "CP", answer: approval(1234, "CP2") },
      { ...own, answer: approval(1234, "RF3") },
    ];
    const next = openCounter({ search: () => ({ is: "found", bookings }) }, { clock: counter.clock, journal });
    const recovered = next.engine.recover();
    await next.clock.advance(60_000);
    await recovered;
    await next.clock.advance(LATEST_SIGHT_MS);
    expect(await shown(next, "F-1")).toMatchObject({ outcome: "APPROVED" });
    expect(await shown(next, "R-1")).toMatchObject({ refundedAmount: "12.34" });
    expect(next.posted).toEqual([]);
    expect(next.engine.active()).toEqual([]);
  });
});

describe("a booking that this journal does not know", () => {
  const bookings = [
    { id: "cp77", paymentType: "CP", answer: approval(1234, "cp77") },
    { id: "rf78", paymentType: "RF", referencedId: "cp77", answer: approval(1000, "rf78") },
  ];
  /** Each by a register of its own: one register has one look-up a minute. */
  const refund = (counter: Counter, amount: string, gatewayId = "cp77") =>
    counter.payments.followUp(
      { ...tillOfAnyBooking, register: `till ${amount}` },
      { type: "LINKED_REFUND", reference: `F ${amount}`, of: { gatewayId }, amount, fingerprint: amount },
    );

  test("is refunded by the gateway's own book: what is left of it, and no more", async () => {
    const counter = openCounter({ answer: approving(), search: () => ({ is: "found", bookings }) });
    const tooMuch = refund(counter, "2.35");
    await counter.clock.advance(1_000);
    expect(await tooMuch).toMatchObject({ refusal: { code: "invalid-amount" } });
    const fits = refund(counter, "2.34");
    await counter.clock.advance(60_000);
    value(await fits);
    expect(await shown(counter, "F 2.34", "till 2.34")).toMatchObject({ outcome: "APPROVED", of: "cp77" });
    expect(types(counter)).toEqual(["RF cp77"]);
  });

  test("of which a part was reversed is refunded of the rest, and no more", async () => {
    const reversal = { id: "rv79", paymentType: "RV", referencedId: "cp77", answer: approval(34, "rv79") };
    const counter = openCounter({
      answer: approving(),
      search: () => ({ is: "found", bookings: [...bookings, reversal] }),
    });
    const tooMuch = refund(counter, "2.01");
    await counter.clock.advance(1_000);
    expect(await tooMuch).toMatchObject({
      refusal: { code: "invalid-amount", message: expect.stringContaining("2.00 EUR may still be refunded") },
    });
    const fits = refund(counter, "2.00");
    await counter.clock.advance(60_000);
    value(await fits);
    expect(await shown(counter, "F 2.00", "till 2.00")).toMatchObject({ outcome: "APPROVED" });
  });

  test("is not refunded where the gateway knows nothing of it, or cannot be asked", async () => {
    const unknown = openCounter();
    const asked = refund(unknown, "1.00");
    await unknown.clock.advance(1_000);
    expect(await asked).toMatchObject({ refusal: { code: "not-found" } });
    const silent = openCounter({ search: () => ({ is: "no-answer", description: "" }) });
    const again = refund(silent, "1.00");
    await silent.clock.advance(1_000);
    expect(await again).toMatchObject({ refusal: { code: "gateway-unreached" } });
  });
});

test("a refund that was called failed and is booked after all keeps another one waiting until people have settled it", async () => {
  let bookings: readonly Found[] = [];
  const counter = openCounter({
    answer: approving(({ operation }) => (operation.paymentType === "RF" ? silence : undefined)),
    search: () => ({ is: "found", bookings }),
  });
  await paid(counter);
  bookings = [{ id: "CP2", paymentType: "CP", answer: approval(1234, "CP2") }];
  value(await follow(counter, { type: "LINKED_REFUND", reference: "F-1", amount: "10.00" }, 4_000_000));
  expect(await shown(counter, "F-1")).toMatchObject({ state: "FINAL", outcome: "FAILED" });
  const { merchantTransactionId } = counter.posted.at(-1)?.operation ?? {};
  bookings = [
    ...bookings,
    { id: "RF3", merchantTransactionId, referencedId: "CP2", paymentType: "RF", answer: approval(1000, "RF3") },
  ];
  await counter.clock.advance(3_700_000);
  expect(await shown(counter, "F-1")).toMatchObject({ outcome: "FAILED", lateBooking: true });
  expect(await follow(counter, { type: "LINKED_REFUND", reference: "F-2" })).toMatchObject({
    refusal: {
      code: "undecided-payment",
      message: expect.stringContaining('"F-1" about the same booking was booked late'),
    },
  });
  const closed = counter.payments.resolve(
    { reference: "F-1" },
    { as: "declined", by: "anna", reason: "the customer keeps it" },
  );
  await counter.clock.advance(120_000);
  value(await closed);
  value(await follow(counter, { type: "LINKED_REFUND", reference: "F-2", amount: "2.34" }));
});
