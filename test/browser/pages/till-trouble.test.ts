import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeFinds, openDemo, type VisitedDemo } from "./demo.ts";
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
  await till.page.locator(".pad").waitFor();
}

/** The gateway takes its time over the next reservation. */
async function slowGateway(): Promise<void> {
  await post(`${behind(demo).sandbox}sandbox/v1/faults`, {
    on: { paymentType: "PA" },
    do: "delay",
    delayMs: 1_000,
    times: 1,
  });
}

const starts = (): number => till.line.calls.filter((method) => method === "payment.start").length;

describe("in the middle of a sale", () => {
  it("a cut connection is not known, and no decline; then the sale is what it was", async () => {
    await slowGateway();
    await till.sell("1101");
    await till.look("prompt");
    await till.line.cut();
    await till.look("unknown");
    expect(await till.words()).toContain("Not known yetDo not sell again, do not hand over.");
    expect(await till.page.getByRole("button", { name: "Next customer", exact: true }).count()).toBe(0);
    till.line.mend();
    await till.look("good");
    expect([await booked(demo, "PA", "11.01"), starts()]).toEqual([1, 1]);
    await goOn();
  });

  it("a reload finds the sale again, and its end", async () => {
    await slowGateway();
    await till.sell("1202");
    await till.look("prompt");
    await till.page.reload();
    await till.page.getByRole("heading", { name: "Sale of €12.02" }).waitFor();
    await till.look("good");
    await till.page.reload();
    await till.look("good");
    await goOn();
    await till.page.reload();
    await till.page.locator(".pad").waitFor();
    expect(await booked(demo, "PA", "12.02")).toBe(1);
  });

  it("a sale that never reached the bridge is sent again only by a press, and sells once", async () => {
    const before = starts();
    till.line.lose("payment.start");
    await till.sell("1303");
    await till.look("unknown");
    till.line.mend();
    await till.look("over");
    expect(await till.words()).toContain("Never begun");
    expect([await booked(demo, "PA", "13.03"), starts()]).toEqual([0, before]);
    await till.button("Send it again");
    await till.look("good");
    expect(await booked(demo, "PA", "13.03")).toBe(1);
    await goOn();
  });

  it("what another bridge was asked is not called never begun", async () => {
    const asked = {
      ...{ call: "payment.start", register: "demo-till", bridge: "another", at: "2026-03-01T10:00:00.000Z" },
      params: { reference: "old", type: "SALE", terminal: "till-1", currency: "EUR", amount: "1.00" },
      title: { type: "SALE", amount: "1.00", currency: "EUR" },
    };
    await till.page.evaluate(
      `localStorage.setItem("posbridge-till-asked:old", ${JSON.stringify(JSON.stringify(asked))})`,
    );
    await till.page.reload();
    await till.page.getByText("This bridge does not have it").waitFor();
    await till.look("unknown");
    await goOn();
  });

  it("a lost reply of the gateway is not known, looks unlike a decline, and is solved by itself", async () => {
    await till.page.getByText("More", { exact: true }).click();
    await till.page.getByLabel("Store the card for later payments").check();
    await till.sell("1404");
    await till.look("good");
    await goOn();
    await till.kind("Stored card");
    await till.page.locator(".pad select option", { hasText: "VISA" }).waitFor({ state: "attached" });
    await till.page.locator(".pad select").selectOption({ index: 1 });
    await till.page.locator(".amount").click();
    await post(`${behind(demo).sandbox}sandbox/v1/faults`, { on: { paymentType: "PA" }, do: "drop-after", times: 1 });
    till.line.hold(/"state":"FINAL"/);
    await till.sell("1505");
    await till.page.getByText("The bridge goes on asking by itself").waitFor();
    await till.look("unknown");
    await till.button("Serve the next customer");
    await till.page.locator(".aside-entry", { hasText: "Not known yet" }).waitFor();
    till.line.letGo();
    await till.page.locator(".aside-entry", { hasText: "Approved" }).click();
    await till.look("good");
    expect(await booked(demo, "PA", "15.05")).toBe(1);
    await goOn();
  });

  it("a refusal says what to do", async () => {
    await till.kind("Refund");
    await till.page.getByLabel("Reference of the sale").fill("never sold");
    await till.page.keyboard.press("Enter");
    await till.look("stopped");
    expect(await till.words()).toContain("Check the reference: it stands on the receipt.");
    await goOn();
  });
});

it("shows hostile words of a card and a cashier as words", async () => {
  const hostile = '<img src=x onerror="document.title=1">';
  await post(`${behind(demo).controls}customer`, { card: "attacker" });
  await till.page.locator(".terminal-choice").click();
  await till.page.getByLabel("Cashier").fill(hostile);
  await till.button("Close");
  await till.sell("600");
  await till.page.locator(".facts dd", { hasText: hostile }).waitFor();
  await till.page.getByRole("button", { name: "Next customer", exact: true }).waitFor();
  await till.page.locator(".receipt-paper").waitFor();
  expect(await till.page.locator('img[src="x"]').count()).toBe(0);
  expect(await till.page.title()).toBe("Till · posbridge");
  await post(`${behind(demo).controls}customer`, { card: "visa-contact" });
  await goOn();
});

it("prints the receipt and nothing else", async () => {
  await till.sell("250");
  await till.page.locator(".receipt-paper").waitFor();
  await till.page.emulateMedia({ media: "print" });
  expect(await till.page.locator(".receipt-paper").isVisible()).toBe(true);
  for (const other of [".bar", ".till-bar", ".payment", ".recent", ".receipt button"])
    expect(await till.page.locator(other).first().isVisible()).toBe(false);
  await till.page.emulateMedia({ media: null });
  await goOn();
});

describe.each([
  ["light", 1_280],
  ["dark", 390],
] as const)("in %s, %i wide", (scheme, width) => {
  /** What is wrong with what is shown: for readers, for fingers, and sideways. */
  const faults = async ({ page }: TillPage): Promise<readonly string[]> => {
    const small =
      '[...document.querySelectorAll("button, .bar a, select, input:not([type=radio], [type=checkbox]), summary, .kind")].filter((each) => each.getClientRects().length > 0 && each.getBoundingClientRect().height < 44).map((each) => "small: " + each.textContent)';
    const sideways = "document.documentElement.scrollWidth > innerWidth ? ['wider than the screen'] : []";
    return [
      ...(await axeFinds(page)),
      ...(await page.evaluate<readonly string[]>(small)),
      ...(await page.evaluate<readonly string[]>(sideways)),
    ];
  };

  it("everybody can use each of its pictures", async () => {
    const other = await visitTill(demo, { scheme, width });
    expect(await faults(other)).toEqual([]);
    await other.sell("910005");
    await other.look("bad");
    await other.page.locator(".receipt-paper").waitFor();
    expect(await faults(other)).toEqual([]);
    await other.button("Next customer");
    await other.sell("200");
    await other.look("good");
    await other.button("Refund");
    expect(await faults(other)).toEqual([]);
    await other.button("Close");
    expect(await faults(other)).toEqual([]);
    await other.tab("History");
    await other.page.locator(".payment-row").nth(3).waitFor();
    expect(await faults(other)).toEqual([]);
    await other.tab("Totals");
    await other.page.locator("td").first().waitFor();
    expect(await faults(other)).toEqual([]);
    await other.tab("Payment");
    await other.button("Next customer");
    await other.sell("300");
    await other.line.cut();
    await other.look("unknown");
    expect(await faults(other)).toEqual([]);
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });
});

it("complained of nothing in the browser's console", () => {
  expect(till.complaints).toEqual([]);
});
