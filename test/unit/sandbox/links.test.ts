import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openSandboxStore } from "../../../packages/sandbox/gateway/ledger/store.ts";
import { cardFields, PLAIN_CARD, RESULT_URL, shopperBench } from "./asynchronous-bench.ts";
import { create, pathOf, payBy, read, SALE } from "./links-bench.ts";
import { ENTITY } from "./simulated-till.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe("a link", () => {
  test("is made with an address, and with a QR code where one is asked for", async () => {
    const own = shopperBench();
    const plain = await create(own);
    const coded = await create(own, { createQRCode: "true" });
    expect(plain).toMatchObject({
      status: 200,
      code: "000.200.100",
      body: { id: expect.stringMatching(/^[0-9a-f]{32}$/), ndc: expect.stringContaining(ENTITY) },
    });
    expect(plain.body["link"]).toBe(`http://127.0.0.1/shopper/link/${plain.body.id}`);
    expect(plain.body["qrCode"]).toBeUndefined();
    const [, data = ""] = z.string().parse(coded.body["qrCode"]).split("data:image/svg+xml;base64,");
    expect(Buffer.from(data, "base64").toString()).toMatch(/^<svg /);
    expect(await read(own, plain.body.id)).toMatchObject({ status: "CREATED", result: { code: "000.200.100" } });
  });

  test.each([
    [{}, 90 * DAY_MS],
    [{ validUntil: "1", validUntilUnit: "HOUR" }, HOUR_MS],
    [{ validUntil: "2", validUntilUnit: "DAY" }, 2 * DAY_MS],
    [{ validUntil: "2" }, 2 * DAY_MS],
    [{ validUntilUnit: "HOUR" }, 90 * DAY_MS],
  ])("made with %o expires after its time, and then nobody can pay by it", async (fields, validMs) => {
    const own = shopperBench();
    const made = await create(own, fields);
    const { creationDate, validUntil } = await read(own, made.body.id);
    expect(Date.parse(validUntil.replace(" ", "T")) - Date.parse(creationDate.replace(" ", "T"))).toBe(validMs);
    await own.clock.advance(validMs);
    expect(await read(own, made.body.id)).toMatchObject({ status: "EXPIRED", result: { code: "100.396.103" } });
    expect(await own.open(pathOf(made))).toMatchObject({ status: 410 });
    expect(await own.submit(pathOf(made), cardFields(PLAIN_CARD))).toMatchObject({ status: 410 });
    expect(own.sandbox.ledger()).toEqual([]);
  });

  test("that was opened says so", async () => {
    const own = shopperBench();
    const made = await create(own);
    const page = await own.open(pathOf(made));
    expect(page).toMatchObject({ status: 200 });
    for (const part of ["Corner Shop", "12.34 EUR", "order-2026-0001", 'name="card.number"'])
      expect(page.body).toContain(part);
    const link = await read(own, made.body.id);
    expect(link).toMatchObject({
      status: "OPENED",
      result: { code: "000.200.201" },
      checkoutId: expect.stringMatching(/^[A-Za-z0-9.-]{32,48}$/),
    });
    expect(link.transactionId).toBeUndefined();
    expect(
      await own.get(`/paybylink/v1/${link.id}/checkouts/${link.checkoutId}/payment?entityId=${ENTITY}`),
    ).toMatchObject({
      status: 200,
      code: "000.200.201",
    });
  });

  test("is opened in a checkout of half an hour, and after that in another one", async () => {
    const own = shopperBench();
    const made = await create(own);
    const opening = async (): Promise<string | undefined> => {
      await own.open(pathOf(made));
      return (await read(own, made.body.id)).checkoutId;
    };
    const first = await opening();
    await own.clock.advance(HOUR_MS / 2 - 1);
    expect(await opening()).toBe(first);
    await own.clock.advance(1);
    expect(await opening()).not.toBe(first);
  });
});

describe("a customer who pays by a link", () => {
  test("books the merchant's payment, and is sent to the shop with what it needs to read it", async () => {
    const own = shopperBench();
    const made = await create(own, { shopperResultUrl: RESULT_URL });
    const reply = await payBy(own, made);
    const link = await read(own, made.body.id);
    expect(link).toMatchObject({ status: "PAID", result: { code: "000.100.110" } });
    const resourcePath = `/paybylink/v1/${link.id}/checkouts/${link.checkoutId}/payment`;
    expect(reply).toMatchObject({ status: 303 });
    expect(reply.headers["location"]).toBe(
      `${RESULT_URL}&id=${link.id}&resourcePath=${encodeURIComponent(resourcePath)}&checkoutId=${link.checkoutId}`,
    );
    expect(await own.get(`${resourcePath}?entityId=${ENTITY}`)).toMatchObject({
      status: 200,
      body: { id: link.transactionId, amount: "12.34", paymentType: "DB" },
    });
    expect((await own.query(SALE.merchantTransactionId)).body.payments).toMatchObject([{ id: link.transactionId }]);
    expect((await own.open(pathOf(made))).body).toContain("Paid to Corner Shop");
  });

  test("reserves the money where the link says PA", async () => {
    const own = shopperBench();
    const made = await create(own, { paymentType: "PA" });
    expect(await payBy(own, made)).toMatchObject({ status: 303, headers: { location: pathOf(made) } });
    const { transactionId } = await read(own, made.body.id);
    expect(await own.refer(transactionId, "CP", "12.34")).toMatchObject({ code: "000.100.110" });
  });

  test("may try again after a decline, and both tries are in the ledger", async () => {
    const own = shopperBench();
    const made = await create(own, { shopperResultUrl: RESULT_URL });
    expect(await payBy(own, made, cardFields("4000000000000002"))).toMatchObject({
      status: 303,
      headers: { location: pathOf(made) },
    });
    const declined = await read(own, made.body.id);
    expect(declined).toMatchObject({ status: "OPENED", result: { code: "000.200.201" } });
    expect(
      await own.get(`/paybylink/v1/${declined.id}/checkouts/${declined.checkoutId}/payment?entityId=${ENTITY}`),
    ).toMatchObject({
      status: 400,
      code: "800.100.152",
    });
    const { body } = await own.open(pathOf(made));
    expect(body).toContain("The payment was not made. You may try again.");
    expect(body).not.toContain("800.100.152");
    expect((await payBy(own, made)).headers["location"]).toContain(RESULT_URL);
    expect(await read(own, made.body.id)).toMatchObject({ status: "PAID" });
    expect(own.sandbox.ledger().map(({ resultCode }) => resultCode)).toEqual(["800.100.152", "000.100.110"]);
  });

  test("pays once, however often the button is pressed", async () => {
    const own = shopperBench();
    const made = await create(own);
    await payBy(own, made);
    expect((await payBy(own, made)).body).toContain("Paid to Corner Shop");
    expect(own.sandbox.ledger()).toHaveLength(1);
  });

  test("goes on to his bank where the brand needs that, and comes back to the link where he cancels there", async () => {
    const own = shopperBench();
    const made = await create(own, { shopperResultUrl: RESULT_URL });
    const reply = await payBy(own, made, { paymentBrand: "PAYPAL" });
    const bank = reply.headers["location"] ?? "";
    expect(bank).toMatch(/^\/shopper\/bank\//);
    expect(await read(own, made.body.id)).toMatchObject({ status: "PENDING", result: { code: "000.200.000" } });
    expect((await own.open(pathOf(made))).body).toContain("under way");
    expect((await payBy(own, made)).body).toContain("under way");
    const { pathname, searchParams } = new URL(bank, "http://127.0.0.1");
    const cancelled = await own.submit(pathname, { ...Object.fromEntries(searchParams), answer: "cancel" });
    expect(cancelled).toMatchObject({ status: 303, headers: { location: pathOf(made) } });
    expect(await read(own, made.body.id)).toMatchObject({ status: "OPENED" });
    expect((await payBy(own, made)).headers["location"]).toContain(RESULT_URL);
    expect(own.sandbox.ledger()).toHaveLength(2);
  });

  test("who was at his bank when the link expired has paid all the same", async () => {
    const own = shopperBench();
    const made = await create(own, { validUntil: "1", validUntilUnit: "HOUR" });
    await own.clock.advance(HOUR_MS - 1);
    const { pathname, searchParams } = new URL(
      (await payBy(own, made, { paymentBrand: "PAYPAL" })).headers["location"] ?? "",
      "http://127.0.0.1",
    );
    await own.clock.advance(10);
    expect(await read(own, made.body.id)).toMatchObject({ status: "PENDING" });
    await own.submit(pathname, { ...Object.fromEntries(searchParams), answer: "yes" });
    expect(await read(own, made.body.id)).toMatchObject({ status: "PAID" });
  });

  test.each([
    ["an unreadable number", { ...cardFields("42"), "card.number": "42" }, "card.number"],
    ["no expiry", { "card.number": PLAIN_CARD }, "card.expiryMonth"],
    ["nothing at all", {}, "card.number"],
    ["another amount", { ...cardFields(PLAIN_CARD), amount: "0.01" }, "amount"],
    ["a stored account", { registrationId: "0".repeat(32) }, "registrationId"],
    [
      "another shop to go back to",
      { ...cardFields(PLAIN_CARD), shopperResultUrl: "https://elsewhere.example/" },
      "shopperResultUrl",
    ],
    ["a name that is none", { ...cardFields(PLAIN_CARD), "card.holder": "<script>" }, "card.holder"],
  ])("is told what is wrong with %s, and nothing is booked", async (_, fields, name) => {
    const own = shopperBench();
    const page = await payBy(own, await create(own), fields);
    expect(page).toMatchObject({ status: 400 });
    expect(page.body).toContain(`<p data-parameter="${name}">`);
    expect(page.body).not.toContain("<script>");
    expect(own.sandbox.ledger()).toEqual([]);
  });

  test.each([
    [{}, ["card.number", "PAYPAL", "IDEAL"], []],
    [{ paymentBrand: "VISA" }, ["card.number"], ["PAYPAL"]],
    [{ paymentBrand: "SWISH" }, ["SWISH"], ["card.number", "PAYPAL"]],
  ] as const)("of a link with %o is offered %o and not %o", async (fields, offered, absent) => {
    const own = shopperBench();
    const { body } = await own.open(pathOf(await create(own, fields)));
    expect(offered.filter((part) => !body.includes(`"${part}"`))).toEqual([]);
    expect(absent.filter((part) => body.includes(`"${part}"`))).toEqual([]);
  });

  test("cannot change what the merchant said, but for the address that the page asks for", async () => {
    const own = shopperBench();
    const said = {
      "customer.givenName": "Ada",
      "customer.surname": "Lovelace",
      "billing.city": "Frankfurt",
      "billing.postcode": "60311",
      paymentBrand: "VISA",
    };
    const made = await create(own, { ...said, collectBilling: "city" });
    const typed = {
      "customer.givenName": "Eve",
      "customer.surname": "Else",
      "billing.city": "Mainz",
      "billing.postcode": "55116",
    };
    await payBy(own, made, { ...cardFields(PLAIN_CARD), ...typed });
    expect(own.sandbox.ledger()).toMatchObject([{ parameters: { ...said, "billing.city": "Mainz" } }]);
  });

  test("types blanks into his card's number as it stands on the card", async () => {
    const own = shopperBench();
    const made = await create(own);
    await payBy(own, made, { ...cardFields(PLAIN_CARD), "card.number": "4200 0000 0000 0000", "card.holder": "" });
    expect(await read(own, made.body.id)).toMatchObject({ status: "PAID" });
  });
});

describe("a request about a link", () => {
  test("that only stores a card is refused by its type", async () => {
    const refused = await create(shopperBench(), { paymentType: "", createRegistration: "true" });
    expect(refused.body.result.parameterErrors?.map(({ name }) => name)).toEqual(["paymentType"]);
  });

  test("finds nothing where there is no such link, and none of another entity", async () => {
    const own = shopperBench({
      entities: [ENTITY, "0".repeat(32)].map((entityId) => ({ entityId, token: "sandbox-token" })),
    });
    const { id } = (await create(own)).body;
    for (const path of [
      `/paybylink/v1/${"0".repeat(32)}?entityId=${ENTITY}`,
      `/paybylink/v1/${id}?entityId=${"0".repeat(32)}`,
    ]) {
      expect(await own.get(path)).toMatchObject({ status: 404, code: "200.300.404" });
    }
    expect(await own.open(`/shopper/link/${"0".repeat(32)}`)).toMatchObject({ status: 404 });
    expect(await own.get(`/paybylink/v1/${id}/checkouts/${id}.link1/payment?entityId=${ENTITY}`)).toMatchObject({
      status: 404,
    });
  });

  test("meets the faults that fit it: a link that was refused is none, a payment may be", async () => {
    const own = shopperBench();
    await own.fault({ on: { path: "/paybylink" }, do: { result: "600.200.500" } });
    expect(await create(own)).toMatchObject({ status: 400, code: "600.200.500" });
    const made = await create(own);
    await own.open(pathOf(made));
    await own.fault({ on: { path: "/shopper/link" }, do: { result: "800.100.153" } });
    await own.submit(pathOf(made), cardFields(PLAIN_CARD));
    expect(own.sandbox.ledger()).toMatchObject([{ resultCode: "800.100.153" }]);
  });

  test("meets the magic of its amount when it is paid, and not when it is made", async () => {
    const own = shopperBench();
    const made = await create(own, { amount: "9400.02" });
    expect(made).toMatchObject({ status: 200 });
    await expect(payBy(own, made)).rejects.toThrow("cut");
    expect(await read(own, made.body.id)).toMatchObject({ status: "PAID" });
  });
});

test("links survive a restart together with what was paid by them", async () => {
  const store = openSandboxStore(":memory:");
  const before = shopperBench({ store });
  const [open, paid] = [await create(before), await create(before)];
  await payBy(before, paid);
  before.sandbox.stop();
  const after = shopperBench({ store });
  expect(await read(after, paid.body.id)).toMatchObject({ status: "PAID" });
  await payBy(after, open);
  expect(await read(after, open.body.id)).toMatchObject({ status: "PAID" });
});

test("no text of a merchant appears on a link's page as anything but text", async () => {
  const hostile = fc
    .stringMatching(/^[<>"'&`=/ a-z\u202e]{1,40}$/u)
    .map((noise) => `${noise}<img src=x onerror=alert(1)>"'`);
  await fc.assert(
    fc.asyncProperty(hostile, hostile, hostile, async (name, item, invoice) => {
      const own = shopperBench();
      const made = await create(own, {
        "merchant.name": name,
        "cart.items[0].name": item,
        merchantInvoiceId: `${invoice}12345678`,
      });
      expect(made.status).toBe(200);
      const { body } = await own.open(pathOf(made));
      expect(body).not.toContain("<img");
      expect(body).not.toContain("\u202e");
      expect(body).not.toMatch(/=\s*"[^"]*&(?!amp;|lt;|gt;|quot;|#39;)/);
    }),
    { numRuns: 30 },
  );
});
