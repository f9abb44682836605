import { describe, expect, test } from "vitest";
import type { CollectRequest, Command } from "../../src/card/command.ts";
import { chipTimes } from "../../src/simulator/pace.ts";
import { devices, type Pair, taking } from "./models.ts";
import { APPROVED, openShop, SALE, type Shop } from "./shop.ts";
import { collect, ready } from "./till.ts";

/*
 * A real device takes fourteen seconds over a contact chip (test/vectors/verifone-card-data.json). Every limit of a
 * driver has to leave that much time, also where card
 * and PIN come at the last moment that they may.
 */

const { selectMs, firstMs, lastMs } = chipTimes.real;
const CHIP = collect({ interfaces: ["chip"] });

const openReal = (pair: Pair, card: string | undefined): Promise<Shop> => openShop({ ...pair, card, pace: "real" });

const approved = async (shop: Shop, command: Command): Promise<void> => {
  expect(await shop.does(command)).toMatchObject({ on: "card", card: { decision: "online" } });
  expect(await shop.does({ do: "complete", issuer: APPROVED })).toMatchObject({ on: "finished", verdict: "approved" });
};

describe.each(taking(devices, "chip"))("$title", (pair) => {
  test("a sale takes the chip's own time, and not much more", async () => {
    const shop = await openReal(pair, "visa-contact");
    await ready(shop);
    const before = shop.clock.monotonic();
    await approved(shop, CHIP);
    const tookMs = shop.clock.monotonic() - before;
    expect(tookMs).toBeGreaterThan(selectMs + firstMs + lastMs);
    expect(tookMs).toBeLessThan(selectMs + firstMs + lastMs + 4_000);
  });

  test("a card that comes while every way is open, and one after the other", async () => {
    const shop = await openReal(pair, "visa-contact");
    await ready(shop);
    await approved(shop, collect());
    expect(await shop.does({ do: "idle" })).toMatchObject({ on: "done" });
    await approved(shop, collect());
  });

  test("a card at the last moment, and a PIN at the last moment, are a sale", async () => {
    const request: CollectRequest = {
      ...SALE.request,
      interfaces: pair.can.interfaces.includes("contactless") ? ["chip", "contactless"] : ["chip"],
    };
    const shop = await openReal(pair, undefined);
    await ready(shop);
    const n = shop.begins({ do: "collect", request });
    await shop.clock.advance(request.cardMs - 1_000);
    shop.terminal.present("visa-contact");
    if (pair.can.onlinePin) {
      await shop.clock.runUntil(() => shop.terminal.screen().waitsFor === "pin", 60_000);
      await shop.clock.advance(request.pinMs - 1_000);
      shop.terminal.press(["1234", "ENTER"]);
    }
    expect(await shop.ended(n)).toMatchObject({ on: "card" });
    expect(await shop.does({ do: "complete", issuer: APPROVED })).toMatchObject({
      on: "finished",
      verdict: "approved",
    });
  });

  test("a cancel at any moment ends in time, and the device is free again", async () => {
    for (let at = 0; at < selectMs + firstMs + 4_000; at += 700) {
      const shop = await openReal(pair, "visa-contact");
      await ready(shop);
      const n = shop.begins(collect());
      await shop.clock.advance(at);
      expect(await shop.ended(shop.begins({ do: "cancel" }), 15_000)).toMatchObject({ on: "cancelled" });
      expect(["cancelled", "card"]).toContain((await shop.ended(n)).on);
      const next = await shop.does(CHIP);
      expect(
        next.on === "no-card" && next.why === "removed" ? await shop.does(CHIP) : next,
        `cancelled after ${at} ms`,
      ).toMatchObject({ on: "card" });
    }
  });
});
