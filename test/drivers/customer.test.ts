import { describe, expect, test } from "vitest";
import { devices, taking } from "./models.ts";
import { APPROVED, openShop, SALE, type Shop } from "./shop.ts";
import { ready } from "./till.ts";

/*
 * What a customer with a chip card sees, types and does at a terminal, also at the wrong moment.
 */

const chips = taking(devices, "chip");

describe.each(
  chips.flatMap((pair) => (pair.facts.screen === undefined ? [] : [{ ...pair, screen: pair.facts.screen }])),
)("$title", ({ screen, ...pair }) => {
  test("the customer sees what to pay and that a card is wanted, and a card in the slot needs no words", async () => {
    const shop = await openShop({ ...pair, card: undefined });
    await ready(shop);
    const n = shop.begins(SALE);
    await shop.clock.advance(500);
    expect(shop.terminal.screen()).toMatchObject({ lines: expect.arrayContaining([...screen.asks]), waitsFor: "card" });
    shop.terminal.press(["CANCEL"]);
    expect(await shop.ended(n)).toMatchObject({ on: "cancelled", by: "customer" });
    shop.terminal.present("visa-contact");
    const seen = new Set<string>();
    const next = shop.begins(SALE);
    for (let step = 0; step < 200; step += 1) {
      await shop.clock.advance(1);
      for (const line of shop.terminal.screen().lines) seen.add(line);
    }
    if (pair.can.onlinePin) shop.terminal.press(["1234", "ENTER"]);
    expect(await shop.ended(next)).toMatchObject({ on: "card" });
    expect([...seen]).toContain(screen.cardIn);
    expect(
      shop.notices.filter((notice) => notice.n === next && notice.on === "prompt" && notice.prompt === "INSERT_CHIP"),
    ).toEqual([]);
  });
});

/** Close together where command follows command, further apart where the customer takes his time. */
const moments = [...Array.from({ length: 40 }, (_, at) => at), ...Array.from({ length: 29 }, (_, at) => 40 + at * 20)];

describe.each(
  chips.flatMap((pair) =>
    pair.facts.redKeyFromMs === undefined ? [] : [{ ...pair, heardFromMs: pair.facts.redKeyFromMs }],
  ),
)("$title", ({ heardFromMs, ...pair }) => {
  test("a key that means something else, or comes at another moment, changes nothing", async () => {
    const shop = await openShop({ ...pair, card: undefined });
    await ready(shop);
    shop.terminal.press(["CANCEL"]);
    const n = shop.begins(SALE);
    await shop.clock.advance(500);
    shop.terminal.press(["1", "CLEAR", "ENTER"]);
    shop.terminal.present("visa-contact");
    await shop.clock.advance(1000);
    if (pair.can.onlinePin) shop.terminal.press(["1234", "ENTER"]);
    expect(await shop.ended(n)).toMatchObject({ on: "card" });
    shop.terminal.press(["CANCEL"]);
    expect(await shop.does({ do: "complete", issuer: APPROVED })).toMatchObject({
      on: "finished",
      verdict: "approved",
    });
  });

  test("the customer's red key at any moment ends the collect or comes too late, and the device is free again", async () => {
    const endings: string[] = [];
    for (const at of moments) {
      const shop = await openShop({ ...pair, card: "visa-contact" });
      await ready(shop);
      const collect = shop.begins(SALE);
      await shop.clock.advance(at);
      shop.terminal.press(["CANCEL"]);
      const ending = await shop.ended(collect);
      if (ending.on === "cancelled") expect(ending.by).toBe("customer");
      endings.push(ending.on);
      expect(await shop.does({ do: "cancel" })).toMatchObject({ on: "cancelled" });
      expect(await shop.does(SALE)).toMatchObject({ on: "card" });
    }
    expect(new Set(endings)).toEqual(new Set(["cancelled", "card"]));
    expect(endings.slice(heardFromMs, 40)).toEqual(Array(40 - heardFromMs).fill("cancelled"));
  });
});

describe.each(chips.filter(({ can }) => can.onlinePin && !can.sealed))("$title", (pair) => {
  test.each([
    ["cancels", (shop: Shop) => shop.terminal.press(["CANCEL"]), { on: "cancelled", by: "customer" }],
    ["pulls the card", (shop: Shop) => shop.terminal.removeCard(), { on: "no-card", why: "removed" }],
    ["does nothing", () => undefined, { on: "no-card", why: "pin-timeout" }],
  ])("a customer who %s at the PIN ends the collect, and the device is free again", async (_what, act, ending) => {
    const shop = await openShop({ ...pair, card: undefined });
    await ready(shop);
    const n = shop.begins(SALE);
    await shop.clock.advance(500);
    shop.terminal.present("visa-contact");
    await shop.clock.advance(1000);
    expect(shop.terminal.screen().waitsFor).toBe("pin");
    act(shop);
    expect(await shop.ended(n)).toMatchObject(ending);
    expect(await shop.does({ do: "idle" })).toMatchObject({ on: "done" });
  });
});
