import { describe, expect, test } from "vitest";
import { SEPA, shop } from "./accounts-bench.ts";

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
