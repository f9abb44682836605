import { describe, expect, test } from "vitest";
import type { Found } from "../../../src/payment/fact/answer.ts";
import { cancellation } from "../../../src/payment/machine/decide.ts";
import { isOverExceptLateQueries, isSettled, owed } from "../../../src/payment/machine/owed.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import {
  approval,
  linkMade,
  notSent,
  refusal,
  Story,
  sale,
  silence,
  softDecline,
  storedCardSale,
} from "../../support/sale.ts";
import { posted } from "../../support/shown.ts";

const view = (story: Story) => viewOf(story.payment);
const begun = (changes: Partial<typeof sale> = {}): Story =>
  new Story({ ...storedCardSale, ...changes }).meets({ on: "woken" });
const single = { channel: { ...sale.channel, settlement: "single" } } as const;
const said = { resultCode: "1.1", description: "" };

function shows(story: Story, answer = approval(), afterMs = 31_000): Story {
  const merchantTransactionId = story.booking();
  const booking: Found = { id: "booking-1", merchantTransactionId, paymentType: "PA", answer };
  return story.meets({ on: "searched", merchantTransactionId, result: { is: "found", bookings: [booking] } }, afterMs);
}

function shownNothing(story: Story, looks: number): Story {
  for (let look = 0; look < looks; look += 1)
    story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "absent" } }, 60_000);
  return story;
}

describe("a sale by a stored card", () => {
  test("asks the gateway at once, for the stored card, and nothing of any terminal", () => {
    const story = begun();
    expect(story.payment.attempts.map(({ operation }) => operation)).toMatchObject([
      { paymentType: "PA", amount: 1234, registration: storedCardSale.registration },
    ]);
    expect(owed(story.payment).map((effect) => effect.do)).toEqual(["post"]);
    expect(view(story)).toMatchObject({
      state: "AUTHORIZING",
      terminal: "",
      registration: storedCardSale.registration,
    });
  });

  test("takes a link that nobody asked for as no answer, and shows none, also where a reversal is answered so", () => {
    const story = begun().answer(linkMade);
    expect(story.payment.link).toBeUndefined();
    story.meets({ on: "cancel" });
    shows(shows(story)).answer(linkMade);
    expect(posted(story)).toEqual(["PA", "RV"]);
    expect(owed(story.payment).map((effect) => effect.do)).toContain("search");
    story.meets({ on: "woken" }, 60_000);
    expect(posted(story)).toEqual(["PA", "RV", "RV"]);
  });

  test("is approved by the gateway's word, and captured where the channel reserves first", () => {
    const story = begun().answer(approval());
    expect(view(story)).toMatchObject({ outcome: "APPROVED", approvedAmount: "12.34", capture: "pending" });
    expect(posted(story)).toEqual(["PA", "CP"]);
    expect(view(story.answer(approval(1234, "capture-1")))).toMatchObject({
      capture: "captured",
      capturedAmount: "12.34",
    });
    expect(isOverExceptLateQueries(story.payment)).toBe(true);
    const debited = begun(single).answer(approval());
    expect(posted(debited)).toEqual(["DB"]);
    expect(view(debited)).toMatchObject({ outcome: "APPROVED", capturedAmount: "12.34" });
  });

  test("of type PREAUTHORIZATION reserves, and captures nothing by itself", () => {
    const story = begun({ type: "PREAUTHORIZATION", ...single }).answer(approval());
    expect(posted(story)).toEqual(["PA"]);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", approvedAmount: "12.34" });
    expect(view(story).capture).toBeUndefined();
  });

  test.each([
    ["declined", refusal(), { outcome: "DECLINED", reason: { code: "host-declined" } }],
    [
      "asked for its cardholder",
      softDecline,
      { outcome: "DECLINED", reason: { code: "soft-declined", advice: "other-card" } },
    ],
    [
      "refused by the gateway",
      { is: "not-booked", why: "refused", ...said } as const,
      { outcome: "FAILED", reason: { code: "gateway-refused" } },
    ],
    ["not sent", notSent, { outcome: "FAILED", reason: { code: "gateway-unreached", advice: "retry" } }],
  ])("that is %s ends so, and is not asked for again", (_what, answer, end) => {
    const story = begun().answer(answer).meets({ on: "woken" }, 3_600_000);
    expect(view(story)).toMatchObject({ state: "FINAL", ...end });
    expect(posted(story)).toEqual(["PA"]);
    expect(isSettled(story.payment)).toBe(true);
  });

  test("approved in part is given back: nobody asked for a part", () => {
    const story = begun().answer(approval(1000));
    expect(view(story)).toMatchObject({
      state: "REVERSING",
      decision: "not-approved",
      reason: { code: "partial-refused", advice: "wait" },
    });
    expect(posted(story)).toEqual(["PA", "RV"]);
  });

  test("whose reply is lost is not decided, never posted again, and adopted when a query shows it", () => {
    const story = begun().answer(silence);
    shownNothing(story, 3);
    expect(view(story)).toMatchObject({ state: "RESOLVING", reason: { code: "outcome-unknown", advice: "wait" } });
    expect(view(story).decision).toBeUndefined();
    expect(view(shows(story))).toMatchObject({ outcome: "APPROVED", approvedAmount: "12.34" });
    expect(posted(story)).toEqual(["PA", "CP"]);
  });

  test("that no query shows for the whole window ends FAILED, is looked for later, and reversed when it turns up", () => {
    const story = shownNothing(begun().answer(silence), 31);
    expect(view(story)).toMatchObject({
      state: "FINAL",
      outcome: "FAILED",
      reason: { code: "gateway-unreached", advice: "retry" },
    });
    expect(owed(story.payment).map((effect) => effect.do)).toEqual(["search"]);
    shows(story, approval(), 3_600_000);
    expect(posted(story)).toEqual(["PA", "RV"]);
    expect(view(story)).toMatchObject({ outcome: "FAILED", lateBooking: true });
  });

  test("cancelled while the gateway is at work on it is taken back when it is approved after all", () => {
    const story = begun().meets({ on: "cancel" });
    expect(view(story)).toMatchObject({
      state: "RESOLVING",
      decision: "not-approved",
      reason: { code: "register-cancelled", advice: "wait" },
    });
    expect(posted(story.answer(approval()))).toEqual(["PA", "RV"]);
    expect(view(story.answer(approval(1234, "rv-1")))).toMatchObject({ state: "FINAL", outcome: "CANCELLED" });
    expect(cancellation(begun().answer(approval()).payment)).toBe("already-final");
  });

  test("cancelled and taken back never deletes the customer's card, whatever id the gateway tells with it", () => {
    const story = begun().meets({ on: "cancel" });
    const bare = { is: "approved", id: "booking-1", amount: 1234, currency: "EUR", review: false, issuer: {} } as const;
    story.answer({ ...bare, ...said, registrationId: storedCardSale.registration });
    story.answer(approval(1234, "reversal-1")).meets({ on: "woken" }, 3_600_000);
    expect(posted(story)).toEqual(["PA", "RV"]);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "CANCELLED" });
    expect(view(story).gateway?.registrationId).toBeUndefined();
  });

  test("cancelled before its request left, too old, or found unsent by a restart, is never sent", () => {
    const unsent = (): Story => new Story({ ...storedCardSale, expiresAt: sale.at + 5_000 });
    expect(view(unsent().meets({ on: "cancel" }))).toMatchObject({
      outcome: "CANCELLED",
      reason: { code: "register-cancelled" },
    });
    expect(view(unsent().meets({ on: "woken" }, 5_000))).toMatchObject({
      outcome: "FAILED",
      reason: { code: "request-expired" },
    });
    const restarted = unsent().meets({ on: "restarted" });
    expect(view(restarted)).toMatchObject({
      outcome: "CANCELLED",
      reason: { code: "bridge-restarted", advice: "retry" },
    });
    expect(posted(restarted)).toEqual([]);
  });

  test("killed with its request on the wire goes on: what the gateway holds is adopted", () => {
    const story = begun().meets({ on: "restarted" });
    expect(view(story)).toMatchObject({ state: "RESOLVING" });
    expect(owed(story.payment)).toMatchObject([
      { do: "search", original: { merchantTransactionId: story.booking() }, urgency: "recovery" },
    ]);
    expect(view(shows(story))).toMatchObject({ outcome: "APPROVED", capture: "pending" });
  });

  test("is closed by an operator as reversed or declined, never as approved: the bridge captures what it sees", () => {
    const story = shownNothing(begun().answer(silence), 10);
    const closes = (as: "approved" | "reversed") =>
      ({ on: "resolved", as, by: "op", reason: "telephone", gatewayId: "g" }) as const;
    story.meets(closes("approved"), 1_800_000);
    expect(view(story).state).toBe("RESOLVING");
    expect(view(story.meets(closes("reversed")))).toMatchObject({
      outcome: "FAILED",
      reason: { code: "operator-reversed" },
    });
  });

  test("takes no word of a terminal", () => {
    const before = begun().facts.length;
    for (const what of [
      { on: "leased" },
      { on: "queued" },
      { on: "terminal-failed", code: "no-answer", detail: "" },
      { on: "pin" },
    ] as const)
      expect(begun().meets(what).facts.length, what.on).toBe(before);
  });
});
