import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Counters, openCounters } from "../scenarios/counters.ts";
import type { StoredCard } from "../scenarios/ledger.ts";
import { nothingBooked, reservedFor, soldFor, takenBack } from "../scenarios/ledger.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

let shop: StoryShop;
let till: Till;
let counters: Counters;

beforeAll(async () => {
  shop = await openStoryShop({ terminals: 2, automatic: true });
  till = await shop.till();
  counters = openCounters(shop, () => till);
});
afterAll(() => shop.close());

/** The cards that the payments of these references stored. */
async function storedBy(...references: readonly string[]): Promise<readonly StoredCard[]> {
  const own = new Set((await shop.rowsOf(...references)).map(({ id }) => id));
  return (await shop.sandbox.storedCards()).filter(({ booking }) => own.has(booking));
}
const registered = { ...nothingBooked, RG: 1 };
const REGISTRATION = { type: "REGISTRATION", state: "FINAL", decision: "approved", outcome: "APPROVED" };

describe("a REGISTRATION", () => {
  it.each([
    ["visa-contact", "ICC"],
    ["mastercard-contactless", "NFC_ICC"],
    ["magstripe", "MAGSTRIPE"],
  ])("stores the card that is presented, and takes no money (%s)", async (card, entryMode) => {
    const reference = `member ${card}`;
    const payment = await counters.pay({ reference, card, type: "REGISTRATION" });
    expect(payment).toMatchObject({
      ...REGISTRATION,
      card: { entryMode },
      gateway: { registrationId: expect.stringMatching(/^[0-9a-z]+$/) },
    });
    expect(payment).not.toHaveProperty("amount");
    expect(payment).not.toHaveProperty("approvedAmount");
    const { registrationId: id } = payment.gateway ?? {};
    expect(await storedBy(reference)).toEqual([{ id, booking: expect.any(String), stored: true }]);
    expect(await shop.booksOf(reference)).toEqual(registered);
    expect(await till.client.receipt({ reference }, { copy: "customer", format: "text" })).toMatch(
      /CARD STORED[\s\S]*APPROVED/,
    );
  });

  it("whose card says no after all is deleted again", async () => {
    const payment = await counters.pay({
      reference: "member refused",
      card: "contact-declines-after-approval",
      type: "REGISTRATION",
    });
    expect(payment).toMatchObject({ outcome: "DECLINED", decision: "not-approved", reason: { code: "card-declined" } });
    expect(payment.gateway).not.toHaveProperty("registrationId");
    expect(await storedBy("member refused")).toEqual([expect.objectContaining({ stored: false })]);
    expect(await shop.booksOf("member refused")).toEqual({ ...registered, DR: 1 });
  });
});

describe("a REGISTRATION that meets trouble", () => {
  it("stores nothing where the gateway declines it", async () => {
    await shop.sandbox.fault({ on: { paymentType: "RG" }, do: { result: "800.100.152" } });
    const payment = await counters.pay({
      reference: "member declined",
      card: "mastercard-contact",
      type: "REGISTRATION",
    });
    expect(payment).toMatchObject({ outcome: "DECLINED", reason: { code: "host-declined" } });
    expect((await storedBy("member declined")).filter(({ stored }) => stored)).toEqual([]);
    expect(await shop.booksOf("member declined")).toEqual(nothingBooked);
  });

  it("is found by a query where its reply is lost, and stored once", async () => {
    await shop.sandbox.fault({ on: { paymentType: "RG" }, do: "drop-after" });
    const payment = await counters.pay({
      reference: "member lost",
      card: "mastercard-contactless-pin",
      type: "REGISTRATION",
    });
    expect(payment).toMatchObject(REGISTRATION);
    expect(await storedBy("member lost")).toEqual([
      { id: payment.gateway?.registrationId, booking: expect.any(String), stored: true },
    ]);
    expect(await shop.booksOf("member lost")).toEqual(registered);
  });
});

describe("a payment that stores the card besides", () => {
  it("names the stored card", async () => {
    const sale = await counters.pay({
      reference: "sale and store",
      card: "mastercard-contact",
      createRegistration: true,
    });
    const { registrationId: id } = sale.gateway ?? {};
    expect(sale).toMatchObject({ outcome: "APPROVED", capture: "captured" });
    expect(await storedBy("sale and store")).toEqual([{ id, booking: sale.gateway?.id, stored: true }]);
    expect(await shop.booksOf("sale and store")).toEqual(soldFor("12.34"));
  });

  it("keeps it stored where it is a preauthorization", async () => {
    const room = await counters.pay({
      reference: "room and store",
      card: "visa-contact",
      type: "PREAUTHORIZATION",
      amount: "100.00",
      createRegistration: true,
    });
    expect(await storedBy("room and store")).toEqual([
      { id: room.gateway?.registrationId, booking: room.gateway?.id, stored: true },
    ]);
    expect(await shop.booksOf("room and store")).toEqual(reservedFor("100.00"));
  });

  it("and is declined stores nothing", async () => {
    const sale = await counters.pay({
      reference: "declined and store",
      card: "mastercard-contact",
      amount: "9100.05",
      createRegistration: true,
    });
    expect(sale).toMatchObject({ outcome: "DECLINED" });
    expect(await storedBy("declined and store")).toEqual([]);
  });

  it("and that its card refuses leaves no orphan: the money is taken back and the card deleted", async () => {
    const sale = await counters.pay({
      reference: "refused and store",
      card: "contact-declines-after-approval",
      createRegistration: true,
    });
    expect(sale).toMatchObject({ outcome: "DECLINED", reason: { code: "card-declined" } });
    expect(sale.gateway).not.toHaveProperty("registrationId");
    expect(await storedBy("refused and store")).toEqual([expect.objectContaining({ stored: false })]);
    expect((await shop.rowsOf("refused and store")).map(({ paymentType }) => paymentType)).toEqual(["PA", "RV", "DR"]);
    expect(await shop.booksOf("refused and store")).toEqual({ ...takenBack, DR: 1 });
  });
});

describe("an orphan whose deletion is lost on the way", () => {
  it("is deleted by the next try, and the payment is not final before", async () => {
    await shop.sandbox.fault({ on: { paymentType: "DR" }, do: "drop-before" });
    const sale = await counters.pay({
      reference: "stubborn orphan",
      card: "contact-declines-after-approval",
      createRegistration: true,
    });
    expect(sale).toMatchObject({ outcome: "DECLINED", reason: { code: "card-declined" } });
    const told = till.told
      .filter(({ payment }) => payment.reference === "stubborn orphan")
      .map(({ payment }) => payment);
    expect(told.find(({ decision }) => decision !== undefined)).toMatchObject({ decision: "not-approved" });
    expect(await storedBy("stubborn orphan")).toEqual([expect.objectContaining({ stored: false })]);
    expect(await shop.booksOf("stubborn orphan")).toEqual({ ...takenBack, DR: 1 });
  });
});

describe("after all of that", () => {
  it("the ledger agrees with everything that the register was told", async () => {
    expect(await shop.contradictions()).toEqual([]);
    expect((await till.client.list({ open: true })).payments).toEqual([]);
  });
});
