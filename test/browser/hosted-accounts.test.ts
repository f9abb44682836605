import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hostedForm } from "./browser.ts";
import { ENTITY } from "./shop.ts";
import { openStreet, type Street } from "./street.ts";

const APPROVED = "000.100.110";

let street: Street;

beforeAll(async () => {
  street = await openStreet();
});

afterAll(() => street?.close());
afterEach(() => street.leave());

const STORED_CARD = {
  "card.number": "4200000000000000",
  "card.expiryMonth": "12",
  "card.expiryYear": "2034",
  "card.holder": "Jane Jones",
  paymentBrand: "VISA",
};

describe("a shopper whose card is stored", () => {
  const visitWithToken = async (options: string): Promise<string> => {
    const { id = "" } = await street.shop.post("/v1/registrations", STORED_CARD);
    await street.visit({ fields: { "registrations[0].id": id }, options });
    return id;
  };

  test("pays with one click", async () => {
    await visitWithToken("{}");
    const stored = street.page().locator(".wpwl-form-registrations");
    expect(await stored.locator(".wpwl-registration").textContent()).toBe("•••• 0000Jane Jones12 / 34");
    await stored.locator(".wpwl-button-pay").click();
    expect(await street.back()).toMatchObject({
      result: { code: APPROVED },
      amount: "12.34",
      card: { last4Digits: "0000" },
    });
  });

  test("types his security code again where the merchant wants it, and finds the other ways to pay behind a button", async () => {
    await visitWithToken("{ registrations: { requireCvv: true, hideInitialPaymentForms: true } }");
    const { cvv, pay } = hostedForm(street.page(), ".wpwl-form-registrations");
    expect(await street.page().locator(".wpwl-form-card").isVisible()).toBe(false);
    await street.page().locator(".wpwl-button-other").click();
    expect(await street.page().locator(".wpwl-form-card").isVisible()).toBe(true);
    await pay.click();
    await street.page().locator(".wpwl-hint-cvvError").waitFor();
    await cvv.pressSequentially("123");
    await pay.click();
    expect((await street.back()).result.code).toBe(APPROVED);
  });

  test("cannot be made to pay with a token that the merchant did not pass", async () => {
    const { id = "" } = await street.shop.post("/v1/registrations", STORED_CARD);
    const checkout = await street.shop.checkout({ amount: "12.34", currency: "EUR", paymentType: "DB" });
    const body = new URLSearchParams({ registrationId: id });
    const reply = await fetch(`${street.shop.gateway}/v1/checkouts/${checkout.id}/payment`, { method: "POST", body });
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining("100.150.200")]);
  });
});

describe("a shopper without a card", () => {
  test("pays by direct debit with an account that checks", async () => {
    await street.visit({ brands: "DIRECTDEBIT_SEPA", options: `{ locale: "de" }` });
    const form = street.page().locator(".wpwl-form-directDebit");
    await form.getByLabel("Kontoinhaber").fill("Jane Jones");
    await form.getByLabel("IBAN").fill("DE89 3704 0044 0532 0130 01");
    await form.locator(".wpwl-button-pay").click();
    await street.page().getByText("Diese IBAN ist ungültig.").waitFor();
    await form.getByLabel("IBAN").fill("de89 3704 0044 0532 0130 00");
    await form.locator(".wpwl-button-pay").click();
    expect(await street.back()).toMatchObject({ result: { code: APPROVED }, paymentBrand: "DIRECTDEBIT_SEPA" });
  });

  test("says yes at the page of his wallet", async () => {
    await street.visit({ brands: "PAYPAL" });
    await street.page().getByRole("button", { name: "Continue to PayPal" }).click();
    await street.page().getByRole("button", { name: "Yes, pay" }).click();
    expect(await street.back()).toMatchObject({ result: { code: APPROVED }, paymentBrand: "PAYPAL" });
  });

  test("comes back from there without a word and pays by card after all, in the same checkout", async () => {
    await street.visit({ brands: "VISA PAYPAL" });
    await street.page().locator(".wpwl-form-virtualAccount .wpwl-button-pay").click();
    await street.page().getByRole("button", { name: "Yes, pay" }).waitFor();
    await street.page().goBack();
    const form = hostedForm(street.page());
    await form.type();
    await form.pay.click();
    expect(await street.back()).toMatchObject({ result: { code: APPROVED }, paymentBrand: "VISA" });
    expect(
      street.shop.sandbox
        .ledger()
        .slice(-2)
        .map(({ resultCode }) => resultCode),
    ).toEqual([expect.stringMatching(/^100\.39[67]/), APPROVED]);
  });
});

describe("a shopper whose bank asks", () => {
  test("types the code of his bank and is back at the shop", async () => {
    await street.visit();
    const form = hostedForm(street.page());
    await form.type({ number: "4200000000000042" });
    await form.pay.click();
    const code = await street.page().locator("main strong").textContent();
    await street
      .page()
      .getByLabel("Code")
      .fill(code ?? "");
    await street.page().getByRole("button", { name: "Confirm" }).click();
    expect((await street.back()).result.code).toBe(APPROVED);
  });
});

describe("a form that only stores", () => {
  test("leaves a token and no payment", async () => {
    const checkout = await street.shop.checkout({ createRegistration: "true", integrity: "true" });
    await street.look({
      checkoutId: `${checkout.id}/registration`,
      integrity: checkout.integrity,
      brands: "VISA IDEAL",
    });
    expect(await street.page().locator(".wpwl-form").count()).toBe(1);
    const form = hostedForm(street.page());
    expect(await form.pay.textContent()).toBe("Save");
    await form.type();
    await form.pay.click();
    const status = await street.back();
    expect(status).toMatchObject({
      result: { code: APPROVED },
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      card: { last4Digits: "0000" },
    });
    expect(status.amount).toBeUndefined();
    expect(street.shop.sandbox.ledger().at(-1)).toMatchObject({ id: status.id, paymentType: "RG", entityId: ENTITY });
  });
});

describe("a form without a place to go back to", () => {
  test("ends at a page of the gateway's", async () => {
    await street.visit({ action: "" });
    const form = hostedForm(street.page());
    await form.type();
    await form.pay.click();
    await street.page().getByRole("heading", { name: "Thank you" }).waitFor();
  });
});
