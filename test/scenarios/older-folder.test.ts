import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openShop, type Shop } from "./shop.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop({ automatic: true });
});
afterAll(() => shop.close());

const lines = (part: string): readonly string[] => shop.printed().filter((line) => line.includes(part));
const PAST = "a register has heard of more payments than this data folder holds";

async function sold(reference: string): Promise<string> {
  const till = await shop.till();
  await shop.terminal.customerHas("visa-contact");
  await till.client.startPayment({ reference, type: "SALE", terminal: "till-1", currency: "EUR", amount: "12.34" });
  await till.settled(reference);
  return till.client.cursor();
}

describe("a data folder of yesterday in the place of today's", () => {
  it("is told of by whoever has heard of more, once, and sells on", async () => {
    expect(lines("the data folder holds no payment")).toHaveLength(1);
    await sold("yesterday");
    await shop.stop();
    fs.cpSync(shop.dataDir, `${shop.dataDir}.yesterday`, { recursive: true });
    await shop.start();
    const cursor = await sold("today");
    await shop.stop();
    fs.renameSync(shop.dataDir, `${shop.dataDir}.today`);
    fs.renameSync(`${shop.dataDir}.yesterday`, shop.dataDir);
    fs.chmodSync(shop.dataDir, 0o700);
    await shop.start();
    const till = await shop.till();
    expect(lines("the data folder holds no payment")).toHaveLength(1);
    await expect(till.client.subscribe(String(Number(cursor) - 100_000))).rejects.toThrow();
    expect(lines(PAST)).toEqual([]);
    for (let time = 1; time <= 2; time += 1) await expect(till.client.subscribe(cursor)).rejects.toThrow("never gave out that cursor");
    await shop.bridge().line(new RegExp(PAST));
    const told = lines(PAST).map((line): unknown => JSON.parse(line));
    expect(told).toEqual([expect.objectContaining({ level: "error", alarm: true, register: "register-1", cursor: Number(cursor) })]);
    await till.client.subscribe("0");
    expect(await till.settled("yesterday")).toMatchObject({ outcome: "APPROVED" });
  });
});
