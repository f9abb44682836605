import { describe, expect, test } from "vitest";
import { PAYPAL, SEPA } from "./accounts-bench.ts";
import { bench } from "./bench.ts";

const OK = "000.100.110";

describe("a rebill", () => {
  test("of a stored account charges that account, as long as it is stored", async () => {
    const on = bench();
    const { body: alone } = await on.register();
    const { body: sale } = await on.post("/v1/payments", [...on.till.sale().fields, ["createRegistration", "true"]]);
    for (const id of [alone.id, sale.registrationId]) {
      expect((await on.refer(id, "RB", "7.00")).body).toMatchObject({
        paymentType: "RB",
        amount: "7.00",
        paymentBrand: "VISA",
        card: { last4Digits: "0050" },
      });
      await on.remove(id);
      expect((await on.refer(id, "RB", "7.00")).code).toBe("100.150.202");
    }
  });

  test("of a bank account or a virtual one is by the same method", async () => {
    const on = bench();
    for (const account of [SEPA, PAYPAL]) {
      const { body } = await on.send("/v1/registrations", account);
      const { code, body: again } = await on.refer(body.id, "RB", "7.00");
      expect({ code, brand: again.paymentBrand }).toEqual({ code: OK, brand: account["paymentBrand"] });
      const [stored, rebill] = on.sandbox.ledger().slice(-2);
      expect(rebill?.paymentMethod).toBe(stored?.paymentMethod);
      expect([rebill?.issuer.bankAccount, rebill?.issuer.virtualAccount]).toEqual([
        stored?.issuer.bankAccount,
        stored?.issuer.virtualAccount,
      ]);
    }
    expect(on.sandbox.ledger().flatMap(({ paymentMethod = "CC" }) => paymentMethod)).toEqual(["DD", "DD", "VA", "VA"]);
  });
});
