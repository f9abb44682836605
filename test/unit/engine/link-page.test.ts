import { expect, test } from "vitest";
import { paymentForm } from "../../../src/gateway/payment-form.ts";
import type { LinkRequest } from "../../../src/payment/fact/request.ts";
import { openCounter, till } from "../../support/counter.ts";
import { approval, linkMade } from "../../support/sale.ts";

/* What the gateway is told of the page that the customer opens. */

/** The form of the one request for the link. */
async function formOf(parameters: LinkRequest["parameters"]): Promise<URLSearchParams> {
  const counter = openCounter({ answer: ({ operation }) => (operation.link === undefined ? approval() : linkMade) });
  const content = { reference: "L-1", currency: "EUR", amount: 1234, validForMs: 600_000, parameters };
  const asked = counter.payments.link(till, { ...content, fingerprint: "L-1" });
  await counter.clock.advance(1_000);
  expect((await asked).ok).toBe(true);
  const [order] = counter.posted;
  const form = order && paymentForm(order);
  if (form?.ok !== true) throw new Error(form?.problems.join() ?? "nothing was posted");
  return new URLSearchParams(form.body?.reveal());
}

test.each([
  [{}, { "merchant.name": "Corner Shop" }],
  [{ merchant: { city: "Mainz" } }, { "merchant.name": "Corner Shop", "merchant.city": "Mainz" }],
  [{ merchant: { name: "Corner Shop, kiosk" } }, { "merchant.name": "Corner Shop, kiosk" }],
  [{ locale: "de_DE" }, { "merchant.name": "Corner Shop", locale: "de_DE" }],
] satisfies [LinkRequest["parameters"], Record<string, string>][])(
  "a link with %j names the shop, and the page's language",
  async (parameters, told) => {
    const form = await formOf(parameters);
    expect(Object.fromEntries([...form].filter(([name]) => name.startsWith("merchant.") || name === "locale"))).toEqual(
      told,
    );
  },
);

test("a stored card's payment says nothing of the shop that the register did not say: its statement names it as the acquirer knows it", async () => {
  const counter = openCounter();
  const content = {
    reference: "C-1",
    currency: "EUR",
    amount: 1234,
    type: "SALE",
    registration: "8ac7a4a0000000000000000000000010",
    parameters: {},
  } as const;
  const asked = counter.payments.charge(till, { ...content, fingerprint: "C-1" });
  await counter.clock.advance(1_000);
  expect((await asked).ok).toBe(true);
  expect(counter.posted[0]?.parameters).toEqual({});
});
