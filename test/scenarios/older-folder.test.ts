import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectRegister, type RegisterClient } from "../../src/client/client.ts";
import { runProgram } from "./program.ts";
import { openShop, type Shop } from "./shop.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop({ automatic: true });
});
afterAll(() => shop.close());

const lines = (part: string): readonly string[] => shop.printed().filter((line) => line.includes(part));
const PROVEN = "the data folder was put back to an earlier moment";

async function sold(reference: string): Promise<string> {
  const till = await shop.till();
  await shop.terminal.customerHas("visa-contact");
  await till.client.startPayment({ reference, type: "SALE", terminal: "till-1", currency: "EUR", amount: "12.34" });
  await till.settled(reference);
  const cursor = till.client.cursor();
  till.client.close();
  return cursor;
}

/** The bridge stops, and starts again on the copy that was made of its folder. */
async function putBack(): Promise<void> {
  await shop.stop();
  fs.rmSync(shop.dataDir, { recursive: true });
  fs.cpSync(`${shop.dataDir}.copy`, shop.dataDir, { recursive: true });
  fs.chmodSync(shop.dataDir, 0o700);
  await shop.start();
}

const open = (after: string | undefined): Promise<RegisterClient> =>
  connectRegister({ url: shop.url(), token: shop.registerToken, after });
const start = (client: RegisterClient, reference: string) =>
  client.startPayment({ reference, type: "SALE", terminal: "till-1", currency: "EUR", amount: "12.34" });
const page = async (name: string) => fetch(`${shop.url().replace("ws", "http").replace("/v1", "")}/${name}`);

describe("a data folder of yesterday in the place of today's", () => {
  let today: string;

  it("is known by the cursor that a register shows: nothing is sold, by anybody and after a restart too, and everybody is told why", async () => {
    expect(lines("the data folder holds no payment")).toHaveLength(1);
    await sold("yesterday");
    await shop.stop();
    fs.cpSync(shop.dataDir, `${shop.dataDir}.copy`, { recursive: true });
    await shop.start();
    today = await sold("today");
    await putBack();
    const booked = (await shop.sandbox.ledger()).length;
    expect((await page("readyz")).status).toBe(200);
    const till = await open(today);
    await expect(start(till, "today")).rejects.toMatchObject({
      code: "data-folder-rolled-back",
      advice: "call-support",
    });
    await shop.bridge().line(new RegExp(PROVEN));
    await shop.restart();
    await expect(start(await open(undefined), "today")).rejects.toMatchObject({ code: "data-folder-rolled-back" });
    const ready = await page("readyz");
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { ready: false, reasons: [expect.stringContaining("posbridge rollbacks confirm")] },
    ]);
    expect(await (await page("metrics")).text()).toContain("posbridge_data_folder_rolled_back 1");
    const told = lines(PROVEN).map((line): unknown => JSON.parse(line));
    expect(told).toEqual([
      expect.objectContaining({ level: "error", alarm: true, register: "register-1" }),
      expect.objectContaining({
        alarm: true,
        afterRestart: true,
        shown: [expect.objectContaining({ register: "register-1" })],
      }),
    ]);
    expect(await shop.sandbox.ledger()).toHaveLength(booked);
  });

  it("sells again once a technician has confirmed, and is known anew when the same copy is put back once more", async () => {
    const { code, out } = await runProgram(
      "rollbacks",
      "confirm",
      "--reason",
      "checked in the back office",
      "--data",
      shop.dataDir,
    );
    expect([code, out]).toEqual([0, [expect.stringContaining("payments are accepted again")]]);
    (await open(today)).close();
    const since = await sold("since");
    expect((await page("readyz")).status).toBe(200);
    await putBack();
    await expect(start(await open(since), "since")).rejects.toMatchObject({ code: "data-folder-rolled-back" });
  });
});
