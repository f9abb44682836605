import { describe, expect, test } from "vitest";
import { driverModels } from "../../drivers/index.ts";
import { simulators } from "../../drivers/simulators.ts";
import type { FaultName } from "../../src/simulator/fault.ts";
import { APPROVED, openShop, SALE, type Shop } from "./shop.ts";

/*
 * Every driver that has a simulator makes sales with it: the ordinary ones, and those in which something goes wrong at any moment. The verdict a driver
 * reports must be the card's, or there must be none.
 */

const pairs = driverModels.flatMap((model) => {
  const simulator = simulators.find(({ id }) => id === model.id);
  return simulator === undefined ? [] : model.lines.map(({ kind }) => ({ title: `${model.title} over ${kind}`, model, simulator, transport: kind }));
});

async function ready(shop: Shop): Promise<void> {
  expect(await shop.does({ do: "identify" })).toMatchObject({ on: "ready", keys: { pin: true, sred: true } });
  expect(await shop.does({ do: "idle" })).toMatchObject({ on: "done" });
}

describe.each(pairs)("$title", (pair) => {
  test("a sale with PIN is approved by card and device", async () => {
    const shop = await openShop({ ...pair, card: "visa-contact" });
    await ready(shop);
    expect(await shop.does({ do: "set-clock", now: { date: "260115", time: "101500" } })).toMatchObject({ on: "done" });
    const card = await shop.does(SALE);
    expect(card).toMatchObject({ on: "card", card: { interface: "chip", decision: "online" } });
    expect(card.on === "card" && [card.card.sred !== undefined, card.card.pin !== undefined]).toEqual([true, true]);
    expect(await shop.does({ do: "complete", issuer: APPROVED })).toMatchObject({ on: "finished", verdict: "approved" });
    const prompts = shop.notices.flatMap((notice) => (notice.on === "prompt" ? [notice.prompt] : []));
    expect(prompts).toEqual(["INSERT_CHIP", "PROCESSING", "ENTER_PIN", "PROCESSING"]);
    expect(await shop.does({ do: "display", lines: ["Approved", "Please remove card"] })).toMatchObject({ on: "done" });
  });

  test.each([
    ["declined", "3035"],
    ["unable-to-go-online", "5A33"],
  ] as const)("a host that is %s makes the card decline", async (verdict, arc) => {
    const shop = await openShop({ ...pair, card: "visa-contact" });
    await ready(shop);
    await shop.does(SALE);
    expect(await shop.does({ do: "complete", issuer: { verdict, arc, scripts: [] } })).toMatchObject({ on: "finished", verdict: "declined" });
  });

  test("nobody comes: the collect ends by its own clock, and the next one works", async () => {
    const shop = await openShop({ ...pair, card: undefined });
    await ready(shop);
    expect(await shop.does(SALE)).toMatchObject({ on: "no-card", why: "timeout" });
    const n = shop.begins(SALE);
    await shop.clock.advance(500);
    shop.terminal.present("visa-contact");
    await shop.clock.advance(1000);
    shop.terminal.press("1234");
    shop.terminal.press(["ENTER"]);
    expect(await shop.ended(n)).toMatchObject({ on: "card" });
  });

  test("the customer sees what to pay and that a card is wanted, and a card in the slot needs no words", async () => {
    const shop = await openShop({ ...pair, card: undefined });
    await ready(shop);
    const n = shop.begins(SALE);
    await shop.clock.advance(500);
    expect(shop.terminal.screen()).toMatchObject({ lines: expect.arrayContaining(["12.34 EUR", "INSERT CARD"]), waitsFor: "card" });
    shop.terminal.press(["CANCEL"]);
    expect(await shop.ended(n)).toMatchObject({ on: "cancelled", by: "customer" });
    shop.terminal.present("visa-contact");
    const seen = new Set<string>();
    const next = shop.begins(SALE);
    for (let step = 0; step < 200; step += 1) {
      await shop.clock.advance(1);
      for (const line of shop.terminal.screen().lines) seen.add(line);
    }
    shop.terminal.press(["1234", "ENTER"]);
    expect(await shop.ended(next)).toMatchObject({ on: "card" });
    expect([...seen]).toContain("Amount 12.34 EUR");
    expect(shop.notices.filter((notice) => notice.n === next && notice.on === "prompt" && notice.prompt === "INSERT_CHIP")).toEqual([]);
  });

  test("waiting for the card costs a few milliseconds more than a card that is in already", async () => {
    const startedAfter = async (isWaiting: boolean): Promise<number> => {
      const shop = await openShop({ ...pair, card: undefined });
      await ready(shop);
      if (!isWaiting) shop.terminal.present("visa-contact");
      const n = shop.begins(SALE);
      if (isWaiting) await shop.clock.advance(500);
      const began = shop.clock.monotonic();
      if (isWaiting) shop.terminal.present("visa-contact");
      await shop.clock.runUntil(() => shop.notices.some((notice) => notice.n === n && notice.on === "prompt" && notice.prompt === "PROCESSING"), 1000);
      return shop.clock.monotonic() - began;
    };
    expect((await startedAfter(true)) - (await startedAfter(false))).toBeLessThan(6);
  });

  test("a key that means something else, or comes at another moment, changes nothing", async () => {
    const shop = await openShop({ ...pair, card: undefined });
    await ready(shop);
    shop.terminal.press(["CANCEL"]);
    const n = shop.begins(SALE);
    await shop.clock.advance(500);
    shop.terminal.press(["1", "CLEAR", "ENTER"]);
    shop.terminal.present("visa-contact");
    await shop.clock.advance(1000);
    shop.terminal.press(["1234", "ENTER"]);
    expect(await shop.ended(n)).toMatchObject({ on: "card" });
    shop.terminal.press(["CANCEL"]);
    expect(await shop.does({ do: "complete", issuer: APPROVED })).toMatchObject({ on: "finished", verdict: "approved" });
  });

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
    expect(shop.notices.at(-1)).toMatchObject({ prompt: "ENTER_PIN" });
    act(shop);
    expect(await shop.ended(n)).toMatchObject(ending);
    expect(await shop.does({ do: "idle" })).toMatchObject({ on: "done" });
  });

  /** Close together where command follows command, further apart where the customer takes his time. */
  const moments = [...Array.from({ length: 40 }, (_, at) => at), ...Array.from({ length: 29 }, (_, at) => 40 + at * 20)];

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
    // The device is told to report its keys within the first dozen milliseconds, and from then on nearly every press is heard.
    expect(new Set(endings)).toEqual(new Set(["cancelled", "card"]));
    expect(endings.slice(15, 40)).toEqual(Array(25).fill("cancelled"));
  });

  test("a cancel at any moment ends the collect or comes too late, and the device is free again", async () => {
    for (const at of moments) {
      const shop = await openShop({ ...pair, card: "visa-contact" });
      await ready(shop);
      const collect = shop.begins(SALE);
      await shop.clock.advance(at);
      const cancel = shop.begins({ do: "cancel" });
      expect(await shop.ended(cancel)).toMatchObject({ on: "cancelled", by: "register" });
      const ending = await shop.ended(collect);
      expect(["cancelled", "card"]).toContain(ending.on);
      expect(await shop.does(SALE)).toMatchObject({ on: "card" });
    }
  });

  const faults: readonly FaultName[] = ["unplug", "hang", "reboot", "corrupt-next-frame", "duplicate-next-frame", "drop-next-frame", "garbage", "slow"];
  test.each(faults)("%s at any frame never yields a verdict that is not the card's, and no command stays open", async (fault) => {
    for (let frame = 0; frame < 24; frame += 1) {
      const shop = await openShop({ ...pair, card: "visa-contact" });
      shop.terminal.fault(fault, frame);
      const endings = [
        await shop.does({ do: "identify" }),
        await shop.does({ do: "idle" }),
        await shop.does(SALE),
        await shop.does({ do: "complete", issuer: APPROVED }),
      ];
      const [, , , last] = endings;
      if (last?.on === "finished") expect(last.verdict).toBe("approved");
      else expect(last?.on).toBe("fault");
      for (const notice of endings) expect(["ready", "done", "card", "no-card", "finished", "fault"]).toContain(notice.on);
    }
  });
});
