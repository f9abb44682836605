import { describe, expect, test } from "vitest";
import { openOf } from "../../../src/agent/open.ts";
import { alarmsOf } from "../../../src/engine/shell/alarms.ts";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import { owed } from "../../../src/payment/machine/owed.ts";
import { resolutionProblem } from "../../../src/payment/operator/allowed-decisions.ts";
import type { Happening } from "../../../src/payment/state/input.ts";
import { openCounter, startRequest, till } from "../../support/counter.ts";
import {
  approval,
  approved,
  authorizing,
  chipCard,
  completing,
  KINDS,
  refusal,
  Story,
  sale,
  silence,
  storedCardSale,
} from "../../support/sale.ts";

const said = { resultCode: "1.1", description: "" };
const closed: Happening = { on: "resolved", as: "reversed", by: "alice", reason: "looked it up" };

/** What people are told because of what the gateway answers to the newest request. */
function told(story: Story, answer: Answer): readonly string[] {
  const before = story.payment;
  return alarmsOf(before, story.answer(answer).payment).map(({ what }) => what);
}

/** What a restart tells again. */
function toldAgain(story: Story): readonly string[] {
  const before = story.payment;
  return alarmsOf(before, story.meets({ on: "restarted" }).payment).map(({ what }) => what);
}

describe("people are told", () => {
  const declinedByCard = (): Story =>
    completing({ ...sale, channel: { ...sale.channel, settlement: "single" } }).meets({
      on: "finished",
      verdict: "declined",
      chip: {},
    });

  test("at once where the gateway is unsure whether it refunded what it does not reverse, and that the bridge stops there", () => {
    const story = declinedByCard();
    expect(told(story, { is: "not-reversible", ...said })).toEqual([]);
    const alarm = expect.stringContaining(
      "unsure whether it refunded the money instead; the bridge does not refund it once more",
    );
    const standing = { id: "booking-1", merchantTransactionId: story.booking(), paymentType: "DB", answer: approval() };
    story.meets(
      { on: "searched", merchantTransactionId: story.booking(), result: { is: "found", bookings: [standing] } },
      20_000,
    );
    expect(told(story, { is: "half-reversed", id: "rf-1", ...said })).toEqual([alarm]);
    expect(toldAgain(story)).toEqual([alarm]);
  });

  test("at once where the gateway refuses to reverse what it said to have reversed by itself, and shows as standing", () => {
    const single = { ...sale, channel: { ...sale.channel, settlement: "single" as const } };
    const story = authorizing(single).answer({ is: "auto-reversed", id: "booking-1", ...said });
    const name = { merchantTransactionId: story.booking() };
    const shown = (after: number): void => {
      const standing = { id: "booking-1", ...name, paymentType: "DB", answer: approval() };
      story.meets({ on: "searched", ...name, result: { is: "found", bookings: [standing] } }, after);
    };
    const alarm = expect.stringContaining("does not reverse a booking that it said it had reversed");
    shown(1_000);
    story.meets({ on: "woken" }, 56_000).meets({ on: "finished", verdict: "declined", chip: {} });
    shown(sale.rules.unknownWindowMs);
    // Two reversals without an answer come first: no second alarm says that the bridge goes on trying.
    for (let tries = 0; tries < 2; tries += 1) story.answer(silence).meets({ on: "woken" }, 600_000);
    expect(told(story, { is: "not-reversible", ...said })).toEqual([alarm]);
    expect(toldAgain(story)).toEqual([alarm]);
  });

  test("after three tries, and ever more seldom, where a reversal does not succeed", () => {
    const story = declinedByCard();
    const heard: string[] = [];
    for (let tries = 1; tries <= 13; tries += 1) {
      story.answer({ is: "not-booked", why: "refused", ...said });
      const before = story.payment;
      heard.push(...alarmsOf(before, story.meets({ on: "woken" }, 3_600_000).payment).map(({ what }) => what));
    }
    expect(heard).toEqual([3, 6, 12].map((tries) => `taking a booking back has not succeeded after ${tries} tries`));
    // The last one has only just been sent.
    expect(toldAgain(story)).toEqual(["taking a booking back has not succeeded after 14 tries"]);
  });

  test("that the gateway does not let the bridge in, and not again by each restart once that sale is over", () => {
    const story = new Story().meets({ on: "leased" }).meets({ on: "card", card: chipCard });
    const shut = "the gateway does not let the bridge in";
    expect(told(story, { is: "not-booked", why: "refused", lacks: "access", ...said })).toEqual([shut]);
    story.meets({ on: "finished", verdict: "declined", chip: {} });
    expect(story.payment.concluded).toBeDefined();
    expect(toldAgain(story)).toEqual([]);
  });

  test("of a card that was stored although that was declined, and of no money", () => {
    const story = new Story(KINDS["REGISTRATION"])
      .meets({ on: "leased" })
      .meets({ on: "card", card: chipCard })
      .answer(refusal());
    const before = story.meets({ on: "finished", verdict: "declined", chip: {} }).payment;
    const stored: Found = {
      id: "rg-1",
      merchantTransactionId: story.booking(),
      paymentType: "RG",
      answer: approval(undefined, "rg-1"),
    };
    story.meets(
      { on: "searched", merchantTransactionId: story.booking(), result: { is: "found", bookings: [stored] } },
      sale.rules.unknownWindowMs,
    );
    expect(alarmsOf(before, story.payment)).toEqual([
      {
        what: "the gateway stored a card of a payment that is not approved",
        mend: expect.stringContaining("the bridge deletes it"),
      },
    ]);
  });

  test("that an alarm which a restart tells again is an old one, and never so of what is new", () => {
    const story = approved();
    const before = story.payment;
    story.answer({ is: "not-booked", why: "refused", ...said });
    expect(alarmsOf(before, story.payment).map(({ afterRestart }) => afterRestart)).toEqual([undefined]);
    const stopped = story.payment;
    expect(alarmsOf(stopped, story.meets({ on: "restarted" }).payment)).toEqual([
      {
        what: "the gateway does not take the capture of an approved sale",
        mend: expect.stringContaining("back office"),
        afterRestart: true,
      },
    ]);
  });

  test("once, that the gateway has not decided a request for a day", () => {
    const story = new Story(storedCardSale).meets({ on: "woken" }).answer(silence);
    const pending: Answer = { is: "pending", id: "booking-1", ...said };
    const own: Found = { id: "booking-1", merchantTransactionId: story.booking(), paymentType: "PA", answer: pending };
    const alarms: string[] = [];
    for (let hour = 1; hour <= 30; hour += 1) {
      const before = story.payment;
      story.meets(
        { on: "searched", merchantTransactionId: story.booking(), result: { is: "found", bookings: [own] } },
        3_600_000,
      );
      alarms.push(...alarmsOf(before, story.payment).map(({ what }) => `${hour} h: ${what}`));
    }
    expect(alarms).toEqual(["25 h: the gateway has not decided a request for a day"]);
    expect(owed(story.payment).map((one) => one.do)).toEqual(["search"]);
  });

  test("by the reference and the register that the commands know the payment by", async () => {
    const counter = openCounter({
      answer: ({ operation }) =>
        operation.paymentType === "CP" ? { is: "not-booked", why: "refused", ...said } : approval(),
    });
    void counter.payments.start(till, startRequest("R-1"));
    await counter.clock.advance(3_600_000);
    expect(counter.raised).toEqual([
      {
        ...{ payment: expect.stringMatching(/^pay_/), reference: "R-1", register: "till", terminal: "till-1" },
        ...{ what: "the gateway does not take the capture of an approved sale", mend: expect.any(String) },
      },
    ]);
  });

  test("of a capture that is refused, and of nothing any more once a person has closed the payment", () => {
    const story = approved();
    const alarm = expect.stringContaining("does not take the capture");
    expect(told(story, { is: "not-booked", why: "refused", ...said })).toEqual([alarm]);
    story.meets(closed, 3_600_000);
    expect(story.payment.resolved).toMatchObject({ as: "reversed" });
    expect(toldAgain(story)).toEqual([]);
  });

  test("of a second booking, also where a person has closed the payment before it showed up", () => {
    const story = approved()
      .answer({ is: "pending", ...said })
      .meets(closed, 3_600_000);
    const before = story.payment;
    const own = { merchantTransactionId: story.booking(), paymentType: "PA", answer: approval() } as const;
    const bookings = [
      { ...own, id: "booking-1" },
      { ...own, id: "booking-2", answer: approval(1234, "booking-2") },
    ];
    story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "found", bookings } });
    expect(alarmsOf(before, story.payment).map(({ what }) => what)).toEqual([
      "the gateway holds a second booking of one payment",
    ]);
  });

  test("of two captures of one sale that both stand, out of two tries that were unclear", () => {
    const story = approved().answer({ is: "auto-reversed", id: "cp-1", ...said });
    const [, first] = story.payment.attempts.map(({ operation }) => operation.merchantTransactionId);
    const row = (id: string, merchantTransactionId: string | undefined, paymentType: string, referencedId: string) => ({
      ...{ id, paymentType, referencedId, answer: approval(1234, id) },
      ...(merchantTransactionId !== undefined && { merchantTransactionId }),
    });
    const look = (bookings: readonly Found[]) =>
      story.meets(
        {
          on: "searched",
          merchantTransactionId: story.newest(),
          result: { is: "found", bookings: [{ ...row("booking-1", story.booking(), "PA", "") }, ...bookings] },
        },
        60_000,
      );
    look([row("cp-1", first, "CP", "booking-1"), row("rv-1", undefined, "RV", "cp-1")]).answer({
      is: "pending",
      id: "cp-2",
      ...said,
    });
    const before = story.payment;
    look([row("cp-3", first, "CP", "booking-1"), row("cp-2", story.newest(), "CP", "booking-1")]);
    expect(alarmsOf(before, story.payment).map(({ what }) => what)).toEqual([
      "the gateway holds two captures of one sale",
    ]);
    expect(openOf(story.payment)?.owed).toBe("a word on its capture, which the gateway holds twice");
    expect(resolutionProblem(story.payment, story.now, "approved")).toContain("worth one booking");
    story.meets(closed).meets({ on: "released" });
    expect([openOf(story.payment), story.payment.concluded?.outcome]).toEqual([undefined, "APPROVED"]);
  });

  test("of nothing where it is a person who says that a pending capture was not made", () => {
    const story = approved().answer({ is: "pending", ...said });
    const before = story.payment;
    expect(alarmsOf(before, story.meets(closed, 3_600_000).payment)).toEqual([]);
    expect(story.payment.resolved).toBeDefined();
  });
});
