import { describe, expect, test } from "vitest";
import { openOf } from "../../../src/agent/open.ts";
import { alarmsOf } from "../../../src/engine/alarms.ts";
import type { Answer, Found } from "../../../src/payment/answer.ts";
import { isOverButForLooks, isSettled, owed } from "../../../src/payment/owed.ts";
import { resolutionProblem } from "../../../src/payment/resolution.ts";
import { LATEST_SIGHT_MS } from "../../../src/payment/searched.ts";
import { followUpOf } from "../../../src/payment/totals.ts";
import { viewOf } from "../../../src/payment/view.ts";
import { approval, approved, authorizing, followUp, refusal, Story, sale, silence, softDecline, storedCardSale, stripe, tap } from "../../support/sale.ts";

/* An answer that was heard may be that to the second of two arrivals: a decline, and the first one stands. Nothing but a query would tell (arrived-twice.ts). */

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

  test.each([
    ["a decline", refusal()],
    ["the system is not available", { is: "not-booked", why: "gateway-down", id: "booking-1", resultCode: "900.100.600", description: "" } as const],
  ])("of which the very row shows booked later is taken back too: %s", (_, answer) => {
    const story = new Story(storedCardSale).meets({ on: "woken" }).answer(answer);
    story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "absent" } });
    expect(["DECLINED", "FAILED"]).toContain(view(story).outcome);
    shows(story, [["booking-1", "PA", approval(1234, "booking-1")]], WINDOW);
    story.answer(approval(1234, "reversal-1"));
    expect([later(story), view(story).lateBooking]).toEqual([["RV booking-1"], true]);
  });

  test("of a REGISTRATION whose card is stored all the same has it deleted, and tells so", () => {
    const story = declined(authorizing({ ...sale, type: "REGISTRATION", amount: 0 }), second);
    shows(story, [["reg-1", "RG", { is: "approved", id: "reg-1", resultCode: "000.100.110", description: "", review: false, issuer: {} }]], WINDOW);
    expect([later(story), view(story).lateBooking]).toEqual([["DR reg-1"], true]);
  });

  test("of a request that was never sent from here is not looked at", () => {
    const story = authorizing().answer({ is: "not-booked", why: "not-sent", resultCode: "", description: "" });
    story.meets({ on: "finished", verdict: "declined", chip: {} }).meets({ on: "released" });
    expect([view(story).outcome, isSettled(story.payment)]).toEqual(["FAILED", true]);
  });
});

describe("a refund", () => {
  const begun = (): Story => new Story({ ...followUp("LINKED_REFUND"), amount: 500 }).meets({ on: "woken" });
  const original: Found = { id: "original-1", paymentType: "CP", answer: approval(1234, "original-1") };
  const refund = (merchantTransactionId: string, id: string, answer: Answer = approval(500, id)): Found => ({
    ...{ id, merchantTransactionId, paymentType: "RF", referencedId: "original-1", answer },
  });
  const look = (story: Story, rows: readonly Found[], afterMs: number): Story =>
    story.meets({ on: "searched", merchantTransactionId: story.newest(), result: { is: "found", bookings: [original, ...rows] } }, afterMs);
  const posted = (story: Story): number => story.payment.attempts.length;

  test("of which nothing was sent on (900.100.310) is asked for again only past the window: the other arrival may be booked", () => {
    const story = begun().answer({ is: "not-booked", why: "not-sent", resultCode: "900.100.310", description: "" });
    expect([posted(story.meets({ on: "woken" }, 60_000)), view(story).state]).toEqual([1, "RESOLVING"]);
    look(story, [], 60_000);
    look(story, [], WINDOW);
    expect(posted(story.meets({ on: "woken" }, 60_000))).toBe(2);
    const adopted = begun().answer({ is: "not-booked", why: "not-sent", resultCode: "900.100.310", description: "" });
    look(adopted, [refund(adopted.booking(), "rf-1")], 60_000);
    expect([posted(adopted), view(adopted).outcome]).toEqual([1, "APPROVED"]);
  });

  test("whose earlier try shows after all was given twice: people are told, and what may still be refunded is less", () => {
    const story = begun().answer({ is: "not-booked", why: "gateway-down", id: "rf-1", resultCode: "900.100.600", description: "" });
    look(story, [], 60_000);
    look(story, [], WINDOW);
    story.meets({ on: "woken" }, 60_000).answer(approval(500, "rf-2")).meets({ on: "original-told" });
    expect([posted(story), view(story).outcome, followUpOf(story.payment).amount]).toEqual([2, "APPROVED", 500]);
    const before = story.payment;
    look(story, [refund(story.booking(), "rf-1"), refund(story.newest(), "rf-2")], WINDOW);
    expect(alarms(story, before)).toEqual(["a customer was given the money of one refund twice"]);
    expect([posted(story), openOf(story.payment)?.owed, followUpOf(story.payment).amount]).toEqual([2, "a word on money that a customer got twice", 1000]);
    expect(owed(story.payment).map((one) => one.do)).toContain("tell-originals");
  });

  test("whose earlier try shows after all, and whose next one was refused, was given once: it is told as late, and not asked for again", () => {
    const story = begun().answer({ is: "not-booked", why: "gateway-down", id: "rf-1", resultCode: "900.100.600", description: "" });
    look(story, [], 60_000);
    look(story, [], WINDOW);
    story.meets({ on: "woken" }, 60_000).answer(second).meets({ on: "original-told" });
    const before = story.payment;
    look(story, [refund(story.booking(), "rf-1")], WINDOW);
    expect(alarms(story, before)).toEqual(["a customer was given money after all by a refund that is not approved"]);
    expect(view(story)).toMatchObject({
      outcome: "DECLINED",
      lateBooking: true,
      reason: { advice: "call-support", message: expect.stringContaining("do not ask for it again") },
    });
  });

  test.each([
    ["declined", second],
    ["approved", approval(500, "booking-2")],
  ])("that was %s, and beside which the gateway decides another one yet, is not said to be given", (_, answer) => {
    const story = begun().answer(answer).meets({ on: "original-told" });
    const before = story.payment;
    look(story, [refund(story.booking(), "rf-1", { is: "pending", id: "rf-1", resultCode: "000.200.000", description: "" })], WINDOW);
    expect(alarms(story, before)).toEqual(["the gateway has not decided whether a customer gets the money of one refund twice, or after all"]);
    expect([openOf(story.payment)?.owed, view(story).lateBooking]).toEqual(["word of whether a customer got money twice, or late", undefined]);
    if (answer === second) expect(view(story).reason?.advice).toBe("call-support");
    expect(resolutionProblem(story.payment, story.now, "reversed")).toBeDefined();
    expect(resolutionProblem(story.payment, story.now + WINDOW, "reversed")).toBeUndefined();
    const pending = story.payment;
    look(story, [refund(story.booking(), "rf-1")], HOUR);
    expect(alarms(story, pending)).toEqual([expect.stringContaining("was given")]);
  });

  test("that was declined and stands counts for what may be refunded and voided of its original", () => {
    const story = begun().answer(second).meets({ on: "original-told" });
    expect(followUpOf(story.payment)).toMatchObject({ outcome: "DECLINED", amount: 0 });
    look(story, [refund(story.booking(), "rf-1")], WINDOW);
    expect([followUpOf(story.payment), owed(story.payment)[0]?.do]).toMatchObject([{ outcome: "APPROVED", amount: 500 }, "tell-originals"]);
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

describe("what a person has said of its capture", () => {
  test("does not end the look for the sale's own second booking, which he need not have seen", () => {
    const story = swiped().answer(approval()).meets({ on: "finished", verdict: "approved", chip: {} }).meets({ on: "released" });
    story.answer({ is: "not-booked", why: "refused", resultCode: "700.300.100", description: "" });
    story.meets({ on: "resolved", as: "approved", by: "op", reason: "captured by hand", gatewayId: "hand" }, 60_000);
    expect([view(story).capture, isOverButForLooks(story.payment), isSettled(story.payment)]).toEqual(["captured", true, false]);
    shows(
      story,
      ["booking-1", "booking-2"].map((id) => [id, "PA", approval(1234, id)] as const),
      WINDOW,
    );
    expect([later(story).at(-1), view(story).outcome]).toEqual(["RV booking-2", "APPROVED"]);
    story.answer(approval(1234, "reversal-2"));
    shows(story, [["booking-1", "PA", approval()]], LATEST_SIGHT_MS);
    // Nor for the capture that was refused, which may have arrived twice as well.
    const [, capture] = story.payment.attempts;
    const bookings = [{ id: "booking-1", merchantTransactionId: story.booking(), paymentType: "PA", answer: approval() }];
    const name = capture?.operation.merchantTransactionId ?? "";
    expect(isSettled(story.meets({ on: "searched", merchantTransactionId: name, result: { is: "found", bookings } }).payment)).toBe(true);
  });
});

describe("what was done by hand under the payment's own name", () => {
  const captured = (story: Story): Found => ({
    id: "hand",
    merchantTransactionId: story.booking(),
    referencedId: "booking-1",
    paymentType: "CP",
    answer: approval(1234, "hand"),
  });
  const looked = (story: Story, rows: readonly Found[], afterMs: number): Story =>
    story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "found", bookings: rows } }, afterMs);

  test("is not taken back as a second booking, whether or not a person has named it", () => {
    const reserved = new Story({ ...storedCardSale, type: "PREAUTHORIZATION" }).meets({ on: "woken" }).answer(approval());
    looked(reserved, [{ ...captured(reserved), id: "booking-1", paymentType: "PA", answer: approval() }, captured(reserved)].map(unreferenced), WINDOW);
    expect(later(reserved)).toEqual([]);
    const sold = new Story(storedCardSale)
      .meets({ on: "woken" })
      .answer(approval())
      .answer({ is: "not-booked", why: "refused", resultCode: "700.300.100", description: "" });
    sold.meets({ on: "resolved", as: "approved", by: "op", reason: "captured by hand", gatewayId: "hand" }, 60_000);
    looked(sold, [{ ...captured(sold), referencedId: undefined }], WINDOW);
    expect([later(sold), view(sold).capture]).toEqual([["CP booking-1"], "captured"]);
  });

  const unreferenced = ({ referencedId, ...row }: Found): Found =>
    row.paymentType === "PA" ? row : { ...row, ...(referencedId !== undefined && { referencedId }) };
});

test("no word ends the reversal of a second booking that has only just begun", () => {
  const story = new Story(storedCardSale).meets({ on: "woken" }).answer(silence);
  story.meets({ on: "woken" }, WINDOW);
  shows(story, [["db-1", "DB", approval(1234, "db-1")]], 60_000);
  expect([later(story), view(story).state]).toEqual([["RV db-1"], "RESOLVING"]);
  for (const as of ["declined", "reversed"] as const) expect(resolutionProblem(story.payment, story.now, as)).toContain("taking that back");
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

  test("ends after twelve answered ones where the bridge never runs for a day", () => {
    const story = declined(authorizing(), refusal());
    let days = 0;
    for (; !isSettled(story.payment) && days < 100; days += 1) {
      story.meets({ on: "restarted" }, 19 * HOUR);
      shows(story, [["booking-1", "PA", refusal()]], HOUR);
    }
    expect([days, isSettled(story.payment)]).toEqual([12, true]);
  });

  test("is not used up by queries that are made for another reason", () => {
    const story = declined(authorizing(), refusal());
    for (let looks = 0; looks < 30; looks += 1) shows(story, [["booking-1", "PA", refusal()]], WINDOW / 2);
    expect(owed(story.payment).map((one) => one.do)).toEqual(["search"]);
    expect(isSettled(shows(story, [["booking-1", "PA", refusal()]], LATEST_SIGHT_MS).payment)).toBe(true);
  });

  test("and that of an approval which no query ever shows is given up likewise", () => {
    const story = new Story({ ...storedCardSale, type: "PREAUTHORIZATION" }).meets({ on: "woken" }).answer(approval());
    const empty = { on: "searched", merchantTransactionId: story.booking(), result: { is: "absent" } } as const;
    expect(isSettled(story.meets(empty, WINDOW).meets(empty, 48 * HOUR).payment)).toBe(false);
    expect([isSettled(story.meets(empty, 24 * HOUR).payment), view(story).outcome]).toEqual([true, "APPROVED"]);
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
