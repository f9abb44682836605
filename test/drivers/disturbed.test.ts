import { describe, expect, test } from "vitest";
import type { Capabilities } from "../../src/card/capabilities.ts";
import type { Command } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import { type FaultName, faultNames } from "../../src/simulator/fault.ts";
import { sampleOf } from "../support/dose.ts";
import { devices, taking } from "./models.ts";
import { APPROVED, openShop, type Shop } from "./shop.ts";
import { collect, KEYED, REFUND, ready } from "./till.ts";

/*
 * Every way of presenting a card but the contact chip's (sale.test.ts), disturbed at every moment: what is told must be
 * true, every command must end, and the
 * terminal must be good for the next sale.
 */

interface Mode {
  readonly card: string;
  readonly way: Capabilities["interfaces"][number];
  readonly collect: Extract<Command, { readonly do: "collect" }>;
  /** How the completion ends where nothing goes wrong; undefined where none follows. */
  readonly ends: "approved" | "read" | undefined;
}

const MODES: Readonly<Record<string, Mode>> = {
  tap: { card: "visa-contactless", way: "contactless", collect: collect(), ends: "read" },
  "tap with PIN": { card: "mastercard-contactless-pin", way: "contactless", collect: collect(), ends: "read" },
  "tap of a phone": { card: "visa-phone", way: "contactless", collect: collect(), ends: "read" },
  "tap in stripe mode": { card: "magstripe-contactless", way: "contactless", collect: collect(), ends: "read" },
  "chip while the reader waits": { card: "visa-contact", way: "chip", collect: collect(), ends: "approved" },
  swipe: { card: "magstripe", way: "stripe", collect: collect(), ends: "read" },
  "swipe with PIN": { card: "magstripe-pin", way: "stripe", collect: collect(), ends: "read" },
  "swipe in place of a chip": {
    card: "fallback",
    way: "stripe",
    collect: collect({ again: "fallback", interfaces: ["stripe"] }),
    ends: "read",
  },
  keyed: { card: "manual", way: "keyed", collect: KEYED, ends: "read" },
  "refund by chip": { card: "refund-aac", way: "chip", collect: REFUND, ends: undefined },
  "refund by tap": { card: "visa-contactless", way: "contactless", collect: REFUND, ends: undefined },
};

const stories = devices.flatMap((pair) =>
  Object.entries(MODES)
    .filter(([, { card, way }]) => pair.can.interfaces.includes(way) && pair.facts.without[card] === undefined)
    .map(([mode, story]) => ({ ...pair, ...story, title: `${pair.simulator.title}: ${mode}` })),
);

const moments = sampleOf(
  [...Array.from({ length: 24 }, (_, at) => at), ...Array.from({ length: 24 }, (_, at) => 24 + at * 35)],
  3,
);
const framesOf = (count: number): readonly number[] =>
  sampleOf(
    Array.from({ length: count }, (_, at) => at),
    2,
  );

describe.each(stories)("$title", ({ ends, collect: command, ...pair }) => {
  const completed = async (shop: Shop): Promise<Notice | undefined> =>
    ends === undefined ? undefined : shop.does({ do: "complete", issuer: APPROVED });

  /**
   * The terminal is free: it takes the same card once more. A card that its holder takes out just as the next collect
   * begins has to come again.
   */
  const goesOn = async (shop: Shop): Promise<void> => {
    const first = await shop.does(command);
    expect(first.on === "no-card" && first.why === "removed" ? await shop.does(command) : first).toMatchObject({
      on: "card",
    });
    if (ends !== undefined) expect(await completed(shop)).toMatchObject({ on: "finished", verdict: ends });
  };

  test("goes well twice in a row", async () => {
    const shop = await openShop(pair);
    await ready(shop);
    await goesOn(shop);
    await goesOn(shop);
  });

  test("a cancel at any moment ends the collect or comes too late, and the device is free again", async () => {
    const endings = new Set<string>();
    for (const at of moments) {
      const shop = await openShop(pair);
      await ready(shop);
      const n = shop.begins(command);
      await shop.clock.advance(at);
      const cancel = shop.begins({ do: "cancel" });
      expect(await shop.ended(cancel)).toMatchObject({ on: "cancelled", by: "register" });
      endings.add((await shop.ended(n)).on);
      await goesOn(shop);
    }
    expect([...endings].sort()).toEqual(["cancelled", "card"]);
  });

  test("an idle command at any moment does the same", async () => {
    for (const at of moments) {
      const shop = await openShop(pair);
      await ready(shop);
      const n = shop.begins(command);
      await shop.clock.advance(at);
      expect(await shop.does({ do: "idle" })).toMatchObject({ on: "done" });
      expect(["cancelled", "card"]).toContain((await shop.ended(n)).on);
      await goesOn(shop);
    }
  });

  if (pair.facts.redKeyFromMs !== undefined) {
    test("the red key at any moment ends the collect or means nothing, and the device is free again", async () => {
      for (const at of moments) {
        const shop = await openShop(pair);
        await ready(shop);
        const n = shop.begins(command);
        await shop.clock.advance(at);
        shop.terminal.press(["CANCEL"]);
        const ending = await shop.ended(n);
        expect(ending.on === "cancelled" ? ending.by : ending.on).toMatch(/^(customer|card)$/);
        expect(await shop.does({ do: "cancel" })).toMatchObject({ on: "cancelled" });
        await goesOn(shop);
      }
    });
  }

  test.each(faultNames.filter((name) => name !== "plug"))(
    "%s at any frame ends every command, and nothing untrue is told",
    async (fault: FaultName) => {
      for (const frame of framesOf(pair.facts.frames)) {
        const shop = await openShop(pair);
        shop.terminal.fault(fault, frame);
        await ready(shop);
        const card = await shop.does(command);
        expect(["card", "no-card", "cancelled", "fault"]).toContain(card.on);
        const final = await completed(shop);
        if (final === undefined) continue;
        if (final.on === "finished")
          expect({ frame, card: card.on, verdict: final.verdict }).toEqual({ frame, card: "card", verdict: ends });
        else expect(final.on).toBe("fault");
      }
    },
  );

  test("nobody comes: it ends by its own clock, and so does the next", async () => {
    const shop = await openShop({ ...pair, card: undefined });
    await ready(shop);
    for (let turn = 0; turn < 2; turn += 1)
      expect(await shop.does(command)).toMatchObject({ on: "no-card", why: "timeout" });
  });
});

describe.each(taking(devices, "contactless").filter(({ can }) => can.pinAfterTap))(
  "a PIN for a tap: $title",
  (pair) => {
    const request = collect().request;

    const tapped = async (card: string | undefined): Promise<Shop> => {
      const shop = await openShop({ ...pair, card });
      await ready(shop);
      const n = shop.begins(collect());
      await shop.clock.advance(100);
      if (card === undefined) shop.terminal.present("visa-contactless");
      expect(await shop.ended(n)).toMatchObject({ on: "card", card: { interface: "contactless-chip" } });
      return shop;
    };

    test.each([
      ["cancels", (shop: Shop) => shop.terminal.press(["CANCEL"]), { on: "cancelled", by: "customer" }],
      ["does nothing", () => undefined, { on: "no-card", why: "pin-timeout" }],
    ])("a customer who %s can still be told the issuer's answer", async (_what, act, ending) => {
      const shop = await tapped(undefined);
      const n = shop.begins({ do: "ask-pin", request: { ...request, pinMs: 20_000 } });
      await shop.clock.advance(100);
      act(shop);
      expect(await shop.ended(n)).toMatchObject(ending);
      expect(
        await shop.does({ do: "complete", issuer: { verdict: "declined", arc: "3635", scripts: [] } }),
      ).toMatchObject({ on: "finished", verdict: "read" });
      expect(await shop.does({ do: "ask-pin", request })).toMatchObject({ on: "fault", code: "refused" });
      expect(await shop.does({ do: "idle" })).toMatchObject({ on: "done" });
    });

    test("a cancel at any moment ends it or comes too late, and the device is free again", async () => {
      for (const at of moments) {
        const shop = await tapped("visa-contactless");
        const n = shop.begins({ do: "ask-pin", request });
        await shop.clock.advance(at);
        expect(await shop.does({ do: "cancel" })).toMatchObject({ on: "cancelled", by: "register" });
        expect(["cancelled", "pin"]).toContain((await shop.ended(n)).on);
        expect(await shop.does(collect())).toMatchObject({ on: "card" });
      }
    });

    test.each(faultNames.filter((name) => name !== "plug"))("%s at any frame ends it", async (fault) => {
      for (const frame of framesOf(6)) {
        const shop = await tapped("visa-contactless");
        shop.terminal.fault(fault, frame);
        const asked = await shop.does({ do: "ask-pin", request });
        expect(["pin", "no-card", "cancelled", "fault"]).toContain(asked.on);
        const final = await shop.does({ do: "complete", issuer: APPROVED });
        expect(final.on === "finished" ? final.verdict : final.on).toMatch(/^(read|fault)$/);
      }
    });

    test("a card in the slot, a number that was typed, or nothing at all has none", async () => {
      for (const [card, command] of [["visa-contact", collect()] as const, ["manual", KEYED] as const]) {
        const shop = await openShop({ ...pair, card });
        await ready(shop);
        expect(await shop.does({ do: "ask-pin", request })).toMatchObject({ on: "fault", code: "refused" });
        await shop.does(command);
        expect(await shop.does({ do: "ask-pin", request })).toMatchObject({ on: "fault", code: "refused" });
      }
    });
  },
);
