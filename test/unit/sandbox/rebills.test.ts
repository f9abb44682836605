import { describe, expect, test } from "vitest";
import { netBookings } from "../../../packages/sandbox/gateway/ledger/net-bookings.ts";
import { bench } from "./bench.ts";
import { play } from "./play.ts";
import { ENTITY } from "./simulated-till.ts";

const OK = "000.100.110";

/** How each original of the table below comes to be; the last step of each is what is referred to. */
const ORIGINALS = {
  PA: ["PA"],
  MORE: ["PA", "MORE 5.00 of 0"],
  DB: ["DB"],
  CD: ["CD"],
  CP: ["PA", "CP 12.34 of 0"],
  RV: ["DB", "RV 1.00 of 0"],
  RF: ["DB", "RF 1.00 of 0"],
  RB: ["DB", "RB 12.34 of 0"],
  RC: ["PA", "RC 12.34 of 0"],
  CB: ["DB", "CB 12.34 of 0"],
  CR: ["DB", "CB 12.34 of 0", "CR 12.34 of 1"],
  RG: ["KEEP"],
} as const;

const KINDS = ["CP", "RV", "RF", "RB", "CB", "CR", "RC"] as const;

describe("every kind on every kind of original (gateway facts, 1.3)", () => {
  const NO_CAPTURE = "700.400.510";
  const NO_REVERSAL = "700.400.530";
  const NO_REFUND = "700.400.520";
  const NO_REBILL = "700.100.700";
  const NO_CHARGEBACK = "700.400.550";
  const NO_REPRESENTMENT = "700.400.420";
  const NO_RECEIPT = "700.400.560";

  test.each<[keyof typeof ORIGINALS, readonly string[]]>([
    ["PA", [OK, OK, NO_REFUND, NO_REBILL, NO_CHARGEBACK, NO_REPRESENTMENT, OK]],
    ["MORE", [NO_CAPTURE, OK, NO_REFUND, NO_REBILL, NO_CHARGEBACK, NO_REPRESENTMENT, NO_RECEIPT]],
    ["DB", [NO_CAPTURE, OK, OK, OK, "000.100.200", NO_REPRESENTMENT, OK]],
    ["CD", [NO_CAPTURE, NO_REVERSAL, NO_REFUND, NO_REBILL, NO_CHARGEBACK, NO_REPRESENTMENT, NO_RECEIPT]],
    ["CP", [NO_CAPTURE, OK, OK, NO_REBILL, "000.100.200", NO_REPRESENTMENT, OK]],
    ["RV", [NO_CAPTURE, NO_REVERSAL, NO_REFUND, NO_REBILL, NO_CHARGEBACK, NO_REPRESENTMENT, NO_RECEIPT]],
    ["RF", [NO_CAPTURE, NO_REVERSAL, NO_REFUND, NO_REBILL, NO_CHARGEBACK, NO_REPRESENTMENT, NO_RECEIPT]],
    ["RB", [NO_CAPTURE, OK, OK, NO_REBILL, "000.100.200", NO_REPRESENTMENT, OK]],
    ["RC", [NO_CAPTURE, NO_REVERSAL, OK, NO_REBILL, NO_CHARGEBACK, NO_REPRESENTMENT, NO_RECEIPT]],
    ["CB", [NO_CAPTURE, NO_REVERSAL, NO_REFUND, NO_REBILL, NO_CHARGEBACK, OK, NO_RECEIPT]],
    ["CR", [NO_CAPTURE, NO_REVERSAL, NO_REFUND, NO_REBILL, NO_CHARGEBACK, "700.400.410", NO_RECEIPT]],
    ["RG", [NO_CAPTURE, NO_REVERSAL, NO_REFUND, OK, NO_CHARGEBACK, NO_REPRESENTMENT, NO_RECEIPT]],
  ])("on %s", async (original, codes) => {
    const steps = ORIGINALS[original];
    const of = steps.length - 1;
    const answers = await Promise.all(
      KINDS.map(async (kind) => (await play(bench(), [...steps, `${kind} 1.00 of ${of}`])).at(-1)),
    );
    expect(Object.fromEntries(KINDS.map((kind, at) => [kind, answers[at]]))).toEqual(
      Object.fromEntries(KINDS.map((kind, at) => [kind, codes[at]])),
    );
  });

  test.each<[string, readonly string[]]>([
    ["declined", [NO_CAPTURE, NO_REVERSAL, NO_REFUND, "700.300.200", NO_CHARGEBACK, NO_REPRESENTMENT, NO_RECEIPT]],
    ["pending", KINDS.map(() => "700.400.570")],
    ["reversed", [NO_CAPTURE, "700.300.300", "700.400.200", OK, "700.400.400", NO_REPRESENTMENT, "700.300.300"]],
    ["refunded", [NO_CAPTURE, "700.400.300", "700.400.200", OK, "700.400.400", NO_REPRESENTMENT, OK]],
    ["charged back", [NO_CAPTURE, "700.300.600", "700.300.600", OK, "700.400.400", NO_REPRESENTMENT, OK]],
    ["represented", [NO_CAPTURE, OK, OK, OK, "700.300.500", NO_REPRESENTMENT, OK]],
    ["received", [NO_CAPTURE, "700.300.300", OK, OK, "000.100.200", NO_REPRESENTMENT, "700.300.300"]],
    ["a day old", [NO_CAPTURE, "700.300.700", OK, OK, "000.100.200", NO_REPRESENTMENT, OK]],
  ])("on a debit that is %s", async (state, codes) => {
    const states: Readonly<Record<string, readonly string[]>> = {
      declined: ["DB 9100.05"],
      pending: ["DB 9300.06"],
      reversed: ["DB", "RV all of 0"],
      refunded: ["DB", "RF 12.34 of 0"],
      "charged back": ["DB", "CB 12.34 of 0"],
      represented: ["DB", "CB 12.34 of 0", "CR 12.34 of 1"],
      received: ["DB", "RC 12.34 of 0"],
      "a day old": ["DB", "+24"],
    };
    const answers = await Promise.all(
      KINDS.map(async (kind) => (await play(bench(), [...(states[state] ?? []), `${kind} 1.00 of 0`])).at(-1)),
    );
    expect(Object.fromEntries(KINDS.map((kind, at) => [kind, answers[at]]))).toEqual(
      Object.fromEntries(KINDS.map((kind, at) => [kind, codes[at]])),
    );
  });
});

describe("a rebill", () => {
  test("takes money again from the account of a debit, of any amount and as often as it is sent", async () => {
    const on = bench();
    expect(await play(on, ["DB", "RB 99.00 of 0", "RB 1.00 of 0"])).toEqual([OK, OK, OK]);
    const [debit, first, second] = on.sandbox.ledger();
    expect(first).toMatchObject({
      paymentType: "RB",
      amount: 9900,
      referencedId: debit?.id,
      issuer: { paymentBrand: "VISA", card: { last4Digits: "0050" } },
    });
    expect(netBookings(on.sandbox.ledger())).toMatchObject([
      { paymentType: "DB", captured: 1234 },
      { id: first?.id, paymentType: "RB", captured: 9900 },
      { id: second?.id, paymentType: "RB", captured: 100 },
    ]);
  });

  test("is reversed, refunded and charged back by itself", async () => {
    const on = bench();
    expect(
      await play(on, ["DB", "RB 9.00 of 0", "RF 2.00 of 1", "CB 3.00 of 1", "RB 5.00 of 0", "RV all of 4"]),
    ).toEqual([OK, OK, OK, "000.100.200", OK, OK]);
    expect(netBookings(on.sandbox.ledger())).toMatchObject([
      { captured: 1234, refunded: 0, chargedBack: 0 },
      { captured: 900, refunded: 200, chargedBack: 300 },
      { captured: 0 },
    ]);
  });

  test("meets the magic of its own amount, and is reversed by the gateway where that says so", async () => {
    const on = bench();
    expect(await play(on, ["DB", "RB 9100.51 of 0", "RB 9300.03 of 0", "RF 1.00 of 2"])).toEqual([
      OK,
      "800.100.155",
      "900.100.301",
      "700.400.520",
    ]);
    expect(on.sandbox.ledger().map(({ paymentType }) => paymentType)).toEqual(["DB", "RB", "RB", "RV", "RF"]);
  });

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
    const sepa = {
      paymentBrand: "DIRECTDEBIT_SEPA",
      "bankAccount.holder": "Jane Jones",
      "bankAccount.iban": "DE89370400440532013000",
    };
    const paypal = { paymentBrand: "PAYPAL", "virtualAccount.accountId": "jane@shop.example" };
    for (const account of [sepa, paypal]) {
      const { body } = await on.post("/v1/registrations", Object.entries({ entityId: ENTITY, ...account }));
      const { code, body: again } = await on.refer(body.id, "RB", "7.00");
      expect({ code, brand: again.paymentBrand }).toEqual({ code: OK, brand: account.paymentBrand });
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

describe("a receipt", () => {
  test("of a reservation is money that came by itself: less is left to capture, and it can be refunded", async () => {
    const on = bench();
    const steps = ["PA", "RC 5.00 of 0", "CP 7.35 of 0", "CP 7.34 of 0", "RF 5.01 of 1", "RF 5.00 of 1", "RV all of 0"];
    expect(await play(on, steps)).toEqual([OK, OK, "700.400.100", OK, "700.400.200", OK, "700.300.300"]);
    expect(netBookings(on.sandbox.ledger())).toMatchObject([{ held: 0, captured: 1234, refunded: 500 }]);
  });

  test("of a payment moves nothing, and what is refunded of it is refunded of the payment", async () => {
    const on = bench();
    const steps = [
      "DB",
      "RC 12.34 of 0",
      "RC 0.01 of 0",
      "RF 10.00 of 0",
      "RF 3.00 of 1",
      "RF 2.34 of 1",
      "RF 0.01 of 0",
    ];
    expect(await play(on, steps)).toEqual([OK, OK, "700.300.300", OK, "700.400.200", OK, "700.400.200"]);
    expect(netBookings(on.sandbox.ledger())).toMatchObject([{ captured: 1234, refunded: 1234 }]);
  });
});
