import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nothingBooked, soldFor } from "../scenarios/ledger.ts";
import { cardOut, sell, untilHostIsAsked, untilPinIsAsked } from "../scenarios/sale.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

let shop: StoryShop;
let till: Till;

beforeAll(async () => {
  shop = await openStoryShop();
  till = await shop.till();
});
afterAll(() => shop.close());

describe("a gateway that is down", () => {
  it("ends the sale at once, because the request surely never left, and nothing is booked", async () => {
    const { terminal, sandbox } = shop;
    await untilPinIsAsked({ till, terminal, reference: "down" });
    await sandbox.kill();
    await terminal.press("1234 ENTER");
    const payment = await till.settled("down", 3_000);
    expect(payment).toMatchObject({
      outcome: "FAILED",
      decision: "not-approved",
      reason: { code: "gateway-unreached", advice: "retry" },
    });
    await cardOut({ till, terminal });
    await sandbox.start();
    expect(await shop.books()).toEqual(nothingBooked);
  });

  it("is used again as soon as it is up", async () => {
    expect(await sell({ till, terminal: shop.terminal, reference: "up again" })).toMatchObject({ outcome: "APPROVED" });
    expect(await shop.books()).toEqual(soldFor("12.34"));
  });

  it("when a sale is to be captured leaves the sale approved, and is tried again until it is captured once", async () => {
    const { terminal, sandbox } = shop;
    const from = (await sandbox.ledger()).length;
    await sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: 300 });
    await untilHostIsAsked({ till, terminal, reference: "down at capture" });
    // The terminal takes its time over the card's last word, in which the gateway goes away.
    await terminal.fault("slow");
    await till.state("down at capture", "COMPLETING");
    await sandbox.kill();
    expect(await till.state("down at capture", "FINAL")).toMatchObject({
      outcome: "APPROVED",
      decision: "approved",
      capture: "pending",
    });
    await sandbox.start();
    expect(await till.settled("down at capture")).toMatchObject({
      outcome: "APPROVED",
      capture: "captured",
      capturedAmount: "12.34",
    });
    expect(await shop.books(from)).toEqual(soldFor("12.34"));
  });
});
