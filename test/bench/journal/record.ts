import { z } from "zod";
import type { StoredFact } from "../../../src/engine/ports.ts";
import { rowOf } from "../../../src/engine/shell/payment-row.ts";
import { factSchema } from "../../../src/payment/fact/fact.ts";
import { type Fact, fold } from "../../../src/payment/machine.ts";
import { terminalReady } from "../../scenarios/sale.ts";
import type { Till } from "../../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "../../stories/shop.ts";
import { type RecordedRun, type Story, storyOf } from "./story.ts";

export interface Stories {
  readonly sale: Story;
  readonly refunded: Story;
  readonly declined: Story;
}

/** Sells in a whole shop in this process, on a simulated clock. Recorded anew each time, so no recording gets old. */
export async function recordStories(): Promise<Stories> {
  const shop = await openStoryShop({ automatic: true });
  const till = await shop.till();
  await terminalReady(till, shop.terminal);
  const sale = await recorded(shop, () => sell(shop, till, "S-1"));
  const refunded = await recorded(shop, async () => {
    await sell(shop, till, "S-2");
    await till.client.refund({ of: "S-2", reference: "F-2" });
    await till.settled("F-2");
  });
  const declined = await recorded(shop, async () => {
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: { result: "800.100.151" } });
    await sell(shop, till, "D-1");
  });
  till.client.close();
  await shop.close();
  return { sale, refunded, declined };
}

async function sell(shop: StoryShop, till: Till, reference: string): Promise<void> {
  const { id: terminal } = shop.terminal;
  await till.client.startPayment({ reference, type: "SALE", terminal, currency: "EUR", amount: "12.34" });
  await till.settled(reference);
  await terminalReady(till, shop.terminal);
  // The last facts of a payment follow its end.
  await shop.time.pause(1_000);
}

async function recorded(shop: StoryShop, run: () => Promise<void>): Promise<Story> {
  const from = await shop.journal().lastNumber();
  await run();
  await shop.time.pause(1_000);
  return storyOf(runsOf(await shop.journal().after(from, 1_000)));
}

/** Facts of the same payment that follow each other are one run. */
function runsOf(stored: readonly StoredFact[]): readonly RecordedRun[] {
  const known = new Map<string, Fact[]>();
  const runs: { payment: string; facts: { at: number; fact: StoredFact["fact"] }[]; row: RecordedRun["row"] }[] = [];
  for (const { payment, fact } of stored) {
    const read = factSchema.parse(fact);
    const facts = [...(known.get(payment) ?? []), read];
    known.set(payment, facts);
    const after = fold(facts);
    if (after === undefined) throw new RangeError(`payment ${payment} begins with ${read.fact}`);
    const last = runs.at(-1);
    const entry = { at: read.at, fact: z.json().parse(fact) };
    if (last?.payment === payment) {
      last.facts.push(entry);
      last.row = rowOf(after);
    } else runs.push({ payment, facts: [entry], row: rowOf(after) });
  }
  return runs;
}
