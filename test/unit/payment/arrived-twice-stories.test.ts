import { describe, expect, test } from "vitest";
import type { Answer, Found } from "../../../src/payment/answer.ts";
import { isOverButForLooks, isSettled, owed } from "../../../src/payment/owed.ts";
import { LATEST_SIGHT_MS } from "../../../src/payment/searched.ts";
import { viewOf } from "../../../src/payment/view.ts";
import { approval, approved, authorizing, followUp, refusal, Story, sale, silence, storedCardSale } from "../../support/sale.ts";

/* A request may arrive twice, on a gateway that takes either one for a request of its own (gateway-facts 2.3): what is told of the second says little about the first. */

const HOUR = 3_600_000;
const WINDOW = sale.rules.unknownWindowMs;
const said = { resultCode: "900.100.300", description: "" };
const view = (story: Story) => viewOf(story.payment);
const types = (story: Story): readonly string[] => story.payment.attempts.map(({ operation }) => operation.paymentType);
const does = (story: Story): readonly string[] => owed(story.payment).map((effect) => effect.do);
const euros = (id: string): Answer => ({ ...approval(1234, id), ...({ currency: "EUR" } as const) });
/** The card was told that nobody answered; the booking is still to be found. */
const resolving = (): Story => authorizing().answer(silence, 45_000).meets({ on: "woken" }, 11_000).meets({ on: "finished", verdict: "declined", chip: {} });
const later = (story: Story): readonly string[] => story.payment.attempts.slice(1).map(({ operation }) => `${operation.paymentType} ${operation.referencedId}`);

function own(story: Story, answer: Answer, changes: Partial<Found> = {}): Found {
  return { id: "booking-1", merchantTransactionId: story.booking(), paymentType: "PA", answer, ...changes };
}

function look(story: Story, bookings: readonly Found[], afterMs = 1_000): Story {
  return story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "found", bookings } }, afterMs);
}

describe("a request that arrived twice", () => {
  const twin: Answer = { is: "duplicate", id: "booking-2", ...said, resultCode: "800.120.402" };

  test("is not called unbooked because of the refused one's row: the first may show yet, and is taken back", () => {
    const story = authorizing().answer(twin, 1_000);
    look(story, [own(story, twin, { id: "booking-2" })], 100);
    expect(story.payment.terminal.at).toBe("holding");
    story.meets({ on: "woken" }, 56_000).meets({ on: "finished", verdict: "declined", chip: {} });
    expect(view(story)).toMatchObject({ state: "RESOLVING", reason: { code: "outcome-unknown", advice: "wait" } });
    look(story, [own(story, twin, { id: "booking-2" }), own(story, approval())]);
    expect(types(story)).toEqual(["PA", "RV"]);
  });

  test("was not booked where only that row shows for the whole window", () => {
    const story = resolving();
    look(story, [own(story, twin, { id: "booking-2" })]);
    expect(view(story).state).toBe("RESOLVING");
    look(story, [own(story, twin, { id: "booking-2" })], WINDOW);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED" });
    expect(does(story)).toContain("search");
  });

  const rows: readonly (readonly [string, Answer])[] = [
    ["taken for a purchase made twice", { is: "duplicate", id: "booking-2", ...said, resultCode: "800.110.100" }],
    ["throttled", { is: "throttled", id: "booking-2", ...said, resultCode: "800.120.100" }],
  ];
  test.each(rows)("is not unbooked either where the second one was %s", (_, row) => {
    const story = resolving();
    look(story, [own(story, row, { id: "booking-2" })]);
    expect(view(story).state).toBe("RESOLVING");
    look(story, [own(story, row, { id: "booking-2" })], WINDOW);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED" });
    look(story, [own(story, row, { id: "booking-2" }), own(story, approval())]);
    expect(types(story)).toEqual(["PA", "RV"]);
  });

  test("and whose second one found no acquirer has failed, is looked at once more, and is taken back where it shows then", () => {
    const story = resolving();
    const row: Answer = { is: "not-booked", why: "gateway-down", id: "booking-2", ...said, resultCode: "900.100.600" };
    look(story, [own(story, row, { id: "booking-2" })]);
    expect([view(story).state, does(story)]).toEqual(["FINAL", ["release", "search"]]);
    look(story, [own(story, row, { id: "booking-2" }), own(story, approval())], WINDOW);
    expect(types(story)).toEqual(["PA", "RV"]);
  });
});

describe("what a query told of a request whose answer was lost", () => {
  const lost = (): Story => authorizing().answer(silence, 45_000).meets({ on: "released" });
  const reserved = (story: Story, id: string): Found => own(story, euros(id), { id });
  const mayNotBeAll: readonly (readonly [string, (story: Story) => Found])[] = [
    ["approved", (story) => reserved(story, "booking-1")],
    ["declined", (story) => own(story, refusal())],
    ["already given as a purchase to another name", (story) => own(story, { is: "not-booked", why: "refused", ...said, resultCode: "200.300.404" })],
  ];

  test.each(mayNotBeAll)("is looked at once more when the gateway shows whatever it booked: %s", (_, first) => {
    const story = lost();
    look(story, [first(story)]);
    story.meets({ on: "woken" }, 60_000).answer(euros("reversal-1"));
    const before = later(story);
    expect(view(story).state).toBe("FINAL");
    expect(owed(story.payment)).toMatchObject([{ do: "search", urgency: "precaution" }]);
    look(story, [first(story), reserved(story, "booking-2")], WINDOW);
    expect(later(story)).toEqual([...before, "RV booking-2"]);
    story.answer(euros("reversal-2"));
    expect([isSettled(story.payment), isOverButForLooks(story.payment)]).toEqual([false, true]);
    expect(isSettled(look(story, [first(story)], LATEST_SIGHT_MS).payment)).toBe(true);
  });

  test.each(mayNotBeAll)("is looked at when the gateway shows all at the latest, which may show a booking for a day only to itself: %s", (_, first) => {
    const story = lost();
    look(story, [first(story)]);
    story.meets({ on: "woken" }, 60_000).answer(euros("reversal-1"));
    const before = later(story);
    look(story, [first(story)], WINDOW);
    expect([later(story), isSettled(story.payment), isOverButForLooks(story.payment)]).toEqual([before, false, true]);
    look(story, [first(story), reserved(story, "booking-2")], LATEST_SIGHT_MS);
    expect(later(story)).toEqual([...before, "RV booking-2"]);
    expect(isSettled(story.answer(euros("reversal-2")).payment)).toBe(true);
  });

  test("is left alone once a query a day later shows no more of it, or nothing at all, however often the bridge was restarted meanwhile", () => {
    const known = lost();
    look(known, [own(known, refusal())]);
    expect(isSettled(look(known, [own(known, refusal())], WINDOW).payment)).toBe(false);
    const day = (): boolean => {
      known.meets({ on: "restarted" }, 14 * HOUR);
      expect(owed(known.payment).map((one) => one.do === "search" && one.at <= known.now)).toEqual([true]);
      look(known, [own(known, refusal())], 60_000);
      return isSettled(look(known, [own(known, refusal())], 6 * HOUR).payment);
    };
    // What went by while it was off nobody knows: of each day the six hours count in which it was looked at.
    expect([day(), day(), day(), day(), day()]).toEqual([false, false, false, false, true]);
    const down = new Story(storedCardSale).meets({ on: "woken" }).answer({ is: "not-booked", why: "gateway-down", resultCode: "900.100.400", description: "" });
    const empty = { on: "searched", merchantTransactionId: down.booking(), result: { is: "absent" } } as const;
    down.meets(empty);
    expect([view(down).state, isSettled(down.payment)]).toEqual(["FINAL", false]);
    expect(isSettled(down.meets(empty, WINDOW).payment)).toBe(false);
    expect(isSettled(down.meets(empty, LATEST_SIGHT_MS).payment)).toBe(true);
  });
});

describe("of two arrivals the one that the gateway took back by itself (900.100.301)", () => {
  const itself: Answer = { is: "auto-reversed", id: "timed-out", ...said };
  const TYPES = { CAPTURE: "CP", LINKED_REFUND: "RF" } as const;
  type Kind = keyof typeof TYPES;

  const begun = (type: Kind): Story => new Story(followUp(type)).meets({ on: "woken" }).answer(itself);
  function rows(story: Story, type: Kind, ...ids: readonly string[]): readonly Found[] {
    const original: Found = { id: "original-1", paymentType: type === "CAPTURE" ? "PA" : "CP", answer: euros("original-1") };
    const booked = ids.map((id): Found => own(story, euros(id), { id, referencedId: "original-1", paymentType: TYPES[type] }));
    return [original, ...booked, { id: "rv-1", referencedId: "timed-out", paymentType: "RV", answer: euros("rv-1") }];
  }

  test.each(["CAPTURE", "LINKED_REFUND"] as const)("leaves the other one, which is the payment's: %s", (type) => {
    const story = begun(type);
    look(story, rows(story, type, "timed-out", "other"));
    expect(view(story)).toMatchObject({ outcome: "APPROVED", gateway: { id: "other" } });
    expect(types(story)).toEqual([TYPES[type]]);
  });

  test.each([
    ["CAPTURE", ["RV other"]],
    ["LINKED_REFUND", []],
  ] as const)("ends it, and the other one is looked for once more, also over a restart: %s", (type, taken) => {
    const story = begun(type);
    look(story, rows(story, type, "timed-out"));
    expect(view(story)).toMatchObject({ outcome: "FAILED" });
    story.meets({ on: "restarted" });
    expect(does(story)).toContain("search");
    look(story, rows(story, type, "timed-out", "other"), WINDOW);
    expect([later(story), view(story).lateBooking]).toEqual([taken, true]);
    if (type === "LINKED_REFUND") expect(view(story).reason?.advice).toBe("call-support");
  });
});

test("a second booking is not taken back as long as a request is on the wire, which may be answered with that very one", () => {
  const story = approved();
  look(story, [own(story, approval()), own(story, approval(1234, "booking-2"), { id: "booking-2" })]);
  expect(types(story)).toEqual(["PA", "CP"]);
  expect(types(story.answer(approval(1234, "cp-1")))).toEqual(["PA", "CP", "RV"]);
});
