import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Counters, openCounters } from "../scenarios/counters.ts";
import { nothingBooked, soldFor, takenBack } from "../scenarios/ledger.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

let shop: StoryShop;
let till: Till;
let counters: Counters;

beforeAll(async () => {
  shop = await openStoryShop({ terminals: 3, automatic: true });
  till = await shop.till();
  counters = openCounters(shop, () => till);
});
afterAll(() => shop.close());

const told = (reference: string) =>
  till.told.flatMap(({ payment }) => (payment.reference === reference ? [payment] : []));

describe("a second try within the same payment", () => {
  it("after a wrong PIN is a new transaction of the card in the slot", async () => {
    const payment = await counters.pay({ reference: "wrong PIN once", card: "wrong-pin-once" });
    expect(payment).toMatchObject({ outcome: "APPROVED", emv: { cryptogramType: "TC" }, card: { cvm: "online-pin" } });
    const rows = await shop.rowsOf("wrong PIN once");
    expect(rows.map(({ paymentType, resultCode }) => `${paymentType} ${resultCode}`)).toEqual([
      "PA 800.100.166",
      "PA 000.100.110",
      "CP 000.100.110",
    ]);
    const [first, second] = rows;
    expect(first?.parameters["pos.encryptedPin.data"]).not.toBe("valid");
    expect(second?.parameters["pos.encryptedPin.data"]).toBe("valid");
    for (const name of ["pos.iccDataRequest", "merchantTransactionId", "pos.encryptedPin.ksn"])
      expect(second?.parameters[name]).not.toBe(first?.parameters[name]);
    expect(told("wrong PIN once").map(({ prompt }) => prompt?.code)).toContain("WRONG_PIN");
    expect(told("wrong PIN once").filter(({ decision }) => decision === "not-approved")).toEqual([]);
    expect(await shop.booksOf("wrong PIN once")).toEqual(soldFor("12.34"));
  });

  // A card that is tapped for more than the limit gives its PIN at once, so that the amount cannot make the issuer ask
  // for it; a phone never does.
  it.each([
    ["visa-contactless", "NFC_ICC", "12.34", "300.100.100"],
    ["magstripe-contactless", "NFC_MAGSTRIPE", "12.34", "300.100.100"],
    ["visa-phone", "NFC_ICC", "9600.01"],
    ["mastercard-phone", "NFC_ICC", "9600.10"],
    ["mastercard-phone", "NFC_ICC", "9600.65"],
    ["mastercard-phone", "NFC_ICC", "9600.70"],
  ])(
    "after a soft decline of a tap sends the same card data once more, with a PIN (%s, %s, %s)",
    async (card, entryMode, amount, result?: string) => {
      const reference = `soft ${card} ${amount}`;
      if (result !== undefined) await shop.sandbox.fault({ on: { paymentType: "PA" }, do: { result } });
      expect(await counters.pay({ reference, card, amount })).toMatchObject({
        outcome: "APPROVED",
        approvedAmount: amount,
        card: { entryMode },
      });
      const [first, second, capture, ...others] = await shop.rowsOf(reference);
      expect([first?.paymentType, second?.paymentType, capture?.paymentType, ...others]).toEqual(["PA", "PA", "CP"]);
      expect(first?.parameters).not.toHaveProperty(["pos.encryptedPin.data"]);
      expect(second?.parameters["pos.encryptedPin.data"]).toBe("valid");
      expect(second?.parameters["pos.iccDataRequest"]).toBe(first?.parameters["pos.iccDataRequest"]);
      expect(second?.merchantTransactionId).not.toBe(first?.merchantTransactionId);
      expect(told(reference).map(({ prompt }) => prompt?.code)).toContain("ENTER_PIN");
      expect(await shop.booksOf(reference)).toEqual(soldFor(amount));
    },
  );

  it("is not given to a chip whose PIN was typed already: a soft decline ends it", async () => {
    const payment = await counters.pay({ reference: "soft chip", card: "visa-contact", amount: "9100.65" });
    expect(payment).toMatchObject({ outcome: "DECLINED", reason: { code: "soft-declined", advice: "other-card" } });
    expect(await shop.rowsOf("soft chip")).toHaveLength(1);
    expect(await shop.booksOf("soft chip")).toEqual(nothingBooked);
  });
});

describe("an issuer that declines", () => {
  it.each([
    ["9100.05", "host-declined", "other-card"],
    ["9100.51", "insufficient-funds", "other-card"],
    ["9100.54", "expired-card", "other-card"],
    ["9100.04", "blocked-card", "do-not-retry"],
    ["9100.41", "blocked-card", "do-not-retry"],
    ["9100.43", "blocked-card", "do-not-retry"],
    ["9100.75", "pin-tries-exceeded", "other-card"],
  ])("says why (%s: %s), and the card is told", async (amount, code, advice) => {
    const payment = await counters.pay({ reference: `declined ${amount}`, card: "mastercard-contact", amount });
    expect(payment).toMatchObject({
      outcome: "DECLINED",
      decision: "not-approved",
      reason: { code, advice },
      emv: { cryptogramType: "AAC" },
    });
    expect(await shop.booksOf(`declined ${amount}`)).toEqual(nothingBooked);
  });

  it("and keeps the amount reserved all the same is told as held", async () => {
    const payment = await counters.pay({ reference: "held", card: "visa-contact", amount: "9100.92" });
    expect(payment).toMatchObject({ outcome: "DECLINED", decision: "not-approved", held: true });
    expect((await shop.rowsOf("held")).filter(({ paymentType }) => paymentType === "CP")).toEqual([]);
  });
});

describe("an issuer that approves", () => {
  it.each([
    ["9200.00", { review: true }],
    ["9200.91", { review: true }],
    ["9200.70", { outcome: "APPROVED" }],
    ["9200.89", { outcome: "APPROVED" }],
  ])("to be reviewed, with scripts, or without a cryptogram that the card insists on (%s)", async (amount, view) => {
    const payment = await counters.pay({ reference: `approved ${amount}`, card: "visa-contact", amount });
    expect(payment).toMatchObject({ outcome: "APPROVED", capture: "captured", emv: { cryptogramType: "TC" }, ...view });
    expect(await shop.booksOf(`approved ${amount}`)).toEqual(soldFor(amount));
  });

  it("with a cryptogram that does not verify has a card that says no: the approval is taken back", async () => {
    const payment = await counters.pay({ reference: "wrong ARPC", card: "visa-contact", amount: "9200.90" });
    expect(payment).toMatchObject({ outcome: "DECLINED", reason: { code: "card-declined" } });
    expect(await shop.booksOf("wrong ARPC")).toEqual(takenBack);
  });

  it.each(["9200.10", "9200.40"])("a part (%s) is asked whether a part was wanted: it was", async (amount) => {
    const reference = `part ${amount}`;
    const half = (Number(amount) / 2).toFixed(2);
    const payment = await counters.pay({ reference, card: "visa-contact-cvn18", amount, allowPartialApproval: true });
    expect(payment).toMatchObject({
      outcome: "PARTIALLY_APPROVED",
      decision: "approved",
      amount,
      approvedAmount: half,
      capturedAmount: half,
      capture: "captured",
    });
    expect(await shop.booksOf(reference)).toEqual(soldFor(half));
    expect(await till.client.receipt({ reference }, { copy: "customer", format: "text" })).toMatch(
      new RegExp(`${half} EUR[^@]*APPROVED IN PART`),
    );
  });

  it.each(["9200.10", "9200.40"])("a part (%s) that was not wanted has it taken back", async (amount) => {
    const payment = await counters.pay({ reference: `no part ${amount}`, card: "visa-contact-cvn18", amount });
    expect(payment).toMatchObject({
      outcome: "DECLINED",
      decision: "not-approved",
      reason: { code: "partial-refused", advice: "other-card" },
    });
    expect(payment).not.toHaveProperty("approvedAmount");
    expect(await shop.booksOf(`no part ${amount}`)).toEqual(takenBack);
  });

  it("a sale with a tip approves both together, and the receipt says what of it is the tip", async () => {
    const payment = await counters.pay({
      reference: "tip",
      card: "visa-contactless-pin",
      amount: "80.00",
      tip: "5.00",
    });
    expect(payment).toMatchObject({ outcome: "APPROVED", amount: "80.00", tip: "5.00", approvedAmount: "80.00" });
    expect(await shop.booksOf("tip")).toEqual(soldFor("80.00"));
    expect(await till.client.receipt({ reference: "tip" }, { copy: "customer", format: "text" })).toMatch(
      /Tip included +5\.00 EUR/,
    );
  });
});

describe("a card that wants a signature", () => {
  const untilSigned = (reference: string) =>
    till.until(reference, "SIGN", ({ prompt, state }) => prompt?.code === "SIGN" && state === "COMPLETING");

  it("leaves the sale open until the cashier accepts it; then it is approved and captured", async () => {
    await counters.payAnd({ reference: "signed", card: "signature" }, async () => {
      expect(await untilSigned("signed")).not.toHaveProperty("decision");
      expect(await till.client.receipt({ reference: "signed" }, { copy: "merchant", format: "text" })).toMatch(
        /Signature +x_+[\s\S]*APPROVED, SUBJECT TO SIGNATURE/,
      );
      expect(await shop.booksOf("signed")).toMatchObject({ PA: 1, CP: 0 });
      expect(await till.client.confirmSignature({ reference: "signed" }, true)).toMatchObject({
        state: "FINAL",
        outcome: "APPROVED",
      });
      expect(await till.settled("signed")).toMatchObject({
        outcome: "APPROVED",
        capture: "captured",
        card: { cvm: "signature" },
      });
      // The same word again changes nothing; another one comes too late.
      expect(await till.client.confirmSignature({ reference: "signed" }, true)).toMatchObject({ outcome: "APPROVED" });
      await expect(till.client.confirmSignature({ reference: "signed" }, false)).rejects.toMatchObject({
        code: "not-allowed",
      });
    });
    expect(await shop.booksOf("signed")).toEqual(soldFor("12.34"));
  });

  it("has its sale taken back where the cashier does not accept it", async () => {
    await counters.payAnd({ reference: "not signed", card: "signature" }, async () => {
      await untilSigned("not signed");
      expect(await till.client.confirmSignature({ reference: "not signed" }, false)).toMatchObject({
        decision: "not-approved",
      });
      expect(await till.settled("not signed")).toMatchObject({
        outcome: "CANCELLED",
        reason: { code: "signature-refused", advice: "other-card" },
      });
    });
    expect(await shop.booksOf("not signed")).toEqual(takenBack);
  });

  it("still waits for the cashier after the bridge was killed", async () => {
    await counters.payAnd({ reference: "signed later", card: "signature" }, async () => {
      await untilSigned("signed later");
      await shop.restart();
      till = await shop.till();
      await till.client.subscribe("0");
      expect(await till.client.get({ reference: "signed later" })).toMatchObject({
        state: "COMPLETING",
        prompt: { code: "SIGN" },
      });
      await till.client.confirmSignature({ reference: "signed later" }, true);
      expect(await till.settled("signed later")).toMatchObject({ outcome: "APPROVED", capture: "captured" });
    });
    expect(await shop.booksOf("signed later")).toEqual(soldFor("12.34"));
  });
});

describe("after all of that", () => {
  it("the ledger agrees with everything that the register was told", async () => {
    expect(await shop.contradictions()).toEqual([]);
    expect((await till.client.list({ open: true })).payments).toEqual([]);
  });
});
