import { describe, expect, test } from "vitest";
import { runWorld } from "./world.ts";

describe("a seeded world of faulty gateways, terminals, cables and crashes", () => {
  test.each([1, 2, 3, 4])("seed %i: 120 payments, and the ledger agrees with what every register was told", { timeout: 60_000 }, async (seed) => {
    const world = await runWorld(seed, 120);
    expect(world.violations, `again with: npm run world -- --seed ${seed} --payments 120`).toEqual([]);
    expect(world.payments).toBe(120);
    expect(world.outcomes["APPROVED"] ?? 0).toBeGreaterThan(15);
  });

  test("a seed that the clock gives holds too", { timeout: 60_000 }, async () => {
    const seed = Date.now() % 1_000_000;
    const world = await runWorld(seed, 120);
    expect(world.violations, `again with: npm run world -- --seed ${seed} --payments 120`).toEqual([]);
  });

  test("is the same world every time", { timeout: 60_000 }, async () => {
    expect(await runWorld(7, 60)).toEqual(await runWorld(7, 60));
  });

  test("has a lost reply, a crash, an unplugged terminal and a pulled card among its troubles", { timeout: 60_000 }, async () => {
    const { troubles, crashes } = await runWorld(1, 120);
    expect(Object.keys(troubles)).toEqual(expect.arrayContaining(["gateway", "crash", "unplug", "card-pulled", "line", "cancel"]));
    expect(crashes).toBeGreaterThan(0);
  });
});
