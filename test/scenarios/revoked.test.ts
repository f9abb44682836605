import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
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
    expect(await runProgram("tokens", "revoke", till.client.register, "--data", shop.dataDir)).toMatchObject({
      code: 0,
    });
    expect(await till.client.closed).toMatchObject({
      code: 1008,
      message: expect.stringContaining("the token was revoked"),
    });
  });

  it("lets nothing more be asked for on it", async () => {
    await expect(till.client.startPayment(saleOf(shop.terminal, "after"))).rejects.toMatchObject({ code: 1008 });
    await expect(till.client.refund({ of: "before", reference: "refund after" })).rejects.toMatchObject({ code: 1008 });
    await expect(shop.till()).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("leaves in the log who made, used and took away which token, and who was kept out", async () => {
    await shop.bridge().line(/session refused/);
    const lines = shop.printed().filter((line) => line.includes('"audit":true'));
    const audit = lines.map((line) => z.looseObject({ msg: z.string() }).parse(JSON.parse(line)));
    const by = expect.stringMatching(/./);
    const from = expect.stringMatching(/^127\.0\.0\.1:[0-9]+$/);
    expect(audit).toContainEqual(
      expect.objectContaining({
        msg: "token created",
        register: "office",
        scopes: ["payments", "payments:all", "technician"],
        by,
      }),
    );
    expect(audit).toContainEqual(expect.objectContaining({ msg: "session opened", register: "register-1", from }));
    expect(audit).toContainEqual(
      expect.objectContaining({ msg: "tokens revoked", register: "register-1", revoked: 1, by }),
    );
    expect(audit).toContainEqual(
      expect.objectContaining({ msg: "socket ended", register: "register-1", why: "revoked", from }),
    );
    expect(audit).toContainEqual(
      expect.objectContaining({ level: "warn", msg: "session refused", code: "unauthorized", from }),
    );
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
