import { describe, expect, it } from "vitest";
import { openEnvelope } from "../../../src/webhook/envelope.ts";
import { ENTITY, NOW } from "./simulated-till.ts";
import { bookingOf, refused, taken, webhookBench } from "./webhook-bench.ts";

describe("a webhook", () => {
  it("gets nothing until a test delivery was taken", async () => {
    const { webhooks, arrivals, answer, book, clock } = webhookBench();
    const { id } = webhooks.add({
      url: "https://shop.example/",
      key: "0".repeat(64),
      wrapper: "none",
      fields: "ALL",
      events: ["PAYMENT"],
    });
    answer(() => refused);
    book(bookingOf());
    expect(await webhooks.test(id)).toEqual(refused);
    book(bookingOf());
    await clock.advance(0);
    expect(webhooks.list()).toMatchObject([{ hook: { active: false }, waiting: 0, last: refused }]);
    expect(arrivals).toHaveLength(1);
    answer(() => taken);
    await webhooks.test(id);
    book(bookingOf());
    await clock.advance(0);
    expect(webhooks.list()).toMatchObject([{ hook: { active: true }, waiting: 0, last: taken }]);
    expect(arrivals).toHaveLength(3);
  });

  it("is tested with a notification that speaks of no payment", async () => {
    const { webhooks, arrivals } = webhookBench();
    const { id } = webhooks.add({
      url: "https://shop.example/",
      key: "1".repeat(64),
      wrapper: "json",
      fields: "ALL",
      events: ["PAYMENT"],
    });
    await webhooks.test(id);
    expect(arrivals).toMatchObject([
      { request: { method: "POST", url: "https://shop.example/", headers: { "content-type": "application/json" } } },
    ]);
    expect(await webhooks.test("0123")).toBeUndefined();
  });

  it("hears of a payment what its reply said, and what only notifications say", async () => {
    const { arrivals, hook, book, clock } = webhookBench();
    await hook();
    const original = bookingOf({ paymentType: "PA" });
    book(original);
    book(
      bookingOf({
        paymentType: "CP",
        referencedId: original.id,
        amount: 600,
        requested: 1200,
        resultCode: "000.400.040",
      }),
    );
    await clock.advance(0);
    expect(arrivals.map(({ notification }) => notification)).toMatchObject([
      {
        type: "PAYMENT",
        payload: {
          id: original.id,
          paymentType: "PA",
          paymentBrand: "VISA",
          amount: "12.34",
          currency: "EUR",
          presentationAmount: "12.34",
          presentationCurrency: "EUR",
          result: { code: "000.100.110", description: expect.any(String) },
          card: { bin: "411111", last4Digits: "1111", holder: "Jane Jones" },
          merchantTransactionId: original.merchantTransactionId,
          authentication: { entityId: ENTITY },
          source: "OPP",
          shortId: expect.stringMatching(/^[0-9]{4}\.[0-9]{4}\.[0-9]{4}$/),
          paymentMethod: "CC",
          timestamp: "2026-11-21 10:00:00.000+0000",
          buildNumber: expect.any(String),
          ndc: expect.stringContaining(ENTITY),
        },
      },
      {
        type: "PAYMENT",
        payload: { paymentType: "CP", referencedId: original.id, amount: "6.00", presentationAmount: "12.00" },
      },
    ]);
    expect(arrivals[0]?.notification).not.toHaveProperty("action");
  });

  it("hears of a stored card with what happened to it", async () => {
    const { arrivals, hook, book, clock } = webhookBench();
    await hook();
    const booking = bookingOf({ paymentType: "RG" });
    book(booking);
    book(bookingOf({ paymentType: "RG", resultCode: "800.100.152" }));
    book(bookingOf({ paymentType: "DR", referencedId: booking.id }));
    await clock.advance(0);
    expect(arrivals.map(({ notification }) => notification)).toMatchObject([
      {
        type: "REGISTRATION",
        action: "CREATED",
        payload: { id: booking.id, paymentBrand: "VISA", result: { code: "000.100.110" } },
      },
      { type: "REGISTRATION", action: "DELETED", payload: { id: booking.id } },
    ]);
  });

  it("hears of nothing that it was not set up for, and nothing more once removed", async () => {
    const { webhooks, arrivals, hook, book, clock } = webhookBench();
    const registrations = await hook({ events: ["REGISTRATION"], url: "https://shop.example/registrations" });
    const risks = await hook({ events: ["RISK", "SCHEDULE"], url: "https://shop.example/risks" });
    const stored = bookingOf({ paymentType: "RG" });
    book(stored);
    book(bookingOf());
    book(bookingOf({ paymentType: "RI", paymentMethod: "RM" }));
    book(bookingOf({ paymentType: "SD", referencedId: stored.id }));
    await clock.advance(0);
    expect(arrivals.map(({ request: { url } }) => url)).toEqual([registrations.url, risks.url, risks.url]);
    expect(arrivals.map(({ notification }) => notification)).toMatchObject([
      { action: "CREATED" },
      { payload: { paymentMethod: "RM" } },
      { type: "SCHEDULE" },
    ]);
    expect([webhooks.remove(risks.id), webhooks.remove(risks.id)]).toEqual([true, false]);
    book(bookingOf({ paymentType: "SD", referencedId: stored.id }));
    await clock.advance(0);
    expect(arrivals).toHaveLength(3);
  });

  it("without customer data gets neither names nor numbers of accounts", async () => {
    const { arrivals, hook, book, clock } = webhookBench();
    await hook({ fields: "NON_CUSTOMER_DATA", wrapper: "json" });
    book(bookingOf());
    await clock.advance(0);
    expect(arrivals).toMatchObject([{ notification: { payload: { card: { bin: "411111" }, amount: "12.34" } } }]);
    expect(JSON.stringify(arrivals[0]?.notification)).not.toContain("Jane");
  });

  it("has every delivery sealed with an initialization vector of its own", async () => {
    const { arrivals, hook, book, clock, answer } = webhookBench();
    await hook();
    answer(() => refused);
    book(bookingOf());
    await clock.advance(3_600_000);
    const vectors = new Set(arrivals.map(({ request }) => request.headers["x-initialization-vector"]));
    expect(arrivals.length).toBeGreaterThan(5);
    expect(vectors.size).toBe(arrivals.length);
    // And the same notification every time, by which the receiver knows it again.
    expect(new Set(arrivals.map(({ notification }) => JSON.stringify(notification))).size).toBe(1);
    expect(
      arrivals.every(
        ({ request: { headers, body } }) => openEnvelope({ headers, body }).ok && /^[0-9A-F]+$/.test(body),
      ),
    ).toBe(true);
  });

  it("hears of nothing that a transaction did not write after all", async () => {
    const { arrivals, hook, store, webhooks, clock } = webhookBench();
    await hook();
    const booking = bookingOf();
    const fails = (): void =>
      store.atomically(() => {
        webhooks.announce({ type: "PAYMENT", booking });
        throw new RangeError("not booked");
      });
    expect(fails).toThrow("not booked");
    await clock.runUntilIdle();
    expect(arrivals).toEqual([]);
  });

  it("hears of a booking that queries do not know yet once they do", async () => {
    const { arrivals, hook, book, clock } = webhookBench();
    await hook();
    book(bookingOf({ hiddenUntil: NOW + 60_000 }));
    await clock.advance(120_000);
    expect(arrivals).toMatchObject([{ at: 60 }]);
  });
});

describe("a payment that is pending", () => {
  const pending = (parameters: Readonly<Record<string, string>> = {}) =>
    bookingOf({
      ...{
        answeredCode: "000.200.000",
        resultCode: "000.100.110",
        interim: { resultCode: "000.200.000", until: NOW + 30_000 },
      },
      parameters: { paymentType: "DB", ...parameters },
    });

  it("is told as pending, and again as what became of it when it settles by itself", async () => {
    const { arrivals, hook, book, clock } = webhookBench();
    await hook();
    book(pending());
    await clock.advance(600_000);
    expect(arrivals).toMatchObject([
      { at: 0, notification: { payload: { result: { code: "000.200.000" } } } },
      {
        at: 30,
        notification: { payload: { result: { code: "000.100.110" }, timestamp: "2026-11-21 10:00:30.000+0000" } },
      },
    ]);
  });

  it("is told once as what somebody made of it", async () => {
    const { arrivals, hook, book, clock, store, webhooks } = webhookBench();
    await hook();
    const booking = pending();
    book(booking);
    await clock.advance(10_000);
    store.atomically(() => {
      store.decide(booking.id, { resultCode: "100.396.101", at: NOW + 10_000 });
      const decided = store.byId(booking.id);
      if (decided !== undefined) webhooks.announce({ type: "PAYMENT", booking: decided });
    });
    await clock.advance(600_000);
    expect(arrivals.map(({ at }) => at)).toEqual([0, 10]);
    expect(arrivals[1]).toMatchObject({ notification: { payload: { result: { code: "100.396.101" } } } });
  });

  it("is told to its notificationUrl once it is settled, as the standard response in clear", async () => {
    const { arrivals, book, clock } = webhookBench();
    const booking = pending({ notificationUrl: "https://shop.example/status" });
    book(booking);
    book(bookingOf({ parameters: { notificationUrl: "https://shop.example/never-pending" } }));
    await clock.advance(600_000);
    expect(arrivals).toMatchObject([
      {
        at: 30,
        request: {
          method: "POST",
          url: "https://shop.example/status",
          headers: { "content-type": "application/json;charset=UTF-8" },
        },
        notification: { id: booking.id, result: { code: "000.100.110" }, amount: "12.34" },
      },
    ]);
  });

  it.each([
    ["encoded once more by hand", "https%3A%2F%2Fshop.example%2Fstatus%3Fa%3D1", ["https://shop.example/status?a=1"]],
    ["of an app", "shopapp://status", []],
    ["with a user that nobody can read", "http://a:%E0%A4%A@shop.example/", []],
    ["that is none", "x:// ", []],
  ])("calls a notificationUrl %s as far as it can be called", async (_, notificationUrl, called) => {
    const { arrivals, book, clock, store } = webhookBench();
    book(pending({ notificationUrl }));
    await clock.advance(600_000);
    expect(arrivals.map(({ request: { url } }) => url)).toEqual(called);
    expect(store.records("webhook-delivery")).toEqual([]);
  });

  it("is told again as all that it was told as, and with the account that it stored", async () => {
    const { arrivals, hook, book, clock } = webhookBench();
    await hook();
    const booking = { ...pending(), registrationId: "0123456789abcdef0123456789abcdef" };
    book(booking, { type: "SCHEDULE", booking });
    await clock.advance(600_000);
    expect(arrivals.map(({ at, notification }) => [at, notification])).toMatchObject([
      [0, { type: "PAYMENT" }],
      [0, { type: "SCHEDULE" }],
      [30, { type: "PAYMENT", payload: { result: { code: "000.100.110" } } }],
      [30, { type: "REGISTRATION", action: "CREATED", payload: { id: booking.registrationId } }],
      [30, { type: "SCHEDULE", payload: { result: { code: "000.100.110" } } }],
    ]);
  });

  it("and goes on pending for longer after somebody decided is told a third time when that is over, with the account that it stored", async () => {
    const { arrivals, hook, book, clock, store, webhooks } = webhookBench();
    await hook();
    const booking = { ...pending(), registrationId: "0123456789abcdef0123456789abcdef" };
    book(booking);
    await clock.advance(10_000);
    store.atomically(() => {
      store.decide(booking.id, {
        resultCode: "000.100.110",
        at: NOW + 10_000,
        interim: { resultCode: "800.400.500", until: NOW + 90_000 },
      });
      const decided = store.byId(booking.id);
      if (decided !== undefined) webhooks.announce({ type: "PAYMENT", booking: decided });
    });
    await clock.advance(600_000);
    expect(arrivals.map(({ at, notification }) => ({ at, notification }))).toMatchObject([
      { at: 0, notification: { type: "PAYMENT", payload: { result: { code: "000.200.000" } } } },
      { at: 10, notification: { type: "PAYMENT", payload: { result: { code: "800.400.500" } } } },
      { at: 90, notification: { type: "PAYMENT", payload: { result: { code: "000.100.110" } } } },
      { at: 90, notification: { type: "REGISTRATION", action: "CREATED", payload: { id: booking.registrationId } } },
    ]);
  });

  it("is told after a restart as well", async () => {
    const first = webhookBench();
    await first.hook();
    first.book(pending());
    await first.clock.advance(10_000);
    const second = first.restart();
    await second.clock.advance(600_000);
    expect(second.arrivals).toMatchObject([{ at: 30, notification: { payload: { result: { code: "000.100.110" } } } }]);
  });
});
