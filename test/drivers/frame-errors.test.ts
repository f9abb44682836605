import { describe, expect, test } from "vitest";
import type { FaultName } from "../../src/simulator/fault.ts";
import { type Pair, pairs, taking } from "./models.ts";
import { openShop, SALE } from "./shop.ts";
import { ready } from "./till.ts";

/*
 * Frames that go wrong on the line are told, so that a bad cable shows in the figures before it stops a sale. A
 * protocol without a check sum, or without acknowledgements,
 * sees less.
 */

const all = taking(pairs, "chip");
/** Protocols that check each frame; over USB the bus does. */
const checked = all.filter(({ model, transport }) => transport !== "usb" && !model.id.startsWith("magtek"));
const isAcknowledged = ({ model }: Pair): boolean => /^(?:ingenico-ipp350|pax-d180)$/.test(model.id);

/** The errors of sales in each of which that happens to another frame. */
async function errorsOf(pair: Pair, fault: FaultName | undefined): Promise<ReadonlySet<string>> {
  const told = new Set<string>();
  for (const frame of [0, 1, 2, 3, 4, 5]) {
    const shop = await openShop({ ...pair, card: "visa-contact" });
    await ready(shop);
    if (fault !== undefined) shop.terminal.fault(fault, frame);
    await shop.does(SALE);
    for (const error of shop.frameErrors) told.add(error);
  }
  return told;
}

describe.each(all)("$title", (pair) => {
  test("nothing is told of a good line", async () => expect([...(await errorsOf(pair, undefined))]).toEqual([]));

  test("a frame that comes twice is told where each is acknowledged, and there alone", async () => {
    expect((await errorsOf(pair, "duplicate-next-frame")).has("repeated")).toBe(isAcknowledged(pair));
  });
});

test.each(checked)("$title: a frame that arrives corrupted is told", async (pair) => {
  expect(await errorsOf(pair, "corrupt-next-frame")).toContain("corrupted");
});
