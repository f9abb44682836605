import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDemo, type VisitedDemo, visit } from "./demo.ts";
import { behind, booked, post, type TillPage, visitTill } from "./till-page.ts";

let demo: VisitedDemo;
let till: TillPage;

beforeAll(async () => {
  demo = await openDemo();
  till = await visitTill(demo);
});
afterAll(() => demo?.close());

async function goOn(): Promise<void> {
  await till.page.getByRole("button", { name: "Next customer", exact: true }).click();
  await till.page.locator(".pad-submit:enabled").waitFor();
}

const starts = (method = "payment.start"): number => till.line.calls.filter((each) => each === method).length;

/** Presses of one moment: the page is not drawn anew between them. */
function atOnce(page: Page, ...presses: readonly string[]): Promise<unknown> {
  return page.evaluate(`(() => {
    const key = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    const type = (text) => [...text].forEach(key);
    const click = (selector) => document.querySelector(selector).click();
    const fill = (selector, text) => {
      const field = document.querySelector(selector);
      field.value = text;
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    };
    const submit = (selector) => document.querySelector(selector).requestSubmit();
    ${presses.join(";")}
  })()`);
}

describe("what is sent is what was typed", () => {
  it("where Enter follows the last digit at once", async () => {
    await till.page.locator(".pad-submit:enabled").waitFor();
    await till.page.keyboard.type("1500");
    await till.page.keyboard.press("Enter");
    await till.page.getByRole("heading", { name: "Sale of €15.00" }).waitFor();
    await till.look("good");
    await goOn();
    expect(await booked(demo, "PA", "15.00")).toBe(1);
  });

  it.each([
    ["Enter", 'key("Enter")', "1601", "16.01"],
    ["a click", 'click(".pad-submit")', "1702", "17.02"],
    ["two clicks and Enter", 'click(".pad-submit"); click(".pad-submit"); key("Enter")', "1803", "18.03"],
  ])("where %s comes in the same moment as the digits", async (_, press, digits, amount) => {
    const before = starts();
    await atOnce(till.page, `type("${digits}")`, press);
    await till.page.getByRole("heading", { name: `Sale of €${amount}` }).waitFor();
    await till.look("good");
    await goOn();
    expect([await booked(demo, "PA", amount), starts() - before]).toEqual([1, 1]);
  });

  it("where a refund is typed and sent in one moment, twice", async () => {
    await till.sell("2000");
    await till.look("good");
    await till.button("Refund");
    await till.page.getByText("€20.00 is left.").waitFor();
    await atOnce(till.page, 'fill("dialog input", "2001")', 'submit("dialog form")');
    await till.page.getByText("Only €20.00 is left.").waitFor();
    await atOnce(till.page, 'fill("dialog input", "500")', 'submit("dialog form")', 'submit("dialog form")');
    await till.page.getByRole("heading", { name: "Refund of €5.00" }).waitFor();
    await till.look("good");
    await goOn();
    expect([await booked(demo, "RF", "5.00"), starts("payment.refund")]).toEqual([1, 1]);
  });

  it("where a capture is typed at once: as much as is left of what was reserved and raised", async () => {
    await till.kind("Reserve");
    await till.sell("3000");
    await till.page.getByText("The amount is reserved, not taken.").waitFor();
    const open = async (): Promise<void> => {
      await goOn();
      await till.page.locator(".payment-row", { hasText: "Reservation" }).first().click();
    };
    await till.button("Raise");
    await atOnce(till.page, 'fill("dialog input", "1000")', 'submit("dialog form")');
    await till.page.getByText("More is reserved now.").waitFor();
    await open();
    await till.button("Capture");
    await till.page.getByText("€40.00 is left.").waitFor();
    await atOnce(till.page, 'fill("dialog input", "4100")', 'submit("dialog form")');
    await till.page.getByText("Only €40.00 is left. Type no more than that.").waitFor();
    expect(starts("payment.capture")).toBe(0);
    await atOnce(till.page, 'fill("dialog input", "3900")', 'submit("dialog form")');
    await till.page.getByText("The reserved money is taken.").waitFor();
    await goOn();
    expect(await booked(demo, "CP", "39.00")).toBe(1);
  });

  it("at the terminal's page too", async () => {
    const { page, context } = await visit(demo, "/terminal/");
    await page.locator(".sale-start button[type=submit]:enabled").waitFor();
    await atOnce(page, 'fill(".sale-start input", "21,50")', 'submit(".sale-start")', 'submit(".sale-start")');
    await expect.poll(() => booked(demo, "PA", "21.50")).toBe(1);
    await context.close();
  });
});

it("a lost reply that no query finds is not known after ten seconds, and looks like it", async () => {
  const faults = `${behind(demo).sandbox}sandbox/v1/faults`;
  await post(faults, { on: { paymentType: "PA" }, do: "drop-after", times: 1 });
  await post(faults, { on: { paymentType: "PA" }, do: "hide-from-query", delayMs: 60_000, times: 1 });
  await till.page.clock.install();
  await till.page.reload();
  await till.kind("Sale");
  await till.sell("2500");
  await till.page.locator(".verdict-title", { hasText: "One moment, please" }).waitFor();
  await expect.poll(() => booked(demo, "PA", "25.00")).toBe(1);
  await till.page.clock.fastForward(10_000);
  await till.look("unknown");
  expect(await till.words()).toContain(
    "No answer yetDo not sell again, do not hand over.The bank has not answered yet",
  );
  expect(till.complaints).toEqual([]);
});
