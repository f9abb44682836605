import { describe, expect, test } from "vitest";
import { alarmsOf } from "../../../src/engine/shell/alarms.ts";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import { standingOf } from "../../../src/payment/follow-up/remaining.ts";
import { followUpOf, voidTargetsOf } from "../../../src/payment/follow-up/totals.ts";
import { isOverExceptLateQueries, isSettled, owed } from "../../../src/payment/machine/owed.ts";
import { resolutionProblem } from "../../../src/payment/operator/allowed-decisions.ts";
import { isBookedAfterClosing, isClosedByOperator } from "../../../src/payment/operator/late-booking.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import { isGivenBackPerhaps } from "../../../src/payment/recovery/reversal.ts";
import { isStoredCardLost } from "../../../src/payment/stored-card/registration.ts";
import {
  approval,
  approved,
  authorizing,
  completing,
  crediting,
  followUp,
  KINDS,
  notSent,
  Story,
  sale,
  signing,
  silence,
} from "../../support/sale.ts";
import { posted } from "../../support/shown.ts";

/** What the bridge cannot settle by itself, and what a person's word makes of it. */

const said = { resultCode: "1.1", description: "" };
const HOUR = 3_600_000;
const view = (story: Story) => viewOf(story.payment);
const resolve = (as: "reversed" | "approved" | "declined") =>
  ({ on: "resolved", as, by: "alice", reason: "the acquirer says so" }) as const;

function look(story: Story, bookings: readonly Found[], afterMs = 61_000, forWhich = story.newest()): Story {
  return story.meets({ on: "searched", merchantTransactionId: forWhich, result: { is: "found", bookings } }, afterMs);
}

/**
 * What is shown at every look that follows a person's word: after half a minute, five minutes, an hour, a day and three
 * days.
 */
function lookedFor(story: Story, bookings: readonly Found[]): Story {
  for (const afterMs of [sale.rules.unknownWindowMs, HOUR, 24 * HOUR, 72 * HOUR]) look(story, bookings, afterMs);
  return story;
}

describe("money given to a customer", () => {
  const original: Found = { id: "original-1", paymentType: "CP", answer: approval(1234, "original-1") };
  const late = (): Story => {
    const story = new Story(KINDS["LINKED_REFUND"]).meets({ on: "woken" }).answer(silence);
    for (let looks = 0; looks < 40; looks += 1) look(story, [original]);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED" });
    const refund = {
      id: "rf-1",
      merchantTransactionId: story.newest(),
      referencedId: "original-1",
      paymentType: "RF",
      answer: approval(1234, "rf-1"),
    };
    return look(story.meets({ on: "original-told" }), [original, refund], HOUR);
  };

  test.each(["reversed", "declined"] as const)(
    "late is closed as %s by a person, and nothing that was told of it changes",
    (as) => {
      const story = late();
      expect(view(story)).toMatchObject({ lateBooking: true });
      expect(isSettled(story.payment)).toBe(false);
      const before = view(story);
      story.meets(resolve(as), HOUR);
      expect(view(story)).toMatchObject({ outcome: before.outcome, reason: before.reason });
      expect(isOverExceptLateQueries(story.meets({ on: "original-told" }).payment)).toBe(true);
    },
  );

  test("and half taken back by the gateway (000.400.030) is not said to be reversed by the bridge: a person's word is waited for", () => {
    const refunding = crediting();
    refunding.answer({ is: "half-reversed", id: "cd-1", ...said });
    expect(view(refunding)).toMatchObject({
      state: "RESOLVING",
      decision: "not-approved",
      reason: { code: "outcome-unknown" },
    });
    refunding.meets(resolve("reversed"), 2 * HOUR);
    expect(view(refunding)).toMatchObject({ state: "FINAL", outcome: "FAILED", reason: { code: "operator-reversed" } });
    expect(posted(refunding)).toEqual(["CD"]);
  });
});

test("a linked refund that the gateway half took back waits for a person, who closes it or has it reversed", () => {
  const refunding = (): Story =>
    new Story(KINDS["LINKED_REFUND"]).meets({ on: "woken" }).answer({ is: "half-reversed", id: "rf-1", ...said });
  expect(view(refunding())).toMatchObject({
    state: "RESOLVING",
    decision: "not-approved",
    reason: { code: "outcome-unknown" },
  });
  expect(view(refunding().meets(resolve("declined"), HOUR))).toMatchObject({
    state: "FINAL",
    outcome: "DECLINED",
    reason: { code: "operator-declined" },
  });
  const story = refunding();
  const rows: readonly Found[] = [
    {
      id: "rf-1",
      merchantTransactionId: story.newest(),
      referencedId: "original-1",
      paymentType: "RF",
      answer: { is: "half-reversed", id: "rf-1", ...said },
    },
    { id: "rv-1", referencedId: "rf-1", paymentType: "RV", answer: approval(1234, "rv-1") },
  ];
  expect(view(look(story, rows, HOUR))).toMatchObject({ state: "FINAL", outcome: "FAILED" });
});

describe("a capture of which the gateway says that nothing is left to capture", () => {
  const row = (story: Story, answer: Answer): Found => ({
    ...{ id: "cp-1", merchantTransactionId: story.newest(), referencedId: "booking-1", paymentType: "CP", answer },
  });
  const reserved = (story: Story): Found => ({
    id: "booking-1",
    merchantTransactionId: story.booking(),
    paymentType: "PA",
    answer: approval(),
  });
  const nothingLeft: Answer = { is: "already-reversed", ...said };

  test("has failed where no capture of ours shows for the whole unknown window, although its own row is shown", () => {
    const story = approved().answer(nothingLeft);
    for (let looks = 0; looks < 29; looks += 1) look(story, [reserved(story), row(story, nothingLeft)]);
    expect(view(story).capture).toBe("pending");
    for (let looks = 0; looks < 3; looks += 1) look(story, [reserved(story), row(story, nothingLeft)]);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "APPROVED", capture: "failed" });
    expect(posted(story.meets({ on: "woken" }, HOUR))).toEqual(["PA", "CP"]);
  });

  test("is looked for an hour later again, and told as captured where an earlier try of ours shows", () => {
    const story = approved().answer(silence);
    const first = { ...row(story, approval(1234, "cp-0")), id: "cp-0" };
    for (let looks = 0; looks < 32; looks += 1) look(story, [reserved(story)]);
    story.meets({ on: "woken" }, 60_000).answer(nothingLeft);
    expect(posted(story)).toEqual(["PA", "CP", "CP"]);
    for (let looks = 0; looks < 32; looks += 1) look(story, [reserved(story), row(story, nothingLeft)]);
    expect(view(story).capture).toBe("failed");
    expect(owed(story.payment)).toContainEqual(expect.objectContaining({ do: "search" }));
    look(story, [reserved(story), first, row(story, nothingLeft)], HOUR);
    expect(view(story).capture).toBe("captured");
  });

  const refused = (): Story =>
    approved()
      .answer({ is: "not-booked", why: "refused", ...said })
      .meets({ on: "released" });

  test.each(["reversed", "declined"] as const)(
    "and that nobody makes is closed as %s by a person: it stays approved, and nobody is told any more",
    (as) => {
      const story = refused();
      expect(isSettled(story.payment)).toBe(false);
      expect(view(story.meets(resolve(as), HOUR))).toMatchObject({
        state: "FINAL",
        decision: "approved",
        outcome: "APPROVED",
        capture: "failed",
      });
      expect(isOverExceptLateQueries(story.payment)).toBe(true);
    },
  );

  test("is captured where a person says so, under the id that he names", () => {
    const story = refused();
    expect(view(story).capture).toBe("failed");
    story.meets({ ...resolve("approved"), gatewayId: "by-hand" }, HOUR);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", capture: "captured", capturedAmount: "12.34" });
  });
});

describe("a capture that the gateway keeps pending, or cannot be reached for, for days", () => {
  const pending: Answer = { is: "pending", id: "cp-1", ...said };
  const reserved = (story: Story): Found => ({
    id: "booking-1",
    merchantTransactionId: story.booking(),
    paymentType: "PA",
    answer: approval(),
  });
  const shown = (story: Story): Found => ({
    ...{
      id: "cp-1",
      merchantTransactionId: story.newest(),
      referencedId: "booking-1",
      paymentType: "CP",
      answer: pending,
    },
  });
  const keptPending = (): Story => {
    const story = approved().answer(pending).meets({ on: "released" });
    for (let looks = 0; looks < 100; looks += 1) look(story, [reserved(story), shown(story)], HOUR);
    return story;
  };

  test("is not closed by a person while the gateway may still be at work on it, nor while it is being asked for", () => {
    const asked = approved();
    expect(resolutionProblem(asked.payment, asked.now + HOUR, "reversed")).toContain(
      "is being asked for its capture just now",
    );
    const story = asked.answer(pending);
    expect(resolutionProblem(story.payment, story.now, "approved")).toContain("try again in 30 minutes");
    expect(resolutionProblem(story.payment, story.now + 1_770_000, "approved")).toContain("try again in a minute");
    story.meets(resolve("reversed"));
    expect(view(story).capture).toBe("pending");
  });

  test("is captured where a person says so, under the id that he names", () => {
    const story = keptPending();
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "APPROVED", capture: "pending" });
    story.meets({ ...resolve("approved"), gatewayId: "cp-1" });
    expect(view(story)).toMatchObject({ outcome: "APPROVED", capture: "captured", capturedAmount: "12.34" });
    expect(voidTargetsOf(story.payment, "pay_9")).toEqual([{ id: "cp-1", paymentType: "CP", amount: 1234 }]);
    expect(
      isSettled(lookedFor(story, [reserved(story), { ...shown(story), answer: approval(1234, "cp-1") }]).payment),
    ).toBe(true);
  });

  test.each(["reversed", "declined"] as const)(
    "was not captured where a person says %s: it stays approved, is asked for no more, and its reservation may be voided",
    (as) => {
      const story = keptPending().meets({ ...resolve(as), gatewayId: "cp-1" });
      expect(standingOf(story.payment, undefined, false)).toMatchObject({
        captures: [],
        capturing: true,
        voids: [{ id: "booking-1", paymentType: "PA" }],
      });
      expect(view(story)).toMatchObject({
        state: "FINAL",
        decision: "approved",
        outcome: "APPROVED",
        capture: "failed",
      });
      story.meets({ on: "withdraw-capture", by: "pay_9" }, HOUR);
      expect(voidTargetsOf(story.payment, "pay_9")).toEqual([{ id: "booking-1", paymentType: "PA", amount: 1234 }]);
      expect(posted(story)).toEqual(["PA", "CP"]);
      expect(isSettled(lookedFor(story, [reserved(story), shown(story)]).payment)).toBe(true);
    },
  );

  test("and makes after a person said that it was not captured is told: it is listed until he has said another word", () => {
    const story = keptPending().meets(resolve("reversed"));
    const before = story.payment;
    look(story, [reserved(story), { ...shown(story), answer: approval(1234, "cp-1") }], 300_000);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", capture: "captured" });
    expect([isSettled(story.payment), isBookedAfterClosing(story.payment)]).toEqual([false, true]);
    expect(alarmsOf(before, story.payment).map(({ what }) => what)).toEqual([
      "what had been closed as not done has been done at the gateway since",
    ]);
    expect(isSettled(story.meets(resolve("reversed"), HOUR).payment)).toBe(true);
  });

  test("of which every try came to nothing is asked for no more after that", () => {
    const story = approved().answer(notSent).meets({ on: "released" });
    for (let tries = 0; tries < 12; tries += 1) story.meets({ on: "woken" }, HOUR).answer(notSent);
    const before = posted(story);
    story.meets(resolve("reversed")).meets({ on: "woken" }, HOUR);
    expect(posted(story)).toEqual(before);
    expect(view(story).capture).toBe("failed");
  });

  test("that a void has stopped is the void's to end", () => {
    const story = approved().answer(notSent).meets({ on: "withdraw-capture", by: "pay_9" });
    expect(view(story).capture).toBeUndefined();
    expect(resolutionProblem(story.payment, story.now + HOUR, "reversed")).toContain(
      "what is left of it the bridge does by itself",
    );
  });
});

describe("a booking that the gateway does not give back", () => {
  const single = { ...sale, channel: { ...sale.channel, settlement: "single" } } as const;
  const declinedByCard = (accepted = sale): Story =>
    completing(accepted).meets({ on: "finished", verdict: "declined", chip: {} });
  const nothingLeft: Answer = { is: "already-reversed", ...said };
  const refused: Answer = { is: "not-booked", why: "refused", ...said };
  const declined: Answer = { is: "declined", ...said, why: "host-declined", held: false, issuer: {} };
  const notReversible: Answer = { is: "not-reversible", ...said };
  const stands = (story: Story): Found => ({
    ...{
      id: "booking-1",
      merchantTransactionId: story.booking(),
      paymentType: story.payment.attempts[0]?.operation.paymentType ?? "",
      answer: approval(),
    },
  });
  const next = (story: Story, answer: Answer): Story =>
    look(story.answer(answer), [stands(story)], 20_000, story.booking());

  test.each([
    ["that it reverses no more", notReversible, ["DB", "RV", "RF"]],
    ["that the acquirer declines to reverse", declined, ["DB", "RV", "RF"]],
    ["whose reversal it refuses as a request, which tells nothing of the booking", refused, ["DB", "RV", "RV"]],
  ] as const)("and %s: a debit is given back another way, or asked for once more", (_, answer, wanted) => {
    expect(posted(next(declinedByCard(single), answer))).toEqual(wanted);
    expect(posted(next(declinedByCard(), answer))).toEqual(["PA", "RV", "RV"]);
  });

  test("and that a query shows after the refusal is asked about once an hour", () => {
    const story = declinedByCard().answer(declined);
    look(story, [stands(story)], 1_000, story.booking());
    expect(owed(story.payment)).toContainEqual(expect.objectContaining({ do: "search", at: story.now + HOUR }));
  });

  test("with a refund in place of the reversal that it is unsure of, is refunded no more and waits for a person, who closes it", () => {
    const story = next(declinedByCard(single), notReversible);
    expect(isGivenBackPerhaps(story.payment)).toBe(false);
    story.answer({ is: "half-reversed", id: "rf-1", ...said }).meets({ on: "released" });
    expect(isGivenBackPerhaps(story.payment)).toBe(true);
    const debit: Found = {
      id: "booking-1",
      merchantTransactionId: story.booking(),
      paymentType: "DB",
      answer: approval(),
    };
    for (let looks = 0; looks < 50; looks += 1)
      look(story, [debit], HOUR, story.booking()).meets({ on: "woken" }, HOUR);
    expect(posted(story)).toEqual(["DB", "RV", "RF"]);
    expect(view(story)).toMatchObject({ state: "REVERSING", decision: "not-approved" });
    expect(view(story.meets(resolve("reversed")))).toMatchObject({
      state: "FINAL",
      outcome: "FAILED",
      reason: { code: "operator-reversed" },
    });
  });

  test("with such a refund that shows up only after another one was asked for, waits for a person as well", () => {
    const story = next(declinedByCard(single), notReversible).answer({ is: "half-reversed", ...said });
    const first = story.newest();
    const debit: Found = {
      id: "booking-1",
      merchantTransactionId: story.booking(),
      paymentType: "DB",
      answer: approval(),
    };
    for (let looks = 0; looks < 80; looks += 1)
      look(look(story, [debit], 61_000, first), [debit], 10, story.booking()).meets({ on: "woken" });
    expect(posted(story)).toEqual(["DB", "RV", "RF", "RF"]);
    story.answer(refused);
    const half: Answer = { is: "half-reversed", id: "rf-1", ...said };
    look(
      story,
      [debit, { id: "rf-1", merchantTransactionId: first, referencedId: "booking-1", paymentType: "RF", answer: half }],
      HOUR,
      story.booking(),
    );
    for (let hours = 0; hours < 24; hours += 1) story.meets({ on: "woken" }, HOUR);
    expect(posted(story)).toEqual(["DB", "RV", "RF", "RF"]);
    expect(isGivenBackPerhaps(story.payment)).toBe(true);
    expect(owed(story.payment).every((effect) => effect.do === "search" || effect.do === "release")).toBe(true);
    expect(resolutionProblem(story.payment, story.now, "reversed")).toBeUndefined();
  });

  test("because somebody captured it by hand is closed by a person, who gave the money back there", () => {
    const story = declinedByCard().answer(nothingLeft);
    const captured: Found = {
      id: "cp-9",
      referencedId: "booking-1",
      paymentType: "CP",
      answer: approval(1234, "cp-9"),
    };
    const own: Found = {
      id: "booking-1",
      merchantTransactionId: story.booking(),
      paymentType: "PA",
      answer: approval(),
    };
    look(story, [own, captured], HOUR, story.booking());
    expect(view(story).state).toBe("REVERSING");
    expect(view(story.meets(resolve("reversed"), HOUR))).toMatchObject({ state: "FINAL", outcome: "FAILED" });
  });

  test("because it tells nothing any more, whatever it is asked, is closed by a person past the unknown window, but not where it tells that it stands", () => {
    const untold = (): Story => {
      const story = declinedByCard();
      for (let tries = 0; tries < 12; tries += 1) story.answer(silence).meets({ on: "woken" }, HOUR);
      return story;
    };
    const told = untold();
    const own: Found = {
      id: "booking-1",
      merchantTransactionId: told.booking(),
      paymentType: "PA",
      answer: approval(),
    };
    look(told, [own], HOUR, told.booking()).meets(resolve("reversed"));
    expect(view(told).state).toBe("REVERSING");
    expect(resolutionProblem(told.payment, told.now, "reversed")).toContain("the bridge is taking that back");
    expect(view(untold().meets(resolve("reversed")))).toMatchObject({
      state: "FINAL",
      outcome: "FAILED",
      reason: { code: "operator-reversed" },
    });
  });

  test("and that showed up only after the end is closed by a person too, and nothing that was told of it changes", () => {
    const story = authorizing().answer(silence).meets({ on: "terminal-failed", code: "no-answer", detail: "" });
    for (let looks = 0; looks < 40; looks += 1)
      story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "absent" } }, 61_000);
    story.meets({ on: "released" });
    const own: Found = {
      id: "booking-1",
      merchantTransactionId: story.booking(),
      paymentType: "PA",
      answer: approval(),
    };
    look(story, [own], HOUR, story.booking());
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED", lateBooking: true });
    expect(resolutionProblem(story.payment, story.now, "reversed")).toContain(
      "what is left of it the bridge does by itself",
    );
    story.answer(notReversible);
    expect(resolutionProblem(story.payment, story.now, "approved")).toContain("not approved");
    const before = view(story);
    expect(view(story.meets(resolve("reversed")))).toMatchObject({ outcome: before.outcome, reason: before.reason });
    expect(isOverExceptLateQueries(story.payment)).toBe(true);
  });
});

test("what showed up only after the end, and is never decided, is closed by a person once the whole window has passed", () => {
  const story = authorizing().answer(silence).meets({ on: "terminal-failed", code: "no-answer", detail: "" });
  for (let looks = 0; looks < 40; looks += 1)
    story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "absent" } }, 61_000);
  const pending: Found = {
    id: "booking-1",
    merchantTransactionId: story.booking(),
    paymentType: "PA",
    answer: { is: "pending", id: "booking-1", ...said },
  };
  look(story.meets({ on: "released" }), [pending], HOUR, story.booking());
  expect(resolutionProblem(story.payment, story.now, "reversed")).toContain(
    "what is left of it the bridge does by itself",
  );
  look(story, [pending], HOUR, story.booking());
  expect([isSettled(story.payment), resolutionProblem(story.payment, story.now, "reversed")]).toEqual([
    false,
    undefined,
  ]);
  story.meets(resolve("reversed"));
  expect(owed(story.payment)).toMatchObject([{ do: "search", at: story.now + sale.rules.unknownWindowMs }]);
  for (const afterMs of [sale.rules.unknownWindowMs, HOUR, 24 * HOUR, 72 * HOUR])
    look(story, [pending], afterMs, story.booking());
  expect(isSettled(story.payment)).toBe(true);
});

describe("what a person closed while the gateway had not decided it, and is booked after that,", () => {
  const undecided = (answer: Answer): Story => {
    const story = authorizing()
      .answer(answer)
      .meets({ on: "terminal-failed", code: "no-answer", detail: "" })
      .meets({ on: "released" });
    return story.meets(
      { on: "searched", merchantTransactionId: story.booking(), result: { is: "no-answer", description: "" } },
      HOUR,
    );
  };

  test("is taken back, told as late, and closed once it is gone", () => {
    const story = undecided({ is: "pending", id: "booking-1", ...said }).meets(resolve("declined"));
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "DECLINED", reason: { code: "operator-declined" } });
    look(
      story,
      [{ id: "booking-1", merchantTransactionId: story.booking(), paymentType: "PA", answer: approval() }],
      300_000,
      story.booking(),
    );
    expect([posted(story), view(story).lateBooking, view(story).outcome]).toEqual([["PA", "RV"], true, "DECLINED"]);
    expect(resolutionProblem(story.payment, story.now, "declined")).toContain("the bridge is taking that back");
    story.answer(approval(1234, "rv-1"));
    expect(isClosedByOperator(story.payment)).toBe(true);
  });

  test("as a refund counts for what may still be refunded, and waits for another word", () => {
    const story = new Story(KINDS["LINKED_REFUND"])
      .meets({ on: "woken" })
      .answer({ is: "pending", id: "rf-1", ...said });
    story.meets(resolve("declined"), HOUR).meets({ on: "original-told" });
    expect(followUpOf(story.payment)).toMatchObject({ outcome: "DECLINED", amount: 0 });
    const original: Found = { id: "original-1", paymentType: "CP", answer: approval(1234, "original-1") };
    const refund = {
      id: "rf-1",
      merchantTransactionId: story.newest(),
      referencedId: "original-1",
      paymentType: "RF",
      answer: approval(1234, "rf-1"),
    };
    look(story, [original, refund], 300_000);
    expect([owed(story.payment).map((one) => one.do), followUpOf(story.payment)]).toMatchObject([
      ["tell-originals", "search"],
      { outcome: "APPROVED", amount: 1234 },
    ]);
    expect([view(story).outcome, view(story).lateBooking, posted(story)]).toEqual(["DECLINED", true, ["RF"]]);
    expect(isOverExceptLateQueries(story.meets({ on: "original-told" }).meets(resolve("declined"), HOUR).payment)).toBe(
      true,
    );
  });

  test("as a reversal for a void makes its original voided, whatever the void was told", () => {
    const story = new Story(followUp("VOID")).meets({ on: "woken" }).answer({ is: "pending", id: "rv-1", ...said });
    const target = story.payment.attempts[0]?.operation.referencedId ?? "";
    story.meets(resolve("declined"), HOUR).meets({ on: "original-told" });
    const reversal = {
      id: "rv-1",
      merchantTransactionId: story.newest(),
      referencedId: target,
      paymentType: "RV",
      answer: approval(1234, "rv-1"),
    };
    look(story, [{ id: target, paymentType: "CP", answer: approval(1234, target) }, reversal], 300_000);
    expect([view(story).outcome, followUpOf(story.payment).outcome, isSettled(story.payment)]).toEqual([
      "DECLINED",
      "APPROVED",
      false,
    ]);
    expect(isSettled(story.meets({ on: "original-told" }).meets(resolve("declined"), HOUR).payment)).toBe(true);
  });
});

test("what still waits for its terminal is cancelled, and not closed", () => {
  const waiting = new Story().meets({ on: "queued" });
  expect(resolutionProblem(waiting.payment, waiting.now + HOUR, "reversed")).toContain("cancel it");
  expect(resolutionProblem(authorizing().payment, waiting.now + HOUR, "reversed")).toContain(
    "its terminal is still at work on it",
  );
});

test("a debit whose reversal the gateway is unsure of is not given back another way before queries have shown for the whole window that it stands", () => {
  const single = { ...sale, channel: { ...sale.channel, settlement: "single" } } as const;
  const story = completing(single).meets({ on: "finished", verdict: "declined", chip: {} });
  story.answer({ is: "half-reversed", id: "rv-1", ...said }).meets({ on: "woken" }, 6_000);
  story.answer({ is: "not-reversible", ...said }).meets({ on: "woken" }, 60_000);
  expect(posted(story)).toEqual(["DB", "RV", "RV"]);
  const debit: Found = {
    id: "booking-1",
    merchantTransactionId: story.booking(),
    paymentType: "DB",
    answer: approval(),
  };
  look(story, [debit], 60_000, story.booking()).meets({ on: "woken" }, 60_000);
  expect(posted(story)).toEqual(["DB", "RV", "RV"]);
  look(story, [debit], 1_800_000, story.booking()).meets({ on: "woken" }, 60_000);
  expect(posted(story)).toEqual(["DB", "RV", "RV", "RF"]);
});

test("a card's registration that the gateway says it took back itself is deleted once more: what that is answered tells what no query does", () => {
  const tookBack: Answer = { is: "auto-reversed", id: "reg-1", ...said };
  const story = authorizing(KINDS["REGISTRATION"]).answer(tookBack);
  const shown = (): Found => ({
    id: "reg-1",
    merchantTransactionId: story.booking(),
    paymentType: "RG",
    answer: tookBack,
  });
  look(look(story, [shown()], 10, story.booking()), [shown()], 30_000, story.booking()).meets({ on: "woken" }, 26_000);
  expect(story.payment.attempts.at(-1)?.operation).toMatchObject({ paymentType: "DR", referencedId: "reg-1" });
  story.answer({ is: "already-reversed", ...said }).meets({ on: "finished", verdict: "declined", chip: {} });
  expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED", reason: { code: "outcome-unknown" } });
});

test("a stored card of which no query tells is a person's to delete once the whole window has passed", () => {
  const uncertain: Answer = { is: "unknown", id: "booking-1", description: "900.100.300" };
  const story = authorizing(KINDS["SALE that stores the card"]).answer(uncertain);
  const shown = (): Found => ({
    id: "booking-1",
    merchantTransactionId: story.booking(),
    paymentType: "PA",
    answer: uncertain,
  });
  story.meets({ on: "terminal-failed", code: "no-answer", detail: "" });
  look(look(story, [shown()], 61_000, story.booking()), [shown()], 61_000, story.booking());
  story.answer(approval(1234, "rv-1"));
  expect(isStoredCardLost(story.payment)).toBe(false);
  for (let looks = 0; looks < 40; looks += 1) look(story, [shown()], 61_000, story.booking());
  expect(isStoredCardLost(story.payment)).toBe(true);
  expect(view(story).state).toBe("FINAL");
});

test("a sale that waits for its signature is not approved by an operator", () => {
  const story = authorizing(sale, signing).answer(approval()).meets({ on: "finished", verdict: "approved", chip: {} });
  expect(view(story).state).toBe("COMPLETING");
  expect(resolutionProblem(story.payment, story.now + HOUR, "approved")).toContain("its signature");
  expect(resolutionProblem(story.payment, story.now + HOUR, "reversed")).toBeUndefined();
});
