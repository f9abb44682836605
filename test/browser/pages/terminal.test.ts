import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { axeFinds, openDemo, type Visit, type VisitedDemo, visit } from "./demo.ts";

let demo: VisitedDemo;
let here: Visit;
let page: Page;

beforeAll(async () => {
  demo = await openDemo();
  here = await visit(demo, "/terminal/");
  page = here.page;
  await see("It rests.");
});
afterAll(() => demo?.close());

const button = (name: string | RegExp): Locator => page.getByRole("button", { name, exact: true });
const press = (name: string | RegExp): Promise<void> => button(name).click();
const see = (text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();
const gatewayFault = (name: string | RegExp): Locator => page.getByRole("switch", { name });

/** Digits and the green key, each pressed by mouse. */
async function type(digits: string): Promise<void> {
  for (const digit of digits) await press(digit);
  await press("Enter, the green key");
}

const outcome = (words: string): Promise<void> =>
  page.locator(".outcome-title").getByText(words, { exact: true }).waitFor();

async function take(group: string, card: string): Promise<void> {
  await press(group);
  await page
    .getByRole("listitem")
    .getByRole("button", { name: new RegExp(`^${card} `) })
    .click();
}

async function startSale(): Promise<void> {
  await press("Start a sale");
  await button("Cancel the sale").waitFor();
  await see("It waits for a card");
}

/** The terminal as it was before: no card in it, and no sale. */
async function rest(): Promise<void> {
  await page
    .locator(".outcome-title")
    .getByText(/^(Approved|Declined|Cancelled|Failed)$/)
    .waitFor();
  const actsAlone = await page.getByRole("switch", { name: /^The customer acts/ }).isChecked();
  if (!actsAlone && (await button("Pull out").isEnabled())) await press("Pull out");
  await see("It rests.");
}

// Before the bridge has asked the gateway anything else: the sandbox answers two queries a minute, as the gateway does.
describe("a lost reply", () => {
  it("is found by asking, and the switch is off again", async () => {
    await gatewayFault(/^Lose the next reply/).check();
    await press("Start a sale");
    await see("Reply lost");
    await see("The bridge asks what was booked");
    await outcome("Approved");
    await expect.poll(() => page.getByText(/Capture of .12.34/).count(), { timeout: 10_000 }).toBe(1);
    await expect.poll(() => gatewayFault(/^Lose the next reply/).isChecked()).toBe(false);
    await rest();
  });
});

describe("a visitor", () => {
  it("starts a sale, which the simulated customer pays by himself", async () => {
    await press("Start a sale");
    await outcome("Approved");
    await expect.poll(() => page.getByText(/Capture of .12.34/).count(), { timeout: 10_000 }).toBe(2);
    await rest();
  });

  it("chooses a card for the customer, who pays with it by himself", async () => {
    await take("Odd ones", "attacker");
    await see("He uses attacker, and does what the terminal asks for.");
    await press("Start a sale");
    await page.locator(".place-insert").getByText("attacker").first().waitFor();
    await outcome("Approved");
    await rest();
  });

  it("presents a card, is the customer from then on, and types its PIN by mouse", async () => {
    await take("Chip", "mastercard-contact");
    await press("Insert");
    await see("You took over: you are the customer now.");
    await press("Pull out");
    await startSale();
    await press("Insert");
    await see("It asks for the PIN, which is 1234.");
    await type("1234");
    await outcome("Approved");
    await see("It is done with the card.");
    await rest();
  });

  it("types a wrong PIN, and then the right one", async () => {
    await take("Chip", "visa-contact");
    await startSale();
    await press("Insert");
    await see("It asks for the PIN");
    await press(/^Type 9999/);
    await see("The PIN was wrong, so it is asked for again: it is 1234.");
    await press("Type PIN 1234");
    await outcome("Approved");
    await rest();
  });

  it("types the PIN on the keyboard, while the focus is on the terminal", async () => {
    await startSale();
    await press("Insert");
    await see("It asks for the PIN");
    await button("5").focus();
    for (const key of ["9", "Backspace", "1", "2", "3", "4", "Enter"]) await page.keyboard.press(key);
    await outcome("Approved");
    await rest();
  });

  it("types a PIN whose digits reach the terminal in their order, however slow each of them is", async () => {
    let slowness = 400;
    await page.route("**/keys", async (route) => {
      slowness = Math.max(0, slowness - 100);
      await new Promise((done) => setTimeout(done, slowness));
      await route.continue();
    });
    await startSale();
    await press("Insert");
    await see("It asks for the PIN");
    await button("5").focus();
    for (const key of ["1", "2", "3", "4", "Enter"]) await page.keyboard.press(key);
    await outcome("Approved");
    await page.unroute("**/keys");
    await rest();
  });

  it("taps a card, and a phone that wants to be held to it twice", async () => {
    await take("Contactless", "visa-contactless");
    await startSale();
    await press("Tap");
    await outcome("Approved");
    await rest();
    await take("Phones", "visa-phone");
    await startSale();
    await press("Hold phone to it");
    await see("See phone, tap again");
    await press("Hold phone to it");
    await outcome("Approved");
    await rest();
  });

  it("swipes a card, and types the number of another one", async () => {
    await take("Stripe", "magstripe");
    await startSale();
    await press("Swipe");
    await outcome("Approved");
    await rest();
    await take("To type", "manual");
    await press("Sale, number typed");
    await see("It asks for the number: 4761 7390 0101 0705");
    await press("Type number");
    await outcome("Approved");
    await rest();
  });

  it("drags a card into the slot, and pulls it out in the middle", async () => {
    await take("Chip", "visa-contact");
    await startSale();
    await page.locator(".hand-card").dragTo(page.locator(".place-insert"));
    await see("It asks for the PIN");
    await press("Pull out");
    await page
      .locator(".outcome-title")
      .getByText(/^(Failed|Cancelled)$/)
      .waitFor();
    await rest();
  });
});

/** A terminal that was away refuses sales until the bridge has found it again. */
async function sellsAgain(): Promise<void> {
  await take("Contactless", "visa-contactless");
  await expect
    .poll(
      async () => {
        await press("Start a sale");
        return Promise.race([
          see("It waits for a card").then(() => "waits"),
          page
            .locator(".sale")
            .getByRole("alert")
            .waitFor()
            .then(() => "refused"),
        ]);
      },
      { timeout: 20_000 },
    )
    .toBe("waits");
  await press("Tap");
  await outcome("Approved");
  await rest();
}

describe("what breaks", () => {
  it("is the cable: pulled and plugged in again, the terminal sells", async () => {
    await press("Pull the cable");
    await see("The cable is out.");
    await see("Link lost");
    await press("Plug it in");
    await see("It rests.");
    await sellsAgain();
  });

  it("is the terminal: it hangs until it is restarted", async () => {
    await press("Let it hang");
    await see("Only a restart helps.");
    await press("Restart it");
    await see("It rests.");
    await sellsAgain();
  });

  it("is the issuer: it declines for the reason that was chosen", async () => {
    await page.getByLabel("Reason of the decline").selectOption({ label: "card reported lost" });
    await gatewayFault(/^Decline the next payment/).check();
    await startSale();
    await press("Tap");
    await outcome("Declined");
    await see(/Declined: .*lost/i);
    expect(await page.getByText(/Declined: Declined/i).count()).toBe(0);
    await rest();
  });
});

describe("hostile strings", () => {
  it("of a card are text", async () => {
    await take("Odd ones", "attacker");
    await startSale();
    await press("Insert");
    await see("It asks for the PIN");
    await press("Type PIN 1234");
    await outcome("Approved");
    expect(await page.locator("#page b, #page [onclick]").count()).toBe(0);
    await rest();
  });
});

describe("the page", () => {
  beforeEach(() => see("It rests."));

  it("says that the connection is lost in the middle of a sale, and shows how the sale ended when it is back", async () => {
    let isCut = false;
    let cut = (): Promise<unknown> => Promise.resolve();
    await page.routeWebSocket(/\/v1$/, (socket) => {
      const bridge = socket.connectToServer();
      cut = () => Promise.all([socket.close(), bridge.close()]);
      if (isCut) void cut();
    });
    await page.reload();
    await take("Contactless", "visa-contactless");
    await startSale();
    isCut = true;
    await cut();
    await see("Connection lost. Trying again…");
    await press("Tap");
    await see("It rests.");
    isCut = false;
    await outcome("Approved");
    await see(/^Connected as/);
    await rest();
  });

  it("survives a reload in the middle of a sale", async () => {
    await take("Contactless", "visa-contactless");
    await startSale();
    await page.reload();
    await button("Cancel the sale").waitFor();
    await see("It waits for a card");
    await take("Contactless", "visa-contactless");
    await press("Tap");
    await outcome("Approved");
    await rest();
  });

  it.each(["light", "dark"] as const)("can be used by everybody in %s", async (scheme) => {
    const other = await visit(demo, "/terminal/", { scheme });
    await other.page.getByRole("heading", { name: "The customer’s cards" }).waitFor();
    expect(await axeFinds(other.page)).toEqual([]);
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });

  it("tells neither PIN nor card number on its wire", async () => {
    const words = (await page.locator(".frames").textContent()) ?? "";
    expect(words).toContain("Start contactless");
    for (const secret of ["1234", "476173", "541333"]) expect(words).not.toContain(secret);
  });

  it("has nothing to complain of but the connection that was cut", () => {
    expect(here.complaints.filter((words) => !words.startsWith("WebSocket connection to"))).toEqual([]);
  });
});
