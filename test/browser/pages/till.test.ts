import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDemo, type VisitedDemo } from "./demo.ts";
import { behind, booked, post, type TillPage, visitTill } from "./till-page.ts";

let demo: VisitedDemo;
let till: TillPage;

beforeAll(async () => {
  demo = await openDemo();
  till = await visitTill(demo);
});
afterAll(() => demo?.close());

/** The next customer, whatever is in front. */
async function goOn(): Promise<void> {
  await till.page.getByRole("button", { name: "Next customer", exact: true }).click();
  await till.page.locator(".pad").waitFor();
}

describe("the till", () => {
  it("sells by mouse, and shows the receipt of both copies", async () => {
    for (const key of ["1", "2", "3", "4"]) await till.button(key);
    await till.page.getByRole("button", { name: "Sell €12.34" }).click();
    await till.look("good");
    expect(await till.words()).toContain("Hand over the goods.");
    await till.page.getByText("CUSTOMER COPY").waitFor();
    await till.page.getByRole("radio", { name: "Merchant" }).check();
    await till.page.getByText("MERCHANT COPY").waitFor();
    await goOn();
    expect(await booked(demo, "PA", "12.34")).toBe(1);
  });

  it("sells by the keyboard alone, and goes on by Enter", async () => {
    await till.page.keyboard.type("450");
    await till.page.keyboard.press("Enter");
    await till.look("good");
    await till.page.keyboard.press("Enter");
    await till.page.locator(".pad").waitFor();
    await till.page.keyboard.type("1");
    expect(await till.page.locator(".amount-sum").textContent()).toBe("€0.01");
    await till.page.keyboard.press("Escape");
    expect(await till.page.locator(".amount-sum").textContent()).toBe("€0.00");
  });

  it("shows the prompts, and cancels once Escape was confirmed", async () => {
    await post(`${behind(demo).controls}customer`, { card: "manual" });
    await till.sell("777");
    await till.look("prompt");
    expect(await till.words()).toContain("the card");
    await till.page.keyboard.press("Escape");
    await till.page.getByRole("dialog").waitFor();
    await till.page.keyboard.press("Escape");
    await till.look("prompt");
    await till.page.keyboard.press("Escape");
    await till.page.getByRole("dialog").waitFor();
    await till.page.keyboard.press("Enter");
    await till.look("bad");
    await till.page.locator(".verdict-title", { hasText: "Cancelled" }).waitFor();
    await till.page.getByText("The cancel was taken").waitFor();
    await post(`${behind(demo).controls}customer`, { card: "visa-contact" });
    await goOn();
  });

  it("says that a decline is one, and tries once more under another reference", async () => {
    await till.sell("910005");
    await till.look("bad");
    const reference = await till.reference();
    await till.button("Try once more");
    await till.page.getByText(reference, { exact: true }).waitFor({ state: "detached" });
    await till.look("bad");
    await goOn();
    expect(await booked(demo, "PA", "9100.05")).toBe(2);
  });

  it("refunds a part of a sale from its picture, and the rest by its reference", async () => {
    await till.sell("2000");
    await till.look("good");
    const reference = await till.reference();
    await till.button("Refund");
    await till.page.keyboard.type("500");
    await till.page.keyboard.press("Enter");
    await till.page.getByText("The money goes back to the customer.").waitFor();
    await goOn();
    await till.kind("Refund");
    await till.page.getByLabel("Reference of the sale").fill(reference);
    await till.page.keyboard.press("Enter");
    await till.page.getByText("The money goes back to the customer.").waitFor();
    await goOn();
    expect([await booked(demo, "RF", "5.00"), await booked(demo, "RF", "15.00")]).toEqual([1, 1]);
  });

  it("refunds to a card whose sale is not known", async () => {
    await till.kind("Refund");
    await till.page.getByRole("radio", { name: "To a card at the terminal, sale not known" }).check();
    await till.sell("300");
    await till.page.getByText("The money goes back to the card.").waitFor();
    await goOn();
    expect(await booked(demo, "CD", "3.00")).toBe(1);
  });

  it("reserves, raises, and captures a part", async () => {
    await till.kind("Reserve");
    await till.sell("10000");
    await till.page.getByText("The amount is reserved, not taken.").waitFor();
    const open = async (): Promise<void> => {
      await goOn();
      await till.page.locator(".payment-row", { hasText: "Reservation" }).first().click();
    };
    await till.button("Raise");
    await till.page.getByLabel("Amount").last().waitFor();
    await till.page.keyboard.type("2000");
    await till.page.keyboard.press("Enter");
    await till.page.getByText("More is reserved now.").waitFor();
    await open();
    await till.button("Capture");
    await till.page.keyboard.type("7000");
    await till.page.keyboard.press("Enter");
    await till.page.getByText("The reserved money is taken.").waitFor();
    await goOn();
    expect(await booked(demo, "CP", "70.00")).toBe(1);
  });

  it("stores a card with a sale that has a tip, charges it later, and voids that", async () => {
    await till.kind("Sale");
    await till.page.keyboard.type("1000");
    await till.button("Add a tip");
    await till.page.keyboard.type("150");
    await till.page.getByText("More", { exact: true }).click();
    await till.page.getByLabel("Store the card for later payments").check();
    await till.page.keyboard.press("Enter");
    await till.look("good");
    await till.page.getByText("€1.50", { exact: true }).waitFor();
    await goOn();
    await till.kind("Stored card");
    const choice = till.page.locator(".pad select");
    await choice.locator("option", { hasText: "VISA" }).first().waitFor({ state: "attached" });
    await choice.selectOption({ index: 1 });
    await till.page.locator(".amount").click();
    await till.sell("1900");
    await till.look("good");
    await till.button("Void");
    await till.page.getByRole("dialog").getByRole("button", { name: "Void" }).click();
    await till.page.getByText("The payment is taken back as a whole.").waitFor();
    await goOn();
    expect(await booked(demo, "PA", "19.00")).toBe(1);
  });

  it("shows the code of a link as an image, and cancels it", async () => {
    await till.kind("Link");
    await till.sell("3600");
    await till.look("link");
    await till.page.getByRole("img", { name: /^QR code of http/ }).waitFor();
    const drawn = 'document.querySelector(".link-picture img")';
    expect(await till.page.evaluate<number>(`${drawn}.decode().then(() => ${drawn}.naturalWidth)`)).toBeGreaterThan(0);
    await till.button("Serve the next customer");
    await till.page.locator(".pad").waitFor();
    await till.page.reload();
    await till.page.locator(".pad").waitFor();
    await till.page.locator(".aside-entry", { hasText: "Scan to pay" }).click();
    await till.look("link");
    await till.button("Cancel");
    await till.button("Yes, cancel it");
    await till.look("bad");
    await goOn();
  });

  it("goes back to the view before by the browser's own button, and sends by Enter on its tab", async () => {
    await till.tab("History");
    await till.page.getByRole("heading", { name: "History" }).waitFor();
    await till.page.reload();
    await till.page.getByRole("heading", { name: "History" }).waitFor();
    await till.page.goBack();
    await till.page.locator(".pad").waitFor();
    await till.kind("Sale");
    await till.tab("Payment");
    await till.page.locator(".pad-submit:enabled").waitFor();
    await till.page.keyboard.press("Enter");
    await till.page.getByText("Type an amount first.").waitFor();
    await till.tab("Payment");
    for (const key of ["5", "00"]) await till.button(key);
    await till.page.keyboard.press("Enter");
    await till.page.getByRole("heading", { name: "Sale of €5.00" }).waitFor();
    await till.look("good");
    await goOn();
  });

  it("asks for the signature, and gives the money back where it does not match", async () => {
    await post(`${behind(demo).controls}customer`, { card: "signature" });
    await till.kind("Sale");
    await till.sell("4500");
    await till.look("sign");
    await till.page.getByText("APPROVED, SUBJECT TO SIGNATURE").waitFor();
    await till.page.getByText("(five minutes)").waitFor();
    await till.button("It does not match");
    await till.page.getByText("The signature was not accepted.").waitFor();
    await post(`${behind(demo).controls}customer`, { card: "visa-contact" });
    await till.look("bad");
    await goOn();
  });

  it("finds a payment in the history, and tells the day's totals", async () => {
    await till.tab("History");
    await till.page.getByLabel("Search").fill("refund 15.00");
    await expect.poll(() => till.page.locator(".payment-row").count()).toBe(1);
    await till.page.getByLabel("Search").fill("");
    await till.page.getByLabel("Show").selectOption("Declined");
    await till.page.getByText("2 shown").waitFor();
    await till.page.locator(".payment-row").first().click();
    await till.look("bad");
    await goOn();
    await till.tab("Totals");
    // 12.34 + 4.50 + 20.00 + 11.50 + 70.00 + 5.00 taken, 5.00 + 15.00 + 3.00 given back.
    await till.page.getByText("€100.34").waitFor();
    await till.tab("Payment");
  });

  it("complained of nothing in the browser's console", () => {
    expect(till.complaints).toEqual([]);
  });
});
