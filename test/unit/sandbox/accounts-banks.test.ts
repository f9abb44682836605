import { describe, expect, test } from "vitest";
import { type Fields, SEPA, shop } from "./accounts-bench.ts";

const OK = "000.100.110";

describe("a SEPA direct debit", () => {
  test("tells the debtor's account masked, the mandate that it made, and whose account the money goes to", async () => {
    const { told } = shop();
    expect(await told(SEPA)).toMatchObject({
      ...{
        paymentBrand: "DIRECTDEBIT_SEPA",
        paymentMethod: "DD",
        amount: "92.00",
        result: { code: OK },
        resultDetails: { AcquirerResponse: "00" },
      },
      bankAccount: {
        ...{ holder: "Jane Jones", iban: "DE23**************7890", bic: "MARKDEF1100", country: "DE" },
        mandate: { id: expect.stringMatching(/^[A-Z-]+$/), dateOfSignature: "2026-11-21" },
      },
      merchant: {
        bankAccount: {
          holder: "Sandbox Merchant",
          number: expect.stringMatching(/^DE[0-9]{20}$/),
          bic: "SANDDE00XXX",
          country: "DE",
        },
      },
    });
  });

  test("goes by the mandate that is sent", async () => {
    const mandate = {
      "bankAccount.mandate.id": "SHOP-MANDATE",
      "bankAccount.mandate.dateOfSignature": "2026-01-31",
      transactionDueDate: "2026-12-01",
    };
    expect(await shop().told(SEPA, mandate)).toMatchObject({
      bankAccount: { mandate: { id: "SHOP-MANDATE", dateOfSignature: "2026-01-31" } },
    });
  });

  test.each(["PA", "DB", "CD"])("is taken for %s", async (paymentType) =>
    expect((await shop().pay(SEPA, { paymentType })).code).toBe(OK),
  );

  test("can be made from a number and a bank code", async () => {
    const { told } = shop();
    const fields = {
      "bankAccount.iban": undefined,
      "bankAccount.bic": undefined,
      "bankAccount.number": "1234567890",
      "bankAccount.bankCode": "10000000",
    };
    expect(await told(SEPA, fields)).toMatchObject({
      result: { code: OK },
      bankAccount: { number: "******7890", bankCode: "10000000" },
    });
  });

  test.each<[string, Fields, string]>([
    ["an IBAN with wrong check digits", { "bankAccount.iban": "DE24100000001234567890" }, "100.200.104"],
    ["an IBAN that is too short for its country", { "bankAccount.iban": "DE2310000000123456789" }, "100.200.104"],
    ["a country that is not that of the IBAN", { "bankAccount.country": "AT" }, "100.200.100"],
    [
      "a country outside of SEPA",
      { "bankAccount.iban": "SA0380000000608010167519", "bankAccount.country": "SA", "bankAccount.bic": "NCBKSAJE" },
      "100.200.100",
    ],
    ["a bank of another country", { "bankAccount.bic": "BKAUATWW" }, "100.200.103"],
    ["a BIC that is none", { "bankAccount.bic": "12345678" }, "100.200.103"],
    ["another currency", { currency: "USD" }, "600.200.500"],
    ["a mandate of tomorrow", { "bankAccount.mandate.dateOfSignature": "2026-11-22" }, "100.500.302"],
    ["a due date of yesterday", { transactionDueDate: "2026-11-20" }, "100.500.301"],
    ["a brand of cards", { paymentBrand: "VISA" }, "100.100.501"],
    [
      "an account that was closed",
      {
        "bankAccount.iban": "DE05500105170000009902",
        "bankAccount.bic": undefined,
        "bankAccount.bankCode": "50010517",
      },
      "800.100.202",
    ],
    [
      "an account without enough money",
      { "bankAccount.iban": "DE75500105170000009903", "bankAccount.bic": "INGDDEFFXXX" },
      "800.100.203",
    ],
    [
      "a blocked account",
      { "bankAccount.iban": "DE48500105170000009904", "bankAccount.bic": "INGDDEFFXXX" },
      "800.100.172",
    ],
    [
      "an account that takes no direct debit",
      { "bankAccount.iban": "DE37500105170000009908", "bankAccount.bic": "INGDDEFFXXX" },
      "800.100.208",
    ],
  ])("with %s is refused in its own words", async (_what, fields, code) => {
    const { status, code: said } = await shop().pay(SEPA, fields);
    expect({ status, said }).toEqual({ status: 400, said: code });
  });

  test("of lower-case letters is the same account", async () => {
    expect(await shop().told(SEPA, { "bankAccount.iban": "de23100000001234567890" })).toMatchObject({
      bankAccount: { iban: "DE23**************7890" },
    });
  });

  test("is what stores an account, not a transfer that its holder makes himself", async () => {
    const { pay, sandbox } = shop();
    await pay(SEPA, { paymentBrand: "IDEAL", createRegistration: "true" });
    expect(sandbox.ledger()[0]).not.toHaveProperty("stored");
    expect(sandbox.ledger()[0]).not.toHaveProperty("registrationId");
  });

  test("is stored besides with its mandate, so that later ones go by that", async () => {
    const { pay, post, sandbox } = shop();
    const { body } = await pay(SEPA, { createRegistration: "true" });
    const [first] = sandbox.ledger();
    expect(first?.stored).toMatchObject({
      is: "stored-bank-account",
      iban: "DE23**************7890",
      holder: "Jane Jones",
    });
    const later = await post(`/v1/registrations/${body.registrationId}/payments`, [
      ["entityId", first?.entityId ?? ""],
      ["amount", "5.00"],
      ["currency", "EUR"],
      ["paymentType", "DB"],
    ]);
    expect(later.code).toBe(OK);
    expect(sandbox.ledger()[1]?.issuer.bankAccount).toEqual(first?.issuer.bankAccount);
  });
});
