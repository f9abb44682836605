import { expect, test } from "vitest";
import { openDocumentShop } from "./document-shop.ts";
import { errorOf, sale } from "./talk.ts";

test("a token's limits hold on its sockets, and the error says in fields which limit it is and what is left", async () => {
  const shop = openDocumentShop();
  const till = shop.socket();
  await till.call("session.open", { token: "limited-token" });
  await till.call("payment.start", { ...sale, reference: "r-1" });
  await shop.counter.clock.advance(5_000);
  const refund = async (reference: string, amount: string) => {
    const frame = await till.call("payment.refund", { of: "r-1", reference, amount });
    await shop.counter.clock.advance(5_000);
    return frame;
  };
  const one = await refund("f-0", "10.01");
  expect(errorOf(one)).toMatchObject({ code: -32020, is: "refund-limit", advice: "fix-config" });
  expect(one.error?.data).toMatchObject({ per: "payment", limit: "10.00", left: "10.00" });
  expect(await refund("f-1", "10.00")).toMatchObject({ result: { created: true } });
  await till.call("payment.start", { ...sale, reference: "r-2" });
  await shop.counter.clock.advance(5_000);
  const whole = await till.call("payment.void", { of: "r-2", reference: "v-1" });
  expect(whole.error?.data).toMatchObject({ code: "refund-limit", per: "payment" });
  const day = await till.call("payment.refund", { of: "r-2", reference: "f-2", amount: "5.01" });
  expect(day.error?.data).toMatchObject({ code: "refund-limit", per: "day", limit: "15.00", left: "5.00" });
});

test("a token whose row was changed opens no session, and the register is told what to do", async () => {
  const till = openDocumentShop().socket();
  const refused = await till.call("session.open", { token: "damaged-token" });
  expect(errorOf(refused)).toEqual({ code: -32001, is: "unauthorized", advice: "fix-config", path: "token" });
  expect(refused.error?.message).toContain("make a new one");
});
