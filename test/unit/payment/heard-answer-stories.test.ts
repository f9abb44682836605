import { describe, expect, test } from "vitest";
import { openOf } from "../../../src/agent-open.ts";
import { alarmsOf } from "../../../src/engine/alarms.ts";
import type { Answer, Found } from "../../../src/payment/answer.ts";
import { isOverButForLooks, isSettled, owed } from "../../../src/payment/owed.ts";
import { resolutionProblem } from "../../../src/payment/resolution.ts";
import { LATEST_SIGHT_MS } from "../../../src/payment/searched.ts";
import { viewOf } from "../../../src/payment/view.ts";
import { approval, approved, authorizing, followUp, refusal, Story, sale, silence, softDecline, storedCardSale, stripe, tap } from "../../support/sale.ts";

/* An answer that was heard may be that to the second of two arrivals: a decline, and the first one stands. Nothing but a query would tell (second-take-back.ts). */

const HOUR = 3_600_000;
const WINDOW = sale.rules.unknownWindowMs;
const view = (story: Story) => viewOf(story.payment);
/** To the second of two arrivals. */
const second: Answer = { ...refusal(), ...{ id: "booking-2" } };
const later = (story: Story): readonly string[] => story.payment.attempts.slice(1).map(({ operation }) => `${operation.paymentType} ${operation.referencedId}`);
const alarms = (story: Story, before: Story["payment"]) => alarmsOf(before, story.payment).map(({ what }) => what);

function shows(story: Story, rows: readonly (readonly [id: string, type: string, answer: Answer])[], afterMs: number): Story {
  const merchantTransactionId = story.booking();
  const bookings = rows.map(([id, paymentType, answer]): Found => ({ id, merchantTransactionId, paymentType, answer }));
  return story.meets({ on: "searched", merchantTransactionId, result: { is: "found", bookings } }, afterMs);
}

/** The terminal was told of the end, and is back. */
const declined = (story: Story, answer: Answer): Story =>
  story.answer(answer).meets({ on: "finished", verdict: "declined", chip: {} }).meets({ on: "released" });
const swiped = (): Story => new Story(sale).meets({ on: "leased" }).meets({ on: "card", card: stripe });
const tapped = (): Story => new Story(sale).meets({ on: "leased" }).meets({ on: "card", card: tap });

describe("a decline", () => {
  const cases: readonly (readonly [string, () => Story])[] = [
    ["of a chip", () => declined(authorizing(), second)],
    ["of a tap that may not be repeated", () => declined(tapped(), { ...softDecline, id: "booking-2" })],
    ["of a stripe", () => declined(swiped(), second)],
    ["of a stored card", () => new Story(storedCardSale).meets({ on: "woken" }).answer(second)],
  ];

  test.each(cases)("%s is told at once, and what stands beside it is found past the window, taken back and told", (_, story) => {
    const told = story();
    expect([view(told).outcome, view(told).lateBooking, isOverButForLooks(told.payment)]).toEqual(["DECLINED", undefined, true]);
    expect(owed(told.payment)).toMatchObject([{ do: "search", urgency: "precaution", until: expect.any(Number) }]);
    const before = told.payment;
    shows(
      told,
      [
        ["booking-2", "PA", second],
        ["booking-1", "PA", approval(1234, "booking-1")],
      ],
      WINDOW,
    );
    expect([later(told), openOf(told.payment)?.owed]).toEqual([["RV booking-1"], "the reversal of a second booking"]);
    expect(alarms(told, before)).toEqual(["the gateway holds a booking of a payment that is not approved"]);
    told.answer(approval(1234, "reversal-1"));
    expect(view(told)).toMatchObject({ state: "FINAL", outcome: "DECLINED", lateBooking: true });
    expect(isSettled(shows(told, [["booking-2", "PA", second]], LATEST_SIGHT_MS).payment)).toBe(true);
  });

  test("beside which nothing stands is left alone once all would show", () => {
    const story = declined(authorizing(), refusal());
    shows(story, [["booking-1", "PA", refusal()]], WINDOW);
    expect([isSettled(story.payment), isOverButForLooks(story.payment)]).toEqual([false, true]);
    shows(story, [["booking-1", "PA", refusal()]], LATEST_SIGHT_MS);
    expect([isSettled(story.payment), view(story).lateBooking]).toEqual([true, undefined]);
  });

  test("of a refund that stands after all is for people, and no register asks for it again", () => {
    const story = new Story({ ...followUp("LINKED_REFUND"), amount: 500 }).meets({ on: "woken" }).answer(second).meets({ on: "original-told" });
    expect(view(story).outcome).toBe("DECLINED");
    const before = story.payment;
    shows(story, [["booking-1", "RF", approval(500, "booking-1")]], WINDOW);
    expect([later(story), view(story).lateBooking, view(story).reason?.advice]).toEqual([[], true, "call-support"]);
    expect(openOf(story.payment)?.owed).toBe("a word on money that a customer got late");
    expect(alarms(story, before)).toEqual(["a customer was given money after all by a refund that is not approved"]);
    expect(resolutionProblem(story.payment, story.now, "reversed")).toBeUndefined();
  });

  test("of a request that certainly never left is not looked at", () => {
    const story = authorizing().answer({ is: "not-booked", why: "not-sent", resultCode: "", description: "" });
    story.meets({ on: "finished", verdict: "declined", chip: {} }).meets({ on: "released" });
    expect([view(story).outcome, isSettled(story.payment)]).toEqual(["FAILED", true]);
  });
});

describe("an approval", () => {
  const settle = (story: Story): Story => story.answer(approval(1234, "capture-1")).meets({ on: "released" });

  test("that a chip's cryptogram was for is the only one: an issuer takes none twice", () => {
    expect(isSettled(settle(approved()).payment)).toBe(true);
  });

  test.each([
    ["of a stripe", () => swiped().answer(approval()).meets({ on: "finished", verdict: "approved", chip: {} })],
    ["of a stored card", () => new Story(storedCardSale).meets({ on: "woken" }).answer(approval())],
  ])("%s is looked at, and a second one taken back", (_, story) => {
    const told = settle(story());
    expect([view(told).outcome, isOverButForLooks(told.payment)]).toEqual(["APPROVED", true]);
    shows(
      told,
      ["booking-1", "booking-2"].map((id) => [id, "PA", approval(1234, id)] as const),
      WINDOW,
    );
    expect([later(told).at(-1), view(told).lateBooking]).toEqual(["RV booking-2", undefined]);
  });
});

describe("a look whose turn never comes", () => {
  test("is waited for no longer than three days, so that nothing piles up", () => {
    const story = declined(authorizing(), refusal());
    const [look] = owed(story.payment);
    expect(look).toMatchObject({ do: "search", at: expect.any(Number) });
    expect(look?.do === "search" && look.until).toBe((story.payment.attempts[0]?.since ?? 0) + 72 * HOUR);
    story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "not-asked" } }, 72 * HOUR);
    expect(isSettled(story.payment)).toBe(true);
  });

  test("is waited for where a query was asked and not answered: a gateway that is away for days comes back", () => {
    const story = declined(authorizing(), refusal());
    story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "no-answer", description: "" } }, WINDOW);
    expect(owed(story.payment)).toEqual([expect.not.objectContaining({ until: expect.anything() })]);
  });

  test("is waited for however long where something is in doubt, also after a person's word", () => {
    const story = new Story(storedCardSale).meets({ on: "woken" }).answer(silence);
    const patient = [expect.not.objectContaining({ until: expect.anything() })];
    expect(owed(story.payment)).toEqual(patient);
    story.meets({ on: "woken" }, WINDOW).meets({ on: "resolved", as: "declined", by: "op", reason: "not in the back office" });
    expect([view(story).state, owed(story.payment)]).toEqual(["FINAL", patient]);
  });
});
