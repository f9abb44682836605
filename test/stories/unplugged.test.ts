import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nothingBooked, soldFor, takenBack } from "../scenarios/ledger.ts";
import {
  cardOut,
  saleOf,
  sell,
  terminalReady,
  untilCardIsAsked,
  untilHostIsAsked,
  untilPinIsAsked,
} from "../scenarios/sale.ts";
import type { TestTerminal } from "../scenarios/terminal.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

const THINKING_MS = 800;

let shop: StoryShop;
let till: Till;
let terminal: TestTerminal;

beforeAll(async () => {
  shop = await openStoryShop();
  till = await shop.till();
  terminal = shop.terminal;
});
afterAll(() => shop.close());

/** The cable goes back in: the terminal comes back by itself, and sells. */
async function sellsAgain(reference: string): Promise<void> {
  await expect(till.client.startPayment(saleOf(terminal, `${reference}, too early`))).rejects.toMatchObject({
    code: "terminal-offline",
    advice: "retry",
  });
  await terminal.fault("plug");
  await terminalReady(till, terminal);
  await cardOut({ till, terminal });
  expect(await sell({ till, terminal, reference: `${reference}, next` })).toMatchObject({ outcome: "APPROVED" });
  expect(await shop.booksOf(`${reference}, next`)).toEqual(soldFor("12.34"));
}

const lost = { outcome: "FAILED", decision: "not-approved", reason: { code: "terminal-lost", advice: "retry" } };

describe("a terminal that is unplugged", () => {
  it("while a card is waited for ends the sale, with nothing booked; plugged in, it sells again", async () => {
    await untilCardIsAsked({ till, terminal, reference: "at card" });
    await terminal.fault("unplug");
    expect(await till.settled("at card", 3_000)).toMatchObject(lost);
    expect(await shop.booksOf("at card")).toEqual(nothingBooked);
    await sellsAgain("at card");
  });

  it("during PIN entry ends the sale, with nothing booked; plugged in, it sells again", async () => {
    await untilPinIsAsked({ till, terminal, reference: "at PIN" });
    await terminal.fault("unplug");
    expect(await till.settled("at PIN", 3_000)).toMatchObject(lost);
    expect(await shop.booksOf("at PIN")).toEqual(nothingBooked);
    await sellsAgain("at PIN");
  });

  it("while the host is being asked ends the sale, and the approval is taken back; plugged in, it sells again", async () => {
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: THINKING_MS });
    await untilHostIsAsked({ till, terminal, reference: "at host" });
    await terminal.fault("unplug");
    const payment = await till.settled("at host", THINKING_MS + 3_000);
    expect(payment).toMatchObject({
      ...lost,
      reason: { code: expect.stringMatching(/^(terminal|completion)-lost$/), advice: "retry" },
    });
    expect(await shop.booksOf("at host")).toEqual(takenBack);
    await sellsAgain("at host");
  });

  it("before the card's last word ends the sale, and the approval is taken back; plugged in, it sells again", async () => {
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: THINKING_MS });
    await untilHostIsAsked({ till, terminal, reference: "at last word" });
    await terminal.fault("hang");
    await till.state("at last word", "COMPLETING");
    await terminal.fault("reboot");
    const payment = await till.settled("at last word", 3_000);
    expect(payment).toMatchObject({ outcome: "FAILED", reason: { code: "completion-lost", advice: "retry" } });
    expect(await shop.booksOf("at last word")).toEqual(takenBack);
    await terminalReady(till, terminal);
    await cardOut({ till, terminal });
    expect(await sell({ till, terminal, reference: "at last word, next" })).toMatchObject({ outcome: "APPROVED" });
  });

  it("after the approval changes nothing about the sale; plugged in, it sells again", async () => {
    await untilHostIsAsked({ till, terminal, reference: "after approval" });
    await till.state("after approval", "FINAL");
    await terminal.fault("unplug");
    expect(await till.settled("after approval", 3_000)).toMatchObject({ outcome: "APPROVED", capture: "captured" });
    expect(await shop.booksOf("after approval")).toEqual(soldFor("12.34"));
    await sellsAgain("after approval");
  });
});

describe("after all of that", () => {
  it("the ledger holds the approved sales alone", async () => {
    const { payments } = await till.client.list();
    const approved = payments.filter(({ outcome }) => outcome === "APPROVED");
    expect(approved).toHaveLength(6);
    expect(await shop.books()).toMatchObject({ CP: 6, held: "0.00", captured: "74.04" });
  });
});
