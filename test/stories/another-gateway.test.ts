import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Counters, openCounters } from "../scenarios/counters.ts";
import { soldFor, takenBack } from "../scenarios/ledger.ts";
import type { TestSandbox } from "../scenarios/sandbox.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

/** The second empty answer would come after half a minute, and with the shortest unknown window be the last. */
const WOULD_BE_OVER_MS = 33_000;

let shop: StoryShop;
let till: Till;
let counters: Counters;
let other: TestSandbox;

/**
 * A sale of yesterday, and one that was on its way when the bridge was killed; then the configuration names another
 * gateway.
 */
beforeAll(async () => {
  shop = await openStoryShop({ terminals: 2, automatic: true, timeouts: { hostAnswerMs: 40_000 } });
  till = await shop.till();
  counters = openCounters(shop, () => till);
  await counters.pay({ reference: "sold", card: "mastercard-contact", at: 2 });
  await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: 90_000 });
  await shop.terminal.customerHas("visa-contact");
  await till.client.startPayment({
    reference: "on its way",
    type: "SALE",
    terminal: "till-1",
    currency: "EUR",
    amount: "12.34",
  });
  await shop.sandbox.faultsUsed();
  other = shop.openGateway();
  await restartWith((written) => written.replace(shop.sandbox.url, other.url));
});
afterAll(async () => {
  await other.kill();
  await shop.close();
});

async function restartWith(change: (written: string) => string): Promise<void> {
  await shop.kill();
  fs.writeFileSync(shop.configFile, change(fs.readFileSync(shop.configFile, "utf8")));
  await shop.start();
  till = await shop.till();
}

describe("a bridge whose configuration names another gateway than yesterday", () => {
  it("says so, and sells by the new one", async () => {
    const told = shop.printed().find((line) => line.includes("begun with another gateway")) ?? "{}";
    expect(JSON.parse(told)).toMatchObject({
      level: "warn",
      references: expect.arrayContaining(["on its way"]),
      gateways: [shop.sandbox.url],
    });
    expect(await counters.pay({ reference: "new", card: "visa-contactless", at: 2 })).toMatchObject({
      outcome: "APPROVED",
      capture: "captured",
    });
    expect((await other.ledger()).map(({ paymentType }) => paymentType)).toEqual(["PA", "CP"]);
  });

  it("refuses to give back what the old one took, and tells where it is", async () => {
    await expect(till.client.refund({ of: "sold", reference: "refund" })).rejects.toThrow(
      `reference "sold" was made with another gateway, at ${shop.sandbox.url}: settle it there`,
    );
  });

  it("never takes the new one's word for what was booked at the old one", async () => {
    await shop.time.pause(WOULD_BE_OVER_MS);
    expect(await till.client.get({ reference: "on its way" })).toMatchObject({ state: "RESOLVING" });
  });

  it("goes on where it is told that it is the same gateway by another name", async () => {
    const renamed = shop.sandbox.url.replace("127.0.0.1", "localhost");
    await restartWith((written) =>
      written.replace(`"${other.url}"`, `"${renamed}", formerBaseUrls: ["${shop.sandbox.url}"]`),
    );
    const failed = { outcome: "FAILED", decision: "not-approved", reason: { code: "bridge-restarted" } };
    await till.client.subscribe("0");
    expect(await till.settled("on its way")).toMatchObject(failed);
    expect(await shop.booksOf("on its way")).toEqual(takenBack);
    expect(await shop.booksOf("sold")).toEqual(soldFor("12.34"));
  });
});
