import { describe, expect, test } from "vitest";
import { netBookings } from "../../../packages/sandbox/gateway/ledger/net-bookings.ts";
import type { SandboxRules } from "../../../packages/sandbox/gateway/rules.ts";
import { bench } from "./bench.ts";
import { play } from "./play.ts";
import { ENTITY, TOKEN } from "./simulated-till.ts";

const OK = "000.100.110";
const OTHER_ENTITY = "8a8294174b7ecb28014b9699220015cb";

describe("what may refer to what", () => {
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
  test("of what is pending begin when it is settled", async () => {
    const on = bench();
    await play(on, ["PA 9300.06"]);
    const at = on.clock.now();
    expect(netBookings(on.sandbox.ledger(), at)).toEqual([]);
    expect(netBookings(on.sandbox.ledger(), at + 30_000)).toMatchObject([{ held: 930006 }]);
  });
});
