import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runProgram } from "./program.ts";
import { cardOut, saleOf, sell, untilPinIsAsked } from "./sale.ts";
import { createToken, openShop, type Shop } from "./shop.ts";
import type { Till } from "./till.ts";

let shop: Shop;
let till: Till;
let office: Till;

beforeAll(async () => {
  shop = await openShop();
  till = await shop.till();
  office = await shop.till(await createToken(shop.dataDir, "office", ["payments", "payments:all", "technician"]));
  await office.client.subscribe("0");
});
afterAll(() => shop.close());

describe("tokens revoke, while a sale is under way", () => {
  it("closes the register's open socket at once", async () => {
    const { terminal } = shop;
    await sell({ till, terminal, reference: "before" });
    await untilPinIsAsked({ till, terminal, reference: "running" });
    expect(await runProgram("tokens", "revoke", till.client.register, "--data", shop.dataDir)).toMatchObject({ code: 0 });
    expect(await till.client.closed).toMatchObject({ code: 1008, message: expect.stringContaining("the token was revoked") });
  });

  it("lets nothing more be asked for on it", async () => {
    await expect(till.client.startPayment(saleOf(shop.terminal, "after"))).rejects.toMatchObject({ code: 1008 });
    await expect(till.client.refund({ of: "before", reference: "refund after" })).rejects.toMatchObject({ code: 1008 });
    await expect(shop.till()).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("lets the sale go on to its end, and other registers go on", async () => {
    await shop.terminal.press("1234 ENTER");
    expect(await office.settled("running")).toMatchObject({ outcome: "APPROVED", capture: "captured" });
    await cardOut({ till: office, terminal: shop.terminal });
    const { payments } = await office.client.list({ limit: 10 });
    expect(payments.map(({ reference }) => reference).sort()).toEqual(["before", "running"]);
  });

  it("keeps nobody out who shows a new token of the same name, and its payments are there", async () => {
    const next = await shop.till(await createToken(shop.dataDir, "register-1"));
    expect(await next.client.get({ reference: "running" })).toMatchObject({ outcome: "APPROVED" });
  });
});
