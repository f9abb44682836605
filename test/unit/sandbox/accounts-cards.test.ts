import { describe, expect, test } from "vitest";
import { shop, VISA } from "./accounts-bench.ts";
import type { Fields } from "./bench.ts";

const OK = "000.100.110";

describe("a card that is sent in clear", () => {
  test("is paid with, and the reply tells of it what may be told", async () => {
    const { told, sandbox } = shop();
    expect(
      await told(VISA, { paymentType: "PA", "billing.street1": "Main Street 1", "billing.postcode": "10115" }),
    ).toMatchObject({
      paymentType: "PA",
      paymentBrand: "VISA",
      paymentMethod: "CC",
      shortId: expect.stringMatching(/^[0-9]{4}\.[0-9]{4}\.[0-9]{4}$/),
      amount: "92.00",
      currency: "EUR",
      result: { code: OK, avsResponse: "F", cvvResponse: "M" },
      resultDetails: {
        AcquirerResponse: "00",
        clearingInstituteName: "Sandbox Acquirer",
        AuthCode: expect.stringMatching(/^[0-9]{6}$/),
      },
      card: {
        ...{ bin: "420000", last4Digits: "0000", holder: "Jane Jones", expiryMonth: "05", expiryYear: "2034" },
        ...{ type: "CREDIT", level: "1", regulatedFlag: "false", issuer: { bank: "SANDBOX BANK" } },
      },
    });
    expect(sandbox.ledger()[0]?.parameters).toMatchObject({
      "card.number": "420000******0000",
      "card.cvv": "***",
      "card.expiryYear": "2034",
    });
  });

  test("needs no paymentBrand where its number tells it", async () => {
    const { told } = shop();
    expect(await told(VISA, { paymentBrand: undefined })).toMatchObject({
      paymentBrand: "VISA",
      brandResult: "VISA",
      result: { code: OK },
    });
    expect(await told(VISA)).not.toHaveProperty("brandResult");
  });

  test.each([
    ["4000000000000069", "01"],
    ["4000000000009995", "02"],
    ["4000000000009979", "03"],
  ])("that is declined (%s) comes with the network's advice: %s", async (number, advice) => {
    expect((await shop().pay(VISA, { "card.number": number })).body.resultDetails).toMatchObject({
      MerchantAdviceCode: advice,
    });
  });

  test.each<[Fields, string | undefined]>([
    [{ "card.cvv": "902" }, "N"],
    [{ "card.cvv": "903" }, "P"],
    [{ "card.cvv": "904" }, "U"],
    [{ "card.cvv": "123" }, "M"],
    [{ "card.cvv": undefined, paymentType: "CD" }, undefined],
  ])("tells of %j the answer %s", async (fields, cvvResponse) => {
    const { told } = shop();
    expect(await told(VISA, fields)).toMatchObject({
      result: { code: fields["card.cvv"] === "902" ? "000.400.020" : OK },
    });
    expect(JSON.stringify(await told(VISA, fields))).toContain(
      cvvResponse === undefined ? '"result":{' : `"cvvResponse":"${cvvResponse}"`,
    );
  });

  test.each<[Fields, string]>([
    [{ "billing.postcode": "10115", "billing.street1": "Main Street 1" }, "F"],
    [{ "billing.postcode": "10115", "billing.street1": "Wrong Street 1" }, "Z"],
    [{ "billing.postcode": "00000", "billing.street1": "Main Street 1" }, "A"],
    [{ "billing.postcode": "00000", "billing.street1": "Wrong Street 1" }, "N"],
    [{ "billing.postcode": "99999", "billing.street1": "Main Street 1" }, "U"],
  ])("tells of the address %j the answer %s", async (fields, avsResponse) => {
    expect(await shop().told(VISA, fields)).toMatchObject({ result: { code: OK, avsResponse } });
  });

  test("is stored besides, as its first six and last four digits and nothing more of the number", async () => {
    const { pay, sandbox } = shop();
    const { body } = await pay(VISA, { createRegistration: "true" });
    expect(sandbox.ledger()).toMatchObject([
      {
        registrationId: body.registrationId,
        stored: {
          is: "stored-card",
          brand: "VISA",
          bin: "420000",
          last4: "0000",
          expiryMonth: "05",
          expiryYear: "2034",
          holder: "Jane Jones",
        },
      },
    ]);
    await pay(VISA, { createRegistration: "true", "card.number": "4000000000000002" });
    expect(sandbox.ledger()[1]).not.toHaveProperty("registrationId");
  });

  test("is not stored where its number could be somebody's, even where a fault approves it", async () => {
    const { pay, fault, sandbox } = shop();
    await fault({ on: {}, do: { result: "000.100.110" } });
    const { code, body } = await pay(VISA, { createRegistration: "true", "card.number": "4929000000006" });
    expect([code, body.registrationId, sandbox.ledger()[0]?.stored]).toEqual([OK, undefined, undefined]);
  });
});
