import { describe, expect, it, type TestContext } from "vitest";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import { nothingBooked } from "../scenarios/ledger.ts";
import { entityOf, GATEWAY_TOKEN } from "../scenarios/sandbox.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

/*
 * Links for the customer's own phone (docs/register-reference.md), paid on the sandbox's own page. A shop for each story: a
 * channel answers two queries a minute. One on a real
 * browser's connection is in test/scenarios/link.test.ts.
 */

const SOON_MS = 45_000;
const HOUR_MS = 3_600_000;

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
const DECLINED_CARD = { ...CARD, "card.number": "4000000000000002" };

const debited = (amount: string) => ({ ...nothingBooked, DB: 1, captured: amount });
const approved = (amount: string) => ({
  state: "FINAL",
  decision: "approved",
  outcome: "APPROVED",
  approvedAmount: amount,
  capturedAmount: amount,
});

async function linked(
  till: Till,
  reference: string,
  more: { amount?: string; validForMs?: number } = {},
): Promise<PaymentView> {
  const { payment } = await till.client.createLink({ reference, currency: "EUR", amount: "12.34", ...more });
  return payment;
}

/** The customer opens the link on a phone of his own, types his card in and presses the button. */
async function pays(
  { network }: StoryShop,
  link: { readonly url: string } | undefined,
  card: Readonly<Record<string, string>> = CARD,
): Promise<void> {
  const url = link?.url ?? "no link";
  expect((await network.request("GET", url)).status).toBe(200);
  expect([200, 303]).toContain((await network.request("POST", url, formOf(card))).status);
}

/**
 * A second booking under the name of that payment's request, as of a customer whose other browser had the link open
 * too.
 */
async function isPaidOnceMore({ sandbox, network }: StoryShop, { gateway }: PaymentView): Promise<void> {
  const { merchantTransactionId = "" } = gateway?.attempts[0] ?? {};
  const { headers, body } = formOf({
    entityId: entityOf(1),
    amount: "12.34",
    currency: "EUR",
    paymentType: "DB",
    merchantTransactionId,
    ...CARD,
  });
  const reply = await network.request("POST", `${sandbox.url}v1/payments`, {
    headers: { ...headers, authorization: `Bearer ${GATEWAY_TOKEN}` },
    body,
  });
  expect(JSON.parse(reply.body)).toMatchObject({ result: { code: expect.stringMatching(/^000\./) } });
}

const formOf = (fields: Readonly<Record<string, string>>) => ({
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(fields).toString(),
});

async function opened({ onTestFinished }: TestContext): Promise<StoryShop> {
  const shop = await openStoryShop();
  onTestFinished(() => shop.close());
  return shop;
}

describe("a link", () => {
  it("is paid on the customer's phone, after a card that was declined, and refunded as every sale", async (context) => {
    const shop = await opened(context);
    const till = await shop.till();
    const payment = await linked(till, "paid");
    expect(payment).toMatchObject({
      type: "SALE",
      terminal: "",
      state: "AWAITING_CARD",
      link: { url: expect.stringContaining(shop.sandbox.url) },
    });
    expect(payment.link?.qr).toMatch(/^<svg /);
    await pays(shop, payment.link, DECLINED_CARD);
    await pays(shop, payment.link);
    const final = await till.settled("paid", SOON_MS);
    expect(final).toMatchObject(approved("12.34"));
    expect(final.link).toBeUndefined();
    expect(await shop.booksOf("paid")).toEqual(debited("12.34"));
    await till.client.refund({ of: "paid", reference: "paid/refund", amount: "2.34" });
    expect(await till.settled("paid/refund")).toMatchObject({ outcome: "APPROVED" });
    expect(await shop.booksOf("paid", "paid/refund")).toEqual({ ...debited("10.00"), RF: 1 });
  });

  it("paid twice has paid once in the end: the second booking is taken back", async (context) => {
    const shop = await opened(context);
    const till = await shop.till();
    const payment = await linked(till, "twice");
    await pays(shop, payment.link);
    await isPaidOnceMore(shop, payment);
    expect(await till.settled("twice", SOON_MS)).toMatchObject(approved("12.34"));
    await till.until(
      "twice",
      "rid of the second booking",
      ({ gateway }) => gateway?.attempts.at(-1)?.resultCode?.startsWith("000.") === true,
      SOON_MS,
    );
    expect(await shop.booksOf("twice")).toEqual({ ...debited("12.34"), DB: 2, RV: 1 });
  });

  it("goes on while the bridge is killed: what the customer paid meanwhile is found, and no second link is made", async (context) => {
    const shop = await opened(context);
    let till = await shop.till();
    const { link } = await linked(till, "killed");
    await shop.kill();
    await pays(shop, link);
    await shop.start();
    till = await shop.till();
    await till.client.subscribe("0");
    expect(await till.settled("killed", SOON_MS)).toMatchObject(approved("12.34"));
    expect(await shop.booksOf("killed")).toEqual(debited("12.34"));
    const again = await till.client.createLink({ reference: "killed", currency: "EUR", amount: "12.34" });
    expect(again).toMatchObject({ created: false, payment: { outcome: "APPROVED" } });
  });

  it("is the same for the same reference, and still there for a bridge that was killed before anybody paid", async (context) => {
    const shop = await opened(context);
    let till = await shop.till();
    const first = await linked(till, "again");
    await shop.restart();
    till = await shop.till();
    await till.client.subscribe();
    const again = await till.client.createLink({ reference: "again", currency: "EUR", amount: "12.34" });
    expect(again).toMatchObject({ created: false, payment: { id: first.id, link: { url: first.link?.url } } });
    await pays(shop, again.payment.link);
    expect(await till.settled("again", SOON_MS)).toMatchObject(approved("12.34"));
  });
});

describe("a link that is not wanted any more", () => {
  it("(cancelled) and paid all the same is reversed, and the register is told", async (context) => {
    const shop = await opened(context);
    const till = await shop.till();
    const { link } = await linked(till, "cancelled");
    const { cancellation, payment } = await till.client.cancel({ reference: "cancelled" });
    expect(cancellation).toBe("accepted");
    expect(payment).toMatchObject({
      state: "RESOLVING",
      decision: "not-approved",
      reason: { code: "register-cancelled", advice: "retry" },
    });
    expect(payment.link).toBeUndefined();
    await pays(shop, link);
    const late = await till.settled("cancelled", SOON_MS);
    expect(late).toMatchObject({ outcome: "CANCELLED", decision: "not-approved", lateBooking: true });
    expect(await shop.booksOf("cancelled")).toEqual({ ...nothingBooked, DB: 1, RV: 1 });
  });

  it("(cancelled) and paid where the gateway reverses nothing is refunded", async (context) => {
    const shop = await opened(context);
    const till = await shop.till();
    const { link } = await linked(till, "irreversible");
    await till.client.cancel({ reference: "irreversible" });
    await shop.sandbox.fault({ on: { paymentType: "RV" }, do: { result: "700.400.530" }, times: 1 });
    await pays(shop, link);
    expect(await till.settled("irreversible", 2 * SOON_MS)).toMatchObject({ outcome: "CANCELLED", lateBooking: true });
    expect(await shop.booksOf("irreversible")).toEqual({ ...nothingBooked, DB: 1, RF: 1 });
  });
});

describe("a link that nobody paid", () => {
  it("(expired) ends with link-expired, and nothing is booked", async (context) => {
    const shop = await opened(context);
    const till = await shop.till();
    await linked(till, "expired");
    await shop.sandbox.advance(HOUR_MS);
    const decided = await till.until("expired", "decided", ({ decision }) => decision !== undefined, 2 * SOON_MS);
    expect(decided).toMatchObject({ decision: "not-approved", reason: { code: "link-expired", advice: "retry" } });
    expect(await till.settled("expired", 2 * SOON_MS)).toMatchObject({
      state: "FINAL",
      outcome: "FAILED",
      reason: { code: "link-expired" },
    });
    expect(await shop.booksOf("expired")).toEqual(nothingBooked);
  });

  it("because its reply is lost fails the sale at once: nobody has it, so nobody can pay it, and none is asked for again", async (context) => {
    const shop = await opened(context);
    const till = await shop.till();
    await shop.sandbox.fault({ on: { path: "/paybylink/v1" }, do: "drop-after", times: 1 });
    const payment = await linked(till, "lost");
    expect(payment).toMatchObject({
      state: "FINAL",
      outcome: "FAILED",
      reason: { code: "gateway-unreached", advice: "retry" },
    });
    await shop.sandbox.faultsUsed();
    expect((await linked(till, "lost/2")).link?.url).toContain(shop.sandbox.url);
    const { payment: same, created } = await till.client.createLink({
      reference: "lost",
      currency: "EUR",
      amount: "12.34",
    });
    expect([created, same.outcome]).toEqual([false, "FAILED"]);
    expect(await shop.booksOf("lost")).toEqual(nothingBooked);
  });

  it("because the bridge was killed meanwhile is known to nobody either", async (context) => {
    const shop = await opened(context);
    let till = await shop.till();
    await shop.sandbox.fault({ on: { path: "/paybylink/v1" }, do: "delay", delayMs: 60_000, times: 1 });
    const asked = linked(till, "killed").catch(() => undefined);
    await shop.sandbox.faultsUsed();
    await shop.restart();
    await asked;
    till = await shop.till();
    await till.client.subscribe("0");
    expect(await till.settled("killed")).toMatchObject({ outcome: "FAILED", reason: { code: "gateway-unreached" } });
    expect(await shop.booksOf("killed")).toEqual(nothingBooked);
  });
});
