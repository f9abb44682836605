import { describe, expect, test } from "vitest";
import { bookingSchema } from "../../../packages/sandbox/gateway/ledger/booking.ts";
import { CARD, checkoutBench, type Fields, RESULT_URL, SALE } from "./checkouts-bench.ts";
import { ENTITY } from "./simulated-till.ts";

const OK = "000.100.110";
const DECLINED = "800.100.152";
const { "card.cvv": _cvv, ...STORABLE } = CARD;

/** Where a browser was sent. */
const placeOf = (headers: Readonly<Record<string, string>>): URL => new URL(headers["location"] ?? "about:blank");

describe("a shopper who submits the form", () => {
  test.each([
    ["paid", SALE],
    ["declined", { ...SALE, amount: "9100.05" }],
  ])("and is %s goes back to the shop with what its server needs to read the status", async (_, sale) => {
    const { checkout, visit } = checkoutBench();
    const id = await checkout(sale);
    const { status, headers, body } = await visit(id);
    expect({ status, body }).toEqual({ status: 303, body: "" });
    const resourcePath = `/v1/checkouts/${id}/payment`;
    expect(headers["location"]).toBe(`${RESULT_URL}&id=${id}&resourcePath=${encodeURIComponent(resourcePath)}`);
  });

  test("goes where the merchant's server said, whatever the page says", async () => {
    const { checkout, visit } = checkoutBench();
    const { headers } = await visit(await checkout({ ...SALE, shopperResultUrl: "https://own.example/back#paid" }));
    expect(placeOf(headers)).toMatchObject({ origin: "https://own.example", hash: "#paid" });
  });

  test.each([
    ["no address", {}],
    ["an address that is a script", { shopperResultUrl: "javascript://shop/%0Aalert(1)" }],
  ])("ends at a page of the gateway's where %s was said", async (_, page) => {
    const { checkout, raw, status } = checkoutBench();
    const id = await checkout();
    const browser = {
      "content-type": "application/x-www-form-urlencoded",
      accept: "text/html",
      host: "gateway.example",
    };
    const handled = await raw(
      "POST",
      `/v1/checkouts/${id}/payment`,
      new URLSearchParams({ ...CARD, ...page }).toString(),
      browser,
    );
    expect(handled).toMatchObject({
      is: "reply",
      status: 303,
      headers: { location: `http://gateway.example/v1/checkouts/${id}/result` },
    });
    expect(await raw("GET", `/v1/checkouts/${id}/result`, "", browser)).toMatchObject({
      status: 200,
      body: expect.stringContaining("Thank you"),
    });
    expect((await status(id)).code).toBe(OK);
  });

  test("gets a page that says so where the checkout is over", async () => {
    const { checkout, visit, minutes } = checkoutBench();
    const id = await checkout();
    await minutes(30);
    expect(await visit(id)).toMatchObject({ status: 400, body: expect.stringContaining("not valid any more") });
  });

  test("tells a program the result, and where a browser would have gone", async () => {
    const { checkout, raw } = checkoutBench();
    const form = new URLSearchParams({ ...CARD, shopperResultUrl: RESULT_URL }).toString();
    const handled = await raw("POST", `/v1/checkouts/${await checkout()}/payment`, form, {
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(handled).toMatchObject({
      is: "reply",
      status: 200,
      headers: { location: expect.stringContaining(RESULT_URL) },
      body: expect.stringContaining(OK),
    });
  });

  test("is sent to his bank first where it has to be asked", async () => {
    const { checkout, visit, submit, status } = checkoutBench();
    const id = await checkout();
    const { headers } = await visit(id, { paymentBrand: "PAYPAL" });
    expect(placeOf(headers).pathname).toMatch(/^\/shopper\/bank\/[0-9a-f]{32}$/);
    expect((await status(id)).code).toBe("000.200.000");
    expect((await submit(await checkout(), { paymentBrand: "PAYPAL" })).body).toMatchObject({
      redirect: { url: expect.stringContaining("/shopper/bank/") },
    });
  });

  test("adds to what the merchant said, and changes nothing of it", async () => {
    const { checkout, submit, sandbox } = checkoutBench();
    const merchant = {
      merchantTransactionId: "order-0007",
      "customer.givenName": "Jane",
      "customer.surname": "Jones",
      "customParameters[SHOPPER_a]": "merchant",
    };
    const id = await checkout({ ...SALE, ...merchant, "overridePaymentType[VISA]": "PA", createRegistration: "false" });
    const shopper = {
      "customParameters[SHOPPER_a]": "shopper",
      "customParameters[SHOPPER_b]": "shopper",
      createRegistration: "true",
      "customer.browser.language": "de",
    };
    const { body } = await submit(id, { ...CARD, ...shopper });
    expect(body).toMatchObject({
      paymentType: "PA",
      customParameters: { SHOPPER_a: "merchant", SHOPPER_b: "shopper" },
    });
    expect(body.registrationId).toBeUndefined();
    const [booking] = sandbox.ledger();
    expect(booking).toMatchObject({
      checkoutId: id,
      entityId: ENTITY,
      paymentType: "PA",
      merchantTransactionId: "order-0007",
      amount: 1234,
    });
    expect(booking?.parameters).toMatchObject({ "customer.givenName": "Jane", "customer.browser.language": "de" });
    expect(
      Object.keys(booking?.parameters ?? {}).filter((name) => /override|registrations|integrity/.test(name)),
    ).toEqual([]);
  });

  test.each([
    [
      "a card's holder",
      { overrideHolder: "true", "card.holder": "Jane Jones" },
      { paymentBrand: "PAYPAL" },
      "000.200.000",
    ],
    ["a mandate", { "bankAccount.mandate.id": "MANDATE-A", transactionDueDate: "2026-12-24" }, CARD, OK],
  ])("has no use for %s that the merchant knows where he pays by other means", async (_, merchant, account, code) => {
    const { checkout, submit, sandbox } = checkoutBench();
    expect((await submit(await checkout({ ...SALE, ...merchant }), account)).code).toBe(code);
    const { parameters = {} } = sandbox.ledger()[0] ?? {};
    const own = Object.keys(account);
    expect(
      Object.keys(parameters).filter((name) => /^(?:card|bankAccount)\./.test(name) && !own.includes(name)),
    ).toEqual([]);
  });

  test("is spared his bank's question where the merchant says so", async () => {
    const { checkout, submit } = checkoutBench();
    const challenged = { ...CARD, "card.number": "4200000000000042" };
    expect((await submit(await checkout(), challenged)).code).toBe("000.200.000");
    expect((await submit(await checkout({ ...SALE, recurringType: "REGISTRATION_BASED" }), challenged)).code).toBe(OK);
  });

  test("pays in the way of the brand that his account has, whatever the page says of it", async () => {
    const { send, checkout, submit } = checkoutBench();
    const { id: token = "" } = (await send("/v1/registrations", STORABLE)).body;
    const types = { "overridePaymentType[VISA]": "PA", "overridePaymentType[PAYPAL]": "CD" };
    const typeOf = async (entered: Fields) =>
      (await submit(await checkout({ ...SALE, ...types, "registrations[0].id": token }), entered)).body.paymentType;
    expect(await typeOf({ registrationId: token })).toBe("PA");
    expect(await typeOf({ registrationId: token, paymentBrand: "PAYPAL" })).toBe("PA");
    const { paymentBrand: _, ...unnamed } = CARD;
    expect(await typeOf(unnamed)).toBe("PA");
  });

  test("leaves no number and no code in what is kept", async () => {
    const { checkout, submit, sandbox, get } = checkoutBench();
    await submit(await checkout());
    const rows = sandbox.ledger().map((booking) => JSON.stringify(bookingSchema.parse(booking)));
    expect(rows.join()).not.toMatch(/4200000000000000|"123"/);
    expect(
      JSON.stringify(
        await get(`/v1/query?entityId=${ENTITY}&date.from=2026-01-01%2000:00:00&date.to=2026-12-31%2000:00:00`),
      ),
    ).not.toContain("4200000000000000");
  });

  test("stores his card besides where the merchant wants it", async () => {
    const { checkout, submit, status } = checkoutBench();
    const id = await checkout({ ...SALE, createRegistration: "true" });
    const { registrationId } = (await submit(id)).body;
    expect(registrationId).toMatch(/^[0-9a-f]{32}$/);
    expect((await status(id)).body.registrationId).toBe(registrationId);
  });
});

describe("several tries in one checkout", () => {
  test("are over where the gateway could not take its own booking back: that money stands", async () => {
    const { checkout, submit, sandbox } = checkoutBench();
    const id = await checkout({ ...SALE, amount: "9300.04" });
    await submit(id);
    await submit(id);
    expect(sandbox.ledger()).toMatchObject([{ resultCode: "000.400.030" }]);
  });

  test("end with the one that is paid", async () => {
    const { checkout, submit, status, sandbox } = checkoutBench();
    const id = await checkout();
    expect((await submit(id, { ...CARD, "card.number": "4000000000000002" })).code).toBe(DECLINED);
    const paid = await submit(id);
    expect(await status(id)).toMatchObject({ code: OK, body: { id: paid.body.id } });
    expect(sandbox.ledger().map(({ checkoutId, resultCode }) => [checkoutId, resultCode])).toEqual([
      [id, DECLINED],
      [id, OK],
    ]);
  });

  test("go on after the shop has read a decline, which it may read again", async () => {
    const { checkout, submit, status } = checkoutBench();
    const id = await checkout();
    await submit(id, { ...CARD, "card.number": "4000000000000002" });
    for (const _ of [1, 2]) expect((await status(id)).code).toBe(DECLINED);
    expect((await submit(id)).code).toBe(OK);
    expect((await status(id)).code).toBe(OK);
    expect((await status(id)).code).toBe("200.300.404");
  });

  test("pay once, however often the form is sent", async () => {
    const { checkout, submit, visit, sandbox } = checkoutBench();
    const id = await checkout();
    const first = await submit(id);
    expect((await submit(id)).body.id).toBe(first.body.id);
    expect((await visit(id)).status).toBe(303);
    expect(sandbox.ledger()).toHaveLength(1);
  });

  test("wait for a result that is on its way", async () => {
    const { checkout, submit, sandbox } = checkoutBench();
    const id = await checkout({ ...SALE, amount: "9300.06" });
    await submit(id);
    expect((await submit(id)).code).toBe("000.200.000");
    expect(sandbox.ledger()).toHaveLength(1);
  });

  test("give up the page of a bank that was left", async () => {
    const { checkout, submit, status, sandbox } = checkoutBench();
    const id = await checkout();
    await submit(id, { paymentBrand: "PAYPAL" });
    await submit(id);
    expect(sandbox.ledger().map(({ resultCode }) => resultCode)).toEqual(["100.396.101", OK]);
    expect((await status(id)).body.paymentBrand).toBe("VISA");
  });

  test("tell a refusal that left no booking, also after a try that did", async () => {
    const { checkout, submit, update, status } = checkoutBench({ rules: { duplicates: "reject" } });
    await submit(await checkout({ ...SALE, merchantTransactionId: "order-0007" }));
    const id = await checkout(SALE);
    expect((await submit(id, { ...CARD, "card.number": "4000000000000002" })).code).toBe(DECLINED);
    await update(id, { merchantTransactionId: "order-0007" });
    expect((await submit(id)).code).toBe("800.130.100");
    expect((await status(id)).code).toBe("800.130.100");
  });

  test("send the shopper on to where the last of them was to go", async () => {
    const { checkout, submit, visit, update } = checkoutBench({ rules: { duplicates: "reject" } });
    await submit(await checkout({ ...SALE, merchantTransactionId: "order-0007" }));
    const id = await checkout();
    await submit(id, { ...CARD, "card.number": "4000000000000002" });
    await update(id, { merchantTransactionId: "order-0007", shopperResultUrl: "https://other.example/back" });
    expect(placeOf((await visit(id)).headers).origin).toBe("https://other.example");
  });

  test("tell the good one after such a refusal", async () => {
    const { checkout, submit, update, status } = checkoutBench({ rules: { duplicates: "reject" } });
    const sale = { ...SALE, merchantTransactionId: "order-0007" };
    await submit(await checkout(sale));
    const id = await checkout(sale);
    await submit(id);
    await update(id, { merchantTransactionId: "order-0008" });
    expect((await submit(id)).code).toBe(OK);
    expect((await status(id)).code).toBe(OK);
  });

  test("stay open as long as the gateway hides the booking", async () => {
    const { checkout, submit, status, fault, minutes } = checkoutBench();
    const id = await checkout();
    await fault({ on: { path: `/v1/checkouts/${id}` }, do: "hide-from-query" });
    expect((await submit(id)).code).toBe(OK);
    expect((await status(id)).code).toBe("000.200.000");
    await minutes(1);
    expect((await status(id)).code).toBe(OK);
  });

  test("pay once although the reply was lost", async () => {
    const { checkout, submit, status, fault, sandbox } = checkoutBench();
    const id = await checkout();
    await fault({ on: { path: `/v1/checkouts/${id}` }, do: "drop-after" });
    await expect(submit(id)).rejects.toThrow("the connection was cut");
    expect((await submit(id)).code).toBe(OK);
    expect((await status(id)).code).toBe(OK);
    expect(sandbox.ledger()).toHaveLength(1);
  });
});

describe("one-click payment", () => {
  test("takes the tokens of the checkout, with a holder where none was stored, and no others", async () => {
    const { send, checkout, submit, sandbox } = checkoutBench();
    const { "card.holder": _, ...nameless } = STORABLE;
    const store = async () => (await send("/v1/registrations", nameless)).body.id ?? "";
    const [own, other] = [await store(), await store()];
    const id = await checkout({
      ...SALE,
      "registrations[0].id": own,
      overrideHolder: "true",
      "card.holder": "Jane Jones",
    });
    expect((await submit(id, { registrationId: other })).code).toBe("100.150.200");
    expect((await submit(id, { registrationId: own, "card.cvv": "123" })).body).toMatchObject({
      ...{ result: { code: OK }, amount: "12.34", card: { last4Digits: "0000", holder: "Jane Jones" } },
    });
    expect(sandbox.ledger().at(-1)).toMatchObject({ checkoutId: id, paymentType: "DB" });
    const again = await checkout({
      ...SALE,
      "registrations[0].id": own,
      overrideHolder: "true",
      "card.holder": "Jane Jones",
    });
    expect((await submit(again, { registrationId: own, "card.holder": "Other Name" })).body.card).toMatchObject({
      holder: "Jane Jones",
    });
  });

  test("fails where the token was deleted meanwhile", async () => {
    const { send, remove, checkout, submit } = checkoutBench();
    const { id: token = "" } = (await send("/v1/registrations", STORABLE)).body;
    const id = await checkout({ ...SALE, "registrations[0].id": token });
    await remove(token);
    expect((await submit(id, { registrationId: token })).code).toBe("100.150.202");
  });
});

describe("a checkout that only stores an account", () => {
  test("leaves a token, which its status tells once", async () => {
    const { checkout, submit, visit, status, get } = checkoutBench();
    const id = await checkout({ createRegistration: "true" });
    const { body } = await submit(id, CARD, "registration");
    expect(placeOf((await visit(id, CARD, "registration")).headers).searchParams.get("resourcePath")).toBe(
      `/v1/checkouts/${id}/registration`,
    );
    expect(await status(id, "registration")).toMatchObject({
      code: OK,
      body: { id: body.id, ndc: id, card: { last4Digits: "0000" } },
    });
    expect((await status(id, "registration")).code).toBe("200.300.404");
    expect((await get(`/v1/registrations/${body.id}?entityId=${ENTITY}`)).code).toBe(OK);
  });

  test("is no place to pay", async () => {
    const { checkout, submit } = checkoutBench();
    expect((await submit(await checkout({ createRegistration: "true" }), CARD, "payment")).code).toBe("200.300.404");
    expect((await submit(await checkout(), CARD, "registration")).code).toBe("200.300.404");
  });
});
