import { describe, expect, test } from "vitest";
import { findTag } from "../../src/emv/tlv.ts";
import { devices, taking } from "./models.ts";
import { APPROVED, openShop } from "./shop.ts";
import { collect, ready } from "./till.ts";

/*
 * A customer takes his chip out as soon as he has typed his PIN. It has approved nothing; but it has not declined
 * either, and its holder is to be told to try again, not to
 * take another card: the slot was told empty before, and no second cryptogram comes.
 */

describe.each(taking(devices, "chip"))("$title", (pair) => {
  test("tells of a chip that was pulled while its issuer was asked", async () => {
    const shop = await openShop({ ...pair, card: "visa-contact" });
    await ready(shop);
    expect(await shop.does(collect({ interfaces: ["chip"] }))).toMatchObject({ on: "card" });
    shop.terminal.removeCard();
    await shop.clock.advance(3000);
    const ending = await shop.does({ do: "complete", issuer: APPROVED });
    expect(ending).toMatchObject({ on: "finished", verdict: "declined" });
    expect(ending.on === "finished" && findTag(ending.emv, "9F26")).toBeUndefined();
    expect(shop.notices.findLast((notice) => notice.on === "slot")).toMatchObject({ card: false });
  });

  test("tells the cryptogram of a chip that declines by itself", async () => {
    const shop = await openShop({ ...pair, card: "contact-declines-after-approval" });
    await ready(shop);
    expect(await shop.does(collect({ interfaces: ["chip"] }))).toMatchObject({ on: "card" });
    const ending = await shop.does({ do: "complete", issuer: APPROVED });
    expect(ending).toMatchObject({ on: "finished", verdict: "declined" });
    // What seals its objects tells none, and its card is in the slot then.
    expect(ending.on === "finished" && findTag(ending.emv, "9F26") === undefined).toBe(pair.can.sealed);
    expect(shop.notices.findLast((notice) => notice.on === "slot")).toMatchObject({ card: true });
  });
});
