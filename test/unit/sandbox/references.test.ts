import { describe, expect, test } from "vitest";
import { netBookings } from "../../../packages/sandbox/gateway/ledger/net-bookings.ts";
import type { SandboxRules } from "../../../packages/sandbox/gateway/rules.ts";
import { bench } from "./bench.ts";
import { play } from "./play.ts";
import { ENTITY, TOKEN } from "./simulated-till.ts";

const OK = "000.100.110";
const OTHER_ENTITY = "8a8294174b7ecb28014b9699220015cb";

describe("what may refer to what", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["a reservation is captured", ["PA", "CP 12.34"], [OK, OK]],
    ["a part is captured, then the rest", ["PA", "CP 4.00", "CP 8.34"], [OK, OK, OK]],
    ["never more than was reserved", ["PA", "CP 12.35"], [OK, "700.400.100"]],
    ["never more than is left", ["PA", "CP 4.00", "CP 8.35"], [OK, OK, "700.400.100"]],
    ["what is captured is not captured again", ["PA", "CP 12.34", "CP 12.34"], [OK, OK, "700.300.300"]],
    ["a debit is not captured", ["DB", "CP 12.34"], [OK, "700.400.510"]],
    ["a declined reservation is not captured", ["PA 9100.05", "CP 1.00"], ["800.100.152", "700.400.510"]],
    ["a reversed reservation is not captured", ["PA", "RV all of 0", "CP 12.34"], [OK, OK, "700.400.100"]],
    ["after seven days a reservation is not captured", ["PA", "+168", "CP 12.34"], [OK, "700.300.400"]],
    ["a reservation is reversed", ["PA", "RV all of 0"], [OK, OK]],
    ["once", ["PA", "RV all of 0", "RV all of 0"], [OK, OK, "700.300.300"]],
    ["in parts", ["PA", "RV 4.00 of 0", "RV 8.34 of 0", "RV 0.01 of 0"], [OK, OK, OK, "700.300.300"]],
    ["never more than there is", ["PA", "RV 12.35 of 0"], [OK, "700.400.300"]],
    ["not when it is captured", ["PA", "CP 12.34", "RV all of 0"], [OK, OK, "700.300.300"]],
    [
      "but the capture is reversed, and then the reservation",
      ["PA", "CP 12.34", "RV all of 1", "RV all of 0"],
      [OK, OK, OK, OK],
    ],
    ["a debit is reversed", ["DB", "RV all of 0"], [OK, OK]],
    ["until the cut-off", ["DB", "+24", "RV all of 0"], [OK, "700.300.700"]],
    ["not when it is refunded", ["DB", "RF 1.00", "RV all of 0"], [OK, OK, "700.400.300"]],
    ["a credit is not reversed", ["CD", "RV all of 0"], [OK, "700.400.530"]],
    ["a reversal is not reversed", ["PA", "RV all of 0", "RV all of 1"], [OK, OK, "700.400.530"]],
    ["a declined sale is not reversed", ["PA 9100.05", "RV all of 0"], ["800.100.152", "700.400.530"]],
    ["a decline that keeps the amount reserved is reversed", ["PA 9100.92", "RV all of 0"], ["800.100.192", OK]],
    ["a booking that the gateway could not take back is reversed", ["PA 9300.04", "RV all of 0"], ["000.400.030", OK]],
    ["a debit is refunded", ["DB", "RF 12.34"], [OK, OK]],
    ["a capture is refunded in parts", ["PA", "CP 12.34", "RF 4.00 of 1", "RF 8.34 of 1"], [OK, OK, OK, OK]],
    ["never more than was taken", ["DB", "RF 12.35"], [OK, "700.400.200"]],
    ["never more than is left", ["DB", "RF 12.00", "RF 0.35"], [OK, OK, "700.400.200"]],
    ["a reservation is not refunded", ["PA", "RF 12.34"], [OK, "700.400.520"]],
    ["a reversed debit is not refunded", ["DB", "RV all of 0", "RF 12.34"], [OK, OK, "700.400.200"]],
    ["what is pending is not referred to", ["PA 9300.06", "CP 1.00"], ["000.200.000", "700.400.570"]],
    ["until it is settled", ["PA 9300.06", "+1", "CP 1.00"], ["000.200.000", OK]],
    ["after the last capture there is none", ["PA", "LAST 4.00", "CP 1.00"], [OK, OK, "700.400.100"]],
    ["unless that is reversed", ["PA", "LAST 4.00", "RV all of 1", "CP 12.34"], [OK, OK, OK, OK]],
    [
      "an increment raises what may be captured",
      ["PA", "MORE 5.00", "CP 17.34", "CP 0.01"],
      [OK, OK, OK, "700.300.300"],
    ],
    ["several do", ["PA", "MORE 5.00", "MORE 5.00", "CP 22.35", "CP 22.34"], [OK, OK, OK, "700.400.100", OK]],
    ["an increment is not captured by itself", ["PA", "MORE 5.00", "CP 5.00 of 1"], [OK, OK, "700.400.510"]],
    ["an increment is not raised", ["PA", "MORE 5.00", "MORE 5.00 of 1"], [OK, OK, "700.100.700"]],
    [
      "an increment is reversed",
      ["PA", "MORE 5.00", "RV all of 1", "CP 12.35", "CP 12.34"],
      [OK, OK, OK, "700.400.100", OK],
    ],
    [
      "an increment is reversed in part",
      ["PA", "MORE 5.00", "RV 2.00 of 1", "CP 15.35", "CP 15.34"],
      [OK, OK, OK, "700.400.100", OK],
    ],
    ["once", ["PA", "MORE 5.00", "RV all of 1", "RV all of 1"], [OK, OK, OK, "700.300.300"]],
    [
      "not where what it added is captured",
      ["PA", "MORE 5.00", "CP 17.00", "RV all of 1"],
      [OK, OK, OK, "700.300.300"],
    ],
    ["but where it is not", ["PA", "MORE 5.00", "CP 12.34", "RV all of 1"], [OK, OK, OK, OK]],
    [
      "a raised reservation is not reversed while captured",
      ["PA", "MORE 5.00", "CP 1.00", "RV all of 0"],
      [OK, OK, OK, "700.300.300"],
    ],
    ["it is reversed before its increments", ["PA", "MORE 5.00", "RV all of 0", "RV all of 1"], [OK, OK, OK, OK]],
    ["and after them", ["PA", "MORE 5.00", "RV all of 1", "RV all of 0"], [OK, OK, OK, OK]],
    [
      "what is left of one reversed cannot be captured",
      ["PA", "MORE 5.00", "RV all of 0", "CP 5.00"],
      [OK, OK, OK, "700.400.100"],
    ],
    ["a debit is not raised", ["DB", "MORE 5.00"], [OK, "700.100.700"]],
    ["a declined reservation is not raised", ["PA 9100.05", "MORE 5.00"], ["800.100.152", "700.300.200"]],
    ["a reversed one neither", ["PA", "RV all of 0", "MORE 5.00"], [OK, OK, "700.300.300"]],
    ["nor one captured to the end", ["PA", "CP 12.34", "MORE 5.00"], [OK, OK, "700.300.300"]],
    ["nor one whose last capture was made", ["PA", "LAST 4.00", "MORE 5.00"], [OK, OK, "700.300.300"]],
    ["nor one that has lapsed", ["PA", "+168", "MORE 5.00"], [OK, "700.500.002"]],
    ["nor one that is pending", ["PA 9300.06", "MORE 5.00"], ["000.200.000", "700.400.570"]],
    ["a declined increment raises nothing", ["PA", "MORE 9100.51", "CP 12.35"], [OK, "800.100.155", "700.400.100"]],
    [
      "a pending one only once it is settled",
      ["PA", "MORE 9300.06", "CP 12.35", "+1", "CP 12.35"],
      [OK, "000.200.000", "700.400.100", OK],
    ],
  ])("%s: %j", async (_story, steps, codes) => {
    expect(await play(bench(), steps)).toEqual(codes);
  });

  test.each<[string, Partial<SandboxRules>, readonly string[], readonly string[]]>([
    [
      "one capture, even of a part, uses a reservation up",
      { severalCaptures: false },
      ["PA", "CP 4.00", "CP 8.34"],
      [OK, OK, "700.400.100"],
    ],
    ["a debit cannot be reversed", { reverseDebit: "700.400.530" }, ["DB", "RV all of 0"], [OK, "700.400.530"]],
    [
      "a capture cannot be reversed",
      { reverseCapture: "700.400.530" },
      ["PA", "CP 12.34", "RV all of 1"],
      [OK, OK, "700.400.530"],
    ],
    [
      "a capture can no longer be reversed",
      { reverseCapture: "700.300.700" },
      ["PA", "CP 12.34", "RV all of 1"],
      [OK, OK, "700.300.700"],
    ],
    ["a debit can no longer be reversed", { reverseDebit: "700.300.700" }, ["DB", "RV all of 0"], [OK, "700.300.700"]],
  ])("on a channel where %s", async (_channel, rules, steps, codes) => {
    expect(await play(bench({ rules }), steps)).toEqual(codes);
  });

  test("numberOfCaptures bounds the captures of a reservation", async () => {
    const { till, post, refer } = bench();
    const { body } = await post("/v1/payments", [...till.sale().fields, ["numberOfCaptures", "2"]]);
    const codes: string[] = [];
    for (let at = 0; at < 3; at += 1) codes.push((await refer(body.id, "CP", "1.00")).code);
    expect(codes).toEqual([OK, OK, "700.400.100"]);
  });

  test("a fault never books what the rules refuse, not even half (000.400.030)", async () => {
    const on = bench();
    const { body } = await on.sell({ paymentType: "DB" });
    expect((await on.refer(body.id, "RF", "12.34")).code).toBe(OK);
    await on.fault({ on: { paymentType: "RV" }, do: { result: "000.400.030" } });
    expect((await on.refer(body.id, "RV")).code).toBe("700.400.300");
  });

  test("currency, test mode and channel have to fit", async () => {
    const on = bench({ entities: [ENTITY, OTHER_ENTITY].map((entityId) => ({ entityId, token: TOKEN })) });
    const { body } = await on.sell();
    expect((await on.refer(body.id, "CP", "12.34", { currency: "USD" })).code).toBe("700.100.500");
    expect((await on.refer(body.id, "CP", "12.34", { testMode: "EXTERNAL" })).code).toBe("700.100.600");
    expect((await on.refer(body.id, "CP", "12.34", { entityId: OTHER_ENTITY })).code).toBe("700.400.700");
  });

  test("a test mode need not be said again", async () => {
    const on = bench();
    const { body } = await on.post("/v1/payments", [...on.till.sale().fields, ["testMode", "EXTERNAL"]]);
    expect((await on.refer(body.id, "CP", "12.34")).code).toBe("000.100.112");
    expect((await on.refer(body.id, "CP", "1.00", { testMode: "INTERNAL" })).code).toBe("700.100.600");
    expect(on.sandbox.ledger().map(({ testMode }) => testMode)).toEqual(["EXTERNAL", "EXTERNAL", "INTERNAL"]);
  });

  test.each(["CP", "RB", "RF"])(
    "another channel learns nothing of the payment by a refused %s",
    async (paymentType) => {
      const on = bench({ entities: [ENTITY, OTHER_ENTITY].map((entityId) => ({ entityId, token: TOKEN })) });
      const { body } = await on.sell({ paymentType: "DB" });
      const { code, body: told } = await on.refer(body.id, paymentType, "1.00", { entityId: OTHER_ENTITY });
      expect([code, told.paymentBrand, told.card, told.pos]).toEqual(["700.400.700", undefined, undefined, undefined]);
    },
  );

  test("an id that nobody gave is HTTP 404 and leaves no row", async () => {
    const on = bench();
    expect(await on.refer("00000000000000000000000000000000", "RV")).toMatchObject({
      status: 404,
      code: "700.100.100",
    });
    expect(on.sandbox.ledger()).toEqual([]);
  });

  test("a reply has an id of its own and no referencedId; the ledger has both", async () => {
    const on = bench();
    const sale = await on.sell();
    const { body } = await on.refer(sale.body.id, "RV");
    expect(body.id).not.toBe(sale.body.id);
    expect(body).toMatchObject({ paymentType: "RV", amount: "12.34", paymentBrand: "VISA" });
    expect(body.referencedId).toBeUndefined();
    expect(on.sandbox.ledger()[1]).toMatchObject({ id: body.id, referencedId: sale.body.id });
  });
});

describe("net bookings", () => {
  const zero = { held: 0, captured: 0, credited: 0, refunded: 0, chargedBack: 0, reservedDespiteDecline: 0 };

  test.each<[readonly string[], Partial<typeof zero>]>([
    [["PA"], { held: 1234 }],
    [["PA", "CP 4.00"], { held: 834, captured: 400 }],
    [["PA", "CP 12.34"], { captured: 1234 }],
    [["PA", "CP 12.34", "CP 12.34"], { captured: 1234 }],
    [["PA", "CP 12.34", "RF 5.00 of 1"], { captured: 1234, refunded: 500 }],
    [["PA", "CP 12.34", "RV all of 1"], { held: 1234 }],
    [["PA", "RV all of 0"], {}],
    [["PA", "RV 4.00 of 0"], { held: 834 }],
    [["PA", "RV all of 0", "RV all of 0"], {}],
    [["DB"], { captured: 1234 }],
    [["DB", "RV all of 0"], {}],
    [["DB", "RF 12.34"], { captured: 1234, refunded: 1234 }],
    [["CD"], { credited: 1234 }],
    [["PA 9100.92"], { reservedDespiteDecline: 910092 }],
    [["PA 9100.92", "RV all of 0"], {}],
    [["PA 9300.01"], { held: 930001 }],
    [["PA 9300.04"], { held: 930004 }],
    [["PA 9200.10"], { held: 460005 }],
    [["PA", "LAST 4.00"], { captured: 400 }],
    [["PA", "LAST 4.00", "RV all of 1"], { held: 1234 }],
    [["PA", "MORE 5.00"], { held: 1734 }],
    [["PA", "MORE 5.00", "CP 15.00"], { held: 234, captured: 1500 }],
    [["PA", "MORE 5.00", "RV all of 1"], { held: 1234 }],
    [["PA", "MORE 5.00", "RV all of 0", "RV all of 1"], {}],
    [["PA", "MORE 9100.05"], { held: 1234 }],
    [["PA", "MORE 9200.10"], { held: 1234 + 460005 }],
    [["PA", "MORE 9300.03"], { held: 1234 }],
  ])("after %j", async (steps, net) => {
    const on = bench();
    await play(on, steps);
    expect(netBookings(on.sandbox.ledger())).toMatchObject([{ ...zero, ...net }]);
  });

  test.each([["PA 9100.05"], ["PA 9300.02"], ["PA 9300.03"], ["PA 9300.05"], ["PA 9300.07"], ["PA 9300.08"]])(
    "there are none after %s",
    async (step) => {
      const on = bench();
      await play(on, [step]);
      expect(netBookings(on.sandbox.ledger())).toEqual([]);
    },
  );

  test("of what is pending begin when it is settled", async () => {
    const on = bench();
    await play(on, ["PA 9300.06"]);
    const at = on.clock.now();
    expect(netBookings(on.sandbox.ledger(), at)).toEqual([]);
    expect(netBookings(on.sandbox.ledger(), at + 30_000)).toMatchObject([{ held: 930006 }]);
  });
});
