import { describe, expect, test } from "vitest";
import { alarmsOf } from "../../../src/engine/shell/alarms.ts";
import { isReversalShown } from "../../../src/payment/attempt/observation.ts";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import { followUpOf } from "../../../src/payment/follow-up/totals.ts";
import { isOverExceptLateQueries, isSettled, owed } from "../../../src/payment/machine/owed.ts";
import { resolutionProblem } from "../../../src/payment/operator/allowed-decisions.ts";
import { isBookedAfterClosing, isClosedByOperator } from "../../../src/payment/operator/late-booking.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import {
  approval,
  approved,
  authorizing,
  completing,
  followUp,
  Story,
  sale,
  silence,
  storedCardSale,
} from "../../support/sale.ts";

/* What happens at the gateway after a person, or the whole unknown window, has closed a payment. */

const said = { resultCode: "1.1", description: "" };
const HOUR = 3_600_000;
const resolve = (as: "reversed" | "declined") => ({ on: "resolved", as, by: "alice", reason: "looked it up" }) as const;
const single = { ...sale, channel: { ...sale.channel, settlement: "single" as const } };
const requests = (story: Story) =>
  story.payment.attempts.map(
    ({ operation, standing }) => `${operation.paymentType} ${operation.referencedId ?? "-"} ${standing}`,
  );
const shown = (story: Story, id: string, changes: Partial<Found> = {}): Found => ({
  ...{ id, merchantTransactionId: story.booking(), paymentType: "PA", answer: approval(1234, id) },
  ...changes,
});
const linked = (id: string, paymentType: string, referencedId: string): Found => ({
  id,
  paymentType,
  referencedId,
  answer: approval(1234, id),
});

function look(story: Story, bookings: readonly Found[], afterMs = 30_000, forWhich = story.booking()): Story {
  return story.meets({ on: "searched", merchantTransactionId: forWhich, result: { is: "found", bookings } }, afterMs);
}

/** A sale whose terminal is gone, of which the gateway has said this and nothing else. */
function open(answer: Answer, accepted = sale): Story {
  return authorizing(accepted)
    .answer(answer)
    .meets({ on: "terminal-failed", code: "no-answer", detail: "" })
    .meets({ on: "released" });
}

describe("after a person's word", () => {
  test("both of two bookings that show up are taken back, and the second one is not hidden meanwhile", () => {
    const story = open(silence).meets(resolve("reversed"), HOUR);
    look(story, [shown(story, "booking-1"), shown(story, "booking-2")]);
    story.answer(approval(1234, "rv-1")).answer(approval(1234, "rv-2"));
    expect(requests(story).slice(1)).toEqual(["RV booking-1 settled", "RV booking-2 settled"]);
    expect(isClosedByOperator(story.payment)).toBe(true);
  });

  test("what is taken back stays told as late, also once a query has shown the reversal", () => {
    const story = open({ is: "pending", id: "booking-1", ...said }).meets(resolve("declined"), HOUR);
    look(story, [shown(story, "booking-1")]).answer(silence);
    expect(viewOf(story.payment)).toMatchObject({ outcome: "DECLINED", lateBooking: true });
    look(story, [shown(story, "booking-1"), linked("rv-1", "RV", "booking-1")], 60_000, story.newest());
    expect([story.payment.attempts.map(isReversalShown)[0], viewOf(story.payment).lateBooking]).toEqual([true, true]);
  });

  test("the second of them is listed and can be closed where the gateway does not reverse it", () => {
    const story = open(silence).meets(resolve("reversed"), HOUR);
    look(story, [shown(story, "booking-1"), shown(story, "booking-2")]);
    story
      .answer(approval(1234, "rv-1"))
      .answer({ is: "declined", ...said, why: "host-declined", held: false, issuer: {} });
    expect([isSettled(story.payment), isOverExceptLateQueries(story.payment)]).toEqual([false, false]);
    expect(resolutionProblem(story.payment, story.now, "reversed")).toBeUndefined();
    expect(isClosedByOperator(story.meets(resolve("reversed"), HOUR).payment)).toBe(true);
  });

  test("nothing that he knew of is taken back once more: it is his", () => {
    const story = completing(single).meets({ on: "finished", verdict: "declined", chip: {} });
    story.answer({ is: "declined", ...said, why: "host-declined", held: false, issuer: {} });
    const before = requests(story.meets({ on: "released" }));
    story.meets(resolve("reversed"), 2 * HOUR).meets({ on: "woken" }, HOUR);
    expect(requests(story)).toEqual(before);
    expect(isSettled(story.payment)).toBe(true);
  });

  test("what he gave back himself as a refund is not reversed besides", () => {
    const story = open({ is: "pending", id: "booking-1", ...said }, single).meets(resolve("reversed"), HOUR);
    look(story, [shown(story, "booking-1", { paymentType: "DB" }), linked("rf-9", "RF", "booking-1")]);
    expect(requests(story)).toHaveLength(1);
    expect(isBookedAfterClosing(story.payment)).toBe(false);
  });

  test("a refund in place of a reversal that was on its way is told when it goes through: he may have given the money back already", () => {
    const story = completing(single)
      .meets({ on: "finished", verdict: "declined", chip: {} })
      .answer({ is: "not-reversible", ...said });
    look(story, [shown(story, "booking-1", { paymentType: "DB" })], 6_000).answer({
      is: "pending",
      id: "rf-1",
      ...said,
    });
    story.meets({ on: "released" }).meets(resolve("reversed"), 2 * HOUR);
    const before = story.payment;
    const refund = { ...linked("rf-1", "RF", "booking-1"), merchantTransactionId: story.newest() };
    look(story, [shown(story, "booking-1", { paymentType: "DB" }), refund], 30_000, story.newest());
    expect(alarmsOf(before, story.payment)).toMatchObject([
      { what: "what had been closed as not done has been done at the gateway since" },
    ]);
    expect(isOverExceptLateQueries(story.meets(resolve("reversed"), HOUR).payment)).toBe(true);
  });

  test("a request that was on the wire is looked for, and its answer is no loss", () => {
    const story = new Story(followUp("VOID")).meets({ on: "woken" }).answer(silence).meets({ on: "woken" }, HOUR);
    expect(requests(story).at(-1)).toBe("RV original-1 intended");
    story.meets(resolve("declined")).meets({ on: "original-told" });
    expect(owed(story.payment).map((one) => one.do)).toEqual(["search"]);
    story.answer(approval(1234, "rv-2"));
    expect([followUpOf(story.payment).outcome, owed(story.payment).map((one) => one.do)]).toEqual([
      "APPROVED",
      ["tell-originals"],
    ]);
  });

  test("a void of which one of two targets goes after all is not told as done", () => {
    const targets = ["cp-1", "cp-2"].map((id) => ({ id, paymentType: "CP" as const, amount: 617 }));
    const story = new Story(followUp("VOID", { targets }))
      .meets({ on: "woken" })
      .answer({ is: "pending", id: "rv-1", ...said });
    story.meets(resolve("declined"), HOUR).answer(approval(617, "rv-1"));
    expect(followUpOf(story.payment).outcome).toBe("DECLINED");
  });

  test("what the gateway never shows is looked for no longer than three days", () => {
    const story = new Story(followUp("LINKED_REFUND"))
      .meets({ on: "woken" })
      .answer(silence)
      .meets(resolve("declined"), HOUR)
      .meets({ on: "original-told" });
    for (let looks = 0; looks < 100; looks += 1)
      story.meets({ on: "searched", merchantTransactionId: story.newest(), result: { is: "absent" } }, HOUR);
    expect(isSettled(story.payment)).toBe(true);
  });
});

describe("what shows up of a payment that a person has closed", () => {
  const charged = (): Story =>
    new Story({ ...storedCardSale, channel: single.channel }).meets({ on: "woken" }).answer(silence);
  const debit = (story: Story, id: string, answer: Answer = approval(1234, id)): Found =>
    shown(story, id, { paymentType: "DB", answer });

  test("as a second booking that was pending when he spoke is taken back", () => {
    const story = charged();
    look(story, [debit(story, "booking-1"), debit(story, "booking-2", { is: "pending", id: "booking-2", ...said })]);
    expect(viewOf(story.payment).outcome).toBe("APPROVED");
    story.meets(resolve("reversed"), HOUR);
    expect(owed(story.payment).map((one) => one.do)).toEqual(["search"]);
    look(story, [debit(story, "booking-1"), debit(story, "booking-2")]);
    expect(requests(story).slice(1)).toEqual(["RV booking-2 intended"]);
  });

  test("as two bookings, which he has both refunded himself, is left alone", () => {
    const story = open({ is: "pending", id: "booking-1", ...said }, single).meets(resolve("reversed"), HOUR);
    look(story, [
      debit(story, "booking-1"),
      debit(story, "booking-2"),
      linked("rf-8", "RF", "booking-1"),
      linked("rf-9", "RF", "booking-2"),
    ]);
    expect(requests(story)).toHaveLength(1);
  });

  test("does not unsay what he said of its capture, whatever he says of a second booking", () => {
    const story = approved()
      .answer({ is: "pending", id: "cp-1", ...said })
      .meets({ on: "released" });
    story.meets({ ...resolve("reversed"), as: "approved", gatewayId: "cp-hand" }, HOUR);
    look(story, [shown(story, "booking-1"), shown(story, "booking-2")], 30_000, story.newest());
    story
      .answer({ is: "declined", ...said, why: "host-declined", held: false, issuer: {} })
      .meets(resolve("reversed"), HOUR);
    expect(viewOf(story.payment)).toMatchObject({ capture: "captured", capturedAmount: "12.34" });
    expect(isClosedByOperator(story.payment)).toBe(true);
  });

  test("as its own booking, which its register refunds, is not taken for taken back", () => {
    const story = new Story(followUp("CAPTURE")).meets({ on: "woken" }).answer(silence);
    story.meets({ ...resolve("reversed"), as: "approved", gatewayId: "cp-1" }, HOUR).meets({ on: "original-told" });
    const capture = { ...linked("cp-1", "CP", "original-1"), merchantTransactionId: story.newest() };
    look(story, [linked("original-1", "PA", ""), capture, linked("rf-1", "RF", "cp-1")], 30_000, story.newest());
    expect(story.payment.attempts.some(isReversalShown)).toBe(false);
  });
});

test("what the gateway says that it took back by itself, and was not found for the whole window, is believed when it stands after all", () => {
  const story = open({ is: "auto-reversed", id: "booking-1", ...said });
  for (let looks = 0; looks < 40; looks += 1)
    story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "absent" } }, 61_000);
  expect(viewOf(story.payment)).toMatchObject({ state: "FINAL", outcome: "FAILED" });
  look(story, [shown(story, "booking-1")], HOUR);
  expect([requests(story), viewOf(story.payment).lateBooking]).toEqual([
    ["PA - settled", "RV booking-1 intended"],
    true,
  ]);
});

test("one reversal counts once, however many requests it answered", () => {
  const story = new Story(followUp("VOID", { targets: [{ id: "cp-1", paymentType: "CP", amount: 1234 }] })).meets({
    on: "woken",
  });
  story.answer(approval(617, "rv-1")).meets({ on: "woken" }, 5_000).answer(approval(617, "rv-1"));
  expect(viewOf(story.payment).decision).toBeUndefined();
});
