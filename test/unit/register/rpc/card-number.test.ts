import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCardNumber } from "../../../../src/register/rpc/card-number.ts";

describe("card numbers in free text", () => {
  it("are told by the path of the field, never by their digits", () => {
    const found = findCardNumber({ cart: { items: [{ name: "pen" }, { description: "4111 1111 1111 1111" }] } });
    expect(found).toBe("cart.items[1].description");
  });

  it("are not looked for in item codes, but in everything else below them", () => {
    for (const code of ["sku", "merchantItemId", "productCode", "partNumber", "commodityCode"]) {
      expect(findCardNumber({ cart: { items: [{ [code]: "4111111111111111" }] } })).toBeUndefined();
    }
    expect(findCardNumber({ customParameters: { note: "4111111111111111" } })).toBe("customParameters.note");
  });

  it("are not seen in a scheme's reference of 15 digits, which the bridge itself has told, and are in longer ones and elsewhere", () => {
    const reference = "378282246310005";
    for (const name of ["initialTransactionId", "agreementId"]) {
      expect(findCardNumber({ standingInstruction: { [name]: reference } })).toBeUndefined();
      expect(findCardNumber({ standingInstruction: { [name]: "4111111111111111" } })).toBe(
        `standingInstruction.${name}`,
      );
      expect(findCardNumber({ standingInstruction: { [name]: `no ${reference}` } })).toBe(
        `standingInstruction.${name}`,
      );
      expect(findCardNumber({ customParameters: { [name]: reference } })).toBe(`customParameters.${name}`);
    }
  });

  it("are found as the name of a field and as a number, and the name is not repeated", () => {
    expect(findCardNumber({ customParameters: { "4111111111111111": "x" } })).toBe("customParameters");
    expect(findCardNumber({ cart: { items: [{ quantity: 4111111111111111 }] } })).toBe("cart.items[0].quantity");
  });

  it("never make the search throw, whatever the JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        findCardNumber(value);
      }),
    );
  });
});
