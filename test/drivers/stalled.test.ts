import { describe, expect, test } from "vitest";
import { pairs, taking } from "./models.ts";
import { openShop, SALE, type Shop } from "./shop.ts";
import { authorization, cardIn, issuerOfDeck, ready } from "./till.ts";

/*
 * A line that stands still for some seconds, as a wireless one does, and then brings all at once: every repetition of
 * what was said meanwhile is in it.
 */

const STILL_MS = 3_200;

describe.each(taking(pairs, "chip"))("$title", (pair) => {
  /** What the device says from its chunk `from` on is held back for a while. */
  const stalled = async (from: number): Promise<Shop> => {
    let chunks = 0;
    let until: number | undefined;
    const held: Uint8Array[] = [];
    const shop: Shop = await openShop({
      ...pair,
      card: "visa-contact",
      wire: (chunk) => {
        chunks += 1;
        held.push(chunk);
        if (chunks === from) until = shop.clock.monotonic() + STILL_MS;
        return until !== undefined && shop.clock.monotonic() < until ? [] : held.splice(0);
      },
    });
    await ready(shop);
    return shop;
  };

  test("a line that stood still at any moment of a sale brings a card whose issuer has nothing against it, or none", async () => {
    const endings = new Set<string>();
    for (let from = 1; from <= pair.facts.frames; from += 1) {
      const shop = await stalled(from);
      const ending = await shop.does(SALE);
      endings.add(ending.on === "fault" ? ending.code : ending.on);
      if (ending.on !== "card") continue;
      const { refusal } = issuerOfDeck().verify(authorization(pair.simulator.deviceType, cardIn(ending)));
      expect({ from, refusal }).toEqual({ from, refusal: undefined });
    }
    expect([...endings].filter((ending) => !["card", "no-answer", "device-error", "no-card"].includes(ending))).toEqual(
      [],
    );
  });
});
