import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nothingBooked, soldFor } from "./ledger.ts";
import { cardOut, sell, terminalReady, untilCardIsAsked, untilHostIsAsked } from "./sale.ts";
import { openShop, type Shop } from "./shop.ts";
import type { Till } from "./till.ts";

/**
 * Long enough to be noticed (three looks, src/agent/waking.ts), and for every time limit of this shop to pass
 * meanwhile.
 */
const STOPPED_MS = 17_000;

let shop: Shop;
let till: Till;
beforeAll(async () => {
  shop = await openShop();
  till = await shop.till();
});
afterAll(() => shop.close());

/**
 * The bridge's process stands still, as in a debugger or on a machine that is suspended; the world around it goes on.
 */
async function stopped(): Promise<void> {
  const { bridge } = shop;
  bridge().signal("SIGSTOP");
  await till.waiting.pause(STOPPED_MS);
  const lines = bridge().out.length;
  bridge().signal("SIGCONT");
  await bridge().line(/this machine was asleep, or this process was stopped/, lines);
}

describe("a bridge whose process is stopped and goes on", () => {
  it("while a card is waited for ends the sale with nothing booked, and sells the next", async () => {
    const { terminal } = shop;
    await untilCardIsAsked({ till, terminal, reference: "at card" });
    await stopped();
    expect(["FAILED", "CANCELLED"]).toContain((await till.settled("at card")).outcome);
    expect(await shop.booksOf("at card")).toEqual(nothingBooked);
    await terminalReady(till, terminal);
    expect(await sell({ till, terminal, reference: "after card" })).toMatchObject({ outcome: "APPROVED" });
  });

  it("while the gateway is asked books once or nothing, tells the register which, and sells the next", async () => {
    const { terminal } = shop;
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: 1_000 });
    await untilHostIsAsked({ till, terminal, reference: "at host" });
    await stopped();
    await till.settled("at host", 60_000);
    expect(await shop.contradictions()).toEqual([]);
    await cardOut({ till, terminal });
    expect(await sell({ till, terminal, reference: "after host" })).toMatchObject({ outcome: "APPROVED" });
    expect(await shop.booksOf("after host")).toEqual(soldFor("12.34"));
  });
});
