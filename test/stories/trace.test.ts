import { expect, it, onTestFinished } from "vitest";
import type { TraceEntry } from "../../src/terminal/trace.ts";
import { FACTS } from "../drivers/models.ts";
import { saleOf } from "../scenarios/sale.ts";
import { openStoryShop } from "./shop.ts";

/** One device of each family, and the frame by which it is asked for a card. */
const MODELS = FACTS.filter(({ driver, simulator }) => driver === simulator).map(
  ({ simulator, asksBy }) => [simulator, asksBy] as const,
);

it.each(MODELS)(
  "a sale at a %s is traced by the names of its frames, and shows nothing of the card",
  async (model, command) => {
    const shop = await openStoryShop({ model, automatic: true });
    onTestFinished(shop.close);
    const till = await shop.till();
    const trace = shop.trace(shop.terminal.id);
    trace?.begin(600_000);
    await till.client.startPayment(saleOf(shop.terminal, "traced"));
    const entries: TraceEntry[] = [];
    const gather = (): void => {
      for (
        let page = trace?.read(entries.at(-1)?.n ?? 0);
        page !== undefined && page.length > 0;
        page = trace?.read(entries.at(-1)?.n ?? 0)
      )
        entries.push(...page);
    };
    for (const state of ["AUTHORIZING", "COMPLETING"] as const) {
      await till.state("traced", state);
      gather();
    }
    expect(entries.map(({ frame }) => frame)).toContain(command);
    expect(entries.some(({ direction }) => direction === "received")).toBe(true);
    expect(entries.filter(({ frame }) => /no frame|unknown/.test(frame))).toEqual([]);
    for (const { frame, objects } of entries) {
      expect(frame).toMatch(/^[ -~]{1,60}$/);
      expect(frame).not.toMatch(/[0-9]{12}/);
      for (const { value = "" } of objects) expect(value.length).toBeLessThanOrEqual(12);
    }
    expect(JSON.stringify(entries)).not.toMatch(/476134|4761340000000050/);
  },
);
