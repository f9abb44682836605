import { describe, expect, test } from "vitest";
import { createHints, type HintedPayment } from "../../../src/engine/gateway/webhook-hints.ts";
import type { Found, SearchResult } from "../../../src/payment/fact/answer.ts";
import { begin } from "../../../src/payment/state/payment.ts";
import { openCounter, startRequest, till } from "../../support/counter.ts";
import { approval, linkMade, sale, silence } from "../../support/sale.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A sale whose request is never answered, at a gateway that knows nothing of it until it is told to. */
function unanswered() {
  const searchedAt: number[] = [];
  let known = false;
  const result = (): SearchResult => {
    const [sale] = counter.posted;
    if (!known || sale === undefined) return { is: "absent" };
    const { merchantTransactionId, paymentType } = sale.operation;
    return { is: "found", bookings: [{ id: "booking-1", paymentType, merchantTransactionId, answer: approval() }] };
  };
  const counter = openCounter({
    answer: ({ operation }) =>
      operation.paymentType === "PA" ? silence : approval(1234, `answer-to-${operation.paymentType}`),
    search: () => {
      // The answer takes 20 ms.
      searchedAt.push(counter.clock.monotonic() - 20);
      return result();
    },
  });
  void counter.payments.start(till, startRequest("R-1"));
  const show = (): void => {
    known = true;
  };
  const named = () => counter.posted[0]?.operation.merchantTransactionId ?? "";
  const seconds = (): readonly number[] => searchedAt.map((at) => Math.round(at / 1000));
  const view = async () => {
    const got = await counter.payments.get(till, { reference: "R-1" });
    return got.ok ? got.value : undefined;
  };
  return { ...counter, show, named, seconds, view };
}

describe("a hint", () => {
  test("brings the next search of the payment forward, and what the search finds counts", async () => {
    const { clock, engine, named, seconds, show, view } = unanswered();
    await clock.advance(40_000);
    expect(seconds()).toEqual([0, 30]);
    await clock.advance(40_000);
    show();
    expect(engine.hint({ gatewayIds: [], merchantTransactionId: named() })).toBe(true);
    await clock.advance(5_000);
    // The next one was due at 90.
    expect(seconds()).toEqual([0, 30, 80]);
    expect(await view()).toMatchObject({ state: "FINAL", outcome: "FAILED" });
  });

  test("that nothing came of leaves the payment as it was: no request, no outcome, and the search's own time goes on", async () => {
    const { clock, engine, named, seconds, posted, view } = unanswered();
    await clock.advance(80_000);
    const before = await view();
    engine.hint({ gatewayIds: [], merchantTransactionId: named() });
    await clock.advance(5_000);
    expect(seconds()).toEqual([0, 30, 80]);
    expect(posted).toHaveLength(1);
    expect({ ...(await view()), updatedAt: "" }).toEqual({ ...before, updatedAt: "" });
    expect(before).toMatchObject({ state: "RESOLVING" });
  });

  test("for a payment that is not here is no hint", async () => {
    const { clock, engine, seconds } = unanswered();
    await clock.advance(40_000);
    expect(engine.hint({ gatewayIds: ["booking-9"], merchantTransactionId: "not-ours-at-all" })).toBe(false);
    expect(engine.hint({ gatewayIds: [] })).toBe(false);
    await clock.advance(5_000);
    expect(seconds()).toEqual([0, 30]);
  });

  test("costs of the entity's two queries a minute like any search", async () => {
    const { clock, engine, named, seconds } = unanswered();
    for (let second = 0; second < 60; second += 1) {
      await clock.advance(1_000);
      engine.hint({ gatewayIds: [], merchantTransactionId: named() });
    }
    expect(seconds()).toHaveLength(2);
    expect(seconds()[1]).toBe(1);
  });

  test("helps one payment ten times and no more, so that its searches do not grow seldom before their time", async () => {
    const { clock, engine, named, seconds } = unanswered();
    for (let minute = 0; minute < 60; minute += 1) {
      engine.hint({ gatewayIds: [], merchantTransactionId: named() });
      await clock.advance(MINUTE);
    }
    const hinted = seconds();
    const quiet = unanswered();
    await quiet.clock.advance(HOUR);
    expect(hinted.length - quiet.seconds().length).toBeLessThanOrEqual(10);
    expect(hinted.length).toBeGreaterThan(quiet.seconds().length);
  });

  test("does not make 'not there' final before the whole window has passed", async () => {
    const { clock, engine, named, view } = unanswered();
    for (let minute = 0; minute < 29; minute += 1) {
      await clock.advance(MINUTE);
      engine.hint({ gatewayIds: [], merchantTransactionId: named() });
    }
    expect(await view()).toMatchObject({ state: "RESOLVING" });
  });

  test("does not use up the late looks at what was called absent", async () => {
    const { clock, engine, named, seconds, view } = unanswered();
    await clock.advance(45 * MINUTE);
    expect(await view()).toMatchObject({ state: "FINAL", outcome: "FAILED" });
    const before = seconds().length;
    for (let again = 0; again < 5; again += 1) {
      engine.hint({ gatewayIds: [], merchantTransactionId: named() });
      await clock.advance(2_000);
    }
    // One glance, which found nothing; a second waits for its turn.
    expect(seconds()).toHaveLength(before + 1);
    await clock.advance(80 * HOUR);
    expect(seconds().length - before).toBe(2 + 3);
  });

  test("has what was called absent found at once where it is there after all, and taken back", async () => {
    const { clock, engine, named, show, posted, view } = unanswered();
    await clock.advance(45 * MINUTE);
    expect(await view()).toMatchObject({ state: "FINAL", outcome: "FAILED" });
    show();
    engine.hint({ gatewayIds: [], merchantTransactionId: named() });
    await clock.advance(5_000);
    expect(posted.map(({ operation }) => operation.paymentType)).toEqual(["PA", "RV"]);
    expect(await view()).toMatchObject({ outcome: "FAILED", lateBooking: expect.anything() });
  });
});

test("a hint may name a payment by the gateway's id of one of its bookings", async () => {
  const searches: number[] = [];
  const counter = openCounter({
    answer: ({ operation }) => (operation.paymentType === "CP" ? silence : approval()),
    search: () => {
      searches.push(counter.clock.monotonic());
      return { is: "no-answer", description: "" };
    },
  });
  void counter.payments.start(till, startRequest("R-1"));
  await counter.clock.advance(80_000);
  const before = searches.length;
  expect(counter.engine.hint({ gatewayIds: ["somebody-else", "booking-1"] })).toBe(true);
  await counter.clock.advance(2_000);
  expect(searches).toHaveLength(before + 1);
});

describe("a hint at a link that was paid", () => {
  const PAID = { is: "paid", transactionId: "booking-1" } as const;

  /** A link that the customer has paid, and pays in a second browser where a test says so. */
  async function paidByLink() {
    const searchedAt: number[] = [];
    let isTwice = false;
    const booking = (id: string): Found => {
      const merchantTransactionId = counter.posted[0]?.operation.merchantTransactionId ?? "";
      return { id, paymentType: "DB", merchantTransactionId, answer: approval(1234, id) };
    };
    const counter = openCounter({
      answer: ({ operation }) => (operation.link === undefined ? approval(1234, "rv-1") : linkMade),
      look: () => PAID,
      search: () => {
        searchedAt.push(counter.clock.monotonic() - 20);
        return { is: "found", bookings: [booking("booking-1"), ...(isTwice ? [booking("booking-2")] : [])] };
      },
    });
    const content = { reference: "L-1", currency: "EUR", amount: 1234, validForMs: HOUR, parameters: {} };
    void counter.payments.link(till, { ...content, fingerprint: "L-1" });
    await counter.clock.advance(MINUTE);
    const got = await counter.payments.get(till, { reference: "L-1" });
    expect(got).toMatchObject({ ok: true, value: { state: "FINAL", outcome: "APPROVED" } });
    const twice = (): void => {
      isTwice = true;
    };
    return { ...counter, twice, searched: () => searchedAt.length };
  }

  test.each([
    ["the name of its request", (mtid: string) => ({ gatewayIds: ["booking-2"], merchantTransactionId: mtid })],
    ["its link", () => ({ gatewayIds: ["link-1"] })],
    ["its booking", () => ({ gatewayIds: ["booking-1"] })],
  ])("by %s has a second payment found half an hour sooner, and taken back", async (_what, hint) => {
    const { clock, engine, posted, twice, searched } = await paidByLink();
    const before = searched();
    twice();
    expect(engine.hint(hint(posted[0]?.operation.merchantTransactionId ?? ""))).toBe(true);
    await clock.advance(2_000);
    expect(searched()).toBe(before + 1);
    expect(posted.slice(1).map(({ operation }) => [operation.paymentType, operation.referencedId])).toEqual([
      ["RV", "booking-2"],
    ]);
  });

  test("that finds nothing spares none of the looks to come, and does nothing once they are over", async () => {
    const { clock, engine, posted, searched } = await paidByLink();
    const hint = { gatewayIds: [], merchantTransactionId: posted[0]?.operation.merchantTransactionId ?? "" };
    const before = searched();
    engine.hint(hint);
    await clock.advance(MINUTE);
    expect(searched()).toBe(before + 1);
    // Past the window, and after 1, 24 and 72 hours.
    for (const [hours, looks] of [
      [1, 2],
      [24, 3],
      [48, 4],
    ] as const) {
      await clock.advance(hours * HOUR);
      expect(searched()).toBe(before + 1 + looks);
    }
    expect(engine.active()).toEqual([]);
    expect(engine.hint(hint)).toBe(false);
    await clock.advance(HOUR);
    expect(searched()).toBe(before + 5);
    expect(posted).toHaveLength(1);
  });

  test("goes by the turns of its entity, and helps ten times and no more", async () => {
    const { clock, engine, posted, searched } = await paidByLink();
    const before = searched();
    for (let second = 0; second < 25 * 60; second += 10) {
      engine.hint({ gatewayIds: [], merchantTransactionId: posted[0]?.operation.merchantTransactionId ?? "" });
      await clock.advance(10_000);
      expect(searched() - before).toBeLessThanOrEqual(1 + second / 60);
    }
    expect(searched() - before).toBe(10);
  });
});

test("a hint may name a payment by what its link says it was paid by, which no query has shown yet", async () => {
  let searches = 0;
  const counter = openCounter({
    answer: () => linkMade,
    look: () => ({ is: "paid", transactionId: "booking-7" }),
    search: () => {
      searches += 1;
      return { is: "absent" };
    },
  });
  const content = { reference: "L-1", currency: "EUR", amount: 1234, validForMs: HOUR, parameters: {} };
  void counter.payments.link(till, { ...content, fingerprint: "L-1" });
  await counter.clock.advance(10 * MINUTE);
  const before = searches;
  expect(counter.engine.hint({ gatewayIds: ["booking-7"] })).toBe(true);
  await counter.clock.advance(2_000);
  expect(searches).toBe(before + 1);
});

describe("hints for several payments of one entity", () => {
  const meant = (id: string, at: "holding" | "none" = "none"): HintedPayment => ({
    id,
    payment: () => ({ ...begin({ ...sale, id }), terminal: at === "holding" ? { at, since: 0 } : { at } }),
  });
  const bench = (...ids: readonly string[]) => {
    const clock = createVirtualClock(0);
    const hints = createHints(clock);
    const ran: string[] = [];
    const listen = (id: string) => hints.whenGiven(id, () => ran.push(`${id} at ${clock.monotonic() / 1000}`));
    return { clock, hints, ran, cancels: ids.map(listen) };
  };

  test("have one turn a minute among them, so that the other query is there for a card that waits", async () => {
    const { clock, hints, ran } = bench("a", "b", "c");
    for (const id of ["a", "b", "c", "a", "b"]) hints.give(meant(id));
    expect(ran).toEqual(["a at 0"]);
    await clock.advance(60_000);
    expect(ran).toEqual(["a at 0", "b at 60"]);
    await clock.advance(10 * 60_000);
    expect(ran).toEqual(["a at 0", "b at 60", "c at 120", "a at 180"]);
  });

  test("go to the one whose card waits first", async () => {
    const { clock, hints, ran } = bench("a", "b", "c");
    for (const one of [meant("a"), meant("b"), meant("c", "holding")]) hints.give(one);
    await clock.advance(60_000);
    expect(ran).toEqual(["a at 0", "c at 60"]);
  });

  test("take no turn for what does not listen any more, and none once the engine stops", async () => {
    const { clock, hints, ran, cancels } = bench("a", "b", "c", "d");
    for (const id of ["a", "b", "c"]) hints.give(meant(id));
    cancels[1]?.();
    await clock.advance(60_000);
    expect(ran).toEqual(["a at 0", "c at 60"]);
    hints.give(meant("d"));
    hints.stop();
    await clock.advance(60_000);
    expect(ran).toHaveLength(2);
  });
});
