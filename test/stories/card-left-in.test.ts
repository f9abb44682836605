import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { driverModels } from "../../drivers/index.ts";
import { nothingBooked, soldFor, takenBack } from "../scenarios/ledger.ts";
import { cardOut, saleOf, terminalReady } from "../scenarios/sale.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

/*
 * One customer's chip card is in the slot when the bridge loses sight of it. Whoever pays next pays with a card of his
 * own, and with nothing else in the way. One shop for each
 * family: some can be asked for their slot, some tell of it only when a card comes or goes.
 */

const FAMILIES = driverModels.map(({ id }) => id);
const THINKING_MS = 1_500;
/**
 * A person takes longer than this to put a card in, a terminal to tell of one that is in already does not
 * (engine/collect).
 */
const REACTION_MS = 600;

describe.each(FAMILIES)("a card in the slot of a %s", (model) => {
  let shop: StoryShop;
  let till: Till;

  beforeAll(async () => {
    shop = await openStoryShop({ model, timeouts: { cardMs: 15_000 } });
    till = await shop.till();
  });
  afterAll(() => shop.close());

  /** A card that asks for no PIN is in, and its request is under way. */
  async function untilHostIsAsked(reference: string): Promise<void> {
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: THINKING_MS });
    await till.client.startPayment(saleOf(shop.terminal, reference));
    await cardIsAsked(reference);
    await shop.time.pause(REACTION_MS);
    await shop.terminal.present("signature");
    await till.state(reference, "AUTHORIZING");
    await shop.sandbox.faultsUsed();
  }

  const cardIsAsked = (reference: string, times = 1) =>
    till.until(
      reference,
      "asked for a card",
      ({ prompt }) => prompt?.code.startsWith("INSERT_") === true && asksOf(reference) >= times,
    );

  const promptsOf = (reference: string): readonly string[] =>
    till.told.flatMap(({ payment }) =>
      payment.reference === reference && payment.prompt !== undefined ? [payment.prompt.code] : [],
    );
  const asksOf = (reference: string): number =>
    promptsOf(reference).filter((code, at, all) => code.startsWith("INSERT_") && code !== all[at - 1]).length;

  async function sells(reference: string): Promise<void> {
    await shop.time.pause(REACTION_MS);
    await shop.terminal.present("signature");
    await till.prompt(reference, "SIGN");
    await till.client.confirmSignature({ reference }, true);
    expect(await till.settled(reference)).toMatchObject({ outcome: "APPROVED" });
    expect(await shop.booksOf(reference)).toEqual(soldFor("12.34"));
    await cardOut({ till, terminal: shop.terminal });
  }

  it("that stays there over a kill -9 does not pay for the next sale: it is asked out", async () => {
    await untilHostIsAsked("killed");
    await shop.restart();
    till = await shop.till();
    expect(await till.client.waitPayment({ reference: "killed" })).toMatchObject({
      outcome: "FAILED",
      reason: { code: "bridge-restarted" },
    });
    await terminalReady(till, shop.terminal);
    await till.client.startPayment(saleOf(shop.terminal, "after the kill"));
    await till.prompt("after the kill", "REMOVE_CARD");
    await shop.time.pause(1_000);
    expect(await shop.booksOf("after the kill")).toEqual(nothingBooked);
    const before = asksOf("after the kill");
    await shop.terminal.pull();
    await cardIsAsked("after the kill", before + 1);
    await sells("after the kill");
    expect(await shop.booksOf("killed")).toEqual(takenBack);
  });

  it("that is pulled while its link is cut is in nobody's way", async () => {
    await untilHostIsAsked("cut");
    await shop.terminal.fault("unplug");
    await till.settled("cut");
    await shop.terminal.pull();
    await shop.terminal.fault("plug");
    await terminalReady(till, shop.terminal);
    await till.client.startPayment(saleOf(shop.terminal, "after the cut"));
    await cardIsAsked("after the cut");
    await sells("after the cut");
    const prompts = promptsOf("after the cut");
    expect(prompts.slice(0, prompts.indexOf("SIGN"))).not.toContain("REMOVE_CARD");
  });
});
