import { describe, expect, it } from "vitest";
import type { OutgoingResult } from "../../../packages/sandbox/gateway/outgoing.ts";
import { bookingOf, refused, taken, webhookBench } from "./webhook-bench.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Seconds after the first try: 1, 2, 4, 8, 15, 30 min and 1 h after each other, then daily, for thirty days. */
const LADDER = [0, 1, 3, 7, 15, 30, 60, 120].map((minutes) => minutes * MINUTE);
const WHOLE = [...LADDER, ...Array.from({ length: 29 }, (_, day) => 2 * HOUR + (day + 1) * DAY)];

describe("a delivery that is not taken", () => {
  it("comes again after 1, 2, 4, 8, 15 and 30 minutes and an hour, then daily, and no more after thirty days", async () => {
    const { arrivals, hook, book, clock, answer, webhooks } = webhookBench();
    await hook();
    answer(() => refused);
    book(bookingOf());
    await clock.advance(40 * DAY * 1000);
    expect(arrivals.map(({ at }) => at)).toEqual(WHOLE);
    expect(webhooks.list()).toMatchObject([{ waiting: 0 }]);
  });

  it("comes the same way where the clock of the gateway is moved, in one leap or in several", async () => {
    for (const leaps of [[40 * DAY], [1, MINUTE, MINUTE, HOUR, HOUR, 20 * DAY, 20 * DAY]]) {
      const { arrivals, hook, book, clock, gatewayClock, answer, webhooks } = webhookBench();
      await hook();
      answer(() => refused);
      book(bookingOf());
      for (const leap of leaps) {
        await clock.advance(0);
        gatewayClock.advance(leap * 1000);
        for (let turn = 0; turn < 50; turn += 1) await clock.advance(0);
      }
      expect(arrivals).toHaveLength(WHOLE.length);
      expect(webhooks.list()).toMatchObject([{ waiting: 0 }]);
    }
  });

  const failures: readonly (readonly [string, OutgoingResult])[] = [
    ["an answer of 503", refused],
    ["a redirect", { ok: true, status: 302 }],
    ["an answer of 199", { ok: true, status: 199 }],
    ["no answer within thirty seconds", { ok: false, problem: "timeout" }],
  ];
  it.each(failures)("is one with %s", async (_, result) => {
    const { arrivals, hook, book, clock, answer } = webhookBench();
    await hook();
    answer(() => result);
    book(bookingOf());
    await clock.advance(MINUTE * 1000);
    expect(arrivals.map(({ at, request: { timeoutMs } }) => [at, timeoutMs])).toEqual([
      [0, 30_000],
      [60, 30_000],
    ]);
  });

  it.each([200, 201, 204, 299])("is not one with an answer of %i", async (status) => {
    const { arrivals, hook, book, clock, answer } = webhookBench();
    await hook();
    answer(() => ({ ok: true, status }));
    book(bookingOf());
    await clock.advance(DAY * 1000);
    expect(arrivals).toHaveLength(1);
  });

  it("comes until it is taken, and holds up no other", async () => {
    const { arrivals, hook, book, clock, answer } = webhookBench();
    await hook();
    answer((_, number) => (number < 4 ? refused : taken));
    book(bookingOf());
    await clock.advance(2 * MINUTE * 1000);
    book(bookingOf());
    await clock.advance(DAY * 1000);
    // The first try, after 1 minute, the other one at 2 (refused: it comes at 3), the first at 3.
    expect(arrivals.map(({ at }) => at)).toEqual([0, 60, 120, 180, 180]);
  });

  it("goes on after a restart where it stood", async () => {
    const first = webhookBench();
    await first.hook();
    first.answer(() => refused);
    first.book(bookingOf());
    await first.clock.advance(4 * MINUTE * 1000);
    const second = first.restart();
    second.answer(() => refused);
    await second.clock.advance(2 * HOUR * 1000);
    expect([...first.arrivals, ...second.arrivals].map(({ at }) => at)).toEqual(LADDER);
  });

  it("is tried once where the process was not there for some of its times, and then after as long as ever", async () => {
    const first = webhookBench();
    await first.hook();
    first.answer(() => refused);
    first.book(bookingOf());
    await first.clock.advance(0);
    first.webhooks.stop();
    first.gatewayClock.stop();
    await first.clock.advance(20 * DAY * 1000);
    const second = first.restart();
    second.answer(() => refused);
    await second.clock.advance(10 * MINUTE * 1000);
    // The second try and the third, which are 2 and 4 minutes apart from the next.
    expect(second.arrivals.map(({ at }) => at - 20 * DAY)).toEqual([0, 2 * MINUTE, 6 * MINUTE]);
    await second.clock.advance(20 * DAY * 1000);
    expect(second.webhooks.list()).toMatchObject([{ waiting: 0 }]);
    expect(Math.max(...second.arrivals.map(({ at }) => at))).toBeLessThanOrEqual(30 * DAY);
  });

  it("that was on its way when the process ended is sent once more by the next one", async () => {
    const first = webhookBench();
    await first.hook();
    const answering = Promise.withResolvers<OutgoingResult>();
    first.answer(() => answering.promise);
    first.book(bookingOf());
    await first.clock.advance(1000);
    const second = first.restart();
    answering.resolve(taken);
    await second.clock.advance(1000);
    expect([first.arrivals.length, second.arrivals.length]).toEqual([1, 1]);
    expect(second.arrivals[0]?.notification).toEqual(first.arrivals[0]?.notification);
  });

  it("is forgotten with its webhook", async () => {
    const { arrivals, hook, book, clock, answer, webhooks } = webhookBench();
    const { id } = await hook();
    answer(() => refused);
    book(bookingOf());
    await clock.advance(MINUTE * 1000);
    webhooks.remove(id);
    await clock.advance(DAY * 1000);
    expect(arrivals).toHaveLength(2);
  });
});

describe("the order of deliveries", () => {
  const idsOf = (notifications: readonly { readonly notification: unknown }[]): readonly string[] =>
    notifications.map(({ notification }) => /"id":"([0-9a-f]{32})"/.exec(JSON.stringify(notification))?.[1] ?? "");

  const delivered = async (orderly: boolean) => {
    const { arrivals, hook, book, clock } = webhookBench(orderly);
    await hook();
    const sent: string[] = [];
    for (let at = 0; at < 200; at += 1) {
      const booking = bookingOf();
      sent.push(booking.id);
      book(booking);
      await clock.advance(1000);
    }
    await clock.advance(60_000);
    return { sent, got: idsOf(arrivals) };
  };

  it("is that of the events where it is asked for, each of them once", async () => {
    const { sent, got } = await delivered(true);
    expect(got).toEqual(sent);
  });

  it("is else not guaranteed: some are overtaken and some come twice, but none is missing", async () => {
    const { sent, got } = await delivered(false);
    expect(new Set(got)).toEqual(new Set(sent));
    const twice = got.length - sent.length;
    expect(twice).toBeGreaterThan(10);
    expect(twice).toBeLessThan(50);
    const firsts = [...new Set(got)];
    const overtaken = firsts.filter((id, at) => at > 0 && sent.indexOf(id) < sent.indexOf(firsts[at - 1] ?? "")).length;
    expect(overtaken).toBeGreaterThan(10);
    expect(overtaken).toBeLessThan(50);
  });

  it("and its share are the same in every run", async () => {
    const places = async () => {
      const { sent, got } = await delivered(false);
      return got.map((id) => sent.indexOf(id));
    };
    expect(await places()).toEqual(await places());
  });

  it("of a slow receiver is kept too: one at a time where order counts, and else eight", async () => {
    for (const [orderly, abreast] of [
      [true, 1],
      [false, 8],
    ] as const) {
      const { arrivals, hook, book, clock, answer } = webhookBench(orderly);
      await hook();
      answer(() => new Promise(() => undefined));
      for (let at = 0; at < 40; at += 1) book(bookingOf());
      await clock.advance(10_000);
      expect(arrivals).toHaveLength(abreast);
    }
  });
});
