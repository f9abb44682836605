import { describe, expect, test } from "vitest";
import type { CollectRequest } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import { devices, taking } from "./models.ts";
import { openShop, type Shop } from "./shop.ts";
import { cardIn, collect, promptsOf, ready } from "./till.ts";

/*
 * What the cashier is asked to have the customer do: every way that the payment allows and the terminal can take, and
 * no other.
 */

type Ways = CollectRequest["interfaces"];

const COMBINATIONS: readonly Ways[] = [
  ["chip"],
  ["contactless"],
  ["stripe"],
  ["keyed"],
  ["chip", "contactless"],
  ["chip", "stripe"],
  ["contactless", "stripe"],
  ["chip", "contactless", "stripe"],
  ["chip", "contactless", "stripe", "keyed"],
];

function askedFor(ways: Ways): Pick<Extract<Notice, { on: "prompt" }>, "prompt" | "swipe"> | undefined {
  const [chip, tap, magstripe] = [ways.includes("chip"), ways.includes("contactless"), ways.includes("stripe")];
  const swipe = magstripe && { swipe: true as const };
  if (tap) return { prompt: chip ? "INSERT_OR_TAP" : "TAP", ...swipe };
  if (chip) return { prompt: "INSERT_CHIP", ...swipe };
  if (magstripe) return { prompt: "SWIPE" };
  return ways.includes("keyed") ? { prompt: "ENTER_CARD_NUMBER" } : undefined;
}

async function open(pair: (typeof devices)[number], card: string | undefined): Promise<Shop> {
  const shop = await openShop({ ...pair, card });
  await ready(shop);
  return shop;
}

describe.each(devices)("$title", (pair) => {
  const { can } = pair;
  test.each(COMBINATIONS.filter((ways) => ways.some((way) => can.interfaces.includes(way))))(
    "asked for %s %s %s %s",
    async (...ways) => {
      const shop = await open(pair, undefined);
      const n = shop.begins(collect({ interfaces: ways }));
      await shop.clock.advance(500);
      const told = shop.notices.flatMap((notice) => (notice.n === n && notice.on === "prompt" ? [{ ...notice }] : []));
      const wanted = askedFor(ways.filter((way) => can.interfaces.includes(way)));
      expect(told).toEqual([{ n, on: "prompt", ...wanted }]);
    },
  );
});

describe.each(taking(taking(devices, "contactless"), "chip"))("a tap alone at $title", (pair) => {
  test("is asked for again each time that a card which was put in is out, and for no other reason", async () => {
    const shop = await open(pair, undefined);
    const n = shop.begins(collect({ interfaces: ["contactless"] }));
    await shop.clock.advance(500);
    const expected = ["TAP"];
    for (let times = 0; times < 8; times += 1) {
      shop.terminal.present("visa-contact", "insert");
      await shop.clock.advance(2_000);
      expected.push("REMOVE_CARD");
      expect(promptsOf(shop, n)).toEqual(expected);
      shop.terminal.removeCard();
      await shop.clock.advance(2_000);
      expected.push("TAP");
      expect(promptsOf(shop, n)).toEqual(expected);
    }
    shop.terminal.present("mastercard-contactless");
    expect(cardIn(await shop.ended(n))).toMatchObject({ interface: "contactless-chip" });
  });

  test("finds a card in the slot before it was asked for, and is asked for once that is out", async () => {
    const shop = await open(pair, undefined);
    shop.terminal.present("visa-contact", "insert");
    await shop.clock.advance(500);
    const n = shop.begins(collect({ interfaces: ["contactless"] }));
    await shop.clock.advance(5_000);
    expect(promptsOf(shop, n)).toEqual(["REMOVE_CARD"]);
    shop.terminal.removeCard();
    await shop.clock.advance(500);
    expect(promptsOf(shop, n)).toEqual(["REMOVE_CARD", "TAP"]);
    shop.terminal.present("mastercard-contactless");
    expect(cardIn(await shop.ended(n))).toMatchObject({ interface: "contactless-chip" });
  });

  test.each<Ways>([["contactless"], ["contactless", "stripe"]])(
    "(%s %s) is not asked for without an end of a customer whose card goes into the slot alone",
    async (...ways) => {
      const shop = await open(pair, "visa-contact");
      const n = shop.begins(collect({ interfaces: ways, cardMs: 20_000 }));
      expect(await shop.ended(n)).toMatchObject({ on: "no-card", why: "timeout" });
      // He tries three times, or leaves it in where the device does not ask it out by itself.
      const told = promptsOf(shop, n);
      expect(told).toEqual(
        ["TAP", "REMOVE_CARD", "TAP", "REMOVE_CARD", "TAP", "REMOVE_CARD", "TAP"].slice(0, told.length),
      );
    },
  );

  test("a customer who was turned away at a tap alone puts his card in at the next payment that takes chips", async () => {
    const shop = await open(pair, "visa-contact");
    await shop.does(collect({ interfaces: ["contactless"], cardMs: 5_000 }));
    await shop.does({ do: "idle" });
    if (shop.terminal.screen().slot.card !== null) shop.terminal.removeCard();
    await shop.clock.advance(1_000);
    expect(await shop.does(collect({ interfaces: ["chip"] }))).toMatchObject({
      on: "card",
      card: { interface: "chip" },
    });
  });
});
