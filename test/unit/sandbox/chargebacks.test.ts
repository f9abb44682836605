import { describe, expect, test } from "vitest";
import { netBookings } from "../../../packages/sandbox/gateway/ledger/net-bookings.ts";
import { bench } from "./bench.ts";
import { play } from "./play.ts";
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

  test.each(["000.100.2", "000.100.1", "000.200.200", "000.100.2000", "fraud"])(
    "has no reason %s",
    async (chargebackResultCode) => {
      const { sell, refer } = bench();
      const { body: sale } = await sell({ paymentType: "DB" });
      const { body } = await refer(sale.id, "CB", "12.34", { chargebackResultCode });
      expect(body.result.parameterErrors?.map(({ name }) => name)).toEqual(["chargebackResultCode"]);
    },
  );

  test.each<[string, readonly string[], readonly string[]]>([
    ["is of a whole debit or of a part", ["DB", "CB 5.00 of 0", "RF 1.00 of 0"], [OK, "000.100.200", "700.300.600"]],
    ["never of more than it was", ["DB", "CB 12.35 of 0"], [OK, "700.100.300"]],
    [
      "never of more than is left",
      ["DB", "RF 4.00 of 0", "CB 8.35 of 0", "CB 8.34 of 0"],
      [OK, OK, "700.100.200", "000.100.200"],
    ],
    ["comes once", ["DB", "CB 5.00 of 0", "CB 5.00 of 0"], [OK, "000.100.200", "700.400.400"]],
    [
      "also where it was given back",
      ["DB", "CB 5.00 of 0", "CR 5.00 of 1", "CB 5.00 of 0"],
      [OK, "000.100.200", OK, "700.300.500"],
    ],
    ["comes long after the cut-off", ["DB", "+2160", "CB 12.34 of 0"], [OK, "000.100.200"]],
    [
      "is of a capture, not of its reservation",
      ["PA", "CP 12.34 of 0", "CB 12.34 of 0", "CB 12.34 of 1"],
      [OK, OK, "700.400.550", "000.100.200"],
    ],
    [
      "leaves no reservation to reverse",
      ["PA", "CP 12.34 of 0", "CB 12.34 of 1", "RV all of 0", "RV all of 1"],
      [OK, OK, "000.100.200", "700.300.300", "700.300.600"],
    ],
  ])("%s: %j", async (_story, steps, codes) => {
    expect(await play(bench(), steps)).toEqual(codes);
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ["gives all of it again", ["DB", "CB 12.34 of 0", "CR 12.34 of 1"], [OK, "000.100.200", OK]],
    [
      "or parts of it, and never more",
      ["DB", "CB 9.00 of 0", "CR 4.00 of 1", "CR 5.01 of 1", "CR 5.00 of 1"],
      [OK, "000.100.200", OK, "700.100.200", OK],
    ],
    ["never more than it was", ["DB", "CB 9.00 of 0", "CR 9.01 of 1"], [OK, "000.100.200", "700.100.300"]],
    ["once", ["DB", "CB 9.00 of 0", "CR 9.00 of 1", "CR 0.01 of 1"], [OK, "000.100.200", OK, "700.400.410"]],
    ["needs one", ["DB", "CR 1.00 of 0"], [OK, "700.400.420"]],
    ["and one that was carried out", ["DB", "CB 12.35 of 0", "CR 1.00 of 1"], [OK, "700.100.300", "700.400.420"]],
    [
      "lets refunds be made again",
      ["DB", "CB 9.00 of 0", "CR 9.00 of 1", "RF 12.34 of 0"],
      [OK, "000.100.200", OK, OK],
    ],
    [
      "only where it is whole",
      ["DB", "CB 9.00 of 0", "CR 8.99 of 1", "RF 1.00 of 0"],
      [OK, "000.100.200", OK, "700.300.600"],
    ],
  ])("its reversal (CR) %s: %j", async (_story, steps, codes) => {
    expect(await play(bench(), steps)).toEqual(codes);
  });

  test("and its reversal are counted", async () => {
    const netAfter = async (steps: readonly string[]) => {
      const on = bench();
      await play(on, steps);
      return netBookings(on.sandbox.ledger());
    };
    expect(await netAfter(["DB", "CB 9.00 of 0"])).toMatchObject([{ captured: 1234, chargedBack: 900 }]);
    expect(await netAfter(["DB", "CB 9.00 of 0", "CR 4.00 of 1"])).toMatchObject([
      { captured: 1234, chargedBack: 500 },
    ]);
    expect(await netAfter(["PA", "CP 12.34 of 0", "CB 9.00 of 1"])).toMatchObject([
      { held: 0, captured: 1234, chargedBack: 900 },
    ]);
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
