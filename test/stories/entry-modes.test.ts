import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cardNamed } from "../../packages/sandbox/testbed/deck.ts";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import { type Counters, openCounters } from "../scenarios/counters.ts";
import { nothingBooked, soldFor } from "../scenarios/ledger.ts";
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

interface Way {
  readonly card: string;
  readonly entryMode: NonNullable<PaymentView["card"]>["entryMode"];
  readonly brand: string;
  readonly cvm?: string;
  /** What the receipt says of how the cardholder was verified. */
  readonly verification?: string;
  readonly isPinSent: boolean;
  readonly entryModes?: readonly string[];
}

const PIN = { cvm: "online-pin", verification: "PIN verified by the bank", isPinSent: true };
const CARD_PIN = { cvm: "offline-pin", verification: "PIN verified by the card", isPinSent: false };
const SIGNED = { cvm: "signature", verification: "Signature", isPinSent: false };
const NO_PIN = { cvm: "none", verification: "No verification", isPinSent: false };
const DEVICE = { cvm: "device", verification: "Verified on the device", isPinSent: false };
/** A stripe and a typed number carry no word of how the cardholder was verified. */
const UNSAID = { isPinSent: false };

const WAYS: readonly Way[] = [
  { card: "visa-contact", entryMode: "ICC", brand: "VISA", ...PIN },
  { card: "visa-contact-cvn18", entryMode: "ICC", brand: "VISA", ...PIN },
  { card: "mastercard-contact", entryMode: "ICC", brand: "MASTER", ...PIN },
  { card: "refund-aac", entryMode: "ICC", brand: "VISA", ...PIN },
  { card: "two-applications", entryMode: "ICC", brand: "VPAY", ...PIN },
  { card: "attacker", entryMode: "ICC", brand: "VISA", ...PIN },
  { card: "long-data", entryMode: "ICC", brand: "VISA", ...PIN },
  { card: "offline-pin", entryMode: "ICC", brand: "VISA", ...CARD_PIN },
  { card: "offline-pin-enciphered", entryMode: "ICC", brand: "MASTER", ...CARD_PIN },
  { card: "cda", entryMode: "ICC", brand: "VISA", ...PIN },
  { card: "amex", entryMode: "ICC", brand: "AMEX", ...SIGNED },
  { card: "discover", entryMode: "ICC", brand: "DISCOVER", ...SIGNED },
  { card: "signature-only", entryMode: "ICC", brand: "VISA", ...SIGNED },
  { card: "jcb", entryMode: "ICC", brand: "JCB", ...PIN },
  { card: "unionpay", entryMode: "ICC", brand: "UNIONPAY", ...PIN },
  { card: "interac", entryMode: "ICC", brand: "INTERAC", ...PIN },
  { card: "us-common-debit", entryMode: "ICC", brand: "VISA", ...PIN },
  { card: "languages", entryMode: "ICC", brand: "VISA", ...PIN },
  { card: "contactless-wants-slot", entryMode: "ICC", brand: "VISA", ...PIN },
  { card: "visa-contactless", entryMode: "NFC_ICC", brand: "VISA", ...NO_PIN },
  { card: "mastercard-contactless", entryMode: "NFC_ICC", brand: "MASTER", ...NO_PIN },
  { card: "visa-contactless-pin", entryMode: "NFC_ICC", brand: "VISA", ...PIN },
  { card: "mastercard-contactless-pin", entryMode: "NFC_ICC", brand: "MASTER", ...PIN },
  { card: "visa-phone", entryMode: "NFC_ICC", brand: "VISA", ...DEVICE },
  { card: "mastercard-phone", entryMode: "NFC_ICC", brand: "MASTER", ...DEVICE },
  { card: "magstripe-contactless", entryMode: "NFC_MAGSTRIPE", brand: "MASTER", ...NO_PIN },
  { card: "magstripe", entryMode: "MAGSTRIPE", brand: "VISA", ...UNSAID },
  { card: "magstripe-pin", entryMode: "MAGSTRIPE", brand: "MASTER", ...PIN },
  { card: "fallback", entryMode: "MAGSTRIPE_AS_FALLBACK", brand: "VISA", ...UNSAID },
  { card: "manual", entryMode: "MANUAL", brand: "VISA", ...UNSAID, entryModes: ["manual"] },
];

/** The cashier accepts the signature. */
async function signed(reference: string): Promise<void> {
  await till.until(reference, "SIGN", ({ prompt, state }) => prompt?.code === "SIGN" && state === "COMPLETING");
  await till.client.confirmSignature({ reference }, true);
}

const prompts = (reference: string): readonly (string | undefined)[] => {
  const told = till.told.flatMap(({ payment }) => (payment.reference === reference ? [payment.prompt?.code] : []));
  return told.filter((code, at) => code !== undefined && code !== told[at - 1]);
};

describe("a sale is approved", () => {
  it.each(WAYS)(
    "with $card ($entryMode): receipt and ledger say how the card was read",
    async ({ card, entryMode, brand, cvm, ...way }) => {
      const { pan } = cardNamed(card) ?? { pan: "" };
      const purchase = { reference: card, card, ...(way.entryModes !== undefined && { entryModes: way.entryModes }) };
      const payment = await counters.payAnd(purchase, async () => {
        if (cvm === "signature") await signed(card);
        return await till.settled(card);
      });
      expect(payment).toMatchObject({
        outcome: "APPROVED",
        decision: "approved",
        approvedAmount: "12.34",
        capture: "captured",
      });
      expect(payment.card).toMatchObject({ brand, bin: pan.slice(0, 6), last4: pan.slice(-4), entryMode });
      expect(payment.card?.cvm).toBe(cvm);

      const [reservation, ...others] = await shop.rowsOf(card);
      expect(reservation).toMatchObject({ paymentType: "PA", amount: "12.34", resultCode: "000.100.110" });
      expect(reservation?.parameters).toMatchObject({ "pos.entryMode": entryMode, "pos.encryptedSred.data": "valid" });
      expect(reservation?.parameters["pos.encryptedPin.data"]).toBe(way.isPinSent ? "valid" : undefined);
      expect(Object.hasOwn(reservation?.parameters ?? {}, "pos.iccDataRequest")).toBe(
        entryMode === "ICC" || entryMode === "NFC_ICC",
      );
      expect(payment.authorization?.sequenceNumber).toMatch(/^[0-9]{6,}$/);
      expect(reservation?.parameters["pos.transactionSequenceNumber"]).toBe(payment.authorization?.sequenceNumber);
      expect(others.map(({ paymentType }) => paymentType)).toEqual(["CP"]);
      if (entryMode === "ICC") {
        // The capture has the card's second cryptogram, the TC, and the reservation the first one.
        const [tc, atFirst] = [`9F2608${payment.emv?.cryptogram}`, reservation?.parameters["pos.iccDataRequest"]];
        expect(others[0]?.parameters["pos.iccDataRequest"]).toMatch(new RegExp(`${tc}.*9F270140`));
        expect(atFirst).toContain("9F270180");
        expect(atFirst).not.toContain(tc);
      }
      expect(await shop.booksOf(card)).toEqual(soldFor("12.34"));

      for (const copy of ["merchant", "customer"] as const) {
        const receipt = String(await till.client.receipt({ reference: card }, { copy, format: "text" }));
        for (const part of [brand, `***${pan.slice(-4)}`, entryMode, way.verification ?? "", "12.34 EUR", "APPROVED"])
          expect(receipt).toContain(part);
        expect(receipt.replaceAll(/\s/g, "")).not.toContain(pan);
      }
    },
  );
});

describe("the requests of all of them", () => {
  it("have numbers of their own", async () => {
    const rows = (await shop.rowsOf(...WAYS.map(({ card }) => card))).filter(({ paymentType }) => paymentType === "PA");
    expect(rows).toHaveLength(WAYS.length);
    expect(new Set(rows.map(({ parameters }) => parameters["pos.transactionSequenceNumber"])).size).toBe(rows.length);
  });
});

describe("a card's own ways", () => {
  it("are shown to the cashier: the choice of an application, a phone, a chip that cannot be read", () => {
    expect(prompts("two-applications")).toContain("SELECT_APPLICATION");
    expect(prompts("visa-phone")).toContain("SEE_PHONE");
    expect(prompts("fallback").filter((code) => code === "INSERT_OR_TAP" || code === "TRY_AGAIN")).toHaveLength(3);
    expect(prompts("fallback")).toContain("SWIPE");
  });

  it("choose the application that its holder chose", async () => {
    expect(await till.client.get({ reference: "two-applications" })).toMatchObject({
      emv: { aid: "A0000000032020" },
      card: { applicationLabel: "V PAY" },
    });
  });

  it("bring nothing hostile to a register: labels are plain text, lengths do no harm", async () => {
    const payments = await Promise.all(["attacker", "long-data"].map((reference) => till.client.get({ reference })));
    const receipts = await Promise.all(
      ["attacker", "long-data"].flatMap((reference) =>
        (["merchant", "customer"] as const).flatMap((copy) =>
          (["text", "json"] as const).map((format) =>
            till.client.receipt({ reference }, { copy, format, columns: 24 }),
          ),
        ),
      ),
    );
    const texts = [...till.told.map(({ payment }) => payment), ...payments, ...receipts].flatMap(textsIn);
    expect(texts.length).toBeGreaterThan(100);
    // Line ends are the receipt's own; nothing else that moves a printer's head or opens a tag.
    expect(texts.filter((text) => /[\p{Cc}\p{Cf}<>]/u.test(text.replaceAll("\n", "")))).toEqual([]);
    expect(shop.printed().filter((line) => line.includes("onclick") || line.includes("\\u001b"))).toEqual([]);
  });
});

/** Every text of a value, names of members included. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]: [string, unknown]) => [name, ...textsIn(inner)])
    : [];
}

describe("a chip that cannot be read", () => {
  it("is no reason to swipe where the register does not want the stripe", async () => {
    const payment = await counters.pay({ reference: "chip only", card: "fallback", entryModes: ["chip"] });
    expect(payment).toMatchObject({ outcome: "FAILED", reason: { code: "chip-unreadable", advice: "other-card" } });
    expect(await shop.booksOf("chip only")).toEqual(nothingBooked);
  });
});

describe("after all of that", () => {
  it("the ledger agrees with everything that the register was told", async () => {
    expect(await shop.contradictions()).toEqual([]);
    expect(await shop.books()).toMatchObject({
      PA: WAYS.length,
      CP: WAYS.length,
      held: "0.00",
      captured: (WAYS.length * 12.34).toFixed(2),
    });
  });
});
