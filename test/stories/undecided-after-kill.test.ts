import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import { nothingBooked, soldFor, takenBack } from "../scenarios/ledger.ts";
import { cardOut, untilHostIsAsked } from "../scenarios/sale.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

/*
 * Seven payments of one channel, which answers two queries a minute, and a bridge that is killed under them. With the
 * default window each of them ends by itself
 * (docs/register-api.md, "When the outcome is unknown").
 */

const MINUTE = 60_000;
const WINDOW_MS = 30 * MINUTE;
/** The latest end that the document promises, counted from the last start of the bridge. */
const LATEST_END_MS = 40 * MINUTE;
const LOST_CAPTURES = ["lost capture 1", "lost capture 2", "lost capture 3", "lost capture 4"];

let shop: StoryShop;
let till: Till;
let restartedAt: number;

beforeAll(async () => {
  shop = await openStoryShop({ timeouts: { cardMs: 60_000, hostAnswerMs: 40_000, unknownWindowMs: WINDOW_MS } });
  till = await shop.till();
  for (const reference of LOST_CAPTURES)
    await meets(
      reference,
      () => shop.network.swallow("CP"),
      () => shop.time.during(shop.network.swallowed()),
    );
  await meets("booked capture", () => delayed("CP"), shop.sandbox.faultsUsed);
  await meets("booked reservation", () => delayed("PA"), shop.sandbox.faultsUsed);
  await restarted();
  await till.settled("booked reservation", 5 * MINUTE);
  await cardOut({ till, terminal: shop.terminal });
  await meets(
    "lost reservation",
    () => shop.network.swallow("PA"),
    () => shop.time.during(shop.network.swallowed()),
  );
  await restarted();
});
afterAll(() => shop.close());

/** A sale up to the moment at which its request met that fate. */
async function meets(reference: string, fate: () => unknown, met: () => Promise<unknown>): Promise<void> {
  const sale = { till, terminal: shop.terminal, reference };
  await fate();
  await untilHostIsAsked(sale);
  await met();
  const { state } = await till.client.get({ reference });
  if (state === "FINAL") await cardOut(sale);
}

/** The next request of that kind is booked, and its reply does not come. */
const delayed = (paymentType: string) => shop.sandbox.fault({ on: { paymentType }, do: "delay", delayMs: 90_000 });

async function restarted(): Promise<void> {
  const cursor = till.client.cursor();
  await shop.restart();
  till = await shop.till();
  await till.client.subscribe(cursor);
  restartedAt = shop.time.now();
}

const now = (reference: string): Promise<PaymentView> => till.client.get({ reference });

describe("a bridge that was killed", () => {
  it("tells a register after 80 s what is not known yet, and that it has to wait for it", async () => {
    await shop.time.pause(80_000);
    expect(await now("lost reservation")).toMatchObject({
      state: "RESOLVING",
      decision: "not-approved",
      reason: { code: "bridge-restarted", advice: "wait" },
    });
    for (const reference of LOST_CAPTURES)
      expect(await now(reference)).toMatchObject({ state: "FINAL", outcome: "APPROVED", capture: "pending" });
  });

  it("takes a reservation back that arrived, and tells a capture that arrived, as soon as its query has its turn", async () => {
    expect(await now("booked reservation")).toMatchObject({ state: "FINAL", outcome: "FAILED" });
    expect(await shop.booksOf("booked reservation")).toEqual(takenBack);
    expect(await now("booked capture")).toMatchObject({ state: "FINAL", outcome: "APPROVED", capture: "captured" });
    expect(await shop.booksOf("booked capture")).toEqual(soldFor("12.34"));
  });

  it("ends a sale whose request never arrived, once the gateway has shown nothing for the unknown window", async () => {
    expect(await till.settled("lost reservation", LATEST_END_MS)).toMatchObject({
      outcome: "FAILED",
      reason: { code: "bridge-restarted", advice: "retry" },
    });
    expect(shop.time.now() - restartedAt).toBeGreaterThan(WINDOW_MS);
    expect(shop.time.now() - restartedAt).toBeLessThan(LATEST_END_MS);
    expect(await shop.booksOf("lost reservation")).toEqual(nothingBooked);
  });

  it.each(LOST_CAPTURES)("captures once what was not captured (%s)", async (reference) => {
    expect(await till.settled(reference, LATEST_END_MS)).toMatchObject({
      outcome: "APPROVED",
      capture: "captured",
      capturedAmount: "12.34",
    });
    expect(shop.time.now() - restartedAt).toBeLessThan(LATEST_END_MS);
    expect(await shop.booksOf(reference)).toEqual(soldFor("12.34"));
  });

  it("leaves nothing open, and nothing held", async () => {
    const { payments } = await till.client.list();
    expect(payments.filter(({ state, capture }) => state !== "FINAL" || capture === "pending")).toEqual([]);
    expect(await shop.contradictions()).toEqual([]);
    expect(await shop.books()).toMatchObject({ held: "0.00" });
  });
});
