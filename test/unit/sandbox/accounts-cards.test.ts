import { describe, expect, test } from "vitest";
import { type Fields, shop, VISA } from "./accounts-bench.ts";

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

  test.each(["PA", "DB", "CD"])("is taken for %s", async (paymentType) => {
    expect((await shop().pay(VISA, { paymentType })).code).toBe(OK);
  });

  test.each([
    ["4111111111111111", "VISA", "123"],
    ["4012888888881881", "VISA", "123"],
    ["5454545454545454", "MASTER", "123"],
    ["5555555555554444", "MASTER", "123"],
    ["375987000000005", "AMEX", "1234"],
    ["36961903000009", "DINERS", "123"],
    ["6011587918359498", "DISCOVER", "123"],
    ["3541599999092431", "JCB", "123"],
    ["6759649826438453", "MAESTRO", undefined],
    ["4822000000000000003", "VPAY", undefined],
    ["4917300800000000", "VISAELECTRON", undefined],
    ["5360230159427034", "MADA", "850"],
    ["5555555555554444", "CARTEBLEUE", "123"],
  ])("with the published number %s of %s is approved", async (number, paymentBrand, cvv) => {
    expect((await shop().pay(VISA, { "card.number": number, paymentBrand, "card.cvv": cvv })).code).toBe(OK);
  });

  test.each<[string, Fields, string]>([
    ["has a wrong check digit", { "card.number": "4200000000000001" }, "100.100.101"],
    ["has digits alone and no brand", { "card.number": "9000000000000001", paymentBrand: undefined }, "100.100.500"],
    ["has a brand that no card has", { paymentBrand: "ICELANDAIR" }, "100.100.501"],
    ["has a number of another brand", { paymentBrand: "MASTER" }, "100.100.700"],
    ["was good until last month", { "card.expiryMonth": "10", "card.expiryYear": "2026" }, "100.100.303"],
    ["comes without its security code", { "card.cvv": undefined }, "100.100.600"],
    ["comes with a security code of another brand's length", { "card.cvv": "1234" }, "100.100.601"],
    ["has a number that is nobody's test card", { "card.number": "4929000000006" }, "800.100.151"],
    ["is declined for good", { "card.number": "4000000000000002" }, "800.100.152"],
    ["has not enough money behind it", { "card.number": "4000000000009995" }, "800.100.155"],
    ["was lost", { "card.number": "4000000000009987" }, "800.100.165"],
    ["was stolen", { "card.number": "4000000000009979" }, "800.100.159"],
    ["has an expiry that its issuer does not know", { "card.number": "4000000000000069" }, "800.100.157"],
    ["is under suspicion", { "card.number": "4100000000000019" }, "100.100.701"],
    ["has a wrong security code", { "card.cvv": "901" }, "800.100.153"],
    ["is refused at that address", { "billing.postcode": "00001" }, "800.400.104"],
  ])("that %s is refused in its own words", async (_what, fields, code) => {
    const { pay, sandbox } = shop();
    const answer = await pay(VISA, fields);
    expect({ status: answer.status, code: answer.code }).toEqual({ status: 400, code });
    expect(answer.body.amount).toBeUndefined();
    expect(sandbox.ledger()).toMatchObject([{ resultCode: code, amount: 9200 }]);
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

  test("is good to the end of its month", async () => {
    expect((await shop().pay(VISA, { "card.expiryMonth": "11", "card.expiryYear": "2026" })).code).toBe(OK);
  });

  test.each<[string, Fields]>([
    ["a credit", { paymentType: "CD" }],
    [
      "a payment that the merchant begins",
      {
        "standingInstruction.source": "MIT",
        "standingInstruction.mode": "REPEATED",
        "standingInstruction.type": "UNSCHEDULED",
      },
    ],
    [
      "a payment that goes on with an agreement",
      {
        "standingInstruction.source": "CIT",
        "standingInstruction.mode": "REPEATED",
        "standingInstruction.type": "UNSCHEDULED",
      },
    ],
    ["a number that stands for another one", { "card.numberType": "DPAN" }],
    ["a brand that has none", { paymentBrand: "MAESTRO", "card.number": "6759649826438453" }],
  ])("needs no security code for %s", async (_what, fields) => {
    expect((await shop().pay(VISA, { "card.cvv": undefined }, fields)).code).toBe(OK);
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

  test("meets the magic of its amount, once its issuer has nothing against it", async () => {
    const { pay } = shop();
    expect((await pay(VISA, { amount: "9100.51" })).code).toBe("800.100.155");
    expect((await pay(VISA, { amount: "9200.10" })).body.amount).toBe("4600.05");
    expect((await pay(VISA, { amount: "9200.10", "card.number": "4000000000000002" })).code).toBe("800.100.152");
  });
});
