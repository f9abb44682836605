import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runProgram } from "./program.ts";
import { openShop, type Shop } from "./shop.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop({ automatic: true });
});
afterAll(() => shop.close());

/** Another amount in the first fact of the journal, as a failing disk or a hand leaves it. */
function damage(dataDir: string): void {
  const database = new DatabaseSync(path.join(dataDir, "journal.db"));
  const trigger = database.prepare("SELECT sql FROM sqlite_schema WHERE name = 'facts_never_change'").get();
  database.exec("DROP TRIGGER facts_never_change");
  database.exec("UPDATE facts SET fact = replace(fact, '\"amount\":1234', '\"amount\":1235') WHERE number = 1");
  database.exec(String(trigger?.["sql"]));
  database.close();
}

it("a bridge that reads a payment which is not as it was written ends, and does not start again from that folder", async () => {
  const till = await shop.till();
  await shop.terminal.customerHas("visa-contact");
  await till.client.startPayment({
    ...{ reference: "old", type: "SALE", terminal: "till-1", currency: "EUR", amount: "12.34" },
  });
  await till.settled("old");
  await shop.stop();
  const verify = ["journal", "verify", "--data", shop.dataDir] as const;
  expect((await runProgram(...verify)).out).toEqual([
    expect.stringMatching(/^brg_.*facts 1 to [0-9]+ are as they were written/),
  ]);
  damage(shop.dataDir);
  // The sale was closed before the checkpoint: the start has no reason to read it.
  await shop.start();
  const bridge = shop.bridge();
  const again = await shop.till();
  await expect(again.client.get({ reference: "old" })).rejects.toThrow();
  expect(await bridge.ended).toEqual({ code: 1, signal: null });
  expect(bridge.err.at(-1)).toMatch(/^posbridge: .*journal\.db: fact 1 was changed; restore the last backup/);
  const alarm = shop.printed().find((line) => line.includes("the journal is damaged"));
  expect(JSON.parse(alarm ?? "{}")).toMatchObject({ level: "error", alarm: true });
  for (const command of [verify, ["run", "--config", shop.configFile]] as const) {
    const { code, err } = await runProgram(...command);
    expect([code, err.at(-1)]).toEqual([1, expect.stringContaining("fact 1 was changed; restore the last backup")]);
  }
});
