import { describe, expect, test } from "vitest";
import { netBookings } from "../../../packages/sandbox/gateway/ledger/net-bookings.ts";
import { bench } from "./bench.ts";
import { ENTITY } from "./simulated-till.ts";

const OK = "000.100.110";

describe("a chargeback", () => {
  test("has its reason for a result, in the reply, in queries and in the ledger", async () => {
    const { sell, refer, get, sandbox } = bench();
    const { body: sale } = await sell({ paymentType: "DB" });
    const { status, code, body } = await refer(sale.id, "CB", "12.34", { chargebackResultCode: "000.100.220" });
    expect({ status, code }).toEqual({ status: 200, code: "000.100.220" });
    expect(body).toMatchObject({ paymentType: "CB", amount: "12.34", currency: "EUR", paymentBrand: "VISA" });
    expect(body.result.description).toMatch(/fraud/i);
    expect((await get(`/v1/payments/${body.id}?entityId=${ENTITY}`)).body).toMatchObject({
      result: { code: "000.100.220" },
      referencedId: sale.id,
    });
    expect(sandbox.ledger()[1]).toMatchObject({
      paymentType: "CB",
      amount: 1234,
      resultCode: "000.100.220",
      referencedId: sale.id,
    });
  });

  test("that a fault refuses takes nothing back, and can come again", async () => {
    const on = bench();
    const { body } = await on.sell({ paymentType: "DB" });
    await on.fault({ on: { paymentType: "CB" }, do: { result: "700.400.402" } });
    expect(await on.refer(body.id, "CB", "12.34")).toMatchObject({ status: 400, code: "700.400.402" });
    expect(netBookings(on.sandbox.ledger())).toMatchObject([{ chargedBack: 0 }]);
    expect((await on.refer(body.id, "CB", "12.34")).code).toBe("000.100.200");
  });
});

test("the method has to fit: a brand that is named is the one that was paid with", async () => {
  const { sell, refer } = bench();
  const { body } = await sell({ paymentType: "DB" });
  expect((await refer(body.id, "RF", "1.00", { paymentBrand: "MASTER" })).code).toBe("700.100.400");
  expect((await refer(body.id, "RF", "1.00", { paymentBrand: "VISA" })).code).toBe(OK);
});
