import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import { creditedWith, nothingBooked, soldFor, takenBack } from "../scenarios/ledger.ts";
import type { TestTerminal } from "../scenarios/terminal.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

/*
 * One payment of each kind, killed between its request and the reply. All in one shop and at one moment, each on a
 * terminal with a channel of its own, because a channel
 * answers two queries a minute. What becomes of a request that never arrived is in no-answer.test.ts; one of them on
 * real processes is in test/scenarios/killed.test.ts.
 */

let shop: StoryShop;
let till: Till;
let cursorAtKill: string;

beforeAll(async () => {
  shop = await openStoryShop({
    terminals: 8,
    automatic: true,
    scopes: ["payments", "refunds", "unlinked-refunds"],
    timeouts: { cardMs: 20_000, hostAnswerMs: 40_000 },
  });
  till = await shop.till();
  await Promise.all([
    paid(1, "room A", "visa-contact", { type: "PREAUTHORIZATION", amount: "100.00" }),
    paid(2, "room B", "mastercard-contact", { type: "PREAUTHORIZATION", amount: "100.00" }),
    paid(3, "sale C", "visa-contact-cvn18"),
    paid(4, "sale D", "refund-aac"),
  ]);
  await setGoing();
  cursorAtKill = till.client.cursor();
  await shop.restart();
  till = await shop.till();
  await till.client.subscribe(cursorAtKill);
});
afterAll(() => shop.close());

async function begun(
  number: number,
  reference: string,
  card: string,
  more: { type?: "SALE" | "PREAUTHORIZATION" | "REFUND" | "REGISTRATION"; amount?: string },
) {
  const terminal: TestTerminal | undefined = shop.terminals[number - 1];
  if (terminal === undefined) throw new RangeError(`there is no terminal ${number}`);
  await terminal.customerHas(card);
  const { type = "SALE", amount = "12.34" } = more;
  const params = { reference, terminal: terminal.id, currency: "EUR" };
  await till.client.startPayment(type === "REGISTRATION" ? { ...params, type } : { ...params, type, amount });
}

async function paid(
  number: number,
  reference: string,
  card: string,
  more: Parameters<typeof begun>[3] = {},
): Promise<PaymentView> {
  await begun(number, reference, card, more);
  return till.settled(reference);
}

/** The next request of that kind is booked, and its reply does not come. */
async function unanswered(paymentType: string, ask: () => Promise<unknown>): Promise<void> {
  await shop.sandbox.fault({ on: { paymentType }, do: "delay", delayMs: 90_000 });
  await ask();
  await shop.sandbox.faultsUsed();
}

async function setGoing(): Promise<void> {
  const { client } = till;
  await unanswered("CP", () => client.capture({ of: "room A", reference: "capture A", amount: "60.00" }));
  await unanswered("PA", () => client.increment({ of: "room B", reference: "increment B", amount: "20.00" }));
  await unanswered("RF", () => client.refund({ of: "sale C", reference: "refund C", amount: "5.00" }));
  await unanswered("RV", () => client.void({ of: "sale D", reference: "void D" }));
  await unanswered("PA", () => begun(5, "room E", "signature", { type: "PREAUTHORIZATION", amount: "100.00" }));
  await unanswered("CD", () => begun(6, "credit F", "visa-contactless", { type: "REFUND", amount: "5.00" }));
  await unanswered("RG", () => begun(7, "member G", "magstripe", { type: "REGISTRATION" }));
  await unanswered("PA", () => begun(8, "tap H", "mastercard-contactless", {}));
}

const approved = (amount: string) => ({
  state: "FINAL",
  decision: "approved",
  outcome: "APPROVED",
  approvedAmount: amount,
});
const interrupted = {
  state: "FINAL",
  decision: "not-approved",
  outcome: "FAILED",
  reason: { code: "bridge-restarted", advice: "retry" },
};

describe("a bridge that was killed while the gateway was at work on", () => {
  it("a capture finds it, and captures once", async () => {
    expect(await till.settled("capture A")).toMatchObject({ type: "CAPTURE", ...approved("60.00") });
    expect(await shop.booksOf("room A", "capture A")).toEqual({
      ...nothingBooked,
      PA: 1,
      CP: 1,
      held: "40.00",
      captured: "60.00",
    });
    await till.client.capture({ of: "room A", reference: "rest of A" });
    expect(await till.settled("rest of A")).toMatchObject({ type: "CAPTURE", ...approved("40.00") });
  });

  it("an increment finds it, and raises once", async () => {
    expect(await till.settled("increment B")).toMatchObject({ type: "INCREMENT", ...approved("20.00") });
    expect(await shop.booksOf("room B", "increment B")).toEqual({ ...nothingBooked, PA: 2, held: "120.00" });
  });

  it("a refund finds it, and gives back once", async () => {
    expect(await till.settled("refund C")).toMatchObject({ type: "LINKED_REFUND", ...approved("5.00") });
    expect(await till.until("sale C", "refunded", ({ refundedAmount }) => refundedAmount === "5.00")).toMatchObject({
      outcome: "APPROVED",
    });
    expect(await shop.booksOf("sale C", "refund C")).toEqual({ ...soldFor("7.34"), RF: 1 });
  });

  it("a void finds it, and reverses once", async () => {
    expect(await till.settled("void D")).toMatchObject({ type: "VOID", state: "FINAL", outcome: "APPROVED" });
    expect(await till.until("sale D", "voided", ({ voidedBy }) => voidedBy !== undefined)).toMatchObject({
      outcome: "APPROVED",
    });
    expect(await shop.booksOf("sale D", "void D")).toEqual({ ...nothingBooked, PA: 1, CP: 1, RV: 1 });
  });

  it("a reservation takes it back, because its card went without the issuer's answer", async () => {
    expect(await till.settled("room E")).toMatchObject({ type: "PREAUTHORIZATION", ...interrupted });
    expect(await shop.booksOf("room E")).toEqual(takenBack);
  });

  it("a tap takes it back too, because nobody was told that it was paid", async () => {
    expect(await till.settled("tap H")).toMatchObject({ type: "SALE", ...interrupted });
    expect(await shop.booksOf("tap H")).toEqual(takenBack);
  });

  it("a credit keeps it: what was given to a customer is never taken back behind his back", async () => {
    expect(await till.settled("credit F")).toMatchObject({ type: "REFUND", ...approved("5.00") });
    expect(await shop.booksOf("credit F")).toEqual(creditedWith("5.00"));
  });

  it("a registration deletes the card", async () => {
    expect(await till.settled("member G")).toMatchObject({ type: "REGISTRATION", ...interrupted });
    expect(await shop.booksOf("member G")).toEqual({ ...nothingBooked, RG: 1, DR: 1 });
    expect((await shop.sandbox.storedCards()).filter(({ stored }) => stored)).toEqual([]);
  });
});

describe("after all of that", () => {
  it("what the register was told after its old cursor is what the journal and the ledger say", async () => {
    const { payments } = await till.client.list({ limit: 500 });
    for (const payment of payments) {
      const last = till.told.findLast((told) => told.payment.id === payment.id)?.payment;
      // The prompt is what is shown at that moment, and no part of what is replayed.
      if (last !== undefined) expect({ ...last, prompt: undefined }).toEqual({ ...payment, prompt: undefined });
    }
    expect(payments.filter(({ state }) => state !== "FINAL")).toEqual([]);
    expect(await shop.contradictions()).toEqual([]);
  });

  it("every terminal is free again", async () => {
    expect((await till.client.terminals()).map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => "ready"));
  });
});
