import { describe, expect, test } from "vitest";
import { cardBrandOf, detectBrand } from "../../../packages/sandbox/gateway/accounts/brands.ts";
import { passesLuhn, passesMod97 } from "../../../packages/sandbox/gateway/accounts/check-digits.ts";
import { isIban } from "../../../packages/sandbox/gateway/accounts/iban.ts";
import { masked, maskedCard, maskedEnd, maskedIban } from "../../../packages/sandbox/gateway/accounts/masking.ts";
import {
  endsOf,
  testCardByEnds,
  testCardOf,
  testCards,
} from "../../../packages/sandbox/gateway/accounts/test-cards.ts";

describe("a brand", () => {
  test.each([
    ["4200000000000000", "VISA"],
    ["4222222222222", "VISA"],
    ["5454545454545454", "MASTER"],
    ["2223000048400011", "MASTER"],
    ["2720990000000015", "MASTER"],
    ["375987000000005", "AMEX"],
    ["36961903000009", "DINERS"],
    ["30569309025904", "DINERS"],
    ["6011111111111117", "DISCOVER"],
    ["3530111333300000", "JCB"],
    ["6799851000000032", "MAESTRO"],
    ["6212345678901265", "CHINAUNIONPAY"],
    ["5019717010103742", "DANKORT"],
    ["6062825624254001", "HIPERCARD"],
  ])("of %s is told by the number: %s", (number, brand) => {
    expect(detectBrand(number)?.key).toBe(brand);
  });

  test.each(["11111111111111116", "9000000000000001", "0000000000000000", "42"])("of %s is not", (number) => {
    expect(detectBrand(number)).toBeUndefined();
  });

  test("that stands beside another on a card is one too, once it is said", () => {
    expect(cardBrandOf("MADA")?.numbers.test("5360230159427034")).toBe(true);
    expect(cardBrandOf("PAYPAL")).toBeUndefined();
  });
});

describe("check digits", () => {
  test.each(["4111111111111111", "0", "18"])("of the card number %s are right", (number) =>
    expect(passesLuhn(number)).toBe(true),
  );
  test.each(["4111111111111112", "1", "", "4200000000000001"])("of the card number %j are wrong", (number) =>
    expect(passesLuhn(number)).toBe(false),
  );
  test.each(["DE89370400440532013000", "GB82WEST12345698765432", "FR1420041010050500013M02606", "NO9386011117947"])(
    "of the IBAN %s are right",
    (iban) => {
      expect([passesMod97(iban), isIban(iban)]).toEqual([true, true]);
    },
  );
  test("of an IBAN are not enough: each country has its length", () => {
    // DE with one digit too few, and the check digits that go with that.
    const short = "DE71100000001234567";
    expect(passesMod97(short) || !isIban(short)).toBe(true);
    expect(isIban("DE88370400440532013000")).toBe(false);
  });
});

describe("a test card", () => {
  test("has a number that is none without its check digit, of a brand that is known", () => {
    for (const { number } of testCards)
      expect([number, passesLuhn(number), detectBrand(number) !== undefined]).toEqual([number, true, true]);
  });

  test("is told from all the others by its first six and last four digits", () => {
    expect(new Set(testCards.map(({ number }) => endsOf(number))).size).toBe(testCards.length);
    for (const card of testCards) expect(testCardByEnds(endsOf(card.number))).toBe(card);
  });

  test("is not another number with the same ends", () => {
    expect(testCardOf("4111110000001111")).toBeUndefined();
    expect(testCardOf("4111111111111111")?.number).toBe("4111111111111111");
  });
});

describe("what is masked", () => {
  test.each([
    [maskedCard("4200000000000000"), "420000******0000"],
    [maskedCard("36961903000009"), "369619****0009"],
    [maskedCard("12345678"), "******78"],
    [maskedIban("DE23100000001234567890"), "DE23**************7890"],
    [maskedEnd("1234567890"), "******7890"],
    [maskedEnd("1234567"), "*******"],
  ])("%s", (shown, expected) => expect(shown).toBe(expected));

  test("is masked once and for all, and what is no secret stays as it is", () => {
    const form = {
      "card.number": "4200000000000000",
      "card.cvv": "123",
      "bankAccount.iban": "DE23100000001234567890",
      "sender.accountNumber": "DE9912",
      amount: "1.00",
    };
    const once = masked(form);
    expect(once).toEqual({ ...once, "card.cvv": "***", amount: "1.00", "sender.accountNumber": "******" });
    expect(masked(once)).toEqual(once);
  });
});
