import { describe, expect, it } from "vitest";
import type { Clock } from "../../../src/kit/clock.ts";
import { createMetrics } from "../../../src/observe/metrics.ts";
import { type OpenFor, type OpenPayment, openPayment, type Seen, states } from "../../../src/observe/open-payment.ts";
import { overdueLines, type Told, watchOverdue } from "../../../src/observe/overdue.ts";

const BORN = Date.UTC(2026, 1, 3, 4, 5, 6, 0);
const MINUTE = 60_000;

function seen(changes: Partial<Seen> = {}): Seen {
  return {
    id: "pay_1",
    reference: "4711",
    register: "till-1",
    terminal: "counter",
    type: "SALE",
    state: "RESOLVING",
    createdAt: new Date(BORN).toISOString(),
    ...changes,
  };
}

function open(changes: Partial<Seen> = {}): OpenPayment {
  const found = openPayment(seen(changes));
  if (found === undefined) throw new Error("not open");
  return found;
}

/** As old as they are then. */
const at = (now: number, ...payments: readonly OpenPayment[]): readonly OpenFor[] =>
  payments.map((one) => ({ ...one, openMs: Math.max(0, now - Date.parse(one.since)) }));

describe("a payment is open", () => {
  it.each(states.filter((state) => state !== "FINAL"))(
    "as long as it is %s, and says what it waits for and what to do",
    (state) => {
      expect(openPayment(seen({ state }))).toMatchObject({
        state,
        since: "2026-02-03T04:05:06.000Z",
        owed: expect.stringMatching(/\w/),
        mend: expect.stringMatching(/\w/),
      });
    },
  );

  it.each([
    [{ capture: "pending" }, "the capture"],
    [{ capture: "failed" }, "the capture, which the gateway refuses"],
    [{ capture: "captured", approvedAmount: "12.34", capturedAmount: "6.17" }, "a word on its capture: 6.17 of 12.34"],
    [{ secondBooking: "booked" }, "the reversal of a second booking"],
    [{ secondBooking: "booked", lateBooking: true }, "the reversal of a second booking"],
    [{ secondBooking: "booked", type: "LINKED_REFUND" }, "a word on money that a customer got twice"],
    [{ secondBooking: "booked", lateBooking: true, type: "LINKED_REFUND" }, "a word on money that a customer got late"],
    [
      { secondBooking: "booked", capture: "failed" },
      "the capture, which the gateway refuses, and the reversal of a second booking",
    ],
    [{ secondBooking: "pending" }, "word of a second booking that the gateway has not decided"],
    [{ secondBooking: "pending", type: "REFUND" }, "word of whether a customer got money twice, or late"],
    [{ capture: "captured", capturedTwice: true }, "a word on its capture, which the gateway holds twice"],
    [{ cardLeft: true, lateBooking: true }, "the deletion of a stored card"],
    [{ lateBooking: true }, "the reversal of a late booking"],
    [{ lateBooking: true, type: "REFUND" }, "a word on money that a customer got late"],
    [{ lateBooking: true, type: "LINKED_REFUND" }, "a word on money that a customer got late"],
  ] as const)("when it is final and still %j", (change, owed) => {
    expect(openPayment(seen({ state: "FINAL", ...change }))).toMatchObject({ owed });
  });

  it.each([
    [
      { state: "RESOLVING", secondBooking: "booked" },
      "word of what the gateway booked, and the reversal of a second booking",
    ],
    [
      { state: "REVERSING", secondBooking: "pending" },
      "the reversal, and word of a second booking that the gateway has not decided",
    ],
    [
      { state: "RESOLVING", secondBooking: "booked", type: "REFUND" },
      "word of what the gateway booked, and a word on money that a customer got twice",
    ],
    [{ state: "REVERSING", cardLeft: true }, "the reversal, and the deletion of a stored card"],
  ] as const)("before its end, and names what stands beside it: %j", (change, owed) => {
    expect(openPayment(seen(change))).toMatchObject({ owed, mend: openPayment(seen({ state: change.state }))?.mend });
  });

  it.each([
    { capture: "captured", approvedAmount: "12.34", capturedAmount: "12.34" },
    { capture: "captured", approvedAmount: "12.34", capturedAmount: "6.17", voidedBy: "pay_2" },
  ] as const)("and not when it is final and %j", (change) => {
    expect(openPayment(seen({ state: "FINAL", ...change }))).toBeUndefined();
  });

  it("as a link that the customer has not paid, and not for a card", () => {
    const waiting = openPayment(seen({ state: "AWAITING_CARD", terminal: "" }));
    expect(waiting).toMatchObject({
      owed: "the customer, who has not paid by the link",
      mend: expect.not.stringContaining("card"),
    });
  });

  it("as a void that waits for the capture of its sale, and not for a terminal", () => {
    const waiting = openPayment(seen({ state: "CREATED", type: "VOID" }));
    expect(waiting).toMatchObject({
      owed: expect.stringContaining("capture"),
      mend: expect.stringContaining("gateway"),
    });
    expect(waiting?.mend).not.toContain("terminal");
  });

  it.each([{ capture: "pending" }, { capture: "failed" }, { lateBooking: true }] as const)(
    "when it is final and %j, and can be closed by hand",
    (change) => {
      expect(openPayment(seen({ state: "FINAL", ...change }))?.mend).toContain("posbridge resolve");
    },
  );

  it.each([{}, { capture: "captured" }] as const)("not when it is final and %j: nobody waits for it", (change) => {
    expect(openPayment(seen({ state: "FINAL", ...change }))).toBeUndefined();
  });
});

describe("what people are told of payments that are open for too long", () => {
  const none: Told = new Map();

  it("is nothing before five minutes, and then one line with all that is needed", () => {
    expect(overdueLines(at(BORN + 5 * MINUTE - 1, open()), 0, none).lines).toEqual([]);
    expect(overdueLines(at(BORN + 5 * MINUTE, open()), 0, none).lines).toEqual([
      {
        message: "payment 4711 of register till-1 is still open: it waits for word of what the gateway booked",
        fields: {
          ...{
            alarm: true,
            payment: "pay_1",
            reference: "4711",
            register: "till-1",
            terminal: "counter",
            state: "RESOLVING",
          },
          ...{
            since: "2026-02-03T04:05:06.000Z",
            openSeconds: 300,
            owed: "word of what the gateway booked",
            mend: expect.stringContaining("posbridge resolve"),
          },
        },
      },
    ]);
  });

  it("comes again every five minutes, each payment at its own time, until it is closed", () => {
    const other = open({ id: "pay_2", reference: "4712", createdAt: new Date(BORN + 2 * MINUTE).toISOString() });
    let told: Told = none;
    const heard: string[] = [];
    for (let minute = 0; minute <= 18; minute += 1) {
      const now = BORN + minute * MINUTE;
      const due = overdueLines(minute < 14 ? at(now, open(), other) : at(now, other), now, told);
      told = due.told;
      heard.push(...due.lines.map(({ fields }) => `${minute} ${fields.reference}`));
    }
    expect(heard).toEqual(["5 4711", "7 4712", "10 4711", "12 4712", "17 4712"]);
    expect([...told.keys()]).toEqual(["pay_2"]);
  });
});

/** A clock that the test moves. */
function handClock() {
  let now = BORN;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    after: (delayMs, run) => {
      const timer = { at: now + delayMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const advance = (ms: number): void => {
    const until = now + ms;
    for (
      let due = [...timers].find(({ at }) => at <= until);
      due !== undefined;
      due = [...timers].find(({ at }) => at <= until)
    ) {
      timers.delete(due);
      now = due.at;
      due.run();
    }
    now = until;
  };
  return { clock, advance, timers };
}

describe("the watcher", () => {
  it("logs every line as an alarm, counts it, shows the figures, and stops when told", async () => {
    const { clock, advance, timers } = handClock();
    const lines: object[] = [];
    let payments = [open(), open({ id: "pay_2", state: "FINAL", capture: "pending" })];
    const metrics = createMetrics({
      version: "1",
      environment: "test",
      terminals: () => [],
      registerSockets: () => 0,
      logLinesLost: () => 0,
    });
    const stop = watchOverdue({
      open: () => at(clock.now(), ...payments),
      clock,
      log: { error: (fields) => lines.push(fields) },
      metrics,
    });
    advance(11 * MINUTE);
    expect(lines).toHaveLength(4);
    expect(lines).toMatchObject([
      { alarm: true, payment: "pay_1", openSeconds: 300 },
      { payment: "pay_2" },
      { openSeconds: 600 },
      { openSeconds: 600 },
    ]);
    const shown = (await metrics.text()).split("\n");
    for (const line of [
      "posbridge_alarms_total 4",
      'posbridge_payments_open{state="RESOLVING"} 1',
      'posbridge_payments_open{state="FINAL"} 1',
      'posbridge_payments_open{state="QUEUED"} 0',
      "posbridge_payments_open_overdue 2",
      "posbridge_oldest_open_payment_seconds 660",
    ])
      expect(shown).toContain(line);
    metrics.watchLooks(() => [90_000, 1_000]);
    expect((await metrics.text()).split("\n")).toEqual(
      expect.arrayContaining(["posbridge_looks_due 2", "posbridge_oldest_look_due_seconds 90"]),
    );
    payments = [];
    advance(6 * MINUTE);
    expect(lines).toHaveLength(4);
    expect((await metrics.text()).split("\n")).toEqual(
      expect.arrayContaining([
        'posbridge_payments_open{state="RESOLVING"} 0',
        "posbridge_payments_open_overdue 0",
        "posbridge_oldest_open_payment_seconds 0",
      ]),
    );
    stop();
    expect(timers.size).toBe(0);
  });
});
