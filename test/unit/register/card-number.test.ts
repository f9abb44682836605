import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCardNumber, holdsCardNumber } from "../../../src/register/card-number.ts";

/** Published test numbers of the brands (each brand's or acquirer's public test card lists). */
const NUMBERS = {
  "American Express": "378282246310005",
  Visa: "4111111111111111",
  Mastercard: "5555555555554444",
  "Mastercard, 2 series": "2223003122003222",
  Discover: "6011111111111117",
  JCB: "3566002020360505",
  "Diners, 16 digits": "3056930009020004",
  "Visa, 19 digits": "4000000000000000006",
};

describe("card numbers in free text", () => {
  it.each(Object.entries(NUMBERS))("are found for %s, bare, in groups and inside a sentence", (_brand, number) => {
    const grouped = number.replace(/(.{4})(?=.)/g, "$1 ");
    for (const text of [
      number,
      grouped,
      grouped.replaceAll(" ", "-"),
      grouped.replaceAll(" ", " - "),
      `card ${number}, thanks`,
      `order 12 ${grouped}`,
      [...number].join(" "),
    ]) {
      expect(holdsCardNumber(text), text).toBe(true);
    }
  });

  it("are found in full-width digits and behind no-break spaces", () => {
    expect(holdsCardNumber("４１１１１１１１１１１１１１１１")).toBe(true);
    expect(holdsCardNumber("4111\u00a01111\u00a01111\u00a01111")).toBe(true);
  });

  it.each([
    ["one digit is wrong (Luhn)", "4111111111111112"],
    ["14 digits", "36148900647913"],
    ["17 digits", "41111111111111113"],
    ["18 digits around a number", "994111111111111111"],
    ["no brand begins with 9", "9111111111111119"],
    ["a time stamp", "2026030110000006"],
    ["letters stand between", "4111x1111x1111x1111"],
  ])("are not seen where %s", (_why, text) => {
    expect(holdsCardNumber(text)).toBe(false);
  });

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
    const reference = NUMBERS["American Express"];
    for (const name of ["initialTransactionId", "agreementId"]) {
      expect(findCardNumber({ standingInstruction: { [name]: reference } })).toBeUndefined();
      expect(findCardNumber({ standingInstruction: { [name]: NUMBERS.Visa } })).toBe(`standingInstruction.${name}`);
      expect(findCardNumber({ standingInstruction: { [name]: `no ${reference}` } })).toBe(`standingInstruction.${name}`);
      expect(findCardNumber({ customParameters: { [name]: reference } })).toBe(`customParameters.${name}`);
    }
  });

  it("are found as the name of a field and as a number, and the name is not repeated", () => {
    expect(findCardNumber({ customParameters: { "4111111111111111": "x" } })).toBe("customParameters");
    expect(findCardNumber({ cart: { items: [{ quantity: 4111111111111111 }] } })).toBe("cart.items[0].quantity");
  });

  it("are found wherever they stand in a text of words", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 5 });
    fc.assert(
      fc.property(words, words, fc.constantFrom(...Object.values(NUMBERS)), (before, after, number) =>
        holdsCardNumber([...before, number, ...after].join(" ")),
      ),
    );
  });

  it("never make the search throw, whatever the JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        findCardNumber(value);
      }),
    );
  });
});
