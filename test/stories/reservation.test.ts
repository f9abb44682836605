import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import { type Counters, openCounters } from "../scenarios/counters.ts";
import { nothingBooked, reservedFor, takenBack } from "../scenarios/ledger.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

let shop: StoryShop;
let till: Till;
let counters: Counters;

beforeAll(async () => {
  shop = await openStoryShop({ automatic: true });
  till = await shop.till();
  counters = openCounters(shop, () => till);
});
afterAll(() => shop.close());

const card = "visa-contact";
const reserve = (reference: string): Promise<PaymentView> =>
  counters.pay({ reference, card, type: "PREAUTHORIZATION", amount: "100.00" });
const increment = async (of: string, reference: string, amount: string): Promise<PaymentView> => {
  await till.client.increment({ of, reference, amount });
  return till.settled(reference);
};
const capture = async (of: string, reference: string, amount?: string): Promise<PaymentView> => {
  await till.client.capture({ of, reference, ...(amount !== undefined && { amount }) });
  return till.settled(reference);
};
const voided = async (of: string, reference: string): Promise<PaymentView> => {
  await till.client.void({ of, reference });
  return till.settled(reference);
};
const approved = (type: string, amount: string) => ({
  type,
  state: "FINAL",
  decision: "approved",
  outcome: "APPROVED",
  amount,
});
const room = ["room", "plus", "bill-1", "bill-2", "back", "void-2"];

describe("a preauthorization that is raised and captured in parts", () => {
  it("reserves the money and takes none", async () => {
    const payment = await reserve("room");
    expect(payment).toMatchObject({
      ...approved("PREAUTHORIZATION", "100.00"),
      approvedAmount: "100.00",
      emv: { cryptogramType: "TC" },
    });
    expect(payment).not.toHaveProperty("capture");
    expect(payment).not.toHaveProperty("capturedAmount");
    expect(await shop.booksOf("room")).toEqual(reservedFor("100.00"));
  });

  it("is raised by an increment, without the card", async () => {
    expect(await increment("room", "plus", "20.00")).toMatchObject({
      ...approved("INCREMENT", "20.00"),
      card: { last4: "0050" },
    });
    const [row, ...others] = await shop.rowsOf("plus");
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      paymentType: "PA",
      amount: "20.00",
      parameters: { "standingInstruction.industryPractice": "INCREMENTAL_AUTH" },
    });
    expect(Object.keys(row?.parameters ?? {}).filter((name) => name.startsWith("pos."))).toEqual([]);
    expect(await shop.booksOf("room", "plus")).toEqual({ ...reservedFor("120.00"), PA: 2 });
  });

  it("is not raised where the issuer declines that", async () => {
    const payment = await increment("room", "plus too much", "9100.05");
    expect(payment).toMatchObject({
      type: "INCREMENT",
      outcome: "DECLINED",
      decision: "not-approved",
      reason: { code: "host-declined" },
    });
    expect(await shop.booksOf("plus too much")).toEqual(nothingBooked);
  });

  it("is captured in part, and in another part with all that is left: the last one says that it is", async () => {
    expect(await capture("room", "bill-1", "70.00")).toMatchObject({
      ...approved("CAPTURE", "70.00"),
      approvedAmount: "70.00",
    });
    expect(await till.until("room", "captured", ({ capturedAmount }) => capturedAmount === "70.00")).toMatchObject({
      outcome: "APPROVED",
    });
    await expect(till.client.capture({ of: "room", reference: "bill-2", amount: "50.01" })).rejects.toMatchObject({
      code: "invalid-amount",
    });
    expect(await capture("room", "bill-2")).toMatchObject(approved("CAPTURE", "50.00"));
    const sequence = async (reference: string) =>
      (await shop.rowsOf(reference)).map(({ parameters }) => parameters["sequence"]);
    expect(await sequence("bill-1")).toEqual([undefined]);
    expect(await sequence("bill-2")).toEqual(["FINAL"]);
    expect(await shop.booksOf("room", "plus", "bill-1", "bill-2")).toEqual({
      ...nothingBooked,
      PA: 2,
      CP: 2,
      captured: "120.00",
    });
  });

  it("is not captured, raised or voided beyond that, and which capture is refunded has to be said", async () => {
    const calls = [
      () => till.client.capture({ of: "room", reference: "x" }),
      () => till.client.void({ of: "room", reference: "x" }),
      () => till.client.void({ of: "plus", reference: "x" }),
      () => till.client.refund({ of: "room", reference: "x" }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "not-allowed" });
  });

  it("has one capture refunded in part, never beyond it, and the other one voided", async () => {
    await till.client.refund({ of: "bill-1", reference: "back", amount: "30.00" });
    expect(await till.settled("back")).toMatchObject(approved("LINKED_REFUND", "30.00"));
    await expect(till.client.refund({ of: "bill-1", reference: "back-2", amount: "40.01" })).rejects.toMatchObject({
      code: "invalid-amount",
    });
    await expect(till.client.void({ of: "bill-1", reference: "void-1" })).rejects.toMatchObject({
      code: "not-allowed",
    });
    expect(await voided("bill-2", "void-2")).toMatchObject(approved("VOID", "50.00"));
    expect(await till.until("bill-2", "voided", ({ voidedBy }) => voidedBy !== undefined)).toMatchObject({
      outcome: "APPROVED",
    });
    await till.until(
      "room",
      "captured less",
      ({ capturedAmount }, at) =>
        capturedAmount === "70.00" && at > till.told.findIndex(({ payment }) => payment.capturedAmount === "120.00"),
    );
    expect(await till.client.get({ reference: "room" })).toMatchObject({ capturedAmount: "70.00" });
    expect(await till.client.get({ reference: "bill-1" })).toMatchObject({ refundedAmount: "30.00" });
    expect(await shop.booksOf(...room)).toEqual({ ...nothingBooked, PA: 2, CP: 2, RF: 1, RV: 1, captured: "40.00" });
  });
});

describe("a preauthorization that is not wanted any more", () => {
  it("is voided, and what raised it with it", async () => {
    await reserve("no-show");
    await increment("no-show", "no-show plus", "20.00");
    expect(await voided("no-show", "no-show void")).toMatchObject(approved("VOID", "120.00"));
    expect(await till.until("no-show", "voided", ({ voidedBy }) => voidedBy !== undefined)).toMatchObject({
      outcome: "APPROVED",
    });
    expect(await shop.booksOf("no-show", "no-show plus", "no-show void")).toEqual({ ...takenBack, PA: 2, RV: 2 });
    await expect(till.client.capture({ of: "no-show", reference: "late bill" })).rejects.toMatchObject({
      code: "not-allowed",
    });
    await expect(till.client.void({ of: "no-show", reference: "void twice" })).rejects.toMatchObject({
      code: "not-allowed",
    });
  });

  it("has its increment alone taken back where that is what is voided", async () => {
    await reserve("shorter stay");
    await increment("shorter stay", "longer", "20.00");
    expect(await voided("longer", "not longer")).toMatchObject(approved("VOID", "20.00"));
    expect(await shop.booksOf("shorter stay", "longer", "not longer")).toEqual({
      ...reservedFor("100.00"),
      PA: 2,
      RV: 1,
    });
    await expect(
      till.client.capture({ of: "shorter stay", reference: "over", amount: "100.01" }),
    ).rejects.toMatchObject({ code: "invalid-amount" });
  });
});

describe("a preauthorization that may be captured twice", () => {
  it("is told so to the gateway, and its second capture is the last one, whatever is left", async () => {
    await counters.pay({
      reference: "two parts",
      card,
      type: "PREAUTHORIZATION",
      amount: "100.00",
      numberOfCaptures: 2,
    });
    expect((await shop.rowsOf("two parts"))[0]?.parameters).toMatchObject({ numberOfCaptures: "2" });
    expect(await capture("two parts", "part-1", "10.00")).toMatchObject(approved("CAPTURE", "10.00"));
    expect(await capture("two parts", "part-2", "20.00")).toMatchObject(approved("CAPTURE", "20.00"));
    const parts = await shop.rowsOf("part-1", "part-2");
    expect(parts.map(({ parameters }) => parameters["sequence"])).toEqual([undefined, "FINAL"]);
    await expect(till.client.capture({ of: "two parts", reference: "part-3", amount: "1.00" })).rejects.toMatchObject({
      code: "not-allowed",
    });
  });
});

describe("what follows a preauthorization", () => {
  it("comes one after the other: while one is undecided another is refused and named", async () => {
    await shop.sandbox.fault({ on: { paymentType: "CP" }, do: "delay", delayMs: 500 });
    await till.client.capture({ of: "shorter stay", reference: "slow bill", amount: "10.00" });
    await expect(
      till.client.capture({ of: "shorter stay", reference: "fast bill", amount: "10.00" }),
    ).rejects.toMatchObject({
      code: "undecided-payment",
      message: expect.stringContaining("slow bill"),
    });
    expect(await till.settled("slow bill")).toMatchObject(approved("CAPTURE", "10.00"));
    expect(await capture("shorter stay", "fast bill", "10.00")).toMatchObject(approved("CAPTURE", "10.00"));
  });

  it("is the same payment when it is sent again, and refused with other content", async () => {
    const rows = (await shop.sandbox.ledger()).length;
    const { payment, created } = await till.client.capture({
      of: "shorter stay",
      reference: "fast bill",
      amount: "10.00",
    });
    expect({ created, outcome: payment.outcome }).toEqual({ created: false, outcome: "APPROVED" });
    await expect(
      till.client.capture({ of: "shorter stay", reference: "fast bill", amount: "10.01" }),
    ).rejects.toMatchObject({ code: "reference-reused" });
    await expect(
      till.client.refund({ of: "shorter stay", reference: "fast bill", amount: "10.00" }),
    ).rejects.toMatchObject({ code: "reference-reused" });
    expect(await shop.sandbox.ledger()).toHaveLength(rows);
  });
});

describe("after all of that", () => {
  it("the ledger agrees with everything that the register was told", async () => {
    expect(await shop.contradictions()).toEqual([]);
    expect((await till.client.list({ open: true })).payments).toEqual([]);
  });
});
