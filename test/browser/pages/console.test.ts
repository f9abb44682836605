import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RegisterClient } from "../../../src/client/client.ts";
import { type HeldLine, holdLine, openRegister, post, printed, textOf } from "./console-page.ts";
import { axeFinds, openDemo, type Visit, type VisitedDemo, visit } from "./demo.ts";

let demo: VisitedDemo;
let register: RegisterClient;
let here: Visit;
let page: Page;
let line: HeldLine;

beforeAll(async () => {
  demo = await openDemo();
  register = await openRegister(demo);
  here = await visit(demo, "/");
  page = here.page;
  page.setDefaultTimeout(10_000);
  line = await holdLine(page);
  await sell("order-1", "12.34");
});
afterAll(async () => {
  register?.close();
  await demo?.close();
});

async function sell(reference: string, amount: string): Promise<string> {
  await register.startPayment({ reference, type: "SALE", terminal: "till-1", currency: "EUR", amount, queue: true });
  return (await register.waitPayment({ reference })).id;
}

const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
const heading = (name: string | RegExp) => page.getByRole("heading", { name, level: 1 }).waitFor();
const goTo = (view: string) => page.goto(new URL(`/console/#/${view}`, demo.url).href);
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();

describe("a technician at the console", () => {
  it("sees at a glance that the shop is all right", async () => {
    await goTo("");
    await heading("This shop is all right");
    await see("The terminal works, no payment is open, and every check is ok.");
    await see("Gateway credentials: ok");
  });

  it("finds a payment by its amount and reads its steps, requests and receipt", async () => {
    await page.getByRole("link", { name: "Payments", exact: true }).first().click();
    await page.getByLabel("Search").fill("no such payment");
    await see('No payment here has "no such payment".');
    await press("Look up this exact reference");
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Search").fill("12.34 visa");
    await page.getByRole("link", { name: "order-1" }).click();
    await heading("Payment order-1");
    const rows = await page.locator("table.steps tbody tr").allTextContents();
    expect(rows.some((row) => /Gateway.*approved the reservation \(PA\) of 12\.34 EUR.*ms/.test(row))).toBe(true);
    const lanes = await page.locator(".picture .lane-name").allTextContents();
    expect(lanes).toEqual(["Register", "Card", "Terminal", "Gateway", "Journal"]);
    const marks = (await page.locator(".picture .mark").allTextContents()).join(" ");
    expect(marks).toContain(String(rows.length));
    await see("Capture (CP)");
    await press("Merchant's copy");
    await page.getByLabel("Receipt, merchant's copy").getByText("12.34").first().waitFor();
  });

  it("reads log and checks, runs the checks again, and finds lines by words", async () => {
    await goTo("log");
    await see("session opened");
    await page.getByLabel("Search").fill("order-1 payment final");
    await see("0 of ");
    await page.getByLabel("Search").fill("payment final");
    await page.getByLabel("Lines of the log").getByText("order-1").first().waitFor();
    await page.getByLabel("Level").selectOption("error");
    await see("0 of ");
    await goTo("checks");
    await see("The clock agrees with the gateway's.");
    await press("Run again");
    await see("just now");
  });

  it("downloads a support bundle", async () => {
    await goTo("support");
    await press("Make the bundle");
    const [file] = await Promise.all([page.waitForEvent("download"), press("Download it")]);
    expect(file.suggestedFilename()).toMatch(/^posbridge-support-.*\.json$/);
    const text = await textOf(file);
    expect(JSON.parse(text)).toMatchObject({ configuration: { environment: "test" } });
    expect(text).not.toContain("sandbox-token");
  });
});

describe("when something is wrong", () => {
  it("keeps what it showed while the connection is cut, and goes on by itself", async () => {
    await goTo("");
    await heading("This shop is all right");
    await page.getByRole("link", { name: "order-1" }).waitFor();
    await line.cut();
    await see("The bridge does not answer.");
    expect(await page.getByRole("link", { name: "order-1" }).count()).toBe(1);
    await sell("order-2", "7.77");
    line.mend();
    await page.getByRole("link", { name: "order-2" }).waitFor();
    expect(await page.getByText("The bridge does not answer.").count()).toBe(0);
  });

  it("shows what card and device call themselves as text", async () => {
    await post(new URL("customer", printed(demo, /its controls +(http:\S+)screen/)).href, { card: "attacker" });
    const id = await sell("order-<i>3</i>", "3.33");
    line.twist((frame) =>
      frame.replaceAll(/"(serialNumber|firmware|brand)":"[^"]*"/g, '"$1":"<img src=x onerror=document.title=1>"'),
    );
    await goTo(`payments/${id}`);
    await heading("Payment order-<i>3</i>");
    await see("<img src=x onerror=document.title=1> •••• 0804, inserted");
    await goTo("terminals/till-1");
    // The payment's page holds the same text: the title tells which page is shown.
    await expect.poll(() => page.title()).toBe("Terminal till-1 · Console · posbridge");
    await see("<img src=x onerror=document.title=1>");
    expect(await page.locator("main :is(i, b, img)").count()).toBe(0);
    line.twist((frame) => frame);
    await post(new URL("customer", printed(demo, /its controls +(http:\S+)screen/)).href, { card: "visa-contact" });
  });

  it("says why a payment is open, what comes next and when, and that an operator cannot close it yet", async () => {
    const faults = new URL("sandbox/v1/faults", printed(demo, / sandbox +(http:\S+)/)).href;
    await post(faults, { on: { paymentType: "PA" }, do: "drop-after", times: 1 });
    await post(faults, { on: { paymentType: "PA" }, do: "hide-from-query", delayMs: 600_000 });
    await register.startPayment({
      reference: "order-4",
      type: "SALE",
      terminal: "till-1",
      currency: "EUR",
      amount: "44.00",
    });
    await goTo("open");
    await page.getByRole("link", { name: "order-4" }).waitFor();
    await page
      .locator(".countdown", { hasText: /^In [0-9]+/ })
      .first()
      .waitFor();
    await see(/An operator can/);
    expect(await page.getByRole("button", { name: /Resolve/ }).count()).toBe(0);
    await page.getByRole("link", { name: "order-4" }).click();
    await page.locator("table.steps").getByText("No clear answer to the reservation (PA)").waitFor();
  });

  it("asks once more before an operator closes a payment, and tells the bridge's refusal plainly", async () => {
    // The bridge offers choices only past the unknown window: here the page is told that it does, and the bridge
    // refuses.
    line.twist((frame) =>
      frame.replaceAll(/"resolvable":false/g, '"resolvable":true,"choices":["reversed","approved"]'),
    );
    await page.reload();
    await press("Resolve it…");
    await press("Go on");
    await see("Choose how the payment ended.");
    expect(await page.getByLabel(/^declined/).count()).toBe(0);
    await page.getByLabel(/^approved/).check();
    await page.getByLabel(/^Reason/).fill("seen in the back office");
    await press("Go on");
    await see("Copy the booking's id from the gateway's back office");
    await page.getByLabel(/^reversed/).check();
    await press("Go on");
    await see("This cannot be taken back.");
    await press("Close it as reversed");
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.keyboard.press("Escape");
    line.twist((frame) => frame);
    expect(here.complaints).toEqual([]);
  });

  it("tells a token without the scope what is missing", async () => {
    const { page: other } = await visit(demo, "/");
    const own = await holdLine(other);
    own.twist((frame) => frame.replace('"technician"', '"refunds"'));
    await other.goto(new URL("/console/", demo.url).href);
    await other.getByText("This page needs the scope").waitFor();
    await other.getByText("--scope technician --scope payments:all").waitFor();
    await other.context().close();
  });
});

describe("everybody", () => {
  it("scrolls no view sideways on a small screen, also where the menu has badges", async () => {
    const control = printed(demo, /its controls +(http:\S+)screen/);
    await post(new URL("faults", control).href, { do: "unplug" });
    const other = await visit(demo, "/console/", { width: 390 });
    await other.page.locator(".tabs .count").first().waitFor();
    await other.page.getByText("Terminal till-1: fail").waitFor();
    const { id } = await register.get({ reference: "order-1" });
    const views = ["terminals/till-1", "pair", "terminals/till-1/replace", "terminals/till-1/trace", `payments/${id}`];
    for (const view of ["", "terminals", "payments", "open", "checks", "log", "support", ...views, "nothing"]) {
      await other.page.goto(new URL(`/console/#/${view}`, demo.url).href);
      await other.page.locator(".view h1").waitFor();
      expect([view, await other.page.evaluate("document.documentElement.scrollWidth")]).toEqual([view, 390]);
    }
    await post(new URL("faults", control).href, { do: "plug" });
    await other.page.goto(new URL("/console/#/", demo.url).href);
    await other.page.getByText("Terminal till-1: ok").waitFor();
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });

  it.each(["light", "dark"] as const)("can use every view in %s", async (scheme) => {
    const { page: other, complaints } = await visit(demo, "/console/", {
      scheme,
      width: scheme === "light" ? 1_280 : 390,
    });
    await other.getByText("Gateway credentials:").waitFor();
    const { id } = await register.get({ reference: "order-1" });
    const views = {
      "": "",
      terminals: "Terminals",
      "terminals/till-1": "till-1",
      pair: "Pair a terminal",
      payments: "Payments",
      [`payments/${id}`]: "Payment order-1",
    };
    for (const [view, name] of Object.entries({
      ...views,
      open: "Open payments",
      checks: "Checks",
      log: "Log",
      support: "Support bundle",
      "terminals/till-1/trace": "Line of",
    })) {
      await other.goto(new URL(`/console/#/${view}`, demo.url).href);
      await other.getByRole("heading", { name, level: 1 }).waitFor();
      expect([view, await axeFinds(other)]).toEqual([view, []]);
    }
    expect(complaints).toEqual([]);
    await other.context().close();
  });

  it("reaches a payment's steps by keyboard alone", async () => {
    await goTo("");
    await page.getByRole("link", { name: "order-2" }).waitFor();
    await tabTo(page, "Payments");
    await page.keyboard.press("Enter");
    await heading("Payments");
    await page.getByRole("link", { name: "order-2" }).waitFor();
    expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
    await tabTo(page, "order-2");
    await page.keyboard.press("Enter");
    await heading("Payment order-2");
    await tabTo(page, "Merchant's copy");
    await page.keyboard.press("Enter");
    await page.getByLabel("Receipt, merchant's copy").waitFor();
  });
});

/** Tab after Tab, as far as the view has places to stop at. */
async function tabTo(on: Page, name: string): Promise<void> {
  for (let stops = 0; stops < 40; stops += 1) {
    await on.keyboard.press("Tab");
    if ((await on.evaluate("document.activeElement.textContent")) === name) return;
  }
  throw new Error(`the keyboard never reaches ${name}`);
}
