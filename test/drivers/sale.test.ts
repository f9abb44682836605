import { describe, expect, test } from "vitest";
import { faultNames } from "../../src/simulator/fault.ts";
import { sampleOf } from "../support/dose.ts";
import { pairs, taking } from "./models.ts";
import { APPROVED, openShop, SALE, type Shop } from "./shop.ts";
import { provenReady } from "./till.ts";

/*
 * Every driver that has a simulator makes sales with it: the ordinary ones, and those in which something goes wrong at
 * any moment. The verdict a driver
 * reports must be the card's, or there must be none.
 */

describe.each(taking(pairs, "chip"))("$title", (pair) => {
  const { facts, can } = pair;
  const ready = (shop: Shop): Promise<void> => provenReady(shop, pair);
  /** The holder types his PIN where the device has keys for it. */
  const typePin = (shop: Shop): void => {
    if (can.onlinePin) shop.terminal.press(["1234", "ENTER"]);
  };

  test("a sale is approved by card and device, with a PIN where the device takes one", async () => {
    const shop = await openShop({ ...pair, card: "visa-contact" });
    await ready(shop);
    const clock = await shop.does({ do: "set-clock", now: { date: "260115", time: "101500" } });
    expect(clock).toMatchObject(facts.clock === "host" ? { on: "done" } : { on: "fault", code: "refused" });
    const card = await shop.does(SALE);
    expect(card).toMatchObject({ on: "card", card: { interface: "chip", decision: "online" } });
    expect(card.on === "card" && [card.card.sred !== undefined, card.card.pin !== undefined]).toEqual([
      true,
      can.onlinePin && !can.sealed,
    ]);
    expect(await shop.does({ do: "complete", issuer: APPROVED })).toMatchObject({
      on: "finished",
      verdict: "approved",
    });
    const prompts = shop.notices.flatMap((notice) => (notice.on === "prompt" ? [notice.prompt] : []));
    expect(prompts).toEqual(
      facts.prompts(["INSERT_CHIP", "PROCESSING", ...(can.onlinePin ? (["ENTER_PIN", "PROCESSING"] as const) : [])]),
    );
    expect(await shop.does({ do: "display", lines: ["Approved", "Please remove card"] })).toMatchObject({ on: "done" });
  });

  test.each([
    ["declined", "3035"],
    ["unable-to-go-online", "5A33"],
  ] as const)("a host that is %s makes the card decline", async (verdict, arc) => {
    const shop = await openShop({ ...pair, card: "visa-contact" });
    await ready(shop);
    await shop.does(SALE);
    expect(await shop.does({ do: "complete", issuer: { verdict, arc, scripts: [] } })).toMatchObject({
      on: "finished",
      verdict: "declined",
    });
  });

  test("nobody comes: the collect ends by its own clock, and the next one works", async () => {
    const shop = await openShop({ ...pair, card: undefined });
    await ready(shop);
    expect(await shop.does(SALE)).toMatchObject({ on: "no-card", why: "timeout" });
    const n = shop.begins(SALE);
    await shop.clock.advance(500);
    shop.terminal.present("visa-contact");
    await shop.clock.advance(1000);
    typePin(shop);
    expect(await shop.ended(n)).toMatchObject({ on: "card" });
  });

  if (facts.prompts(["PROCESSING"]).length > 0)
    test("waiting for the card costs a few milliseconds more than a card that is in already", async () => {
      const [started] = facts.prompts(["PROCESSING"]);
      if (started === undefined) throw new Error("no sign that the card is being read");
      const startedAfter = async (isWaiting: boolean): Promise<number> => {
        const shop = await openShop({ ...pair, card: undefined });
        await ready(shop);
        if (!isWaiting) shop.terminal.present("visa-contact");
        const n = shop.begins(SALE);
        if (isWaiting) await shop.clock.advance(500);
        const began = shop.clock.monotonic();
        if (isWaiting) shop.terminal.present("visa-contact");
        await shop.clock.runUntil(
          () => shop.notices.some((notice) => notice.n === n && notice.on === "prompt" && notice.prompt === started),
          1000,
        );
        return shop.clock.monotonic() - began;
      };
      expect((await startedAfter(true)) - (await startedAfter(false))).toBeLessThan(facts.cardWaitMs);
    });

  /** Close together where command follows command, further apart where the customer takes his time. */
  const moments = sampleOf(
    [...Array.from({ length: 40 }, (_, at) => at), ...Array.from({ length: 29 }, (_, at) => 40 + at * 20)],
    6,
  );
  const frames = sampleOf(
    Array.from({ length: facts.frames }, (_, at) => at),
    3,
  );

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

  test.each(faultNames.filter((name) => name !== "plug"))(
    "%s at any frame never yields a verdict that is not the card's, and no command stays open",
    async (fault) => {
      for (const frame of frames) {
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
        for (const notice of endings)
          expect(["ready", "done", "card", "no-card", "finished", "fault"]).toContain(notice.on);
      }
    },
  );
});
