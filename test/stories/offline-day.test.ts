import { afterAll, beforeAll, expect, it } from "vitest";
import { soldFor } from "../scenarios/ledger.ts";
import { cardOut, sell, terminalReady, untilCardIsAsked, untilHostIsAsked } from "../scenarios/sale.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

const HOUR = 3_600_000;
const LIMITS = { cardMs: 60_000, pinMs: 60_000, unknownWindowMs: HOUR / 2 };
/**
 * Each try of what is owed is three facts at most, and the tries become rarer; more than this a day would fill disks.
 */
const FACTS_A_DAY = 300;
const REQUESTS_A_DAY = 200;

let shop: StoryShop;
let till: Till;
beforeAll(async () => {
  shop = await openStoryShop({ terminals: 3, timeouts: LIMITS });
  till = await shop.till();
});
afterAll(() => shop.close());

function at(number: number, reference: string, card = "visa-contact") {
  const terminal = shop.terminals[number - 1];
  if (terminal === undefined) throw new RangeError(`there is no terminal ${number}`);
  return { till, terminal, reference, card };
}

it("a day without network keeps what is open, refuses new sales at once, and everything is settled when it is back", async () => {
  const { network, sandbox } = shop;
  await sandbox.fault({ on: { paymentType: "PA" }, do: "drop-after" });
  await untilHostIsAsked(at(1, "answer lost"));
  await sandbox.faultsUsed();
  network.cut(true);
  await shop.time.pause(100);
  network.cut(false);
  await sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: 300 });
  await untilHostIsAsked(at(2, "to be captured"));
  await at(2, "").terminal.fault("slow");
  await till.state("to be captured", "COMPLETING");
  network.cut(true);
  expect(await till.state("to be captured", "FINAL")).toMatchObject({ outcome: "APPROVED", capture: "pending" });
  const [facts, requests] = [await shop.journal().lastNumber(), network.requests()];

  const waitedFrom = shop.time.now();
  await untilCardIsAsked(at(3, "offline"));
  await at(3, "").terminal.present("visa-contact");
  await till.prompt("offline", "ENTER_PIN");
  await at(3, "").terminal.press("1234 ENTER");
  expect(await till.settled("offline")).toMatchObject({
    outcome: "FAILED",
    reason: { code: "gateway-unreached", advice: "retry" },
  });
  expect(shop.time.now() - waitedFrom).toBeLessThan(10_000);
  await cardOut(at(3, ""));
  await shop.time.pause(24 * HOUR);
  till = await shop.till();
  expect(await till.client.get({ reference: "answer lost" })).toMatchObject({ state: "RESOLVING" });
  expect(await till.client.get({ reference: "to be captured" })).toMatchObject({ capture: "pending" });
  expect((await shop.journal().lastNumber()) - facts).toBeLessThan(FACTS_A_DAY);
  expect(network.requests() - requests).toBeLessThan(REQUESTS_A_DAY);

  network.cut(false);
  await till.client.subscribe("0");
  expect(await till.settled("to be captured", 2 * HOUR)).toMatchObject({ outcome: "APPROVED", capture: "captured" });
  await till.settled("answer lost", 2 * HOUR);
  expect(await shop.contradictions()).toEqual([]);
  const free = at(3, "again");
  await terminalReady(till, free.terminal);
  expect(await sell(free)).toMatchObject({ outcome: "APPROVED" });
  expect(await shop.booksOf("again", "offline")).toEqual(soldFor("12.34"));
});
