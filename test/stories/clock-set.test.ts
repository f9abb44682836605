import { afterEach, describe, expect, it } from "vitest";
import { nothingBooked } from "../scenarios/ledger.ts";
import { cardOut, sell, untilCardIsAsked, untilHostIsAsked, untilPinIsAsked } from "../scenarios/sale.ts";
import type { Till } from "../scenarios/till.ts";
import { sampleOf } from "../support/dose.ts";
import { openStoryShop, type StoryShop, type StoryShopOptions } from "./shop.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;
const NOTICED_MS = 10_000;

let shop: StoryShop;

async function open(options: StoryShopOptions = {}): Promise<Till> {
  shop = await openStoryShop(options);
  return shop.till();
}
afterEach(() => shop.close());

/** The card's issuer refuses what was made in another year than its own. */
const outcomeAt = (offMs: number): string => (Math.abs(offMs) < YEAR ? "APPROVED" : "DECLINED");

const identified = (): number => shop.printed().filter((line) => /terminal is ready/.test(line)).length;
const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

describe.each(sampleOf([-YEAR, -DAY, -2 * HOUR, 2 * HOUR, DAY, YEAR], 2))("a clock that is set by %i ms", (byMs) => {
  it("between two sales changes neither; the second has the new day on its receipt and a number of its own", async () => {
    const till = await open({ scopes: ["payments", "technician"] });
    const { terminal } = shop;
    const first = await sell({ till, terminal, reference: "before" });
    const before = identified();
    shop.setClock(byMs);
    await shop.time.pause(NOTICED_MS);
    const set = shop.printed().filter((line) => /the clock of this machine was set/.test(line));
    expect(set.map((line) => Number(/"bySeconds":(-?[0-9]+)/.exec(line)?.[1]))).toEqual([byMs / 1000]);
    expect(identified()).toBe(before + 1);
    const second = await sell({ till, terminal, reference: "after" });
    expect([first, second]).toMatchObject([{ outcome: "APPROVED" }, { outcome: outcomeAt(byMs) }]);
    expect(await shop.contradictions()).toEqual([]);
    const today = dayOf(shop.wallClock());
    expect(second.createdAt.slice(0, 10)).toBe(today);
    const receipt = await till.client.receipt({ reference: "after" }, { copy: "customer", format: "text" });
    expect(JSON.stringify(receipt)).toContain(today);
    const from = `${today}T00:00:00.000Z`;
    const ofToday = await till.client.list({ from, to: `${dayOf(shop.wallClock() + DAY)}T00:00:00.000Z` });
    expect(ofToday.payments.map(({ reference }) => reference)).toContain("after");
    const names = (await shop.sandbox.ledger()).map(({ merchantTransactionId }) => merchantTransactionId);
    expect(new Set(names).size).toBe(names.length);
    const sequences = [first, second].map(({ authorization }) => authorization?.sequenceNumber);
    expect(new Set(sequences).size).toBe(2);
    expect(
      await till.client.startPayment({
        reference: "before",
        type: "SALE",
        terminal: terminal.id,
        currency: "EUR",
        amount: "12.34",
      }),
    ).toMatchObject({
      created: false,
    });
  });

  it("in the middle of a sale, wherever it is, neither ends nor prolongs it", async () => {
    const till = await open({ timeouts: { cardMs: 60_000, pinMs: 60_000 } });
    const { terminal } = shop;
    const began = shop.time.now();
    await untilCardIsAsked({ till, terminal, reference: "card" });
    shop.setClock(byMs);
    await terminal.present("visa-contact");
    await till.prompt("card", "ENTER_PIN");
    shop.setClock(-byMs);
    await terminal.press("1234 ENTER");
    expect(await till.settled("card")).toMatchObject({ outcome: "APPROVED", capture: "captured" });
    await cardOut({ till, terminal });
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: 1_000 });
    await untilHostIsAsked({ till, terminal, reference: "host" });
    shop.setClock(byMs);
    expect(await till.settled("host")).toMatchObject({ outcome: "APPROVED", capture: "captured" });
    await cardOut({ till, terminal });
    await untilPinIsAsked({ till, terminal, reference: "nobody types" });
    shop.setClock(byMs);
    const waitedFrom = shop.time.now();
    expect(await till.settled("nobody types", 3 * MINUTE)).toMatchObject({ decision: "not-approved" });
    expect(shop.time.now() - waitedFrom).toBeGreaterThan(50_000);
    expect(shop.time.now() - began).toBeLessThan(3 * MINUTE);
    expect(await shop.booksOf("nobody types")).toEqual(nothingBooked);
    expect(await shop.contradictions()).toEqual([]);
  });

  it("while the bridge is off never ends what is not known any sooner, and sells", async () => {
    const till = await open({ timeouts: { unknownWindowMs: HOUR } });
    const { terminal } = shop;
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "drop-before" });
    await untilHostIsAsked({ till, terminal, reference: "unknown" });
    await shop.sandbox.faultsUsed();
    await shop.kill();
    shop.setClock(byMs);
    await shop.start();
    const after = await shop.till();
    await after.client.subscribe("0");
    await shop.time.pause(55 * MINUTE);
    expect(await after.client.get({ reference: "unknown" })).toMatchObject({ state: "RESOLVING" });
    await cardOut({ till: after, terminal });
    expect(await sell({ till: after, terminal, reference: "next" })).toMatchObject({ outcome: outcomeAt(byMs) });
    shop.setClock(-byMs);
    expect(await sell({ till: after, terminal, reference: "set right" })).toMatchObject({ outcome: "APPROVED" });
    expect(await after.settled("unknown", 12 * HOUR)).toMatchObject({ outcome: "FAILED" });
    expect(await shop.booksOf("unknown")).toEqual(nothingBooked);
  });
});
