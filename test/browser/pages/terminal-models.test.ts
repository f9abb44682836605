import { afterAll, beforeAll, expect, it } from "vitest";
import { simulators } from "../../../drivers/simulators.ts";
import { shapeOf } from "../../../src/simulator/look.ts";
import { openDemo, type Visit, type VisitedDemo, visit } from "./demo.ts";

let demo: VisitedDemo;
let here: Visit;

beforeAll(async () => {
  demo = await openDemo();
  here = await visit(demo, "/terminal/");
});
afterAll(() => demo?.close());

/** What GET model says of each, before a page that otherwise talks to a real simulator. */
it.each(simulators.map((simulator) => [simulator.id, simulator] as const))(
  "%s is drawn with the parts that it has",
  async (_id, simulator) => {
    const { page, complaints } = here;
    const { id, title, capabilities } = simulator;
    const shape = shapeOf(simulator);
    const hostile = `${title} <img src=x onerror=alert(1)>`;
    await page.route(/\/model$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        json: { id, title: hostile, serialNumber: simulator.serialNumber.usual, capabilities, shape },
      });
    });
    await page.reload();
    const device = page.getByRole("region", { name: hostile, exact: true });
    await device.waitFor();
    const parts = {
      display: await device.locator(".display").count(),
      keys: await device.getByRole("button", { name: "Enter, the green key" }).count(),
      slot: await device.getByRole("button", { name: /^Card slot/ }).count(),
      stripe: await device.getByRole("button", { name: /^Stripe/ }).count(),
      contactless: await device.getByRole("button", { name: /^Contactless field/ }).count(),
    };
    const { display, keys, slot, stripe, contactless } = shape;
    expect(parts).toEqual(
      Object.fromEntries(
        Object.entries({ display, keys, slot, stripe, contactless }).map(([part, has]) => [part, has ? 1 : 0]),
      ),
    );
    expect(await page.locator("#page img").count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.unroute(/\/model$/);
  },
);
