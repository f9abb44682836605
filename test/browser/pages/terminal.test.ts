import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { axeFinds, openDemo, type Visit, type VisitedDemo, visit } from "./demo.ts";

let demo: VisitedDemo;
let here: Visit;
let page: Page;

beforeAll(async () => {
  demo = await openDemo();
  here = await visit(demo, "/terminal/");
  page = here.page;
  await page.getByText("It rests.").waitFor();
});
afterAll(() => demo?.close());

const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const press = (name: string | RegExp) => button(name).click();
const see = (text: string | RegExp) => page.getByText(text).first().waitFor();

/** Digits and the green key, each pressed by mouse. */
async function type(digits: string): Promise<void> {
  for (const digit of digits) await press(digit);
  await press("Enter, the green key");
}

async function outcome(words: string): Promise<void> {
  await page.locator(".outcome-title").getByText(words, { exact: true }).waitFor();
}

async function take(group: string, card: string): Promise<void> {
  await press(group);
  await page
    .getByRole("listitem")
    .getByRole("button", { name: new RegExp(`^${card} `) })
    .click();
}

async function rest(): Promise<void> {
  if (await button("Pull out").isEnabled()) await press("Pull out");
  await see("It rests.");
}

describe("a visitor", () => {
  beforeEach(async () => {
    await rest();
  });

  it("starts a sale, which the simulated customer pays by himself", async () => {
    await press("Start a sale");
    await outcome("Approved");
    await see(/Capture of .12.34/);
  });

  it("takes a card, is the customer from then on, and types its PIN by mouse", async () => {
    await take("Chip", "mastercard-contact");
    await see("You took over: you are the customer now.");
    await press("Start a sale");
    await see("It waits for a card");
    await press("Insert");
    await see("It asks for the PIN, which is 1234.");
    await type("1234");
    await outcome("Approved");
    await see("It is done with the card.");
  });

  it("types a wrong PIN, and then the right one", async () => {
    await take("Odd ones", "wrong-pin-once");
    await press("Start a sale");
    await see("It waits for a card");
    await press("Insert");
    await see("It asks for the PIN");
    await type("9999");
    await see("Wrong PIN");
    await see("It asks for the PIN");
    await press("Type PIN 1234");
    await outcome("Approved");
  });
});

describe("the page", () => {
  it.each(["light", "dark"] as const)("can be used by everybody in %s", async (scheme) => {
    const other = await visit(demo, "/terminal/", { scheme });
    await other.page.getByRole("heading", { name: "The customer’s cards" }).waitFor();
    expect(await axeFinds(other.page)).toEqual([]);
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });

  it("has nothing to complain of", () => {
    expect(here.complaints).toEqual([]);
  });
});
