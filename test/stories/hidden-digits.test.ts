import { expect, it, onTestFinished } from "vitest";
import { openStoryShop } from "./shop.ts";

it.each([
  ["pax-d180", { brand: "UNKNOWN" }, { brand: "VISA", bin: "476173", last4: "0309" }],
  ["idtech-vp3300", { brand: "VISA", last4: "0309" }, { brand: "VISA", bin: "476173", last4: "0309" }],
] as const)(
  "a stripe of which the %s shows less than six digits has its brand, and those that the gateway tells",
  async (model, before, after) => {
    const shop = await openStoryShop({ model, automatic: true });
    onTestFinished(() => shop.close());
    const till = await shop.till();
    await shop.terminal.customerHas("magstripe");
    await till.client.startPayment({
      reference: "R-1",
      type: "SALE",
      terminal: shop.terminal.id,
      currency: "EUR",
      amount: "12.34",
    });
    const entryMode = "MAGSTRIPE";
    expect((await till.until("R-1", "card", ({ card }) => card !== undefined)).card).toEqual({ ...before, entryMode });
    const { card } = await till.until("R-1", "approved", ({ decision }) => decision === "approved");
    expect(card).toEqual({ ...after, entryMode });
    expect(await till.client.totals({})).toMatchObject([{ brand: "VISA", count: 1 }]);
  },
);
