import { describe, expect, test } from "vitest";
import { alarmsOf } from "../../../src/engine/shell/alarms.ts";
import { openPayment } from "../../../src/observe/open-payment.ts";
import { isReversalShown } from "../../../src/payment/attempt/observation.ts";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import { isOverExceptLateQueries, isSettled, owed } from "../../../src/payment/machine/owed.ts";
import { resolutionProblem } from "../../../src/payment/operator/allowed-decisions.ts";
import { isClosedByOperator } from "../../../src/payment/operator/late-booking.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import { isSecondHeld, secondStanding } from "../../../src/payment/recovery/surplus-reversal.ts";
import { fold } from "../../../src/payment/state/payment.ts";
import {
  approval,
  authorizing,
  followUp,
  linkMade,
  linkSale,
  refusal,
  Story,
  silence,
  storedCardSale,
} from "../../support/sale.ts";

/*
 * A payment is worth one booking (contract, truth 1): whatever else stands under its name at the gateway is taken back,
 * and people are told.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WINDOW = linkSale.rules.unknownWindowMs;
const said = { resultCode: "1.1", description: "" };

const view = (story: Story) => viewOf(story.payment);
const open = (): Story => new Story(linkSale).meets({ on: "woken" }).answer(linkMade);
const paid = (story: Story): Story =>
  story.meets({ on: "link-seen", sight: { is: "paid", transactionId: "booking-1" } }, 10_000);
const euros = (id: string, amount = 1234): Answer => ({
  ...approval(amount, id),
  ...({ amount, currency: "EUR" } as const),
});

function booking(story: Story, id: string, changes: Partial<Found> = {}): Found {
  return { id, merchantTransactionId: story.booking(), paymentType: "DB", answer: euros(id), ...changes };
}

function shows(story: Story, bookings: readonly Found[], afterMs = 1_000): Story {
  return story.meets(
    { on: "searched", merchantTransactionId: story.booking(), result: { is: "found", bookings } },
    afterMs,
  );
}

/** Every request but the first, and what it refers to. */
const later = (story: Story) =>
  story.payment.attempts
    .slice(1)
    .map(({ operation: { paymentType, referencedId, amount } }) =>
      [paymentType, referencedId, ...(amount === undefined ? [] : [amount])].join(" "),
    );

describe("a link that was paid twice", () => {
  test("counts once, the second payment is reversed, and a person is told", () => {
    const story = paid(open());
    const before = story.payment;
    shows(story, [booking(story, "booking-1"), booking(story, "booking-2")]);
    expect(view(story)).toMatchObject({
      state: "FINAL",
      outcome: "APPROVED",
      approvedAmount: "12.34",
      gateway: { id: "booking-1" },
    });
    expect(later(story)).toEqual(["RV booking-2"]);
    expect(alarmsOf(before, story.payment).map(({ what }) => what)).toEqual([
      "the gateway holds a second booking of one payment",
    ]);
    story.answer(euros("rv-2"));
    expect(view(story)).toMatchObject({ outcome: "APPROVED" });
    expect(story.payment.attempts.map(isReversalShown)).toEqual([false, false]);
    expect(fold(story.facts)).toEqual(story.payment);
  });

  test("or thrice has the third reversed as well while the gateway refuses to reverse the second", () => {
    const story = paid(open());
    shows(story, [booking(story, "booking-1"), booking(story, "booking-2"), booking(story, "booking-3")]);
    story.answer({ is: "not-booked", why: "refused", ...said }).answer(euros("rv-3"));
    expect(later(story)).toEqual(["RV booking-2", "RV booking-3"]);
    story.meets({ on: "woken" }, HOUR);
    expect(later(story)).toEqual(["RV booking-2", "RV booking-3", "RV booking-2"]);
  });

  test("whose second payment has no amount is left to people once the gateway refuses to reverse it", () => {
    const story = paid(open());
    const { amount: _, ...nameless } = { amount: 0, ...approval(1234, "booking-2"), currency: "EUR" };
    shows(story, [booking(story, "booking-1"), booking(story, "booking-2", { answer: nameless })]);
    story.answer(refusal());
    shows(story, [booking(story, "booking-1"), booking(story, "booking-2", { answer: nameless })], WINDOW);
    story.meets({ on: "woken" }, HOUR);
    expect(later(story)).toEqual(["RV booking-2"]);
  });

  test("and once more long after is not closed by a person while the newest payment is being reversed", () => {
    const story = paid(open());
    shows(story, [booking(story, "booking-1"), booking(story, "booking-2")]).answer(euros("rv-2"));
    shows(story, [booking(story, "booking-1"), booking(story, "booking-3")], 2 * WINDOW);
    expect(later(story)).toEqual(["RV booking-2", "RV booking-3"]);
    expect(resolutionProblem(story.payment, story.now, "reversed")).toContain("taking that back");
  });

  test("is looked at once more when what was begun in another browser has come to its end, and only then left alone", () => {
    const story = paid(open());
    shows(story, [booking(story, "booking-1")]);
    expect(isSettled(story.payment)).toBe(false);
    expect(owed(story.payment)).toMatchObject([
      {
        do: "search",
        original: { merchantTransactionId: story.booking() },
        at: story.now + WINDOW,
        urgency: "recovery",
      },
    ]);
    shows(story, [booking(story, "booking-1"), booking(story, "booking-2")], WINDOW);
    expect(later(story)).toEqual(["RV booking-2"]);
    story.answer(euros("rv-2"));
    expect([isSettled(story.payment), isOverExceptLateQueries(story.payment)]).toEqual([false, true]);
    for (const hours of [1, 24, 72]) {
      expect(isSettled(story.payment)).toBe(false);
      shows(story, [booking(story, "booking-1")], hours * HOUR);
    }
    expect(isSettled(story.payment)).toBe(true);
  });

  test("and found so is not given up because queries go unanswered for a day, nor because one was answered too soon", () => {
    const story = paid(open());
    shows(story, [booking(story, "booking-1")]);
    shows(story, [booking(story, "booking-1")], WINDOW - MINUTE);
    for (let look = 0; look < 72; look += 1)
      story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "throttled" } }, HOUR);
    expect(owed(story.payment).map((effect) => effect.do)).toEqual(["search"]);
    expect(isSettled(shows(story, [booking(story, "booking-1")], HOUR).payment)).toBe(true);
  });

  test("after it was cancelled has both taken back before it is final", () => {
    const story = paid(open().meets({ on: "cancel" }));
    shows(story, [booking(story, "booking-1"), booking(story, "booking-2")]);
    expect(later(story)).toEqual(["RV booking-1"]);
    story.answer(euros("rv-1"));
    expect(later(story)).toEqual(["RV booking-1", "RV booking-2"]);
    expect(view(story).state).toBe("REVERSING");
    story.answer(euros("rv-2"));
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "CANCELLED", lateBooking: true });
  });

  test("is refunded where it is reversed no more, once", () => {
    const story = paid(open());
    shows(story, [booking(story, "booking-1"), booking(story, "booking-2")]);
    story.answer({ is: "not-reversible", ...said }).meets({ on: "woken" }, 5_000);
    expect(later(story)).toEqual(["RV booking-2", "RF booking-2 1234"]);
    story.answer(silence).meets({ on: "woken" }, HOUR);
    expect(later(story)).toEqual(["RV booking-2", "RF booking-2 1234"]);
  });

  test("is reversed again and again after silence, and left once a query shows that it is gone, whatever was said of it before", () => {
    const twice = (): Story => {
      const story = paid(open());
      return shows(story, [booking(story, "booking-1"), booking(story, "booking-2")]);
    };
    const again = twice().answer(silence).meets({ on: "woken" }, HOUR);
    expect(later(again)).toEqual(["RV booking-2", "RV booking-2"]);
    const claimed = twice().answer({ is: "already-reversed", ...said });
    expect(isSettled(claimed.payment)).toBe(false);
    const gone = booking(claimed, "rv-2", { paymentType: "RV", referencedId: "booking-2", answer: euros("rv-2") });
    shows(claimed, [booking(claimed, "booking-1"), booking(claimed, "booking-2"), gone], WINDOW);
    expect([later(claimed), isOverExceptLateQueries(claimed.payment)]).toEqual([["RV booking-2"], true]);
    const stands = twice().answer({ is: "already-reversed", ...said });
    shows(stands, [booking(stands, "booking-1"), booking(stands, "booking-2")], HOUR).meets({ on: "woken" }, HOUR);
    expect(later(stands)).toEqual(["RV booking-2", "RV booking-2"]);
  });

  describe("and whose second payment does not go back", () => {
    const resolve = (as: "reversed" | "approved" | "declined") =>
      ({ on: "resolved", as, by: "alice", reason: "given back at the till", gatewayId: "x" }) as const;
    const twice = (changes: Partial<Found> = {}): Story => {
      const story = paid(open());
      return shows(story, [booking(story, "booking-1"), booking(story, "booking-2", changes)]);
    };
    const problem = (story: Story, as: "reversed" | "approved" = "reversed") =>
      resolutionProblem(story.payment, story.now, as);
    const listed = ({ payment }: Story) => openPayment({ ...viewOf(payment), secondBooking: secondStanding(payment) });
    const refused: Answer = { is: "not-booked", why: "refused", ...said };

    test("is no person's as long as the bridge is at it", () => {
      expect(problem(twice())).toContain("the bridge is taking that back");
      expect(problem(twice().answer(silence))).toContain("the bridge is taking that back");
      expect(listed(twice())).toMatchObject({
        owed: "the reversal of a second booking",
        mend: expect.stringContaining("posbridge resolve"),
      });
    });

    test.each([
      ["because the gateway refuses it", () => twice().answer(refused)],
      [
        "because it calls it reversed already, and no query shows that",
        () => twice().answer({ is: "already-reversed", ...said }),
      ],
      [
        "because it is unsure of the refund in its place",
        () => inPlace().answer({ is: "half-reversed", id: "rf-2", ...said }),
      ],
      [
        "because it has told nothing more for the whole window",
        () => twice().answer(silence).meets({ on: "woken" }, WINDOW),
      ],
      [
        "because it is not decided for the whole window",
        () => twice({ answer: { is: "pending", id: "booking-2", ...said } }).meets({ on: "woken" }, WINDOW),
      ],
    ] as const)("is listed and told, and closed by a person, %s: it stays as it was told", (_, made) => {
      const story = made();
      expect(listed(story)).toBeDefined();
      expect(problem(story, "approved")).toContain("worth one booking");
      const { updatedAt: __, ...before } = view(story);
      expect(view(story.meets(resolve("reversed")))).toMatchObject(before);
      expect([isClosedByOperator(story.payment), isSecondHeld(story.payment), listed(story)]).toEqual([
        true,
        false,
        undefined,
      ]);
    });

    const inPlace = (): Story =>
      twice()
        .answer({ is: "not-reversible", ...said })
        .meets({ on: "woken" }, 5_000);

    test("is closed likewise where the payment was cancelled", () => {
      const story = paid(open().meets({ on: "cancel" }));
      shows(story, [booking(story, "booking-1")]).answer(euros("rv-1"));
      shows(story, [booking(story, "booking-1"), booking(story, "booking-2")], WINDOW).answer(refused);
      expect(view(story)).toMatchObject({ state: "FINAL", outcome: "CANCELLED", lateBooking: true });
      expect(isOverExceptLateQueries(story.meets(resolve("reversed")).payment)).toBe(true);
      expect(view(story)).toMatchObject({ outcome: "CANCELLED", reason: { code: "register-cancelled" } });
    });
  });

  test("where the second is not decided yet is looked at until it is, and is not called booked", () => {
    const story = paid(open());
    const before = story.payment;
    shows(story, [
      booking(story, "booking-1"),
      booking(story, "booking-2", { answer: { is: "pending", id: "booking-2", ...said } }),
    ]);
    expect([view(story).outcome, secondStanding(story.payment)]).toEqual(["APPROVED", "pending"]);
    expect(alarmsOf(before, story.payment).map(({ what }) => what)).toEqual([
      "the gateway has not decided a second booking of one payment",
    ]);
    expect(resolutionProblem(story.payment, story.now, "reversed")).toContain(
      "has not decided a second booking of it yet",
    );
    for (let look = 0; look < 30; look += 1) {
      expect(owed(story.payment).map((effect) => effect.do)).toEqual(["search"]);
      story.meets(
        { on: "searched", merchantTransactionId: story.booking(), result: { is: "no-answer", description: "" } },
        HOUR,
      );
    }
    shows(story, [booking(story, "booking-1"), booking(story, "booking-2", { answer: refusal() })], HOUR);
    expect([later(story), secondStanding(story.payment)]).toEqual([[], undefined]);
    expect(isSettled(shows(story, [booking(story, "booking-1")], 72 * HOUR).payment)).toBe(true);
  });
});

test("what is shown instead of what a payment was approved as is not taken back before that was shown beside it: people find out which stands", () => {
  const story = new Story({ ...storedCardSale, type: "PREAUTHORIZATION" })
    .meets({ on: "woken" })
    .answer(approval(1234, "told"));
  const before = story.payment;
  const other = booking(story, "other", { paymentType: "PA" });
  shows(story, [other], WINDOW);
  expect([view(story).outcome, later(story)]).toEqual(["APPROVED", []]);
  expect(alarmsOf(before, story.payment).map(({ what }) => what)).toEqual([
    "the gateway shows another booking instead of the one that a payment was approved by",
  ]);
  expect(openPayment({ ...view(story), secondBooking: secondStanding(story.payment) })?.owed).toContain(
    "instead of the one that it was approved by",
  );
  expect(resolutionProblem(story.payment, story.now, "reversed")).toBeUndefined();
  for (let hours = 0; hours < 40; hours += 1) {
    const [next] = owed(story.payment);
    expect([next?.do, next?.do === "search" && next.at - story.now <= HOUR]).toEqual(["search", true]);
    shows(story, [other], HOUR);
  }
  expect(later(story)).toEqual([]);
  shows(story, [other, booking(story, "told", { paymentType: "PA" })], HOUR);
  expect(later(story)).toEqual(["RV other"]);
});

test("a second booking that is not decided is not called booked because of another one that a person knew of", () => {
  const story = paid(open());
  shows(story, [booking(story, "booking-1"), booking(story, "booking-2")]);
  story
    .answer({ is: "not-reversible", ...said })
    .meets({ on: "woken" }, 5_000)
    .answer({ is: "not-booked", why: "refused", ...said });
  story.meets({ on: "resolved", as: "reversed", by: "alice", reason: "given back at the till" });
  expect(secondStanding(story.payment)).toBeUndefined();
  const pending: Answer = { is: "pending", id: "booking-3", ...said };
  shows(
    story,
    [booking(story, "booking-1"), booking(story, "booking-2"), booking(story, "booking-3", { answer: pending })],
    WINDOW,
  );
  expect(secondStanding(story.payment)).toBe("pending");
});

describe("a booking that does not count", () => {
  test.each([
    ["of a card that was declined", { answer: refusal() }],
    ["of another payment", { merchantTransactionId: "somebody else's" }],
    ["that gives money to the customer", { paymentType: "CD" }],
  ])("(%s) is none too many", (_what, changes) => {
    const story = paid(open());
    shows(story, [booking(story, "booking-1"), booking(story, "booking-2", changes)]);
    expect(later(story)).toEqual([]);
    expect(story.payment.seconds).toEqual([]);
  });

  test("(taken back already) is none too many", () => {
    const story = paid(open());
    const reversal: Found = { id: "rv-2", referencedId: "booking-2", paymentType: "RV", answer: euros("rv-2") };
    shows(story, [booking(story, "booking-1"), booking(story, "booking-2"), reversal]);
    expect(later(story)).toEqual([]);
  });

  test("(reserved where a debit was asked for) is taken back while the customer may still pay as he should", () => {
    const story = open();
    shows(story, [booking(story, "booking-2", { paymentType: "PA" })]);
    expect(later(story)).toEqual(["RV booking-2"]);
    expect(view(story)).toMatchObject({ state: "AWAITING_CARD" });
    story.meets({
      on: "answer",
      merchantTransactionId: story.payment.attempts[1]?.operation.merchantTransactionId ?? "",
      answer: euros("rv-2"),
    });
    shows(paid(story), [booking(story, "booking-2", { paymentType: "PA" }), booking(story, "booking-1")]);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", gateway: { id: "booking-1" } });
    expect(later(story)).toEqual(["RV booking-2"]);
  });
});

test("that a second booking is looked for later keeps no reversal of the first waiting for its query", () => {
  const story = paid(open().meets({ on: "cancel" }));
  shows(story, [booking(story, "booking-1")]).answer({ is: "already-reversed", ...said });
  const search = owed(story.payment).find((effect) => effect.do === "search");
  expect(search?.do === "search" ? search.at - story.now : WINDOW).toBeLessThanOrEqual(MINUTE);
});

test("that a second booking was taken back says nothing of the one that counts", () => {
  const story = open();
  const reserved = booking(story, "booking-2", { paymentType: "PA" });
  shows(story, [reserved]).answer(euros("rv-2"));
  paid(story.meets({ on: "cancel" }));
  shows(story, [reserved, booking(story, "booking-1")]);
  expect(later(story)).toEqual(["RV booking-2", "RV booking-1"]);
  expect(view(story)).toMatchObject({ state: "REVERSING", lateBooking: true });
});

describe("a link of which the gateway took an earlier payment back by itself", () => {
  const gone = (story: Story): readonly Found[] => [
    booking(story, "booking-0"),
    { id: "rv-0", referencedId: "booking-0", paymentType: "RV", answer: euros("rv-0") },
  ];

  test("and which is paid by another one that no query shows yet, waits for that", () => {
    const story = paid(open());
    shows(story, gone(story), 2 * WINDOW);
    expect(view(story).decision).toBeUndefined();
    expect(view(shows(story, [...gone(story), booking(story, "booking-1")]))).toMatchObject({
      outcome: "APPROVED",
      gateway: { id: "booking-1" },
    });
  });

  test("and which is paid by one that it does not name, waits for the whole window", () => {
    const story = open().meets({ on: "link-seen", sight: { is: "paid" } }, 10_000);
    shows(story, gone(story));
    expect(view(story).decision).toBeUndefined();
    expect(view(shows(story, gone(story), WINDOW))).toMatchObject({
      outcome: "FAILED",
      reason: { code: "outcome-unknown" },
    });
  });
});

test.each([
  [
    "a stored card",
    (): Story =>
      new Story({ ...storedCardSale, channel: { ...storedCardSale.channel, settlement: "single" } }).meets({
        on: "woken",
      }),
  ],
  ["a card at a terminal", (): Story => authorizing()],
])("a request for %s that something on the way sent twice is booked once in the end", (_what, begin) => {
  const story = begin().answer(silence);
  const { paymentType } = story.payment.attempts[0]?.operation ?? { paymentType: "PA" };
  const icc = { ...euros("booking-1"), issuer: { iccDataResponse: "8A023030" } };
  shows(story, [
    booking(story, "booking-1", { paymentType, answer: icc }),
    booking(story, "booking-2", { paymentType }),
  ]);
  expect(later(story)).toEqual(["RV booking-2"]);
});

test("what is paid by a link is looked for under our own name, which shows every booking, and by turns under the one that the link names", () => {
  const story = paid(open());
  const keys = [0, 1, 2].map(() => {
    const search = owed(story.payment).find((effect) => effect.do === "search");
    story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "absent" } }, 31_000);
    return search?.do === "search" ? search.original : undefined;
  });
  expect(keys).toEqual([
    { merchantTransactionId: story.booking() },
    { id: "booking-1" },
    { merchantTransactionId: story.booking() },
  ]);
});

test("a payment that was not approved tells of a booking that shows up once all was over, and goes on telling", () => {
  const story = paid(open());
  shows(story, [booking(story, "booking-1", { answer: euros("booking-1", 600) })]).answer(euros("rv-1"));
  expect(view(story)).toMatchObject({ state: "FINAL", outcome: "DECLINED", reason: { code: "partial-refused" } });
  expect(view(story).lateBooking).toBeUndefined();
  const first = [
    booking(story, "booking-1", { answer: euros("booking-1", 600) }),
    { id: "rv-1", referencedId: "booking-1", paymentType: "RV", answer: euros("rv-1") },
  ];
  shows(story, [...first, booking(story, "booking-2")], WINDOW);
  expect(later(story)).toEqual(["RV booking-1", "RV booking-2"]);
  expect(view(story)).toMatchObject({ state: "FINAL", outcome: "DECLINED", lateBooking: true });
  expect(view(story.answer(euros("rv-2")))).toMatchObject({ lateBooking: true });
});

describe("a follow-up that was booked twice", () => {
  const silent = (type: "CAPTURE" | "LINKED_REFUND"): Story =>
    new Story({ ...followUp(type), amount: 500 }).meets({ on: "woken" }).answer(silence, 45_000);
  const twice = (story: Story, paymentType: "CP" | "RF"): Story =>
    shows(story, [
      { id: "original-1", paymentType: paymentType === "CP" ? "PA" : "CP", answer: euros("original-1") },
      ...["booking-1", "booking-2"].map((id) =>
        booking(story, id, { paymentType, referencedId: "original-1", answer: euros(id, 500) }),
      ),
    ]);

  test("as a capture counts once, and the second one is reversed", () => {
    const story = twice(silent("CAPTURE"), "CP").meets({ on: "original-told" });
    expect(view(story)).toMatchObject({ outcome: "APPROVED", approvedAmount: "5.00", gateway: { id: "booking-1" } });
    expect(later(story)).toEqual(["RV booking-2"]);
    expect(isSettled(story.answer(euros("rv-2", 500)).payment)).toBe(true);
  });

  test("although the gateway said that it was not, is made anew once that is reversed", () => {
    const story = silent("CAPTURE").answer({ is: "still-pending", ...said });
    const shown = booking(story, "booking-1", {
      paymentType: "CP",
      referencedId: "original-1",
      answer: euros("booking-1", 500),
    });
    shows(story, [{ id: "original-1", paymentType: "PA", answer: euros("original-1") }, shown]);
    expect([later(story), view(story).decision]).toEqual([["RV booking-1"], undefined]);
    story
      .answer(euros("rv-1", 500))
      .meets({ on: "woken" }, 5_000)
      .answer(euros("booking-3", 500))
      .meets({ on: "original-told" });
    expect([view(story).outcome, later(story), isOverExceptLateQueries(story.payment)]).toEqual([
      "APPROVED",
      ["RV booking-1", "CP original-1 500"],
      true,
    ]);
  });

  test("is not one that its own next request is answered with", () => {
    const story = silent("CAPTURE").answer({ is: "still-pending", ...said });
    const shown = booking(story, "booking-1", { paymentType: "CP", referencedId: "original-1" });
    shows(story, [{ id: "original-1", paymentType: "PA", answer: euros("original-1") }, shown], 5_000);
    expect([later(story), isSecondHeld(story.payment)]).toEqual([["CP original-1 500"], true]);
    story.answer(euros("booking-1", 500)).meets({ on: "original-told" });
    expect([view(story).outcome, isSecondHeld(story.payment), later(story)]).toEqual([
      "APPROVED",
      false,
      ["CP original-1 500"],
    ]);
  });

  test("as a refund is never taken back behind the customer's back: people are told, and close it", () => {
    const before = silent("LINKED_REFUND");
    const silentPayment = before.payment;
    const story = twice(before, "RF").meets({ on: "original-told" });
    expect(view(story)).toMatchObject({ outcome: "APPROVED", approvedAmount: "5.00" });
    expect(later(story)).toEqual([]);
    expect(alarmsOf(silentPayment, story.payment).map(({ what }) => what)).toEqual([
      "a customer was given the money of one refund twice",
    ]);
    expect(openPayment({ ...view(story), secondBooking: secondStanding(story.payment) })).toMatchObject({
      owed: "a word on money that a customer got twice",
    });
    expect([isSettled(story.payment), owed(story.payment).map((effect) => effect.do)]).toEqual([false, ["search"]]);
    expect(resolutionProblem(story.payment, story.now, "reversed")).toBeUndefined();
    story.meets({ on: "resolved", as: "reversed", by: "alice", reason: "settled with the customer" });
    expect([isOverExceptLateQueries(story.payment), isSecondHeld(story.payment)]).toEqual([true, false]);
  });
});
