import { describe, expect, test } from "vitest";
import type { Answer, Found } from "../../../src/payment/answer.ts";
import { isSettled, owed } from "../../../src/payment/owed.ts";
import { isStoredCardLost } from "../../../src/payment/registration.ts";
import { viewOf } from "../../../src/payment/view.ts";
import { approval, approved, authorizing, chipCard, completing, KINDS, Story, sale, silence } from "../../support/sale.ts";

/** What the bridge cannot settle by itself, and what a person's word makes of it. */

const said = { resultCode: "1.1", description: "" };
const HOUR = 3_600_000;
const view = (story: Story) => viewOf(story.payment);
const posted = (story: Story): readonly string[] => story.payment.attempts.map(({ operation }) => operation.paymentType);
const resolve = (as: "reversed" | "approved" | "declined") => ({ on: "resolved", as, by: "alice", reason: "the acquirer says so" }) as const;

function look(story: Story, bookings: readonly Found[], afterMs = 61_000, forWhich = story.newest()): Story {
  return story.meets({ on: "searched", merchantTransactionId: forWhich, result: { is: "found", bookings } }, afterMs);
}

describe("money given to a customer", () => {
  const original: Found = { id: "original-1", paymentType: "CP", answer: approval(1234, "original-1") };
  const late = (): Story => {
    const story = new Story(KINDS["LINKED_REFUND"]).meets({ on: "woken" }).answer(silence);
    for (let looks = 0; looks < 40; looks += 1) look(story, [original]);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED" });
    const refund = { id: "rf-1", merchantTransactionId: story.newest(), referencedId: "original-1", paymentType: "RF", answer: approval(1234, "rf-1") };
    return look(story.meets({ on: "original-told" }), [original, refund], HOUR);
  };

  test.each(["reversed", "declined"] as const)("late is closed as %s by a person, and nothing that was told of it changes", (as) => {
    const story = late();
    expect(view(story)).toMatchObject({ lateBooking: true });
    expect(isSettled(story.payment)).toBe(false);
    const before = view(story);
    story.meets(resolve(as), HOUR);
    expect(view(story)).toMatchObject({ outcome: before.outcome, reason: before.reason });
    expect(isSettled(story.payment)).toBe(true);
  });

  test("and half taken back by the gateway (000.400.030) is not said to be reversed by the bridge: a person's word is waited for", () => {
    const refunding = new Story(KINDS["REFUND"]).meets({ on: "leased" }).meets({ on: "card", card: { ...chipCard, decision: "declined-offline" } });
    refunding.answer({ is: "half-reversed", id: "cd-1", ...said });
    expect(view(refunding)).toMatchObject({ state: "RESOLVING", decision: "not-approved", reason: { code: "outcome-unknown" } });
    refunding.meets(resolve("reversed"), 2 * HOUR);
    expect(view(refunding)).toMatchObject({ state: "FINAL", outcome: "FAILED", reason: { code: "operator-reversed" } });
    expect(posted(refunding)).toEqual(["CD"]);
  });
});

test("a linked refund that the gateway half took back waits for a person, who closes it or has it reversed", () => {
  const refunding = (): Story => new Story(KINDS["LINKED_REFUND"]).meets({ on: "woken" }).answer({ is: "half-reversed", id: "rf-1", ...said });
  expect(view(refunding())).toMatchObject({ state: "RESOLVING", decision: "not-approved", reason: { code: "outcome-unknown" } });
  expect(view(refunding().meets(resolve("declined"), HOUR))).toMatchObject({ state: "FINAL", outcome: "DECLINED", reason: { code: "operator-declined" } });
  const story = refunding();
  const rows: readonly Found[] = [
    { id: "rf-1", merchantTransactionId: story.newest(), referencedId: "original-1", paymentType: "RF", answer: { is: "half-reversed", id: "rf-1", ...said } },
    { id: "rv-1", referencedId: "rf-1", paymentType: "RV", answer: approval(1234, "rv-1") },
  ];
  expect(view(look(story, rows, HOUR))).toMatchObject({ state: "FINAL", outcome: "FAILED" });
});

describe("a capture of which the gateway says that nothing is left to capture", () => {
  const row = (story: Story, answer: Answer): Found => ({
    ...{ id: "cp-1", merchantTransactionId: story.newest(), referencedId: "booking-1", paymentType: "CP", answer },
  });
  const reserved = (story: Story): Found => ({ id: "booking-1", merchantTransactionId: story.booking(), paymentType: "PA", answer: approval() });
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

  test.each(["reversed", "declined"] as const)("and that nobody makes is closed as %s by a person: it stays approved, and nobody is told any more", (as) => {
    const story = refused();
    expect(isSettled(story.payment)).toBe(false);
    expect(view(story.meets(resolve(as), HOUR))).toMatchObject({ state: "FINAL", decision: "approved", outcome: "APPROVED", capture: "failed" });
    expect(isSettled(story.payment)).toBe(true);
  });

  test("is captured where a person says so, under the id that he names", () => {
    const story = refused();
    expect(view(story).capture).toBe("failed");
    story.meets({ ...resolve("approved"), gatewayId: "by-hand" }, HOUR);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", capture: "captured", capturedAmount: "12.34" });
  });
});

test("a debit whose reversal the gateway is unsure of is not given back another way before queries have shown for the whole window that it stands", () => {
  const single = { ...sale, channel: { ...sale.channel, settlement: "single" } } as const;
  const story = completing(single).meets({ on: "finished", verdict: "declined", chip: {} });
  story.answer({ is: "half-reversed", id: "rv-1", ...said }).meets({ on: "woken" }, 6_000);
  story.answer({ is: "not-reversible", ...said }).meets({ on: "woken" }, 60_000);
  expect(posted(story)).toEqual(["DB", "RV", "RV"]);
  const debit: Found = { id: "booking-1", merchantTransactionId: story.booking(), paymentType: "DB", answer: approval() };
  look(story, [debit], 60_000, story.booking()).meets({ on: "woken" }, 60_000);
  expect(posted(story)).toEqual(["DB", "RV", "RV"]);
  look(story, [debit], 1_800_000, story.booking()).meets({ on: "woken" }, 60_000);
  expect(posted(story)).toEqual(["DB", "RV", "RV", "RF"]);
});

test("a card's registration that the gateway says it took back itself is deleted once more: what that is answered tells what no query does", () => {
  const tookBack: Answer = { is: "auto-reversed", id: "reg-1", ...said };
  const story = authorizing(KINDS["REGISTRATION"]).answer(tookBack);
  const shown = (): Found => ({ id: "reg-1", merchantTransactionId: story.booking(), paymentType: "RG", answer: tookBack });
  look(look(story, [shown()], 10, story.booking()), [shown()], 30_000, story.booking()).meets({ on: "woken" }, 26_000);
  expect(story.payment.attempts.at(-1)?.operation).toMatchObject({ paymentType: "DR", referencedId: "reg-1" });
  story.answer({ is: "already-reversed", ...said }).meets({ on: "finished", verdict: "declined", chip: {} });
  expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED", reason: { code: "outcome-unknown" } });
});

test("a stored card of which no query tells is a person's to delete once the whole window has passed", () => {
  const uncertain: Answer = { is: "unknown", id: "booking-1", description: "900.100.300" };
  const story = authorizing(KINDS["SALE that stores the card"]).answer(uncertain);
  const shown = (): Found => ({ id: "booking-1", merchantTransactionId: story.booking(), paymentType: "PA", answer: uncertain });
  story.meets({ on: "terminal-failed", code: "no-answer", detail: "" });
  look(look(story, [shown()], 61_000, story.booking()), [shown()], 61_000, story.booking());
  story.answer(approval(1234, "rv-1"));
  expect(isStoredCardLost(story.payment)).toBe(false);
  for (let looks = 0; looks < 40; looks += 1) look(story, [shown()], 61_000, story.booking());
  expect(isStoredCardLost(story.payment)).toBe(true);
  expect(view(story).state).toBe("FINAL");
});
