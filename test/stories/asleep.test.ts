import { afterEach, describe, expect, it } from "vitest";
import { nothingBooked, soldFor, takenBack } from "../scenarios/ledger.ts";
import { cardOut, sell, terminalReady, untilCardIsAsked, untilHostIsAsked } from "../scenarios/sale.ts";
import type { Till } from "../scenarios/till.ts";
import { sampleOf } from "../support/dose.ts";
import type { Sleeper } from "../support/mortal.ts";
import { openStoryShop, type StoryShop, type StoryShopOptions } from "./shop.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How soon after waking it is noticed, and a little more. */
const NOTICED_MS = 10_000;

let shop: StoryShop;

async function open(options: StoryShopOptions = {}): Promise<Till> {
  shop = await openStoryShop(options);
  return shop.till();
}
afterEach(() => shop.close());

/**
 * The bridge sleeps. The register notices that it is silent, opens another session when it is awake, and hears what it
 * has missed.
 */
async function sleptThrough(till: Till, what: Sleeper, ms: number): Promise<Till> {
  const cursor = till.client.cursor();
  await shop.sleep(what, ms);
  const again = await shop.till();
  await again.client.subscribe(cursor);
  return again;
}

const linesLike = (fits: RegExp): readonly string[] => shop.printed().filter((line) => fits.test(line));
const identified = (): number => linesLike(/terminal is ready/).length;
const ASLEEP = /this machine was asleep, or this process was stopped/;

/** Who sleeps, and for how long. */
const SLEEPS: readonly (readonly [Sleeper, number])[] = [
  ["process", 2 * MINUTE],
  ["process", 8 * HOUR],
  ["machine", 2 * MINUTE],
  ["machine", 8 * HOUR],
];

describe.each(sampleOf(SLEEPS, 2))("a %s that sleeps for %i ms", (what, ms) => {
  it("while nothing is sold says so once, asks the terminal who it is, and sells", async () => {
    const early = await open();
    const before = identified();
    const till = await sleptThrough(early, what, ms);
    await shop.time.pause(NOTICED_MS);
    expect(linesLike(ASLEEP)).toHaveLength(1);
    expect(Number(/"seconds":([0-9]+)/.exec(linesLike(ASLEEP)[0] ?? "")?.[1])).toBeGreaterThanOrEqual(ms / 1000 - 5);
    expect(identified()).toBe(before + 1);
    expect(await sell({ till, terminal: shop.terminal, reference: "next" })).toMatchObject({ outcome: "APPROVED" });
    expect(await shop.books()).toEqual(soldFor("12.34"));
  });

  it("while a card is waited for ends the sale with nothing booked, tells the register, and sells the next", async () => {
    const early = await open();
    const { terminal } = shop;
    await untilCardIsAsked({ till: early, terminal, reference: "asleep" });
    const till = await sleptThrough(early, what, ms);
    // Its own time limit may run out at the terminal first, which is told as the customer not wanting to pay.
    expect(["FAILED", "CANCELLED"]).toContain((await till.settled("asleep", 2 * MINUTE)).outcome);
    expect(await shop.books()).toEqual(nothingBooked);
    await terminalReady(till, terminal);
    expect(await sell({ till, terminal, reference: "next" })).toMatchObject({ outcome: "APPROVED" });
    expect(await shop.books()).toEqual(soldFor("12.34"));
  });

  it("while the gateway is asked books once or nothing, and the register hears what is true", async () => {
    const early = await open();
    const { terminal } = shop;
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: 1_000 });
    await untilHostIsAsked({ till: early, terminal, reference: "asleep" });
    const till = await sleptThrough(early, what, ms);
    const payment = await till.settled("asleep", HOUR);
    expect(await shop.booksOf("asleep")).toEqual(payment.outcome === "APPROVED" ? soldFor("12.34") : takenBack);
    expect(await shop.contradictions()).toEqual([]);
    await cardOut({ till, terminal });
    expect(await sell({ till, terminal, reference: "next" })).toMatchObject({ outcome: "APPROVED" });
    expect(await shop.booksOf("next")).toEqual(soldFor("12.34"));
  });

  it("while the card is completed books once or nothing, and the register hears what is true", async () => {
    const early = await open();
    const { terminal } = shop;
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: 300 });
    await untilHostIsAsked({ till: early, terminal, reference: "asleep" });
    await terminal.fault("slow");
    await early.state("asleep", "COMPLETING");
    const till = await sleptThrough(early, what, ms);
    const payment = await till.settled("asleep", HOUR);
    expect(await shop.booksOf("asleep")).toEqual(payment.outcome === "APPROVED" ? soldFor("12.34") : takenBack);
    expect(await shop.contradictions()).toEqual([]);
  });
});

describe("a machine that sleeps overnight", () => {
  it("whose terminal went with it waits for the terminal, and sells on it in the morning", async () => {
    const early = await open();
    const { terminal } = shop;
    await terminal.fault("unplug");
    const till = await sleptThrough(early, "machine", 12 * HOUR);
    await terminal.fault("plug");
    await terminalReady(till, terminal);
    expect(await sell({ till, terminal, reference: "morning" })).toMatchObject({ outcome: "APPROVED" });
  });

  it("has not believed that something is not there any sooner for it", async () => {
    const early = await open({ timeouts: { unknownWindowMs: HOUR } });
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "drop-before" });
    await untilHostIsAsked({ till: early, terminal: shop.terminal, reference: "unknown" });
    await shop.sandbox.faultsUsed();
    const till = await sleptThrough(early, "machine", 12 * HOUR);
    await shop.time.pause(20 * MINUTE);
    expect(await till.client.get({ reference: "unknown" })).toMatchObject({ state: "RESOLVING" });
    expect(await till.settled("unknown", 2 * HOUR)).toMatchObject({ outcome: "FAILED" });
    expect(await shop.books()).toEqual(nothingBooked);
  });
});
