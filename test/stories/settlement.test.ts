import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Counters, openCounters } from "../scenarios/counters.ts";
import { nothingBooked, soldFor } from "../scenarios/ledger.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

let shop: StoryShop;
let till: Till;
let counters: Counters;

beforeAll(async () => {
  shop = await openStoryShop({ terminals: 2, automatic: true });
  await shop.stop();
  const written = fs.readFileSync(shop.configFile, "utf8");
  fs.writeFileSync(
    shop.configFile,
    written.replace("testMode: INTERNAL }", "testMode: INTERNAL, settlementByBrand: { MASTER: single } }"),
  );
  await shop.start();
  till = await shop.till();
  counters = openCounters(shop, () => till);
});
afterAll(() => shop.close());

const debited = { ...nothingBooked, DB: 1, captured: "12.34" };

describe("a shop whose channel debits the cards of one brand at once", () => {
  it.each(["mastercard-contact", "mastercard-contactless", "mastercard-phone"])(
    "debits one of that brand (%s)",
    async (card) => {
      const payment = await counters.pay({ reference: card, card });
      expect(payment).toMatchObject({ outcome: "APPROVED", card: { brand: "MASTER" }, capturedAmount: "12.34" });
      expect(payment.capture).toBeUndefined();
      expect(await shop.booksOf(card)).toEqual(debited);
    },
  );

  it.each(["visa-contact", "magstripe"])("reserves and captures any other (%s)", async (card) => {
    expect(await counters.pay({ reference: card, card })).toMatchObject({
      outcome: "APPROVED",
      card: { brand: "VISA" },
      capture: "captured",
    });
    expect(await shop.booksOf(card)).toEqual(soldFor("12.34"));
  });

  it("gives a debit of that brand back, in part and whole", async () => {
    await till.client.refund({ of: "mastercard-contact", reference: "some of it back", amount: "2.34" });
    expect(await till.settled("some of it back")).toMatchObject({ outcome: "APPROVED" });
    await till.client.void({ of: "mastercard-phone", reference: "all of it back" });
    expect(await till.settled("all of it back")).toMatchObject({ outcome: "APPROVED" });
    expect(await shop.contradictions()).toEqual([]);
  });

  it("reserves a preauthorization of whatever brand", async () => {
    await counters.pay({ reference: "reserved", card: "mastercard-contact", type: "PREAUTHORIZATION" });
    expect(await shop.booksOf("reserved")).toEqual({ ...nothingBooked, PA: 1, held: "12.34" });
  });
});
