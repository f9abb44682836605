import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nothingBooked, soldFor, takenBack } from "./ledger.ts";
import { cardOut, saleOf, sell, terminalReady, untilHostIsAsked, untilPinIsAsked } from "./sale.ts";
import { openShop, type Shop } from "./shop.ts";
import type { Till } from "./till.ts";

/*
 * One story of each kind on real processes: real sockets, pseudo-terminals, files and SIGKILL. The others of its kind
 * are in test/stories, where the same program runs on the
 * simulated clock; thousands of them, cut short anywhere, are what `npm run chaos` makes.
 */

const THINKING_MS = 800;
/** The bridge looks at a link ten seconds after it was made: meanwhile the other stories are told. */
const LINK_MS = 45_000;
const CARD = {
  paymentBrand: "VISA",
  ...{
    "card.number": "4200000000000000",
    "card.holder": "Jane Jones",
    "card.expiryMonth": "05",
    "card.expiryYear": "2034",
    "card.cvv": "123",
  },
};

let shop: Shop;
let till: Till;

beforeAll(async () => {
  // A channel for each story that needs a query: it answers two a minute.
  shop = await openShop({ terminals: 2, timeouts: { hostAnswerMs: 40_000 } });
  till = await shop.till();
});
afterAll(() => shop.close());

const first = () => ({ till, terminal: shop.terminal });
const second = () => ({ till, terminal: shop.terminals[1] ?? shop.terminal });

/** The customer opens the link in a browser, types his card in and presses the button. */
async function pays(url: string): Promise<void> {
  expect((await fetch(url)).status).toBe(200);
  const paid = await fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams(CARD) });
  expect([200, 303]).toContain(paid.status);
}

describe("a shop of real processes", () => {
  it("makes a link, which is paid in a browser", async () => {
    const { payment } = await till.client.createLink({ reference: "link", currency: "EUR", amount: "5.00" });
    await pays(payment.link?.url ?? "");
  });

  it("sells, and gives every receipt", async () => {
    expect(await sell({ ...first(), reference: "sold" })).toMatchObject({
      outcome: "APPROVED",
      capture: "captured",
      emv: { cryptogramType: "TC" },
    });
    expect(await shop.booksOf("sold")).toEqual(soldFor("12.34"));
    for (const copy of ["merchant", "customer"] as const)
      expect(await till.client.receipt({ reference: "sold" }, { copy, format: "text" })).toContain("12.34 EUR");
  });

  it("takes up an approval whose reply broke off in the middle", async () => {
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "reset-mid-body" });
    await untilHostIsAsked({ ...first(), reference: "half a reply" });
    expect(await till.settled("half a reply")).toMatchObject({ outcome: "APPROVED", capture: "captured" });
    await cardOut(first());
    expect(await shop.booksOf("half a reply")).toEqual(soldFor("12.34"));
  });

  it("takes an approval back whose terminal was unplugged meanwhile, and sells on it once it is plugged in", async () => {
    const { terminal } = first();
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: THINKING_MS });
    await untilHostIsAsked({ ...first(), reference: "unplugged" });
    await terminal.fault("unplug");
    expect(await till.settled("unplugged")).toMatchObject({ outcome: "FAILED", decision: "not-approved" });
    expect(await shop.booksOf("unplugged")).toEqual(takenBack);
    await terminal.fault("plug");
    await terminalReady(till, terminal);
    await cardOut(first());
    expect(await sell({ ...first(), reference: "plugged in" })).toMatchObject({ outcome: "APPROVED" });
  });

  it("ends a sale at once whose gateway refuses the connection, and sells as soon as it is there", async () => {
    const { terminal } = first();
    await untilPinIsAsked({ ...first(), reference: "down" });
    await shop.sandbox.kill();
    await terminal.press("1234 ENTER");
    expect(await till.settled("down")).toMatchObject({
      outcome: "FAILED",
      reason: { code: "gateway-unreached", advice: "retry" },
    });
    await cardOut(first());
    await shop.sandbox.start();
    expect(await sell({ ...first(), reference: "up" })).toMatchObject({ outcome: "APPROVED" });
    expect(await shop.booksOf("down", "up")).toEqual(soldFor("12.34"));
  });

  it("takes back what was on its way when the bridge was killed, never up, and asks the card out that is still in", async () => {
    const { terminal } = second();
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: 90_000 });
    await untilHostIsAsked({ ...second(), reference: "killed" });
    await shop.sandbox.faultsUsed();
    await shop.restart();
    till = await shop.till();
    await till.client.subscribe("0");
    expect(await till.settled("killed")).toMatchObject({ outcome: "FAILED", reason: { code: "bridge-restarted" } });
    expect(await shop.booksOf("killed")).toEqual(takenBack);
    await terminalReady(till, terminal);
    await till.client.startPayment(saleOf(terminal, "after the kill"));
    await till.prompt("after the kill", "REMOVE_CARD");
    await till.client.cancel({ reference: "after the kill" });
    await till.settled("after the kill");
    await cardOut(second());
    expect(await sell({ ...second(), reference: "with another card", card: "mastercard-contact" })).toMatchObject({
      outcome: "APPROVED",
    });
  });

  it("has found that the link was paid, also where it was killed in between", async () => {
    expect(await till.settled("link", LINK_MS)).toMatchObject({ outcome: "APPROVED", approvedAmount: "5.00" });
    expect(await shop.booksOf("link")).toEqual({ ...nothingBooked, DB: 1, captured: "5.00" });
  });

  it("has told its registers what the ledger says", async () => {
    expect(await shop.contradictions()).toEqual([]);
    const { payments } = await till.client.list({ open: true });
    // A link that was paid is looked at once more: it can be paid twice.
    expect(payments.map(({ reference, state }) => `${reference} ${state}`)).toEqual(["link FINAL"]);
  });
});
