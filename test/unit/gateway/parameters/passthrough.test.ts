import { expect, test } from "vitest";
import { z } from "zod";
import { MAX_KEYS, passthroughSchema } from "../../../../src/gateway/parameters/passthrough.ts";

const issues = (value: unknown) => passthroughSchema.safeParse(value).error?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`) ?? [];

test("a full cart with customer and addresses passes unchanged", () => {
  const value = {
    merchantInvoiceId: "INV-00001",
    descriptor: "Corner Shop",
    cart: { items: [{ name: "Tea", quantity: 2, price: "3.00", recipient: { city: "Mainz" } }], payments: [{ type: "GIFTCARD", primary: true }] },
    customer: { givenName: "Ann", surname: "Bee", browser: { javaEnabled: false } },
    billing: { street1: "Long Road", houseNumber1: "1" },
    shipping: { city: "Bad Homburg", customer: { givenName: "Cy", surname: "Dee" } },
    standingInstruction: { type: "UNSCHEDULED", mode: "INITIAL", numberOfInstallments: "3" },
    customParameters: { "SHOPPER_till.1": "7" },
  };
  expect(passthroughSchema.parse(value)).toEqual(value);
});

test.each([
  [{ cart: { items: [{ price: "3" }] } }, "cart.items.0.price: must be a decimal with up to 10 digits and exactly 2 decimals"],
  [{ cart: { items: [{ price: 3 }] } }, "cart.items.0.price: Invalid input: expected string, received number"],
  [{ cart: { items: [{ quantity: 1.0001 }] } }, "cart.items.0.quantity: must be a number with up to 3 decimals"],
  [{ cart: { items: [{ colour: "red" }] } }, 'cart.items.0: Unrecognized key: "colour"'],
  [{ cart: { items: Array.from({ length: 1002 }, () => ({})) } }, "cart.items: Too big: expected array to have <=1001 items"],
  [{ cart: { payments: [{ primary: "yes" }] } }, "cart.payments.0.primary: Invalid input: expected boolean, received string"],
  [{ customer: { givenName: "Ann" } }, "customer.surname: may not be empty"],
  [{ shipping: { customer: { givenName: "Ann" } } }, "shipping.customer.surname: may not be empty"],
  [{ billing: { houseNumber2: "b" } }, "billing.houseNumber2: requires billing.houseNumber1"],
  [{ merchantMemo: "short" }, "merchantMemo: must be 8-255 characters"],
  [{ customParameters: { ab: "1" } }, "customParameters.ab: Invalid key in record"],
  [
    { customParameters: Object.fromEntries(Array.from({ length: MAX_KEYS + 1 }, (_, n) => [`key${n}`, ""])) },
    `customParameters: must have at most ${MAX_KEYS} names`,
  ],
  [{ pos: { terminalId: "1" } }, ': Unrecognized key: "pos"'],
  [{ amount: "1.00" }, ': Unrecognized key: "amount"'],
])("%j names its field", (value, issue) => {
  expect(issues(value)).toEqual([issue]);
});

test("the schema can be told as JSON schema, patterns included", () => {
  const told = JSON.stringify(z.toJSONSchema(passthroughSchema));
  expect(told).toContain('"additionalProperties":false');
  expect(told).toContain("[0-9]{1,10}");
});
