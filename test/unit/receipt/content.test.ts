import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ReceiptView, viewForReceipt, viewOf } from "../../../src/payment/outcome/view.ts";
import type { PaymentView } from "../../../src/payment/view-schema.ts";
import { receiptLines } from "../../../src/receipt/content.ts";
import { receiptText } from "../../../src/receipt/rows.ts";
import { type Copy, RECEIPT_COLUMNS, type ReceiptLine } from "../../../src/receipt/source.ts";
import { english } from "../../../src/receipt/words/en.ts";
import {
  approval,
  approved,
  authorizing,
  chipCard,
  linkMade,
  linkSale,
  refusal,
  Story,
  sale,
  signing,
  silence,
  storedCardSale,
} from "../../support/sale.ts";

const merchant = { name: "Corner Shop", address: ["Marktplatz 1", "60311 Frankfurt am Main"], vatId: "DE123456789" };
const made = { date: "2026-01-15", time: "12:34:56" };

function linesOf(payment: ReceiptView, copy: Copy, shop = merchant): readonly ReceiptLine[] {
  return receiptLines({ payment, merchant: shop, made }, copy, english);
}

describe("a receipt", () => {
  test("of an approved chip sale names all that EMV and the acquirer want to see", () => {
    const lines = linesOf(viewOf(approved().payment), "customer");
    const value = (key: string): string | undefined => lines.find((line) => line.key === key)?.value;
    expect(lines.map(({ key }) => key)).toEqual(
      expect.arrayContaining([
        "merchant",
        "test",
        "aid",
        "number",
        "entryMode",
        "cryptogram",
        "approvalCode",
        "terminalId",
        "date",
        "time",
        "amount",
        "outcome",
      ]),
    );
    expect([value("number"), value("amount"), value("outcome"), value("entryMode")]).toEqual([
      "************0050",
      "12.34 EUR",
      "APPROVED",
      "ICC",
    ]);
    expect(lines.find(({ key }) => key === "cryptogram")).toMatchObject({ label: "TC", value: "1122334455667788" });
  });

  test("names no number where the terminal shows nothing of it: twelve stars would say that it was looked at", () => {
    const view = viewOf(approved().payment);
    const shown = (last4: string): boolean => {
      const card = { brand: "VISA", last4, entryMode: "ICC" } as const;
      return linesOf({ ...view, card }, "customer").some(({ key }) => key === "number");
    };
    expect([shown("0050"), shown("")]).toEqual([true, false]);
  });

  test("of a decline says so, and why, and shows no approval code", () => {
    const story = authorizing().answer(refusal()).meets({ on: "finished", verdict: "declined", chip: {} });
    const lines = linesOf(viewForReceipt(story.payment), "merchant");
    const value = (key: string): string | undefined => lines.find((line) => line.key === key)?.value;
    expect([value("outcome"), value("approvalCode"), value("terminalId")]).toEqual(["DECLINED", undefined, "12345678"]);
  });

  test.each([
    [1234, "10.00 EUR", "12.34 EUR"],
    [500, undefined, "5.00 EUR"],
    [1100, undefined, "11.00 EUR"],
  ])(
    "names the tip only where all that was asked for was approved: of 12.34 with 10.00 for the waiter %j",
    (booked, tip, amount) => {
      const story = new Story({ ...sale, tip: 1000 })
        .meets({ on: "leased" })
        .meets({ on: "card", card: chipCard })
        .answer(approval(booked));
      const lines = linesOf(viewOf(story.meets({ on: "finished", verdict: "approved", chip: {} }).payment), "customer");
      const value = (key: string): string | undefined => lines.find((line) => line.key === key)?.value;
      expect([value("tip"), value("amount")]).toEqual([tip, amount]);
    },
  );

  test("says of a PIN for the bank that it was verified only where the bank approved", () => {
    const verification = (payment: PaymentView) =>
      linesOf(payment, "customer").find(({ key }) => key === "verification")?.value;
    const card = { brand: "VISA", last4: "0050", entryMode: "ICC", cvm: "online-pin" } as const;
    const declined = authorizing().answer(refusal()).meets({ on: "finished", verdict: "declined", chip: {} });
    expect(verification({ ...viewOf(approved().payment), card })).toBe("PIN verified by the bank");
    expect(verification({ ...viewOf(declined.payment), card })).toBe("PIN typed, not verified");
  });

  test("has a line to sign where the card asked for that with its last word only, and the view says so too", () => {
    const silent = { ...signing, chip: { aid: "A0000000031010" } };
    const story = new Story().meets({ on: "leased" }).meets({ on: "card", card: silent }).answer(approval());
    story.meets({ on: "finished", verdict: "approved", chip: { cvm: "signature", applicationLabel: "VISA CREDIT" } });
    const view = viewOf(story.payment);
    expect(view).toMatchObject({
      prompt: { code: "SIGN" },
      card: { cvm: "signature", applicationLabel: "VISA CREDIT" },
    });
    const line = (copy: "merchant" | "customer") => linesOf(view, copy).find(({ key }) => key === "signature")?.value;
    expect([line("merchant"), line("customer")]).toEqual(["x_______________________", undefined]);
  });

  describe("of a card that asks for a signature", () => {
    const signed = (verdict: "approved" | "declined") =>
      new Story()
        .meets({ on: "leased" })
        .meets({ on: "card", card: signing })
        .answer(approval())
        .meets({ on: "finished", verdict, chip: {} });
    const told = (story: Story, copy: "merchant" | "customer" = "merchant") => {
      const lines = linesOf(viewOf(story.payment), copy);
      return [lines.some(({ key }) => key === "signature"), lines.find(({ key }) => key === "verification")?.value];
    };

    test("has its line while the cashier is to compare it, and once it was accepted", () => {
      const story = signed("approved");
      expect(told(story)).toEqual([true, "Signature, to be compared"]);
      story.meets({ on: "signature", accepted: true });
      expect([told(story), told(story, "customer")]).toEqual([
        [true, "Signature"],
        [false, "Signature"],
      ]);
    });

    test("is signed over what the bank has approved, while nothing is decided yet", () => {
      const story = new Story({ ...sale, allowPartialApproval: true })
        .meets({ on: "leased" })
        .meets({ on: "card", card: signing });
      const { payment } = story.answer(approval(500)).meets({ on: "finished", verdict: "approved", chip: {} });
      const lines = linesOf(viewForReceipt(payment), "merchant");
      expect(viewOf(payment).approvedAmount).toBeUndefined();
      expect(lines.filter(({ key }) => key === "amount" || key === "outcome").map(({ value }) => value)).toEqual([
        "5.00 EUR",
        "APPROVED IN PART, SUBJECT TO SIGNATURE",
      ]);
    });

    test.each(["merchant", "customer"] as const)(
      "names the approval that is signed for, and what it waits for, on the %s's copy",
      (copy) => {
        const lines = (story: Story) => linesOf(viewForReceipt(story.payment), copy);
        const value = (story: Story, key: string) => lines(story).find((line) => line.key === key)?.value;
        const story = signed("approved");
        expect([value(story, "approvalCode"), value(story, "amount"), value(story, "outcome")]).toEqual([
          "123456",
          "12.34 EUR",
          "APPROVED, SUBJECT TO SIGNATURE",
        ]);
        story.meets({ on: "signature", accepted: true });
        expect([value(story, "approvalCode"), value(story, "outcome")]).toEqual(["123456", "APPROVED"]);
      },
    );

    test("that was refused names no approval", () => {
      const story = signed("approved").meets({ on: "signature", accepted: false });
      const keys = linesOf(viewForReceipt(story.payment), "merchant").map(({ key }) => key);
      expect(keys).not.toContain("approvalCode");
    });

    test("has none where the card itself declined, or nobody accepted what was signed", () => {
      expect(told(signed("declined"))).toEqual([false, "No signature accepted"]);
      expect(told(signed("approved").meets({ on: "signature", accepted: false }))).toEqual([
        false,
        "No signature accepted",
      ]);
    });
  });

  test.each([
    ["a stored card", storedCardSale, "Stored card", (story: Story) => story],
    ["a link", linkSale, "Link on the customer's phone", (story: Story) => story.answer(linkMade)],
  ])("of what was paid by %s says so in place of a card, and names no terminal", (_what, accepted, means, prepare) => {
    const channel = { ...accepted.channel, settlement: "single" } as const;
    const story = prepare(new Story({ ...accepted, channel }).meets({ on: "woken" }));
    const merchantTransactionId = story.booking();
    const found = { id: "booking-1", merchantTransactionId, paymentType: "DB", answer: approval() };
    story.meets({ on: "answer", merchantTransactionId, answer: silence });
    story.meets({ on: "searched", merchantTransactionId, result: { is: "found", bookings: [found] } });
    const lines = linesOf(viewOf(story.payment), "customer");
    expect(lines.map(({ key }) => key)).toEqual([
      ...[
        "merchant",
        "address1",
        "address2",
        "vatId",
        "type",
        "copy",
        "test",
        "date",
        "time",
        "reference",
        "means",
        "approvalCode",
        "amount",
        "outcome",
      ],
    ]);
    expect(receiptText(lines, 42)).toContain(`Paid by${means.padStart(35)}`);
  });

  test("as text keeps to its columns and loses no word, whatever the shop is called", () => {
    const name = fc.string({ unit: fc.constantFrom(..."ABC xyz-äß1"), minLength: 1, maxLength: 90 });
    fc.assert(
      fc.property(name, fc.integer(RECEIPT_COLUMNS), (shop, columns) => {
        const text = receiptText(linesOf(viewOf(approved().payment), "customer", { ...merchant, name: shop }), columns);
        for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
        expect(text.replaceAll(/\s/g, "")).toContain(shop.replaceAll(" ", ""));
      }),
    );
  });
});
