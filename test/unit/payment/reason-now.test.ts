import { describe, expect, test } from "vitest";
import { alarmsOf } from "../../../src/engine/shell/alarms.ts";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import {
  approval,
  chipCard,
  crediting,
  followUp,
  KINDS,
  linkMade,
  linkSale,
  notSent,
  Story,
  silence,
  storedCardSale,
} from "../../support/sale.ts";

/* No advice may make a cashier pay twice: the bridge never reverses a refund. */

const said = { resultCode: "1.1", description: "" };
const HOUR = 3_600_000;
const reason = (story: Story) => viewOf(story.payment).reason;
const original: Found = { id: "original-1", paymentType: "CP", answer: approval(1234, "original-1") };

function look(story: Story, bookings: readonly Found[], afterMs = 61_000): Story {
  return story.meets(
    { on: "searched", merchantTransactionId: story.newest(), result: { is: "found", bookings } },
    afterMs,
  );
}

/** Of which nothing was heard, and nothing found for the whole window. */
function lost(): Story {
  const story = new Story(KINDS["LINKED_REFUND"]).meets({ on: "woken" }).answer(silence);
  for (let looks = 0; looks < 40; looks += 1) look(story, [original]);
  return story.meets({ on: "original-told" });
}

describe("a refund", () => {
  test("of which the gateway knows nothing is not asked for again before somebody has looked: it may show up yet", () => {
    expect(reason(lost())).toMatchObject({
      code: "gateway-unreached",
      advice: "call-support",
      message: expect.stringContaining("look in its back office"),
    });
  });

  test("that shows up late is not to be asked for again, also after a person has closed it", () => {
    const story = lost();
    const refund = {
      id: "rf-1",
      merchantTransactionId: story.newest(),
      referencedId: "original-1",
      paymentType: "RF",
      answer: approval(1234, "rf-1"),
    };
    const after = { advice: "call-support", message: expect.stringContaining("do not ask for it again") };
    expect(reason(look(story, [original, refund], HOUR))).toMatchObject(after);
    expect(reason(story.meets({ on: "resolved", as: "declined", by: "alice", reason: "settled" }))).toMatchObject(
      after,
    );
  });

  test("that a person has closed undecided is not to be asked for again: the gateway may decide it yet", () => {
    const story = new Story(KINDS["LINKED_REFUND"])
      .meets({ on: "woken" })
      .answer({ is: "pending", id: "rf-1", ...said });
    story.meets({ on: "resolved", as: "reversed", by: "alice", reason: "not there" }, HOUR);
    expect(reason(story)).toMatchObject({ code: "operator-reversed", advice: "call-support" });
  });

  test("that never left may be asked for again", () => {
    const story = new Story(KINDS["LINKED_REFUND"]).meets({ on: "woken" }).answer(notSent).meets({ on: "cancel" });
    expect(reason(story)).toMatchObject({ code: "register-cancelled", advice: "retry" });
  });

  test.each(["REFUND", "LINKED_REFUND"] as const)(
    "(%s) of which the gateway is not sure is not said to be taken back",
    (kind) => {
      const unsure: Answer = { is: "half-reversed", id: "rf-1", ...said };
      const story = new Story(KINDS[kind]);
      if (kind === "REFUND")
        story.meets({ on: "leased" }).meets({ on: "card", card: { ...chipCard, decision: "declined-offline" } });
      expect(reason(story.meets({ on: "woken" }).answer(unsure))).toMatchObject({
        ...{ code: "outcome-unknown", advice: "wait" },
        message: expect.stringContaining("not sure whether the money was given back"),
      });
    },
  );

  test("of another amount than was asked for is people's to settle: the bridge takes no refund back", () => {
    const story = crediting();
    const before = story.payment;
    const dollars: Answer = { ...approval(1234, "cd-1"), ...({ amount: 1234, currency: "USD" } as const) };
    expect(alarmsOf(before, story.answer(dollars).payment)).toMatchObject([
      { mend: expect.stringMatching(/^settle it with the customer/) },
    ]);
  });
});

test("a void of what somebody has refunded already does not advise another refund", () => {
  const story = new Story(followUp("VOID", { targets: [{ id: "cp-1", paymentType: "CP", amount: 1234 }] })).meets({
    on: "woken",
  });
  story.answer({ is: "already-reversed", ...said, resultCode: "700.400.300" });
  const refund: Found = { id: "rf-9", referencedId: "cp-1", paymentType: "RF", answer: approval(1234, "rf-9") };
  look(story, [{ ...original, id: "cp-1" }, refund]);
  expect(viewOf(story.payment)).toMatchObject({
    outcome: "FAILED",
    reason: { code: "already-refunded", advice: "call-support" },
  });
});

test("a link that is paid has no doubt before the gateway was asked what was booked", () => {
  const story = new Story(linkSale)
    .meets({ on: "woken" })
    .answer(linkMade)
    .meets({ on: "link-seen", sight: { is: "paid" } });
  expect(viewOf(story.payment)).toMatchObject({ state: "AUTHORIZING" });
  expect(reason(story)).toBeUndefined();
  expect(
    reason(story.meets({ on: "searched", merchantTransactionId: story.newest(), result: { is: "absent" } })),
  ).toMatchObject({ code: "outcome-unknown" });
});

test("a stored card whose holder the bank wants to see is not said to be inserted", () => {
  const story = new Story(storedCardSale).meets({ on: "woken" }).answer({ is: "soft-declined", ...said, issuer: {} });
  expect(reason(story)).toMatchObject({
    code: "soft-declined",
    advice: "other-card",
    message: expect.not.stringContaining("insert"),
  });
});
