import { describe, expect, test } from "vitest";
import { openSandboxStore } from "../../../packages/sandbox/gateway/ledger/store.ts";
import { cardFields, linkOf, PLAIN_CARD, redirectOf, shopperBench } from "./asynchronous-bench.ts";
import { create, pathOf, payBy, read } from "./links-bench.ts";
import { ENTITY } from "./simulated-till.ts";

describe("a customer at the page of a link", () => {
  test("is asked for the address that the merchant wants, and not let go without what is mandatory of it", async () => {
    const own = shopperBench();
    const made = await create(own, { collectBilling: "city,postcode", mandatoryBilling: "postcode" });
    const page = await own.open(pathOf(made));
    expect(page.body).toContain('name="billing.city"');
    expect(page.body).not.toContain('name="billing.street1"');
    expect(await own.submit(pathOf(made), cardFields(PLAIN_CARD))).toMatchObject({ status: 400 });
    expect(await own.submit(pathOf(made), { ...cardFields(PLAIN_CARD), "billing.postcode": "60311" })).toMatchObject({
      status: 303,
    });
  });

  test("is asked for that address once, and gives it whichever way he pays", async () => {
    const own = shopperBench();
    const made = await create(own, { collectBilling: "all", mandatoryBilling: "postcode" });
    const { body } = await own.open(pathOf(made));
    expect(body.match(/name="billing\.postcode"[^>]* required/g)).toHaveLength(1);
    expect(body.match(/Billing address/g)).toHaveLength(1);
    for (const part of ['name="card.number"', 'value="PAYPAL" formnovalidate', "Billing address"])
      expect(/<form.*<\/form>/s.exec(body)?.[0]).toContain(part);
    expect(await own.submit(pathOf(made), { paymentBrand: "PAYPAL" })).toMatchObject({ status: 400 });
    const paid = await own.submit(pathOf(made), {
      ...cardFields("42"),
      paymentBrand: "PAYPAL",
      "billing.postcode": "60311",
    });
    expect(paid.headers["location"]).toContain("/shopper/bank/");
    expect(own.sandbox.ledger()).toMatchObject([
      { parameters: { paymentBrand: "PAYPAL", "billing.postcode": "60311" } },
    ]);
    expect(JSON.stringify(own.sandbox.ledger())).not.toContain("card.");
  });

  test("pays from his bank account where the merchant wants that", async () => {
    const own = shopperBench();
    const made = await create(own, { paymentBrand: "DIRECTDEBIT_SEPA" });
    const { body } = await own.open(pathOf(made));
    expect(body).not.toContain('name="card.number"');
    for (const name of ["paymentBrand", "bankAccount.holder", "bankAccount.iban"])
      expect(body).toContain(`name="${name}"`);
    const account = { "bankAccount.holder": "Ada Lovelace", "bankAccount.iban": "DE89 3704 0044 0532 0130 00" };
    await payBy(own, made, { paymentBrand: "DIRECTDEBIT_SEPA", ...account });
    expect(await read(own, made.body.id)).toMatchObject({ status: "PAID" });
  });

  test("is told where the merchant wants what no form can take", async () => {
    const own = shopperBench();
    const { body } = await own.open(pathOf(await create(own, { paymentBrand: "APPLEPAY" })));
    expect(body).toContain("Ask Corner Shop for another one");
    expect(body).not.toContain("<form");
  });

  test("types it as it is written where he lives", async () => {
    const own = shopperBench();
    const made = await create(own, { collectBilling: "all" });
    expect(
      await own.submit(pathOf(made), {
        ...cardFields(PLAIN_CARD),
        "billing.postcode": "SW1A 1AA",
        "billing.country": "gb",
      }),
    ).toMatchObject({
      status: 303,
    });
    expect(own.sandbox.ledger()).toMatchObject([
      { parameters: { "billing.postcode": "SW1A1AA", "billing.country": "GB" } },
    ]);
  });

  test("need not type it again where something else was wrong, and is told what by the name that the page gives it", async () => {
    const own = shopperBench();
    const made = await create(own, { collectBilling: "city,country", mandatoryBilling: "country" });
    const { body } = await own.submit(pathOf(made), { ...cardFields("42"), "billing.city": "Mainz" });
    expect(body).toContain('<p data-parameter="billing.country">Please check: Country (two letters).</p>');
    for (const kept of ["Mainz", "Ada Lovelace"]) expect(body).toContain(`value="${kept}"`);
    for (const gone of ['value="42"', 'value="123"', 'value="2030"']) expect(body).not.toContain(gone);
  });

  test("is told to ask for a new link where his second try could only be taken for a duplicate", async () => {
    const own = shopperBench({ rules: { duplicates: "reject" } });
    const made = await create(own);
    await payBy(own, made, cardFields("4000000000000002"));
    const { body } = await payBy(own, made);
    expect(body).not.toContain("800.130.100");
    expect(body).toContain("Ask Corner Shop for a new link");
    expect(body).not.toContain("You may try again");
  });

  test("who went to his bank may cancel there to pay in another way, and is told so", async () => {
    const own = shopperBench();
    const made = await create(own);
    const bank = (await payBy(own, made, { paymentBrand: "PAYPAL" })).headers["location"] ?? "";
    const { body } = await own.open(pathOf(made));
    expect(body).toContain("cancel it there");
    expect(body).toContain(bank.replaceAll("&", "&amp;"));
    await own.clock.advance(30 * 60_000);
    expect((await own.open(bank)).body).toContain("Back to the payment page");
  });
});

test("a shop's page is what a payment leads back to that came from no link", async () => {
  const own = shopperBench();
  const redirect = redirectOf(await own.order());
  await own.answer(redirect, { answer: "no" });
  expect((await own.open(linkOf(redirect))).body).toContain("Back to the shop");
});

describe("what a merchant is told of a link", () => {
  test("is not ahead of what queries know of its payment", async () => {
    const own = shopperBench();
    const made = await create(own, { amount: "9400.09" });
    await expect(payBy(own, made)).rejects.toThrow("cut");
    const link = await read(own, made.body.id);
    expect(link).toMatchObject({ status: "PENDING", result: { code: "000.200.000" } });
    expect(link.transactionId).toBeUndefined();
    const payment = `/paybylink/v1/${link.id}/checkouts/${link.checkoutId}/payment?entityId=${ENTITY}`;
    expect(await own.get(payment)).toMatchObject({ status: 200, code: "000.200.000" });
    expect((await own.open(pathOf(made))).body).toContain("Paid to Corner Shop");
    await own.clock.advance(60_000);
    expect(await read(own, made.body.id)).toMatchObject({ status: "PAID", transactionId: expect.anything() });
    expect(await own.get(payment)).toMatchObject({ status: 200, code: "000.100.110" });
  });

  test("and what is kept of it shows no account that it names besides", async () => {
    const store = openSandboxStore(":memory:");
    const own = shopperBench({ store });
    await create(own, { "giftCard.number": "6006491234567890", "giftCard.pin": "4711" });
    const kept = store.records("link").join();
    for (const secret of ["6006491234567890", "4711"]) expect(kept).not.toContain(secret);
  });
});
