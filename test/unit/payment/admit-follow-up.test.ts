import { describe, expect, test } from "vitest";
import { currencyOf } from "../../../src/kit/money.ts";
import type { Found } from "../../../src/payment/fact/answer.ts";
import { admitFollowUp, type Standing } from "../../../src/payment/follow-up/admit-follow-up.ts";
import { standingOf } from "../../../src/payment/follow-up/remaining.ts";
import { foreignStandingOf } from "../../../src/payment/follow-up/remaining-of-foreign.ts";
import {
  approval,
  approved,
  authorizing,
  chipCard,
  crediting,
  followUp,
  refusal,
  Story,
  sale,
} from "../../support/sale.ts";

const currency = currencyOf("EUR");
if (currency === undefined) throw new Error("EUR is a currency");

/** A reservation of 10.00 of which so much was captured, minor units. */
const reservation = (captures: readonly number[], oneCapture = false): Standing => ({
  kind: "reservation",
  name: 'reference "room-12"',
  currency,
  voids: [{ id: "pa", paymentType: "PA", amount: 1000 }],
  capturing: false,
  reserved: 1000,
  captures: captures.map((amount, at) => ({ id: `cp-${at}`, paymentType: "CP", amount, refunded: 0 })),
  oneCapture,
});

describe("an increment", () => {
  test.each([
    ["nothing", reservation([])],
    ["nothing, on a channel that takes one capture", reservation([], true)],
    ["a part", reservation([400, 599])],
  ])("is admitted where %s was captured", (_, standing) => {
    expect(admitFollowUp("INCREMENT", standing, "5.00")).toMatchObject({
      ok: true,
      value: { amount: 500, last: false },
    });
  });

  test.each([
    ["all, the last capture as FINAL", reservation([400, 600])],
    ["a part, by the one capture that the channel takes", reservation([400], true)],
  ])("is refused where %s was captured", (_, standing) => {
    const refusal = {
      code: "not-allowed",
      path: "of",
      message: expect.stringMatching(/^reference "room-12" .*captured.*last.*PREAUTHORIZATION/),
    };
    expect(admitFollowUp("INCREMENT", standing, "5.00")).toMatchObject({ ok: false, refusal });
  });
});

describe("a follow-up is refused", () => {
  test.each([
    ["CAPTURE", "captured already, and its channel takes one capture", reservation([400], true), "5.00"],
    ["CAPTURE", "as often as its numberOfCaptures says", { ...reservation([400]), numberOfCaptures: 1 }, "5.00"],
    ["INCREMENT", "amount is missing", reservation([]), undefined],
    ["LINKED_REFUND", "took no money", { ...reservation([400]), kind: "registration" }, "1.00"],
    ["LINKED_REFUND", "is not captured: void it instead", reservation([]), "1.00"],
    ["LINKED_REFUND", 'a decimal string such as "12.34"', reservation([400]), "1.001"],
    ["LINKED_REFUND", "more than zero", reservation([400]), "0.00"],
  ] as const)("%s: %s", (type, message, standing, asked) => {
    expect(admitFollowUp(type, standing, asked)).toMatchObject({
      ok: false,
      refusal: { message: expect.stringContaining(message) },
    });
  });

  test("of a payment that is not approved", () => {
    const declined = authorizing().answer(refusal()).meets({ on: "finished", verdict: "declined", chip: {} });
    expect(standingOf(declined.payment, undefined, false).closed).toBe("is not approved");
  });

  test("in a currency that this version does not take", () => {
    expect(() => standingOf(approved({ ...sale, currency: "XXX" }).payment, undefined, false)).toThrow(RangeError);
  });
});

describe("a booking that this journal does not know", () => {
  const shown = (changes: Partial<Found>): Found => ({
    ...{ id: "original-1", paymentType: "PA", answer: approval(1234, "original-1") },
    ...changes,
  });
  const { amount: _, ...nameless } = { amount: 0, ...approval(1234, "original-1") };

  test.each([
    ["no amount", { ...nameless, currency: "EUR" }],
    ["a currency that this version does not take", { ...approval(1234, "original-1"), currency: "XXX" }],
  ])("of %s has nothing that may follow it", (_what, answer) => {
    expect(foreignStandingOf("original-1", [shown({ answer })], [], false)).toBeUndefined();
  });

  test("is not held up by an undecided row of a type that changes nothing", () => {
    const pending = { is: "pending", id: "row-2", resultCode: "000.200.000", description: "" } as const;
    const row = shown({ id: "row-2", paymentType: "XX", referencedId: "original-1", answer: pending });
    expect(foreignStandingOf("original-1", [shown({}), row], [], false)?.closed).toBeUndefined();
  });

  test("is not captured by a capture that was declined", () => {
    const { payment } = new Story(followUp("CAPTURE")).meets({ on: "woken" }).answer(refusal());
    expect(foreignStandingOf("original-1", [shown({})], [payment], false)?.captures).toEqual([]);
  });
});

test("what raised a reservation is voided with it: nothing follows it any more", () => {
  const increment = new Story(followUp("INCREMENT")).meets({ on: "woken" }).answer(approval(1234, "increment-1"));
  const head = approved({ ...sale, type: "PREAUTHORIZATION" });
  expect(standingOf(increment.payment, head.payment, false).closed).toBeUndefined();
  head.meets({
    on: "followed",
    by: { payment: "pay_9", type: "VOID", outcome: "APPROVED", amount: 0, target: "booking-1" },
  });
  expect(standingOf(increment.payment, head.payment, false).closed).toBe("is voided");
});

test("bookings that refer to each other in a circle are looked through once", () => {
  const row = (id: string, referencedId: string): Found => ({
    id,
    paymentType: "PA",
    referencedId,
    answer: approval(1234, id),
  });
  expect(foreignStandingOf("a", [row("a", "b"), row("b", "a")], [], false)).toMatchObject({ kind: "increment" });
});

const FOLLOW_UPS = ["CAPTURE", "VOID", "LINKED_REFUND", "INCREMENT"] as const;

describe("what may follow what", () => {
  const of = (type: Parameters<typeof followUp>[0]): Story =>
    new Story(followUp(type)).meets({ on: "woken" }).answer(approval(1234, "follow-up-1"));
  const reserved = approved({ ...sale, type: "PREAUTHORIZATION" });
  const stored = new Story({ ...sale, type: "REGISTRATION", amount: 0 })
    .meets({ on: "leased" })
    .meets({ on: "card", card: chipCard })
    .answer({
      ...approval(),
      is: "approved",
      id: "registration-1",
      resultCode: "000.100.110",
      description: "",
      review: false,
      issuer: {},
    })
    .meets({ on: "finished", verdict: "approved", chip: {} });
  const captured = approved().answer(approval(1234, "capture-1"));

  test.each([
    ["a sale", captured, undefined, ["VOID", "LINKED_REFUND"]],
    [
      "a sale of one message",
      approved({ ...sale, channel: { ...sale.channel, settlement: "single" } }),
      undefined,
      ["VOID", "LINKED_REFUND"],
    ],
    ["a reservation", reserved, undefined, ["CAPTURE", "VOID", "INCREMENT"]],
    ["a capture", of("CAPTURE"), reserved, ["VOID", "LINKED_REFUND"]],
    ["an increment", of("INCREMENT"), reserved, ["VOID"]],
    ["a refund of a sale", of("LINKED_REFUND"), captured, []],
    ["a refund to a card", crediting().answer(approval()), undefined, []],
    ["a void", of("VOID"), reserved, []],
    ["a stored card", stored, undefined, []],
  ] as const)("%s", (_, { payment }, head, admitted) => {
    const standing = standingOf(payment, head?.payment, false);
    expect(standing.closed).toBeUndefined();
    const answers = FOLLOW_UPS.map(
      (type) => [type, admitFollowUp(type, standing, type === "INCREMENT" ? "5.00" : undefined)] as const,
    );
    expect(answers.flatMap(([type, { ok }]) => (ok ? [type] : []))).toEqual(admitted);
    expect(new Set(answers.flatMap(([, answer]) => (answer.ok ? [] : [answer.refusal.code])))).toEqual(
      new Set(["not-allowed"]),
    );
  });
});

describe("a booking that somebody reversed in the gateway's back office, as a query shows", () => {
  const reserved = (shown: boolean): Story => {
    const story = approved({ ...sale, type: "PREAUTHORIZATION" });
    const own: Found = {
      id: "booking-1",
      merchantTransactionId: story.booking(),
      paymentType: "PA",
      answer: approval(),
    };
    const byHand: Found = {
      id: "by-hand",
      referencedId: "booking-1",
      paymentType: "RV",
      answer: approval(1234, "by-hand"),
    };
    const bookings = shown ? [own, byHand] : [own];
    return story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "found", bookings } });
  };
  const standing = (story: Story): Standing => standingOf(story.payment, undefined, false);

  test.each(["CAPTURE", "INCREMENT"] as const)("takes no %s any more: that money is gone", (type) => {
    expect(admitFollowUp(type, standing(reserved(false)), "1.00")).toMatchObject({ ok: true });
    expect(admitFollowUp(type, standing(reserved(true)), "1.00")).toMatchObject({
      refusal: { message: expect.stringMatching(/was taken back at the gateway already$/) },
    });
  });

  test("is refunded where it was captured before: that stands by itself", () => {
    const captured = {
      payment: "pay_3",
      type: "CAPTURE",
      outcome: "APPROVED",
      amount: 617,
      id: "cp-1",
      target: "booking-1",
    } as const;
    const story = reserved(true).meets({ on: "followed", by: captured });
    expect(admitFollowUp("LINKED_REFUND", standing(story), undefined)).toMatchObject({
      ok: true,
      value: { amount: 617, payment: "pay_3" },
    });
    expect(admitFollowUp("LINKED_REFUND", standing(reserved(true)), undefined)).toMatchObject({ ok: false });
  });
});
