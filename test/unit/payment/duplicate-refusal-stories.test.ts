import { describe, expect, test } from "vitest";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import { owed } from "../../../src/payment/machine/owed.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import { approval, approved, authorizing, followUp, Story, sale, silence } from "../../support/sale.ts";

/*
 * A request may arrive twice, on a gateway that takes either one for a request of its own (gateway-facts 2.3): what is
 * told of the second says little about the first.
 */

const WINDOW = sale.rules.unknownWindowMs;
const said = { resultCode: "900.100.300", description: "" };
const view = (story: Story) => viewOf(story.payment);
const types = (story: Story): readonly string[] => story.payment.attempts.map(({ operation }) => operation.paymentType);
const does = (story: Story): readonly string[] => owed(story.payment).map((effect) => effect.do);
const euros = (id: string): Answer => ({ ...approval(1234, id), ...({ currency: "EUR" } as const) });
/** The card was told that nobody answered; the booking is still to be found. */
const resolving = (): Story =>
  authorizing()
    .answer(silence, 45_000)
    .meets({ on: "woken" }, 11_000)
    .meets({ on: "finished", verdict: "declined", chip: {} });

function own(story: Story, answer: Answer, changes: Partial<Found> = {}): Found {
  return { id: "booking-1", merchantTransactionId: story.booking(), paymentType: "PA", answer, ...changes };
}

function look(story: Story, bookings: readonly Found[], afterMs = 1_000): Story {
  return story.meets(
    { on: "searched", merchantTransactionId: story.booking(), result: { is: "found", bookings } },
    afterMs,
  );
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
});

describe("of two arrivals the one that the gateway took back by itself (900.100.301)", () => {
  const itself: Answer = { is: "auto-reversed", id: "timed-out", ...said };
  const TYPES = { CAPTURE: "CP", LINKED_REFUND: "RF" } as const;
  type Kind = keyof typeof TYPES;

  const begun = (type: Kind): Story => new Story(followUp(type)).meets({ on: "woken" }).answer(itself);
  function rows(story: Story, type: Kind, ...ids: readonly string[]): readonly Found[] {
    const original: Found = {
      id: "original-1",
      paymentType: type === "CAPTURE" ? "PA" : "CP",
      answer: euros("original-1"),
    };
    const booked = ids.map(
      (id): Found => own(story, euros(id), { id, referencedId: "original-1", paymentType: TYPES[type] }),
    );
    return [original, ...booked, { id: "rv-1", referencedId: "timed-out", paymentType: "RV", answer: euros("rv-1") }];
  }

  test.each(["CAPTURE", "LINKED_REFUND"] as const)("leaves the other one, which is the payment's: %s", (type) => {
    const story = begun(type);
    look(story, rows(story, type, "timed-out", "other"));
    expect(view(story)).toMatchObject({ outcome: "APPROVED", gateway: { id: "other" } });
    expect(types(story)).toEqual([TYPES[type]]);
  });
});

test("a second booking is not taken back as long as a request is on the wire, which may be answered with that very one", () => {
  const story = approved();
  look(story, [own(story, approval()), own(story, approval(1234, "booking-2"), { id: "booking-2" })]);
  expect(types(story)).toEqual(["PA", "CP"]);
  expect(types(story.answer(approval(1234, "cp-1")))).toEqual(["PA", "CP", "RV"]);
});

test("a query whose turn never came, as earlier versions wrote it, changes nothing", () => {
  const story = resolving();
  const before = story.payment.attempts;
  story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "not-asked" } });
  expect(story.payment.attempts).toEqual(before);
  expect(owed(story.payment).map((one) => one.do)).toContain("search");
});
