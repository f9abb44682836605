import { describe, expect, it } from "vitest";
import { reservedFor } from "./back-office.ts";
import type { Row } from "./books.ts";
import { row } from "./doctored.ts";
import { deedFor } from "./operator.ts";

const ofSale = { referencedId: "id-pa" };
const reserved = row("PA", "pa", { parameters: { merchantInvoiceId: "sold" } });
const half = row("CP", "cp", { ...ofSale, amount: "6.17", resultCode: "000.400.040" });
const byHand = row("CP", "hand", { ...ofSale, amount: "6.17", merchantTransactionId: undefined });
const deed = (isWorthIt: boolean, ...rows: readonly Row[]) => deedFor(reservedFor("sold", rows), isWorthIt);
const leaves = { does: "says", said: { as: "reversed" } };

describe("an operator, by what the books show of a sale that is not captured as it was approved,", () => {
  it("captures the rest by hand where it is worth it, and leaves it where it is not", () => {
    expect(deed(true, reserved, half)).toEqual({ does: "captures", reservation: reserved, cents: 617 });
    expect(deed(false, reserved, half)).toEqual(leaves);
  });

  it("captures the whole where nothing of it was", () => {
    const refused = row("CP", "cp", { ...ofSale, resultCode: "800.400.501" });
    expect(deed(true, reserved, refused)).toEqual({ does: "captures", reservation: reserved, cents: 1234 });
  });

  it("says that it was captured under the id of what was, whatever he had wanted before", () => {
    const says = { does: "says", said: { as: "approved", gatewayId: "id-hand" } };
    for (const isWorthIt of [true, false]) expect(deed(isWorthIt, reserved, half, byHand)).toEqual(says);
  });

  it("takes a capture by hand back of which the gateway did a part, and begins anew", () => {
    const quarter = { ...byHand, amount: "3.08", resultCode: "000.400.040" };
    expect(deed(true, reserved, half, quarter)).toEqual({ does: "reverses", captures: [quarter] });
    const gone = row("RV", "back", { referencedId: "id-hand", amount: "3.08", merchantTransactionId: undefined });
    expect(deed(true, reserved, half, quarter, gone)).toEqual({ does: "captures", reservation: reserved, cents: 617 });
  });

  it("captures nothing of a sale that is being voided, nor of one that another reference has reserved", () => {
    expect(deed(true, reserved, half, row("RV", "void", { referencedId: "id-cp", amount: "3.08" }))).toEqual(leaves);
    expect(deed(true, { ...reserved, parameters: { merchantInvoiceId: "other" } }, half)).toEqual(leaves);
    expect(deed(true, reserved, row("RV", "rv", ofSale))).toEqual(leaves);
  });
});
