import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RECEIPT_COLUMNS, receiptLines, receiptText } from "../../../src/payment/receipt.ts";
import { viewOf } from "../../../src/payment/view.ts";
import { approved, authorizing, refusal } from "../../support/sale.ts";

const merchant = { name: "Corner Shop", address: ["Marktplatz 1", "60311 Frankfurt am Main"], vatId: "DE123456789" };
const made = { date: "2026-01-15", time: "12:34:56" };

describe("a receipt", () => {
  test("of an approved chip sale names all that EMV and the acquirer want to see", () => {
    const lines = receiptLines(viewOf(approved().payment), merchant, made, "customer");
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
    expect([value("number"), value("amount"), value("outcome"), value("entryMode")]).toEqual(["************0050", "12.34 EUR", "APPROVED", "ICC"]);
    expect(lines.find(({ key }) => key === "cryptogram")).toMatchObject({ label: "TC", value: "1122334455667788" });
  });

  test("of a decline says so, and why, and shows no approval code", () => {
    const story = authorizing().answer(refusal()).meets({ on: "finished", verdict: "declined", chip: {} });
    const lines = receiptLines(viewOf(story.payment), merchant, made, "merchant");
    expect(lines.find(({ key }) => key === "outcome")?.value).toBe("DECLINED");
    expect(lines.some(({ key }) => key === "approvalCode")).toBe(false);
  });

  test("as text keeps to its columns and loses no word, whatever the shop is called", () => {
    const name = fc.string({ unit: fc.constantFrom(..."ABC xyz-äß1"), minLength: 1, maxLength: 90 });
    fc.assert(
      fc.property(name, fc.integer(RECEIPT_COLUMNS), (shop, columns) => {
        const text = receiptText(receiptLines(viewOf(approved().payment), { ...merchant, name: shop }, made, "customer"), columns);
        for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
        expect(text.replaceAll(/\s/g, "")).toContain(shop.replaceAll(" ", ""));
      }),
    );
  });
});
