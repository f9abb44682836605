import { describe, expect, it } from "vitest";
import { listedOpen, looksWaiting, openNow, openOf } from "../../../src/agent/open.ts";
import { isoTime } from "../../../src/kit/clock.ts";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import { openCounter, startRequest, till } from "../../support/counter.ts";
import { approval, authorizing, linkMade, linkSale, Story, sale, silence, storedCardSale } from "../../support/sale.ts";

const WINDOW = sale.rules.unknownWindowMs;
const MINUTE = 60_000;
const refused: Answer = { is: "not-booked", why: "refused", resultCode: "200.300.404", description: "" };
const told = ({ payment }: Story) => [openOf(payment)?.owed, listedOpen(payment)];

function shows(story: Story, paymentType: "PA" | "DB", ids: readonly string[], afterMs = MINUTE): Story {
  const merchantTransactionId = story.booking();
  const bookings = ids.map((id): Found => ({ id, merchantTransactionId, paymentType, answer: approval(1234, id) }));
  return story.meets({ on: "searched", merchantTransactionId, result: { is: "found", bookings } }, afterMs);
}

const linkPaid = (): Story =>
  new Story(linkSale)
    .meets({ on: "woken" })
    .answer(linkMade)
    .meets({ on: "link-seen", sight: { is: "paid", transactionId: "db-1" } }, 10_000);

describe("people are told of a payment", () => {
  it("that somebody waits for, since it was accepted, and what to do", () => {
    const { payment } = authorizing(sale);
    expect(openOf(payment)).toMatchObject({
      state: "AUTHORIZING",
      owed: "the gateway's answer",
      since: isoTime(sale.at),
    });
    expect(listedOpen(payment)).toEqual({ owed: "the gateway's answer", mend: expect.stringMatching(/gateway/) });
  });

  it("by a link only from when it should have been paid", () => {
    const { payment } = new Story(linkSale).meets({ on: "woken" }).answer(linkMade);
    expect(openOf(payment)?.since).toBe(isoTime(linkSale.at + 10 * MINUTE));
  });

  it("by a link that is paid after two days from when it was paid, whether or not that is booked or taken back", () => {
    const days = 2 * 24 * 60 * MINUTE;
    const waiting = (): Story =>
      new Story({ ...linkSale, link: { until: linkSale.at + 2 * days } }).meets({ on: "woken" }).answer(linkMade);
    const sight = { is: "paid", transactionId: "db-1" } as const;
    const paid = waiting().meets({ on: "link-seen", sight }, days);
    const since = isoTime(paid.now);
    expect(openOf(paid.payment)).toMatchObject({ state: "AUTHORIZING", since });
    expect(openOf(shows(paid, "DB", ["db-1", "db-2"]).payment)).toMatchObject({ state: "FINAL", since });
    const cancelled = shows(waiting().meets({ on: "cancel" }), "DB", ["db-1"], days);
    expect(openOf(cancelled.payment)).toMatchObject({ state: "REVERSING", since: isoTime(cancelled.now) });
  });

  it("of which the gateway holds a second booking", () => {
    expect(told(shows(linkPaid(), "DB", ["db-1", "db-2"]))).toEqual([
      "the reversal of a second booking",
      { owed: "the reversal of a second booking", mend: expect.anything() },
    ]);
  });

  it("of which something was booked after a person had closed it", () => {
    const story = new Story(storedCardSale).meets({ on: "woken" }).answer(silence);
    story
      .meets({ on: "woken" }, WINDOW)
      .meets({ on: "resolved", as: "declined", by: "op", reason: "not in the back office" });
    expect(told(story)).toEqual([undefined, undefined]);
    shows(story, "PA", ["pa-1"], 25 * 60 * MINUTE);
    const owed = "a word on what was done at the gateway after it had been closed";
    expect(told(story)).toEqual([owed, { owed, mend: expect.stringMatching(/resolve/) }]);
  });
});

describe("nobody is alarmed by a payment", () => {
  it("of a link, while it is looked once more whether the customer paid twice, and the list says so; after that it is in no list", () => {
    const story = shows(linkPaid(), "DB", ["db-1"]);
    expect(told(story)).toEqual([
      undefined,
      { owed: "nothing; it is looked once more whether the customer paid twice" },
    ]);
    expect(told(shows(story, "DB", ["db-1"], WINDOW))).toEqual([undefined, undefined]);
  });

  it("that came to nothing, while late bookings are looked for, and the list says so", () => {
    const story = new Story(storedCardSale).meets({ on: "woken" }).answer(silence);
    const empty = { on: "searched", merchantTransactionId: story.booking(), result: { is: "absent" } } as const;
    story.meets(empty, MINUTE).meets(empty, WINDOW);
    expect(told(story)).toEqual([
      undefined,
      { owed: "nothing; late bookings are looked for until three days have passed" },
    ]);
  });

  it("that a person has closed, whatever its capture came to", () => {
    const story = new Story(storedCardSale).meets({ on: "woken" }).answer(approval(1234, "pa-1")).answer(refused);
    expect(told(story)).toEqual([
      "the capture, which the gateway refuses",
      { owed: "the capture, which the gateway refuses", mend: expect.stringMatching(/resolve/) },
    ]);
    story.meets({ on: "resolved", as: "declined", by: "op", reason: "not captured" });
    expect(told(story)).toEqual([undefined, undefined]);
  });

  it("of which a late look is due or will be, which the figures tell, and of which something is in doubt is none of those", () => {
    const lost = new Story(storedCardSale).meets({ on: "woken" }).answer(silence);
    const waiting = ({ payment }: Story, now: number) =>
      looksWaiting({ active: () => [payment], find: () => ({ now: () => now }) });
    expect(waiting(lost, lost.now + WINDOW)).toEqual([]);
    const empty = { on: "searched", merchantTransactionId: lost.booking(), result: { is: "absent" } } as const;
    lost.meets(empty, MINUTE).meets(empty, WINDOW);
    expect(waiting(lost, lost.now + 60 * MINUTE - 1)).toEqual([]);
    expect(waiting(lost, lost.now + 61 * MINUTE)).toEqual([MINUTE]);
  });

  it("of whose request a query told, while it is looked at once more", () => {
    const story = new Story(storedCardSale).meets({ on: "woken" }).answer(silence);
    shows(story, "PA", ["pa-1"]).answer(approval(1234, "cp-1"));
    expect(told(story)).toEqual([undefined, undefined]);
  });
});

it("late looks that wait are told although the wall clock was put back", async () => {
  const counter = openCounter({ answer: () => silence, search: () => ({ is: "absent" }) });
  for (const reference of ["C-1", "C-2", "C-3", "C-4", "C-5", "C-6"]) {
    const content = {
      reference,
      type: "SALE" as const,
      registration: "card1",
      currency: "EUR",
      amount: 1234,
      parameters: {},
      fingerprint: reference,
    };
    void counter.payments.charge(till, content);
    await counter.clock.advance(1_000);
  }
  await counter.clock.advance(2 * WINDOW);
  counter.clock.setWall(counter.clock.now() - 365 * 24 * 60 * MINUTE);
  const waiting: number[] = [];
  for (let minute = 0; minute < 2 * 60 && waiting.length === 0; minute += 1) {
    // Other shops of the entity have the gateway throttle it.
    for (let third = 0; third < 3; third += 1) {
      counter.engine.budget.throttled(sale.channel.entityId);
      await counter.clock.advance(MINUTE / 3);
    }
    waiting.push(...looksWaiting(counter.engine));
  }
  expect(waiting.length).toBeGreaterThan(0);
  for (const one of waiting) expect(one).toBeLessThan(10 * MINUTE);
});

it("payments that are open are told for as long as they have been although the wall clock was put back", async () => {
  const counter = openCounter({ answer: () => silence });
  void counter.payments.start(till, startRequest("R-1"));
  await counter.clock.advance(2 * MINUTE);
  counter.clock.setWall(counter.clock.now() - 365 * 24 * 60 * MINUTE);
  await counter.clock.advance(4 * MINUTE);
  const [open, ...others] = openNow(counter.engine, { reaches: () => true });
  expect([Math.round((open?.openMs ?? 0) / MINUTE), others]).toEqual([6, []]);
});
