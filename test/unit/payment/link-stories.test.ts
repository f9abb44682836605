import { describe, expect, test } from "vitest";
import { emptySince } from "../../../src/payment/attempt/observation.ts";
import type { Answer, Found, LinkSight } from "../../../src/payment/fact/answer.ts";
import { openFrom } from "../../../src/payment/link/link.ts";
import { cancellation } from "../../../src/payment/machine/decide.ts";
import { isOverExceptLateQueries, isSettled, owed } from "../../../src/payment/machine/owed.ts";
import { isResolvable, resolutionProblem } from "../../../src/payment/operator/allowed-decisions.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import { validityOf } from "../../../src/payment/state/link-sight.ts";
import { approval, linkMade, linkSale, notSent, refusal, Story, silence } from "../../support/sale.ts";
import { posted } from "../../support/shown.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const said = { resultCode: "1.1", description: "" };

const view = (story: Story) => viewOf(story.payment);
const doing = (story: Story): readonly string[] => owed(story.payment).map((effect) => effect.do);
const begun = (): Story => new Story(linkSale).meets({ on: "woken" });
const open = (): Story => begun().answer(linkMade);
const seen = (story: Story, sight: LinkSight, afterMs = 10_000): Story =>
  story.meets({ on: "link-seen", sight }, afterMs);
const paid = (story: Story): Story => seen(story, { is: "paid", transactionId: "booking-1" });

function booking(story: Story, answer: Answer = approval(), changes: Partial<Found> = {}): Found {
  return { id: "booking-1", merchantTransactionId: story.booking(), paymentType: "DB", answer, ...changes };
}

function shows(story: Story, bookings: readonly Found[], afterMs = 1_000): Story {
  return story.meets(
    { on: "searched", merchantTransactionId: story.booking(), result: { is: "found", bookings } },
    afterMs,
  );
}

function nothing(story: Story, afterMs: number, looks = 1): Story {
  for (let look = 0; look < looks; look += 1)
    story.meets(
      { on: "searched", merchantTransactionId: story.booking(), result: { is: "absent" } },
      look === 0 ? afterMs : 5 * MINUTE,
    );
  return story;
}

test("a link whose first payment the gateway took back by itself (900.100.301) is paid by the next one", () => {
  const first = booking(open(), { is: "auto-reversed", id: "timed-out", ...said }, { id: "timed-out" });
  const second = booking(open(), approval(), { id: "booking-1" });
  const story = shows(open(), [first]);
  expect(view(shows(paid(story), [first, second]))).toMatchObject({
    outcome: "APPROVED",
    gateway: { id: "booking-1" },
  });
  const cancelled = shows(shows(open(), [first]).meets({ on: "cancel" }), [first, second]);
  expect(posted(cancelled)).toEqual(["DB", "RV"]);
});

describe("a sale by a link", () => {
  test("asks for a link that lives for at least as long as it is wanted, in the gateway's own units", () => {
    expect(begun().payment.attempts.map(({ operation }) => operation)).toMatchObject([
      { paymentType: "DB", amount: 1234, currency: "EUR", link: { validFor: 1, unit: "HOUR" } },
    ]);
    const units = [1, 60, 61, 24 * 60, 24 * 60 + 1, 90 * 24 * 60].map((minutes) => validityOf(minutes * MINUTE));
    expect(units.map(({ validFor, unit }) => `${validFor} ${unit}`)).toEqual([
      "1 HOUR",
      "1 HOUR",
      "2 HOUR",
      "24 HOUR",
      "2 DAY",
      "90 DAY",
    ]);
  });

  test("waits for the customer, shows what he pays by, and asks no query meanwhile", () => {
    const story = open();
    expect(view(story)).toMatchObject({
      state: "AWAITING_CARD",
      link: { url: "https://gateway.example/link-1", validUntil: "1970-01-01T00:26:40.000Z" },
    });
    expect(view(story).link?.qr).toMatch(/^<svg .*<\/svg>$/s);
    expect(view(story).reason).toBeUndefined();
    expect(view(story).gateway?.id).toBeUndefined();
    expect(owed(story.payment)).toMatchObject([
      { do: "watch", link: "link-1", watching: "steady" },
      { do: "search", at: linkSale.link?.until },
    ]);
    seen(story, { is: "open", opened: true });
    expect(owed(story.payment)).toMatchObject([{ do: "watch", watching: "eager" }, { do: "search" }]);
  });

  test("keeps of all looks only what is news", () => {
    const before = open();
    const count = before.facts.length;
    for (let look = 0; look < 100; look += 1) seen(before, { is: "open", opened: false });
    expect(before.facts.length).toBe(count);
    seen(before, { is: "throttled" });
    expect(before.facts.length).toBe(count);
    seen(before, { is: "open", opened: true });
    expect(before.facts.length).toBe(count + 1);
  });

  test("is approved by what a query shows and not by the link's word, and its money is captured with it", () => {
    const story = paid(open());
    expect(view(story)).toMatchObject({ state: "AUTHORIZING" });
    expect(view(story).link).toBeUndefined();
    expect(owed(story.payment)).toMatchObject([
      { do: "search", original: { merchantTransactionId: story.booking() }, urgency: "cashier" },
    ]);
    expect(view(shows(story, [booking(story)]))).toMatchObject({
      outcome: "APPROVED",
      approvedAmount: "12.34",
      capturedAmount: "12.34",
      gateway: { id: "booking-1" },
    });
    expect(posted(story)).toEqual(["DB"]);
  });

  test.each([
    ["of another amount", { amount: 999 }, "partial-refused"],
    ["of more", { amount: 9999 }, "amount-mismatch"],
    ["in another currency", { currency: "USD" }, "amount-mismatch"],
  ])("paid by a booking %s is given back", (_what, changes, reason) => {
    const story = paid(open());
    const answer = approval();
    shows(story, [booking(story, answer.is === "approved" ? { ...answer, ...changes } : answer)]);
    expect(view(story)).toMatchObject({
      state: "REVERSING",
      decision: "not-approved",
      reason: { code: reason, advice: "wait" },
    });
    expect(view(story).lateBooking).toBeUndefined();
    expect(posted(story)).toEqual(["DB", "RV"]);
  });

  test("is not approved by what another payment booked, or by another type of booking", () => {
    const story = paid(open());
    shows(story, [booking(story, approval(), { merchantTransactionId: "somebody else's", id: "booking-9" })]);
    shows(story, [booking(story, approval(), { paymentType: "CD" })]);
    expect(view(story).decision).toBeUndefined();
  });

  test("takes the booking that the link names for its own where that has no other name", () => {
    const story = paid(open());
    const { merchantTransactionId: _, ...unnamed } = booking(story);
    expect(view(shows(story, [unnamed]))).toMatchObject({ outcome: "APPROVED" });
  });

  test("goes on after a card that was declined: the customer may take another", () => {
    const story = open();
    shows(story, [booking(story, refusal(), { id: "booking-0" })]);
    expect(view(story)).toMatchObject({ state: "AWAITING_CARD" });
    shows(paid(story), [booking(story, refusal(), { id: "booking-0" }), booking(story)]);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", gateway: { id: "booking-1" } });
  });

  test("is never absent while it may be paid, though a declined card of its customer is shown for 26 hours", () => {
    const story = seen(
      new Story({ ...linkSale, link: { until: linkSale.at + 2 * DAY } }).meets({ on: "woken" }).answer(linkMade),
      { is: "no-answer", description: "" },
    );
    const declined = booking(story, refusal(), { id: "booking-0" });
    for (let look = 0; look < 26 * 12; look += 1) shows(story, [declined], 5 * MINUTE);
    expect(view(story)).toMatchObject({ state: "AWAITING_CARD" });
    expect(doing(story)).toEqual(["watch", "search"]);
    expect(view(shows(paid(story), [declined, booking(story)]))).toMatchObject({ outcome: "APPROVED" });
  });

  test("paid, says the link, and no query shows it: that is never absent, and an operator may close it as approved", () => {
    const story = nothing(paid(open()), 31_000, 40);
    expect(view(story)).toMatchObject({ state: "AUTHORIZING", reason: { code: "outcome-unknown", advice: "wait" } });
    story.meets({
      on: "resolved",
      as: "approved",
      by: "op",
      reason: "seen in the back office",
      gatewayId: "booking-1",
    });
    expect(view(story)).toMatchObject({ outcome: "APPROVED", capturedAmount: "12.34", gateway: { id: "booking-1" } });
  });
});

test("an operator's approval counts although the link ran out before the bridge was woken to end the sale", () => {
  const story = open();
  const late = story.now + 60 * DAY;
  expect(resolutionProblem(story.payment, late, "approved")).toBeUndefined();
  story.meets(
    { on: "resolved", as: "approved", by: "op", reason: "seen in the back office", gatewayId: "booking-1" },
    60 * DAY,
  );
  expect(view(story)).toMatchObject({ outcome: "APPROVED", gateway: { id: "booking-1" } });
});

describe("a link that could not be made", () => {
  test.each([
    ["not sent", notSent, { code: "gateway-unreached", advice: "retry" }],
    [
      "refused",
      { is: "not-booked", why: "refused", ...said } as const,
      { code: "gateway-refused", advice: "call-support" },
    ],
  ])("(%s) ends the sale at once", (_what, answer, reason) => {
    const story = begun().answer(answer);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED", reason });
    expect(isSettled(story.payment)).toBe(true);
  });

  test.each([
    ["its reply was lost", (story: Story) => story.answer(silence)],
    ["the gateway was throttled", (story: Story) => story.answer({ is: "throttled", ...said })],
    ["the gateway was down", (story: Story) => story.answer({ is: "not-booked", why: "gateway-down", ...said })],
    ["the bridge was killed", (story: Story) => story.meets({ on: "restarted" })],
  ])(
    "because %s is known to nobody, ends at once, is never asked for again, and is looked for 1, 24 and 72 hours later",
    (_what, fails) => {
      const story = fails(begun());
      expect(view(story)).toMatchObject({
        state: "FINAL",
        outcome: "FAILED",
        reason: { code: "gateway-unreached", advice: "retry" },
      });
      const since = story.now;
      const looks: number[] = [];
      for (let effects = owed(story.payment); effects.length > 0; effects = owed(story.payment)) {
        const [search] = effects;
        if (search?.do !== "search") throw new Error(`owes ${search?.do}`);
        looks.push((search.at - since) / HOUR);
        nothing(story, search.at - story.now);
      }
      expect(looks).toEqual([1, 24, 72]);
      expect(posted(story)).toEqual(["DB"]);
    },
  );
});

describe("a link that is not wanted any more", () => {
  test("(cancelled) is decided at once, is watched on, and ends when it cannot be paid any longer", () => {
    const story = open().meets({ on: "cancel" });
    expect(view(story)).toMatchObject({
      state: "RESOLVING",
      decision: "not-approved",
      reason: { code: "register-cancelled", advice: "retry" },
    });
    expect(view(story).link).toBeUndefined();
    expect(owed(story.payment)).toMatchObject([{ do: "watch", watching: "patient" }, { do: "search" }]);
    expect(openFrom(story.payment)).toBe((story.payment.link?.at ?? 0) + HOUR + linkSale.rules.unknownWindowMs);
    seen(story, { is: "expired" }, HOUR);
    nothing(story, 0, 6);
    expect(view(story).state).toBe("RESOLVING");
    nothing(story, 5 * MINUTE);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "CANCELLED", reason: { code: "register-cancelled" } });
    expect(doing(story)).toEqual(["search"]);
  });

  test("(cancelled) and paid all the same is reversed, and the register is told", () => {
    const story = paid(open().meets({ on: "cancel" }));
    expect(view(story)).toMatchObject({ state: "RESOLVING", reason: { advice: "wait" } });
    shows(story, [booking(story)]);
    expect(view(story)).toMatchObject({
      state: "REVERSING",
      decision: "not-approved",
      lateBooking: true,
      reason: { code: "register-cancelled", advice: "wait" },
    });
    expect(posted(story)).toEqual(["DB", "RV"]);
    expect(view(story.answer(approval(1234, "rv-1")))).toMatchObject({
      state: "FINAL",
      outcome: "CANCELLED",
      lateBooking: true,
    });
  });

  test("(cancelled) and paid, of which the gateway is not sure, is reversed, and told once it is gone", () => {
    const story = paid(open().meets({ on: "cancel" }));
    const unsure = booking(story, { is: "unknown", ...said, id: "booking-1" });
    shows(shows(story, [unsure]), [unsure], MINUTE);
    expect(posted(story)).toEqual(["DB", "RV"]);
    expect(view(story).lateBooking).toBeUndefined();
    expect(view(story.answer(approval(1234, "rv-1")))).toMatchObject({
      state: "FINAL",
      outcome: "CANCELLED",
      lateBooking: true,
    });
  });

  test("and paid where nothing is reversed any more is refunded", () => {
    const story = paid(open().meets({ on: "cancel" }));
    shows(story, [booking(story)]).answer({ is: "not-reversible", ...said });
    shows(story, [booking(story)], HOUR);
    expect(
      story.payment.attempts
        .map(({ operation: { paymentType, amount, referencedId } }) => [paymentType, amount, referencedId])
        .at(-1),
    ).toEqual(["RF", 1234, "booking-1"]);
    expect(view(story.answer(approval(1234, "rf-1")))).toMatchObject({
      state: "FINAL",
      outcome: "CANCELLED",
      lateBooking: true,
    });
  });

  test("and paid a second time while the first payment is given back is told", () => {
    const story = paid(open());
    const answer = approval();
    const half = booking(story, answer.is === "approved" ? { ...answer, amount: 617 } : answer);
    shows(story, [half]);
    expect(view(story.answer(silence))).toMatchObject({ state: "REVERSING", reason: { code: "partial-refused" } });
    expect(view(story).lateBooking).toBeUndefined();
    shows(story, [half, { ...half, id: "booking-2" }], MINUTE).answer(silence);
    expect(story.payment.attempts.map(({ operation }) => operation.referencedId)).toEqual([
      undefined,
      "booking-1",
      "booking-1",
      "booking-2",
    ]);
    expect(view(story)).toMatchObject({ decision: "not-approved", lateBooking: true });
  });

  test("(time over) ends with link-expired after one look that shows nothing, and not without it", () => {
    const story = open().meets({ on: "woken" }, 10 * MINUTE);
    expect(view(story).decision).toBeUndefined();
    nothing(story, 1);
    expect(view(story)).toMatchObject({
      state: "RESOLVING",
      decision: "not-approved",
      reason: { code: "link-expired", advice: "retry" },
    });
    // The gateway takes it for the whole hour that is its shortest.
    expect(owed(story.payment)).toMatchObject([
      { do: "watch", watching: "patient" },
      { do: "search", at: (story.payment.link?.at ?? 0) + HOUR },
    ]);
    shows(paid(story), [booking(story)]);
    expect(view(story)).toMatchObject({ state: "REVERSING", lateBooking: true });
  });

  test("(time over) is not called absent by anything that was not seen while it could be paid", () => {
    const story = nothing(open(), 10 * MINUTE, 10);
    const until = (story.payment.link?.at ?? 0) + HOUR;
    nothing(story, until - story.now);
    expect(view(story).state).toBe("RESOLVING");
    nothing(story, 5 * MINUTE, 5);
    expect(view(story).state).toBe("RESOLVING");
    expect(view(nothing(story, 5 * MINUTE))).toMatchObject({
      state: "FINAL",
      outcome: "FAILED",
      reason: { code: "link-expired" },
    });
  });

  test("(time over) is not called absent by a declined card that was shown while it could be paid", () => {
    const story = open();
    const declined = booking(story, refusal(), { id: "booking-0" });
    shows(story, [declined], 10 * MINUTE);
    for (let look = 0; look < 9; look += 1) shows(story, [declined], 5 * MINUTE);
    const until = (story.payment.link?.at ?? 0) + HOUR;
    shows(story, [declined], until - story.now);
    expect(view(story).state).toBe("RESOLVING");
    for (let look = 0; look < 6; look += 1) shows(story, [declined], 5 * MINUTE);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED", reason: { code: "link-expired" } });
  });

  test("is no end where the gateway took a first payment back by itself: the customer pays once more", () => {
    const story = open();
    const first = booking(story, approval(1234, "booking-0"), { id: "booking-0" });
    const reversal: Found = {
      id: "rv-0",
      referencedId: "booking-0",
      paymentType: "RV",
      answer: approval(1234, "rv-0"),
    };
    shows(story, [first, reversal]);
    expect(view(story).state).toBe("AWAITING_CARD");
    expect(view(shows(paid(story), [first, reversal, booking(story)]))).toMatchObject({
      outcome: "APPROVED",
      gateway: { id: "booking-1" },
    });
  });

  test("(expired, says the gateway) ends sooner than its time", () => {
    const story = seen(open(), { is: "expired" });
    nothing(story, 1);
    expect(view(story)).toMatchObject({ state: "RESOLVING", reason: { code: "link-expired" } });
    nothing(story, 1, 8);
    expect(view(story)).toMatchObject({
      state: "FINAL",
      outcome: "FAILED",
      reason: { code: "link-expired", advice: "retry" },
    });
    shows(story, [booking(story)], HOUR);
    expect(view(story)).toMatchObject({ outcome: "FAILED", lateBooking: true });
    expect(posted(story)).toEqual(["DB", "RV"]);
  });

  test("is not cancelled once the customer was told that he has paid", () => {
    const story = paid(open());
    expect(cancellation(story.payment)).toBe("too-late");
    expect(view(shows(story.meets({ on: "cancel" }), [booking(story)]))).toMatchObject({ outcome: "APPROVED" });
  });

  test("is closed by no operator as long as it may be paid", () => {
    const closes = { on: "resolved", as: "reversed", by: "op", reason: "" } as const;
    expect(resolutionProblem(open().payment, 1, "reversed")).toMatch(/: cancel it, and wait until/);
    const story = open().meets({ on: "cancel" });
    expect(resolutionProblem(story.payment, story.now, "reversed")).toMatch(/: wait until the link has expired$/);
    expect(story.meets(closes, 45 * MINUTE).payment.resolved).toBeUndefined();
    expect(view(story.meets(closes, 20 * MINUTE))).toMatchObject({
      state: "FINAL",
      reason: { code: "operator-reversed" },
    });
  });
});

test("a link that is made when it is not wanted any more is shown to nobody, and nobody waits for it", () => {
  const story = begun().meets({ on: "cancel" });
  expect(view(story)).toMatchObject({ state: "RESOLVING", decision: "not-approved" });
  expect(view(story.answer(linkMade))).toMatchObject({
    state: "FINAL",
    outcome: "CANCELLED",
    reason: { code: "register-cancelled" },
  });
  expect(doing(story)).toEqual(["search"]);
});

describe("a link of which the gateway tells nothing", () => {
  test("is looked for by queries besides", () => {
    const story = seen(open(), { is: "no-answer", description: "" }, MINUTE);
    const search = owed(story.payment).find((effect) => effect.do === "search");
    expect(search).toMatchObject({ at: story.now + MINUTE });
    shows(story, [booking(story)], MINUTE);
    expect(view(story)).toMatchObject({ outcome: "APPROVED" });
  });

  test("goes on after a restart as if nothing had been", () => {
    const story = open().meets({ on: "restarted" }, 5 * MINUTE);
    expect(view(story)).toMatchObject({ state: "AWAITING_CARD", link: { url: "https://gateway.example/link-1" } });
    expect(doing(story)).toEqual(["watch", "search"]);
    expect(view(shows(paid(story), [booking(story)]))).toMatchObject({ outcome: "APPROVED" });
  });
});

/*
 * Between two processes this machine's clock may have been set, by a person or by the network: a restart three hours
 * later may be one a second later.
 */
describe("a link over a restart", () => {
  const WINDOW = linkSale.rules.unknownWindowMs;
  const restarted = (story: Story, afterMs = 3 * HOUR): Story => nothing(story.meets({ on: "restarted" }, afterMs), 1);
  const untold = (story: Story): Story => seen(story, { is: "no-answer", description: "" }, MINUTE);
  const closes = { on: "resolved", as: "reversed", by: "op", reason: "" } as const;

  test("is over by this machine's clock, which its register is told, and not called unpaid as long as the gateway may take it", () => {
    const story = restarted(open());
    expect(view(story)).toMatchObject({
      state: "RESOLVING",
      decision: "not-approved",
      reason: { code: "link-expired", advice: "retry" },
    });
    expect(doing(story)).toEqual(["watch", "search"]);
    nothing(story, 5 * MINUTE, 11);
    expect(view(story)).toMatchObject({ state: "RESOLVING", reason: { code: "link-expired", advice: "retry" } });
    shows(paid(story), [booking(story)]);
    expect(view(story)).toMatchObject({ state: "REVERSING", lateBooking: true });
  });

  test("ends as soon as the gateway says that it is over, and the window has passed since", () => {
    const story = seen(restarted(open()), { is: "expired" });
    nothing(story, 1, 6);
    expect(view(story).state).toBe("RESOLVING");
    expect(view(nothing(story, 5 * MINUTE))).toMatchObject({
      state: "FINAL",
      outcome: "FAILED",
      reason: { code: "link-expired" },
    });
  });

  test.each([
    ["goes on calling open", (story: Story) => story],
    ["tells nothing of", untold],
  ])(
    "that the gateway %s ends when this process has seen its whole validity go by, and the window after it",
    (_what, told) => {
      const story = told(restarted(open()));
      const until = (story.payment.interruptedAt ?? 0) + HOUR;
      expect(openFrom(story.payment)).toBe(until + WINDOW);
      nothing(story, until - 1 - story.now, 1);
      expect(story.payment.attempts.map(emptySince)[0]).toBeUndefined();
      nothing(story, 1, 6);
      expect(view(story).state).toBe("RESOLVING");
      expect(view(nothing(story, 5 * MINUTE))).toMatchObject({
        state: "FINAL",
        outcome: "FAILED",
        reason: { code: "link-expired" },
      });
    },
  );

  test.each([
    ["tells nothing of ends a day later", untold, 1],
    ["goes on calling open ends a month later", (story: Story) => story, 30],
  ])("after restart upon restart: one that the gateway %s at the latest", (_what, told, days) => {
    const story = told(restarted(open().meets({ on: "cancel" }), HOUR));
    const end = (story.payment.link?.at ?? 0) + HOUR + days * DAY;
    for (let life = 1; life < 24; life += 1) nothing(restarted(story, days * HOUR - 40 * MINUTE), 10 * MINUTE, 7);
    expect(end - story.now).toBeGreaterThan(0);
    // People need not wait longer than a day, and are told then.
    expect(isResolvable(story.payment, story.now, "reversed")).toBe(days > 1);
    expect(openFrom(story.payment)).toBeLessThanOrEqual((story.payment.link?.at ?? 0) + HOUR + DAY + WINDOW);
    expect(view(story).state).toBe("RESOLVING");
    nothing(restarted(story, end - story.now), 1, 8);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "CANCELLED" });
  });

  test("is closed by no operator as long as the gateway may take it", () => {
    const story = restarted(open());
    expect(story.meets(closes, 59 * MINUTE).payment.resolved).toBeUndefined();
    expect(view(story.meets(closes, MINUTE))).toMatchObject({ state: "FINAL", reason: { code: "operator-reversed" } });
  });

  test("and paid before it is looked at for a second payment once what was begun in another browser is over for certain", () => {
    const story = paid(open());
    shows(story, [booking(story)]).meets({ on: "restarted" }, 3 * HOUR);
    expect(owed(story.payment)).toMatchObject([{ do: "search", at: story.now + WINDOW }]);
    shows(story, [booking(story)], WINDOW);
    expect([isSettled(story.payment), isOverExceptLateQueries(story.payment)]).toEqual([false, true]);
    expect(isSettled(shows(story, [booking(story)], 72 * 3_600_000).payment)).toBe(true);
  });

  test("that nobody tells anything of is asked for ever more seldom", () => {
    const story = untold(restarted(open()));
    const gaps: number[] = [];
    for (let look = 0; look < 40; look += 1) {
      const search = owed(story.payment).find((effect) => effect.do === "search");
      gaps.push(((search?.at ?? 0) - story.now) / MINUTE);
      story.meets(
        { on: "searched", merchantTransactionId: story.booking(), result: { is: "no-answer", description: "" } },
        (search?.at ?? 0) - story.now,
      );
    }
    expect([gaps[10], gaps.at(-1)]).toEqual([5, 60]);
  });
});
