import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nothingBooked, takenBack } from "../scenarios/ledger.ts";
import { cardOut, sell, untilCardIsAsked, untilHostIsAsked, untilPinIsAsked } from "../scenarios/sale.ts";
import type { TestTerminal } from "../scenarios/terminal.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

/** How long the gateway thinks, so that something can happen meanwhile. */
const THINKING_MS = 800;

let shop: StoryShop;
let till: Till;
let terminal: TestTerminal;
/** What `performance.now` said when the sales that time out had begun to wait. */
let waitingSince: number;

beforeAll(async () => {
  shop = await openStoryShop({ terminals: 3 });
  till = await shop.till();
  terminal = shop.terminal;
  const [, second = terminal, third = terminal] = shop.terminals;
  await Promise.all([
    untilCardIsAsked({ till, terminal: second, reference: "no card" }),
    untilPinIsAsked({ till, terminal: third, reference: "no PIN", card: "mastercard-contact" }),
  ]);
  waitingSince = shop.time.now();
});
afterAll(() => shop.close());

const slowReservation = () => shop.sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: THINKING_MS });

describe("a sale that the register cancels", () => {
  it("before the card ends at once, with nothing booked", async () => {
    await untilCardIsAsked({ till, terminal, reference: "before card" });
    expect(await till.client.cancel({ reference: "before card" })).toMatchObject({
      cancellation: "accepted",
      payment: { decision: "not-approved" },
    });
    expect(await till.settled("before card", 3_000)).toMatchObject({
      outcome: "CANCELLED",
      reason: { code: "register-cancelled" },
    });
    expect(await till.client.cancel({ reference: "before card" })).toMatchObject({ cancellation: "already-final" });
    await cardOut({ till, terminal });
    expect(await shop.booksOf("before card")).toEqual(nothingBooked);
  });

  it("during PIN entry ends at once, with nothing booked", async () => {
    await untilPinIsAsked({ till, terminal, reference: "during PIN" });
    expect(await till.client.cancel({ reference: "during PIN" })).toMatchObject({ cancellation: "accepted" });
    expect(await till.settled("during PIN", 3_000)).toMatchObject({
      outcome: "CANCELLED",
      reason: { code: "register-cancelled" },
    });
    await cardOut({ till, terminal });
    expect(await shop.booksOf("during PIN")).toEqual(nothingBooked);
  });

  it("while the host is being asked is decided at once, and an approval that comes all the same is taken back", async () => {
    await slowReservation();
    await untilHostIsAsked({ till, terminal, reference: "during host" });
    expect(await till.client.cancel({ reference: "during host" })).toMatchObject({
      cancellation: "accepted",
      payment: { decision: "not-approved" },
    });
    expect(await till.settled("during host", THINKING_MS + 3_000)).toMatchObject({
      outcome: "CANCELLED",
      reason: { code: "register-cancelled" },
    });
    await cardOut({ till, terminal });
    expect(await shop.booksOf("during host")).toEqual(takenBack);
  });

  it("after the issuer's answer went to the card comes too late, and the sale ends by its own answer", async () => {
    await slowReservation();
    await untilHostIsAsked({ till, terminal, reference: "too late" });
    await terminal.fault("slow");
    await till.state("too late", "COMPLETING");
    expect(await till.client.cancel({ reference: "too late" })).toMatchObject({
      cancellation: "too-late",
      payment: { state: "COMPLETING" },
    });
    expect(await till.settled("too late")).toMatchObject({ outcome: "APPROVED", capture: "captured" });
    await cardOut({ till, terminal });
    expect(await shop.booksOf("too late")).toMatchObject({ PA: 1, CP: 1, RV: 0, held: "0.00", captured: "12.34" });
    // A restart ends the slowness.
    const lines = shop.bridge().out.length;
    await terminal.fault("reboot");
    await shop.bridge().line(/terminal is ready/, lines);
  });
});

describe("a customer", () => {
  it("who presses CANCEL instead of the PIN ends the sale, with nothing booked", async () => {
    await untilPinIsAsked({ till, terminal, reference: "cancel key" });
    await terminal.press("12 CANCEL");
    expect(await till.settled("cancel key", 3_000)).toMatchObject({
      outcome: "CANCELLED",
      reason: { code: "customer-cancelled", advice: "retry" },
    });
    await cardOut({ till, terminal });
    expect(await shop.booksOf("cancel key")).toEqual(nothingBooked);
  });

  it("who pulls the card out during PIN entry ends the sale, with nothing booked", async () => {
    await untilPinIsAsked({ till, terminal, reference: "pulled at PIN" });
    await terminal.pull();
    expect(await till.settled("pulled at PIN", 3_000)).toMatchObject({
      outcome: "CANCELLED",
      reason: { code: "card-removed" },
    });
    await cardOut({ till, terminal });
    expect(await shop.booksOf("pulled at PIN")).toEqual(nothingBooked);
  });

  it("who pulls the card out while the host is being asked has not paid: the approval is taken back", async () => {
    await slowReservation();
    await untilHostIsAsked({ till, terminal, reference: "pulled at host" });
    await terminal.pull();
    const payment = await till.settled("pulled at host", THINKING_MS + 3_000);
    expect(payment).toMatchObject({
      outcome: "CANCELLED",
      decision: "not-approved",
      reason: { code: "card-removed", advice: "retry" },
    });
    await cardOut({ till, terminal });
    expect(await shop.booksOf("pulled at host")).toEqual(takenBack);
  });
});

describe("a card that answers AAC", () => {
  it("after the host's approval has not paid: the approval is taken back", async () => {
    const payment = await sell({
      till,
      terminal,
      reference: "AAC after approval",
      card: "contact-declines-after-approval",
    });
    expect(payment).toMatchObject({
      outcome: "DECLINED",
      reason: { code: "card-declined" },
      emv: { cryptogramType: "AAC" },
    });
    expect(payment.capture).toBeUndefined();
    expect(await shop.booksOf("AAC after approval")).toEqual(takenBack);
  });

  it("because it takes the issuer's cryptogram for wrong has not paid: the approval is taken back", async () => {
    expect(await sell({ till, terminal, reference: "wrong ARPC", card: "wrong-arpc" })).toMatchObject({
      outcome: "DECLINED",
      reason: { code: "card-declined" },
    });
    expect(await shop.booksOf("wrong ARPC")).toEqual(takenBack);
  });

  it("at once is declined without the host, and TC at once is loudly not accepted", async () => {
    await untilCardIsAsked({ till, terminal, reference: "AAC at once" });
    await terminal.present("offline-declines");
    expect(await till.settled("AAC at once", 3_000)).toMatchObject({
      outcome: "DECLINED",
      reason: { code: "card-declined" },
    });
    await cardOut({ till, terminal });
    await untilCardIsAsked({ till, terminal, reference: "TC at once" });
    await terminal.present("offline-approves");
    expect(await till.settled("TC at once", 3_000)).toMatchObject({
      outcome: "FAILED",
      reason: { code: "offline-approved" },
    });
    await cardOut({ till, terminal });
    expect(await shop.booksOf("AAC at once", "TC at once")).toEqual(nothingBooked);
    // Whoever reads the log finds the payment by it.
    const found = expect.stringContaining('"reference":"TC at once","register":"register-1","terminal":"till-1"');
    await expect.poll(() => shop.printed().filter((line) => line.includes('"alarm":true'))).toEqual([found]);
  });

  it("cannot be tried where its application is blocked", async () => {
    await untilCardIsAsked({ till, terminal, reference: "blocked" });
    await terminal.present("blocked-application");
    expect(await till.settled("blocked", 3_000)).toMatchObject({
      outcome: "DECLINED",
      reason: { code: "blocked-card", advice: "other-card" },
    });
    await cardOut({ till, terminal });
    expect(await shop.booksOf("blocked")).toEqual(nothingBooked);
  });
});

describe("a sale that nobody goes on with", () => {
  it("ends when no card came in cardMs", async () => {
    expect(await till.settled("no card", 8_000)).toMatchObject({
      outcome: "CANCELLED",
      reason: { code: "card-timeout", advice: "retry" },
    });
    expect(await shop.booksOf("no card")).toEqual(nothingBooked);
  });

  it("ends when no PIN came in pinMs", async () => {
    expect(await till.settled("no PIN", 8_000)).toMatchObject({
      outcome: "CANCELLED",
      reason: { code: "pin-timeout", advice: "retry" },
    });
    expect(await shop.booksOf("no PIN")).toEqual(nothingBooked);
  });

  it("took no longer than its limit and a few seconds", async () => {
    const last = (reference: string) => till.told.findLast(({ payment }) => payment.reference === reference)?.payment;
    for (const reference of ["no card", "no PIN"]) {
      const payment = last(reference);
      const tookMs = Date.parse(payment?.updatedAt ?? "") - Date.parse(payment?.createdAt ?? "");
      expect(tookMs).toBeGreaterThan(4_900);
      expect(tookMs).toBeLessThan(9_000);
    }
    expect(shop.time.now() - waitingSince).toBeGreaterThan(4_900);
  });
});

describe("after all of that", () => {
  it("the next sale works, and the ledger holds the approved ones alone", async () => {
    expect(await sell({ till, terminal, reference: "next" })).toMatchObject({ outcome: "APPROVED" });
    expect(await shop.books()).toMatchObject({ CP: 2, held: "0.00", captured: "24.68" });
  });
});
