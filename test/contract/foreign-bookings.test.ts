import { expect, test } from "vitest";
import { z } from "zod";
import { FOREIGN_ID, openDocumentShop } from "./document-shop.ts";
import { errorOf } from "./talk.ts";

const of = { gatewayId: FOREIGN_ID };

test.each([
  ["payment.refund", { of, reference: "x" }],
  ["payment.void", { of, reference: "x" }],
  ["payment.capture", { of, reference: "x" }],
  ["payment.increment", { of, reference: "x", amount: "1.00" }],
])(
  "%s of what this bridge did not book is forbidden to a new token, posts nothing, and leaves the reference free",
  async (method, params) => {
    const shop = openDocumentShop();
    const till = shop.socket();
    await till.call("session.open", { token: "till-token" });
    const refused = await till.call(method, params);
    expect(errorOf(refused)).toEqual({ code: -32002, is: "forbidden", advice: "fix-config", path: "of.gatewayId" });
    expect(refused.error?.message).toContain("foreign-bookings");
    expect(shop.counter.posted).toEqual([]);
    expect(errorOf(await till.call("payment.get", { reference: "x" }))).toMatchObject({ is: "not-found" });
  },
);

test("a token that has the scope refunds it", async () => {
  const shop = openDocumentShop();
  const till = shop.socket();
  await till.call("session.open", { token: "desk-token" });
  expect(await till.call("payment.refund", { of, reference: "x" })).toMatchObject({ result: { created: true } });
  await shop.counter.clock.advance(1_000);
  expect(shop.counter.posted.map(({ operation }) => operation.paymentType)).toEqual(["RF"]);
});

test("what this bridge booked is named by its gatewayId without the scope", async () => {
  const shop = openDocumentShop();
  const till = shop.socket();
  await till.call("session.open", { token: "till-token" });
  await till.call("payment.start", {
    reference: "r-1",
    type: "SALE",
    terminal: "till-1",
    currency: "EUR",
    amount: "12.34",
  });
  await shop.counter.clock.advance(5_000);
  const sold = shop.counter.posted.findLast(({ operation }) => operation.paymentType === "CP");
  const { result } = await till.call("payment.get", { reference: "r-1" });
  const attempts = z
    .object({
      payment: z.object({ gateway: z.object({ attempts: z.array(z.object({ id: z.string().optional() })) }) }),
    })
    .parse(result);
  const id = attempts.payment.gateway.attempts.at(-1)?.id ?? "";
  shop.book({ id, paymentType: "CP", merchantTransactionId: sold?.operation.merchantTransactionId ?? "" });
  expect(await till.call("payment.refund", { of: { gatewayId: id }, reference: "x" })).toMatchObject({
    result: { created: true, payment: { type: "LINKED_REFUND", amount: "12.34" } },
  });
});
