import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import { type Counters, openCounters } from "../scenarios/counters.ts";
import { creditedWith, nothingBooked, soldFor } from "../scenarios/ledger.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

let shop: StoryShop;
let till: Till;
let counters: Counters;
/** A channel answers two queries a minute, and several of these payments need one. */
const BUDGET_MS = 120_000;
const SCOPES = ["payments", "refunds", "unlinked-refunds"];

beforeAll(async () => {
  shop = await openStoryShop({ terminals: 3, automatic: true, scopes: SCOPES });
  till = await shop.till();
  counters = openCounters(shop, () => till);
});
afterAll(() => shop.close());

const sell = (reference: string, card: string, amount = "12.34"): Promise<PaymentView> =>
  counters.pay({ reference, card, amount });
const voided = async (of: string, reference: string): Promise<PaymentView> => {
  await till.client.void({ of, reference });
  return till.settled(reference, BUDGET_MS);
};
const refunded = async (of: string, reference: string, amount?: string): Promise<PaymentView> => {
  await till.client.refund({ of, reference, ...(amount !== undefined && { amount }) });
  return till.settled(reference, BUDGET_MS);
};
const approved = (type: string, amount: string) => ({
  type,
  state: "FINAL",
  decision: "approved",
  outcome: "APPROVED",
  amount,
});
const returned = { ...nothingBooked, PA: 1, CP: 1 };

describe("a void of a sale whose capture the gateway would not take yet", () => {
  it("stops that capture, and reverses the reservation", async () => {
    await counters.payAnd({ reference: "sale B", card: "mastercard-contact" }, async () => {
      // Nothing was sent to the acquirer: the bridge posts it again in five seconds.
      await shop.sandbox.fault({ on: { paymentType: "CP" }, do: { result: "900.100.310" } });
      expect(await till.state("sale B", "FINAL")).toMatchObject({ outcome: "APPROVED", capture: "pending" });
      await till.until("sale B", "answered", ({ gateway }) => gateway?.attempts.at(-1)?.resultCode === "900.100.310");
      expect(await voided("sale B", "void B")).toMatchObject(approved("VOID", "12.34"));
    });
    expect(await till.until("sale B", "voided", ({ voidedBy }) => voidedBy !== undefined)).toMatchObject({
      outcome: "APPROVED",
    });
    expect(await till.client.get({ reference: "sale B" })).not.toHaveProperty("capture");
    expect((await shop.rowsOf("sale B", "void B")).map(({ paymentType }) => paymentType)).toEqual(["PA", "CP", "RV"]);
    expect(await shop.booksOf("sale B", "void B")).toEqual({ ...nothingBooked, PA: 1, RV: 1 });
  });

  it("waits for a capture that is on its way, and reverses it then", async () => {
    await shop.sandbox.fault({ on: { paymentType: "CP" }, do: "delay", delayMs: 1_500 });
    await counters.payAnd({ reference: "sale F", card: "mastercard-contact" }, async () => {
      expect(await till.state("sale F", "FINAL")).toMatchObject({ outcome: "APPROVED", capture: "pending" });
      await till.client.void({ of: "sale F", reference: "void F" });
      expect(await till.settled("void F")).toMatchObject(approved("VOID", "12.34"));
    });
    expect((await shop.rowsOf("sale F", "void F")).map(({ paymentType }) => paymentType)).toEqual(["PA", "CP", "RV"]);
    expect(await shop.booksOf("sale F", "void F")).toEqual({ ...returned, RV: 1 });
  });
});

describe("a void", () => {
  it("of a sale that is captured reverses the capture, once", async () => {
    await sell("sale A", "visa-contact");
    expect(await voided("sale A", "void A")).toMatchObject(approved("VOID", "12.34"));
    const [row, ...others] = await shop.rowsOf("void A");
    expect([row?.paymentType, others]).toEqual(["RV", []]);
    expect(row?.referencedId).toBe((await shop.rowsOf("sale A")).find(({ paymentType }) => paymentType === "CP")?.id);
    expect(await till.until("sale A", "voided", ({ voidedBy }) => voidedBy !== undefined)).toMatchObject({
      outcome: "APPROVED",
      decision: "approved",
    });
    await expect(till.client.refund({ of: "sale A", reference: "refund A" })).rejects.toMatchObject({
      code: "not-allowed",
    });
    expect(await shop.booksOf("sale A", "void A")).toEqual({ ...returned, RV: 1 });
  });

  it.each([
    ["9500.01", "whose answer is unknown"],
    ["9500.03", "whose reply is lost"],
  ])("%s %s is believed once a query shows it", async (amount) => {
    await sell(`sale ${amount}`, "visa-contact-cvn18", amount);
    expect(await voided(`sale ${amount}`, `void ${amount}`)).toMatchObject(approved("VOID", amount));
    expect(await shop.booksOf(`sale ${amount}`, `void ${amount}`)).toEqual({ ...returned, RV: 1 });
  });

  it.each(["9500.02", "9500.06"])(
    "that is refused for good (%s) gives nothing back and says so: a refund does",
    async (amount) => {
      const [sale, refused, refund] = [`sale ${amount}`, `void ${amount}`, `refund ${amount}`];
      await sell(sale, "visa-contact", amount);
      expect(await voided(sale, refused)).toMatchObject({
        outcome: "FAILED",
        decision: "not-approved",
        reason: { code: "void-refused", advice: "refund" },
      });
      expect(await shop.booksOf(sale, refused)).toEqual(soldFor(amount));
      expect(await till.client.get({ reference: sale })).not.toHaveProperty("voidedBy");
      expect(await refunded(sale, refund)).toMatchObject(approved("LINKED_REFUND", amount));
      expect(await shop.booksOf(sale, refused, refund)).toEqual({ ...returned, RF: 1 });
    },
  );
});

describe("a refund", () => {
  it("gives back all, and a second one nothing", async () => {
    await sell("sale C", "mastercard-contact");
    expect(await refunded("sale C", "refund C")).toMatchObject({
      ...approved("LINKED_REFUND", "12.34"),
      card: { last4: "0044" },
    });
    expect(await till.until("sale C", "refunded", ({ refundedAmount }) => refundedAmount === "12.34")).toMatchObject({
      outcome: "APPROVED",
    });
    await expect(till.client.refund({ of: "sale C", reference: "refund C2" })).rejects.toMatchObject({
      code: "not-allowed",
    });
    await expect(till.client.void({ of: "sale C", reference: "void C" })).rejects.toMatchObject({
      code: "not-allowed",
    });
    expect(await shop.booksOf("sale C", "refund C")).toEqual({ ...returned, RF: 1 });
  });

  it("gives back in parts, never beyond what was captured", async () => {
    await sell("sale D", "visa-contact-cvn18");
    expect(await refunded("sale D", "refund D1", "5.00")).toMatchObject(approved("LINKED_REFUND", "5.00"));
    const beyond = till.client.refund({ of: "sale D", reference: "refund D2", amount: "7.35" });
    await expect(beyond).rejects.toMatchObject({
      code: "invalid-amount",
      message: expect.stringContaining("7.34 EUR"),
    });
    expect(await refunded("sale D", "refund D2", "7.00")).toMatchObject(approved("LINKED_REFUND", "7.00"));
    expect(await refunded("sale D", "refund D3")).toMatchObject(approved("LINKED_REFUND", "0.34"));
    expect(await shop.booksOf("sale D", "refund D1", "refund D2", "refund D3")).toEqual({ ...returned, RF: 3 });
  });

  it.each([
    ["9500.21", "whose answer is unknown"],
    ["9500.23", "whose reply is lost"],
  ])("%s %s is never sent twice: a query says that it was made", async (amount) => {
    await sell(`sale ${amount}`, "mastercard-contact", amount);
    expect(await refunded(`sale ${amount}`, `refund ${amount}`)).toMatchObject(approved("LINKED_REFUND", amount));
    expect(await shop.rowsOf(`refund ${amount}`)).toHaveLength(1);
    expect(await shop.booksOf(`sale ${amount}`, `refund ${amount}`)).toEqual({ ...returned, RF: 1 });
  });

  it("that the issuer declines gives nothing back, and may be asked for again under a new reference", async () => {
    await sell("sale E", "mastercard-contact", "9500.22");
    for (const reference of ["refund E1", "refund E2"])
      expect(await refunded("sale E", reference)).toMatchObject({
        outcome: "DECLINED",
        reason: { code: "host-declined" },
      });
    expect(await shop.booksOf("sale E", "refund E1", "refund E2")).toEqual(soldFor("9500.22"));
  });
});

describe("an unlinked refund", () => {
  it.each([
    ["refund-aac", "ICC"],
    ["visa-contactless", "NFC_ICC"],
    ["mastercard-contactless-pin", "NFC_ICC"],
    ["magstripe", "MAGSTRIPE"],
  ])(
    "credits the card that is presented, without a PIN and without a second word of the card (%s)",
    async (card, entryMode) => {
      const payment = await counters.pay({ reference: `credit ${card}`, card, type: "REFUND", amount: "5.00" });
      expect(payment).toMatchObject({ ...approved("REFUND", "5.00"), approvedAmount: "5.00", card: { entryMode } });
      if (entryMode === "ICC") expect(payment.emv).toMatchObject({ cryptogramType: "AAC" });
      const [row, ...others] = await shop.rowsOf(`credit ${card}`);
      expect([row?.paymentType, others]).toEqual(["CD", []]);
      expect(row?.parameters["pos.entryMode"]).toBe(entryMode);
      expect(row?.parameters).not.toHaveProperty(["pos.encryptedPin.data"]);
      expect(await shop.booksOf(`credit ${card}`)).toEqual(creditedWith("5.00"));
      await expect(till.client.void({ of: `credit ${card}`, reference: "x" })).rejects.toMatchObject({
        code: "not-allowed",
      });
      await expect(till.client.refund({ of: `credit ${card}`, reference: "x" })).rejects.toMatchObject({
        code: "not-allowed",
      });
    },
  );

  it("that the issuer declines credits nothing", async () => {
    const payment = await counters.pay({
      reference: "no credit",
      card: "refund-aac",
      type: "REFUND",
      amount: "9100.05",
    });
    expect(payment).toMatchObject({ outcome: "DECLINED", reason: { code: "host-declined" } });
    expect(await shop.booksOf("no credit")).toEqual(nothingBooked);
  });
});

describe("after all of that", () => {
  it("the ledger agrees with everything that the register was told", async () => {
    expect(await shop.contradictions()).toEqual([]);
    expect((await till.client.list({ open: true })).payments).toEqual([]);
  });
});

describe("a booking that this journal does not know", () => {
  it("is found by the gateway's id in the journal of a new computer: captured, refunded in parts, never beyond", async () => {
    await sell("old sale", "mastercard-contact");
    await counters.pay({ reference: "old room", card: "visa-contact", type: "PREAUTHORIZATION", amount: "100.00" });
    const [sold, room] = await Promise.all([shop.rowsOf("old sale"), shop.rowsOf("old room")]);
    const sale = sold.find(({ paymentType }) => paymentType === "CP")?.id ?? "";
    const reservation = room[0]?.id ?? "";
    const from = (await shop.sandbox.ledger()).length;
    await shop.stop();
    fs.rmSync(shop.dataDir, { recursive: true });
    const token = shop.createToken("register-1", [...SCOPES, "foreign-bookings"]);
    await shop.start();
    till = await shop.till(token);

    await expect(till.client.refund({ of: "old sale", reference: "too old" })).rejects.toMatchObject({
      code: "not-found",
    });
    const refund = await till.client.refund({ of: { gatewayId: sale }, reference: "first part", amount: "5.00" });
    expect(refund.payment).toMatchObject({ type: "LINKED_REFUND", of: sale, amount: "5.00", currency: "EUR" });
    expect(await till.settled("first part")).toMatchObject(approved("LINKED_REFUND", "5.00"));
    await expect(
      till.client.refund({ of: { gatewayId: sale }, reference: "beyond", amount: "7.35" }),
    ).rejects.toMatchObject({ code: "invalid-amount" });
    await till.client.capture({ of: { gatewayId: reservation }, reference: "late bill", amount: "60.00" });
    expect(await till.settled("late bill", BUDGET_MS)).toMatchObject(approved("CAPTURE", "60.00"));
    await till.client.void({ of: "late bill", reference: "void late bill" });
    expect(await till.settled("void late bill", BUDGET_MS)).toMatchObject(approved("VOID", "60.00"));
    await expect(till.client.refund({ of: { gatewayId: "0".repeat(32) }, reference: "too old" })).rejects.toMatchObject(
      { code: "not-found" },
    );
    expect(
      (await shop.sandbox.ledger())
        .slice(from)
        .map(({ paymentType, amount, referencedId }) => [paymentType, amount, referencedId === sale]),
    ).toEqual([
      ["RF", "5.00", true],
      ["CP", "60.00", false],
      ["RV", "60.00", false],
    ]);
  });
});
