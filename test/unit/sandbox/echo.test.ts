import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { echoOf } from "../../../packages/sandbox/gateway/payments/echo.ts";
import { shop, VISA } from "./accounts-bench.ts";

describe("the request's structures", () => {
  test("are told again, nested as replies nest them", async () => {
    const { told, query } = shop();
    const fields = {
      "customer.givenName": "Jane",
      "customer.surname": "Jones",
      "customer.browser.language": "de",
      "billing.city": "Berlin",
      "shipping.customer.givenName": "Jack",
      "shipping.customer.surname": "Jones",
      "merchant.data[branch.no]": "7",
      "cart.items[0].name": "Tea",
      "cart.items[1].recipient.city": "Kiel",
      "marketPlace.sellers[0].id": "S1",
      "airline.passengers[0].legs[0].flightNumber": "LH1",
      "threeDSecure.schemeData[CB-USECASE]": "01",
      "customParameters[SHOPPER_till]": "3",
      merchantTransactionId: "echo-of-a-cart",
    };
    const expected = {
      customer: { givenName: "Jane", surname: "Jones", browser: { language: "de" } },
      billing: { city: "Berlin" },
      shipping: { customer: { givenName: "Jack", surname: "Jones" } },
      merchant: { data: { "branch.no": "7" } },
      cart: { items: [{ name: "Tea" }, { recipient: { city: "Kiel" } }] },
      marketPlace: { sellers: [{ id: "S1" }] },
      airline: { passengers: [{ legs: [{ flightNumber: "LH1" }] }] },
      threeDSecure: { schemeData: { "CB-USECASE": "01" } },
      customParameters: { SHOPPER_till: "3" },
    };
    expect(await told(VISA, fields)).toMatchObject(expected);
    expect((await query("echo-of-a-cart")).body.payments).toMatchObject([expected]);
  });

  test("are told of a decline as well", async () => {
    expect(await shop().told(VISA, { "card.number": "4000000000000002", "billing.city": "Berlin" })).toMatchObject({
      billing: { city: "Berlin" },
    });
  });

  test("close up a list that skips an index", () => {
    expect(echoOf({ "cart.items[4].name": "b", "cart.items[1].name": "a" })).toEqual({
      cart: { items: [{ name: "a" }, { name: "b" }] },
    });
  });

  test("are not the account, the money or what is on the card", () => {
    expect(
      echoOf({ amount: "1.00", "card.holder": "J", "pos.entryMode": "ICC", "bankAccount.holder": "J", entityId: "x" }),
    ).toEqual({});
  });

  test("keep free names whole: with dots, with digits alone, and none that means something to JavaScript", () => {
    const echoed = echoOf({
      "customParameters[a.b]": "1",
      "customParameters[123]": "2",
      "customParameters[__proto__]": "3",
      "risk.parameters[x]": "4",
    });
    expect(JSON.stringify(echoed)).toBe(
      '{"customParameters":{"123":"2","a.b":"1","__proto__":"3"},"risk":{"parameters":{"x":"4"}}}',
    );
  });

  test("never make a reply impossible", () => {
    const step = fc.constantFrom("customer", ".name", "[0]", "[1]", "[a.b]", ".items", "cart", "[", "]", "..");
    const name = fc.array(step, { maxLength: 6 }).map((steps) => steps.join(""));
    fc.assert(fc.property(fc.dictionary(name, fc.string()), (parameters) => void JSON.stringify(echoOf(parameters))));
  });
});

test("what a scheme adds joins what was sent", async () => {
  const first = {
    "standingInstruction.mode": "INITIAL",
    "standingInstruction.type": "UNSCHEDULED",
    "standingInstruction.source": "CIT",
  };
  const { told } = shop();
  expect(await told(VISA, first)).toMatchObject({
    standingInstruction: { mode: "INITIAL", source: "CIT", initialTransactionId: expect.stringMatching(/^[0-9]{15}$/) },
    resultDetails: { CardholderInitiatedTransactionID: expect.stringMatching(/^[0-9]{15}$/) },
  });
  const agreement = { paymentBrand: "MASTER", "card.number": "5454545454545454" };
  expect(await told(VISA, first, agreement)).toMatchObject({
    standingInstruction: { agreementId: expect.stringMatching(/^[0-9]{15}$/) },
  });
  expect(await told(VISA, first, agreement, { "standingInstruction.agreementId": "MINE" })).toMatchObject({
    standingInstruction: { agreementId: "MINE" },
  });
  expect(await told(VISA, first, { amount: "9100.05" })).not.toHaveProperty("standingInstruction.initialTransactionId");
});
