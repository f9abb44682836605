import { describe, expect, test } from "vitest";
import { alarmsOf } from "../../../src/engine/shell/alarms.ts";
import { openPayment } from "../../../src/observe/open-payment.ts";
import type { Found } from "../../../src/payment/fact/answer.ts";
import type { FollowUp } from "../../../src/payment/fact/original.ts";
import { admitFollowUp } from "../../../src/payment/follow-up/admit-follow-up.ts";
import { standingOf } from "../../../src/payment/follow-up/remaining.ts";
import { voidTargetsOf } from "../../../src/payment/follow-up/totals.ts";
import { isSettled, owed } from "../../../src/payment/machine/owed.ts";
import { resolutionProblem } from "../../../src/payment/operator/allowed-decisions.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import { isGivenBackPerhaps } from "../../../src/payment/recovery/reversal.ts";
import { isSecondHeld } from "../../../src/payment/recovery/surplus-reversal.ts";
import { approval, approved, completing, followUp, linkMade, linkSale, Story, sale } from "../../support/sale.ts";

/** What the gateway did a part of (000.400.040: successfully processed, and the amounts differ). */

const HOUR = 3_600_000;
const view = (story: Story) => viewOf(story.payment);
const resolve = (as: "reversed" | "approved" | "declined") =>
  ({ on: "resolved", as, by: "alice", reason: "seen in the back office", gatewayId: "cp-2" }) as const;
/** An answer with another amount than was asked for is none (src/gateway/verdict): a query tells it. */
const unclear = { is: "unknown", description: "approved for less than was asked for" } as const;

function look(story: Story, bookings: readonly Found[], afterMs = 61_000, forWhich = story.newest()): Story {
  return story.meets({ on: "searched", merchantTransactionId: forWhich, result: { is: "found", bookings } }, afterMs);
}

describe("a capture in part", () => {
  const captured = (amount: number): Story => {
    const story = approved().answer(unclear).meets({ on: "released" });
    const reservation: Found = {
      id: "booking-1",
      merchantTransactionId: story.booking(),
      paymentType: "PA",
      answer: approval(),
    };
    const capture = {
      id: "cp-1",
      merchantTransactionId: story.newest(),
      referencedId: "booking-1",
      paymentType: "CP",
      answer: approval(amount, "cp-1"),
    };
    return look(story, [reservation, capture]);
  };
  const refundable = (story: Story, amount?: string) =>
    admitFollowUp("LINKED_REFUND", standingOf(story.payment, undefined, false), amount);
  const followed = (story: Story, by: Omit<FollowUp, "payment" | "outcome">): Story =>
    story.meets({ on: "followed", by: { payment: `pay_${by.type}_${by.target}`, outcome: "APPROVED", ...by } });

  test("is told as what it is, and stays open and loud until a person has said what becomes of the rest, also after a restart", () => {
    const before = approved().answer(unclear).payment;
    const story = captured(617);
    expect(view(story)).toMatchObject({
      state: "FINAL",
      outcome: "APPROVED",
      approvedAmount: "12.34",
      capture: "captured",
      capturedAmount: "6.17",
    });
    expect(isSettled(story.meets({ on: "restarted" }, HOUR).payment)).toBe(false);
    const open = { owed: "a word on its capture: 6.17 of 12.34", mend: expect.stringContaining("posbridge resolve") };
    expect(openPayment(view(story))).toMatchObject(open);
    const what = "the gateway captured another amount than was approved";
    expect(alarmsOf(before, story.payment)).toContainEqual({
      what,
      mend: expect.stringMatching(/capture the rest there.*posbridge resolve/),
    });
  });

  test.each(["reversed", "declined"] as const)(
    "is closed as %s where nobody captures the rest: what was told stands",
    (as) => {
      const story = captured(617);
      const { updatedAt: _, ...before } = view(story);
      expect(view(story.meets(resolve(as)))).toMatchObject(before);
      expect(isSettled(story.payment)).toBe(true);
      expect(alarmsOf(captured(617).payment, story.meets({ on: "restarted" }).payment)).toEqual([]);
      expect(resolutionProblem(story.payment, story.now, as)).toBe("an operator has closed it already");
    },
  );

  test("is closed as approved where the rest was captured by hand: both are the sale's, for refunds and voids too", () => {
    const story = captured(617).meets(resolve("approved"));
    expect(view(story)).toMatchObject({ capture: "captured", capturedAmount: "12.34" });
    expect(isSettled(story.payment)).toBe(true);
    const both = [
      { id: "cp-1", paymentType: "CP", amount: 617 },
      { id: "cp-2", paymentType: "CP", amount: 617 },
    ];
    expect(standingOf(story.payment, undefined, false).voids).toEqual(both);
    expect(voidTargetsOf(story.payment, "pay_9")).toEqual(both);
    for (const amount of [undefined, "6.18"])
      expect(refundable(story, amount)).toMatchObject({ ok: false, refusal: { code: "not-allowed" } });
    expect(refundable(story, "6.17")).toMatchObject({ ok: true, value: { amount: 617, targets: [both[0]] } });
    followed(story, { type: "LINKED_REFUND", amount: 617, target: "cp-1" });
    expect(refundable(story)).toMatchObject({ ok: true, value: { amount: 617, targets: [both[1]] } });
    followed(story, { type: "LINKED_REFUND", amount: 617, target: "cp-2" });
    expect(refundable(story)).toMatchObject({
      ok: false,
      refusal: { message: expect.stringContaining("refunded in full") },
    });
  });

  test("stays what it is where the person names the bridge's own capture", () => {
    const story = captured(617).meets({ ...resolve("approved"), gatewayId: "cp-1" });
    expect(view(story)).toMatchObject({ capturedAmount: "6.17" });
    expect(isSettled(story.payment)).toBe(true);
  });

  test("is refunded no further than it went, and needs no word once a void has taken it back", () => {
    const story = captured(617);
    expect(refundable(story, "6.18")).toMatchObject({ ok: false, refusal: { code: "invalid-amount" } });
    expect(refundable(story)).toMatchObject({ ok: true, value: { amount: 617 } });
    followed(story, { type: "VOID", amount: 0, target: "cp-1" });
    expect(isSettled(story.payment)).toBe(true);
    expect(openPayment(view(story))).toBeUndefined();
  });

  test("is of more than was approved where the gateway says so: the difference goes back, and nothing is added to it", () => {
    const story = captured(1300);
    expect(openPayment(view(story))).toMatchObject({ owed: "a word on its capture: 13.00 of 12.34" });
    expect(resolutionProblem(story.payment, story.now, "approved")).toContain("give the difference back");
    expect(isSettled(story.meets(resolve("reversed")).payment)).toBe(true);
  });
});

describe("a refund in part, in place of a reversal that the gateway refuses", () => {
  const debit = (story: Story): Found => ({
    id: "booking-1",
    merchantTransactionId: story.booking(),
    paymentType: "DB",
    answer: approval(),
  });
  const refund = (id: string, amount: number, name: string): Found => ({
    ...{ id, merchantTransactionId: name, referencedId: "booking-1", paymentType: "RF", answer: approval(amount, id) },
  });
  const inPart = (): Story => {
    const story = completing({ ...sale, channel: { ...sale.channel, settlement: "single" } }).meets({
      on: "finished",
      verdict: "declined",
      chip: {},
    });
    story.answer({ is: "not-reversible", resultCode: "700.300.700", description: "" });
    look(story, [debit(story)], 20_000, story.booking()).answer(unclear);
    return look(story, [debit(story), refund("rf-1", 600, story.newest())]);
  };

  test("leaves the rest to be refunded, once queries have shown for the whole window that nothing else gave it back", () => {
    const story = inPart();
    const shown = [debit(story), refund("rf-1", 600, story.newest())];
    expect([view(story).state, isGivenBackPerhaps(story.payment)]).toEqual(["REVERSING", false]);
    look(story, shown, 61_000, story.booking());
    expect(story.payment.attempts.map(({ operation }) => operation.paymentType)).toEqual(["DB", "RV", "RF"]);
    look(story, shown, sale.rules.unknownWindowMs, story.booking());
    expect(story.payment.attempts.at(-1)?.operation).toMatchObject({
      paymentType: "RF",
      amount: 634,
      referencedId: "booking-1",
    });
    expect(view(story.answer(approval(634, "rf-2")))).toMatchObject({ state: "FINAL", outcome: "DECLINED" });
  });
});

describe("a void of which the gateway did a part", () => {
  const begun = (): Story =>
    new Story(followUp("VOID", { targets: [{ id: "original-1", paymentType: "CP", amount: 1234 }] })).meets({
      on: "woken",
    });
  const original: Found = { id: "original-1", paymentType: "CP", answer: approval(1234, "original-1") };
  const part: Found = { id: "rv-1", referencedId: "original-1", paymentType: "RV", answer: approval(617, "rv-1") };
  const already = { is: "already-reversed", resultCode: "700.300.300", description: "" } as const;
  const twice = (first: number, second: number): Story =>
    begun().answer(approval(first, "rv-1")).meets({ on: "woken" }, 5_000).answer(approval(second, "rv-2"));

  test("is approved by the gateway's own two answers where they add up to the whole, without a query", () => {
    expect(view(twice(617, 617))).toMatchObject({ outcome: "APPROVED" });
    expect(view(twice(617, 616)).decision).toBeUndefined();
  });

  test("and calls the rest reversed already is alarmed once a query has shown that it stands, and not before", () => {
    const story = begun().answer(approval(617, "rv-1")).meets({ on: "woken" }, 5_000);
    const before = story.payment;
    expect(alarmsOf(before, story.answer(already).payment)).toEqual([]);
    const what = expect.stringContaining("refuses the rest");
    expect(alarmsOf(before, look(story, [original, part], 100).payment)).toMatchObject([{ what }]);
    expect(view(look(story, [original, part, { ...part, id: "rv-9" }]))).toMatchObject({ outcome: "APPROVED" });
  });
});

test("a second booking is given back wholly by two reversals in part that add up to it, without a third", () => {
  const story = new Story(linkSale).meets({ on: "woken" }).answer(linkMade);
  const debit = (id: string): Found => ({
    id,
    merchantTransactionId: story.booking(),
    paymentType: "DB",
    answer: approval(1234, id),
  });
  look(story.meets({ on: "link-seen", sight: { is: "paid", transactionId: "booking-1" } }), [
    debit("booking-1"),
    debit("booking-2"),
  ]);
  story
    .answer(approval(600, "rv-1"))
    .meets({ on: "woken" }, 60_000)
    .answer(approval(634, "rv-2"))
    .meets({ on: "woken" }, HOUR);
  const [, ...reversals] = story.payment.attempts.map(
    ({ operation }) => `${operation.paymentType} ${operation.referencedId}`,
  );
  expect([reversals, isSecondHeld(story.payment)]).toEqual([["RV booking-2", "RV booking-2"], false]);
});

test("a void of which a part is carried out is not closed as declined: that part is gone", () => {
  const story = new Story(followUp("VOID", { targets: [{ id: "original-1", paymentType: "CP", amount: 1234 }] })).meets(
    { on: "woken" },
  );
  story.answer(approval(617, "rv-1"));
  const problem = resolutionProblem(story.payment, story.now + HOUR, "declined");
  expect(problem).toBe("a part of it is carried out: have the rest reversed there, then close it as approved");
});

test("a void whose reversal was itself taken back has taken nothing back", () => {
  const story = new Story(followUp("VOID", { targets: [{ id: "original-1", paymentType: "CP", amount: 1234 }] })).meets(
    { on: "woken" },
  );
  story.answer({ is: "unknown", description: "no answer" });
  const rv = (id: string, referencedId: string): Found => ({
    id,
    referencedId,
    paymentType: "RV",
    answer: approval(1234, id),
  });
  look(story, [
    { id: "original-1", paymentType: "CP", answer: approval(1234, "original-1") },
    rv("rv-1", "original-1"),
    rv("rv-2", "rv-1"),
  ]);
  expect(view(story).decision).toBeUndefined();
});

describe("a void of two captures, one of them by hand", () => {
  const both = [
    { id: "cp-1", paymentType: "CP", amount: 617 },
    { id: "cp-2", paymentType: "CP", amount: 617 },
  ] as const;
  const asked = (story: Story) => owed(story.payment).flatMap((one) => (one.do === "search" ? [one.original] : []));

  test("looks for the second reversal at the second capture, which is not below the first", () => {
    const story = new Story(followUp("VOID", { targets: [...both] }))
      .meets({ on: "woken" })
      .answer({ is: "unknown", description: "no answer" });
    expect(asked(story)).toEqual([{ id: "cp-1" }]);
    const reversal = (of: string): Found => ({
      id: `rv-${of}`,
      referencedId: of,
      paymentType: "RV",
      answer: approval(617, `rv-${of}`),
    });
    const capture = (id: string): Found => ({ id, paymentType: "CP", answer: approval(617, id) });
    look(story, [capture("cp-1"), reversal("cp-1")]).answer({ is: "unknown", description: "no answer" });
    expect(asked(story)).toEqual([{ id: "cp-2" }]);
    expect(view(look(story, [capture("cp-2"), reversal("cp-2")]))).toMatchObject({ outcome: "APPROVED" });
  });

  test("asks again for the second where the gateway refuses it: the first is gone", () => {
    const story = new Story(followUp("VOID", { targets: [...both] }))
      .meets({ on: "woken" })
      .answer(approval(617, "rv-1"));
    story.answer({ is: "not-reversible", resultCode: "700.300.700", description: "" }).meets({ on: "woken" }, HOUR);
    expect(story.payment.attempts.map(({ operation }) => operation.referencedId)).toEqual(["cp-1", "cp-2", "cp-2"]);
  });

  test("is not closed as declined once the first is gone, by halves that add up to it as well", () => {
    const story = new Story(followUp("VOID", { targets: [...both] })).meets({ on: "woken" });
    story.answer(approval(300, "rv-1")).meets({ on: "woken" }, 5_000).answer(approval(317, "rv-2"));
    expect(story.payment.attempts.at(-1)?.operation).toMatchObject({ referencedId: "cp-2" });
    story.answer({ is: "unknown", description: "no answer" });
    expect(resolutionProblem(story.payment, story.now + HOUR, "declined")).toContain("a part of it is carried out");
  });
});
