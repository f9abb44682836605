import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { connectRegister } from "../../src/client/client.ts";
import { type Run, runProgram } from "./program.ts";
import { openShop, type Shop } from "./shop.ts";
import type { Till } from "./till.ts";

let shop: Shop;
let till: Till;
let file: string;

beforeAll(async () => {
  shop = await openShop({ automatic: true, timeouts: { cardMs: 60_000 } });
  till = await shop.till();
  file = path.join(shop.folder, "backup.tar.gz");
});
afterAll(() => shop.close());

async function begin(reference: string): Promise<void> {
  await shop.terminal.customerHas("visa-contact");
  await till.client.startPayment({
    reference,
    type: "SALE",
    terminal: "till-1",
    currency: "EUR",
    amount: "12.34",
    queue: true,
  });
}

async function sell(reference: string): Promise<void> {
  await begin(reference);
  expect(await till.settled(reference)).toMatchObject({ outcome: "APPROVED", capture: "captured" });
}

const run = (...argv: readonly string[]): Promise<Run> => runProgram(...argv, "--config", shop.configFile);
const reportSchema = z.object({
  bookings: z.array(z.looseObject({ id: z.string(), paymentType: z.string(), is: z.string(), isOwn: z.boolean() })),
  undecided: z.array(z.looseObject({ reference: z.string() })),
  tokens: z.object({ registers: z.array(z.string()) }),
});

describe("a shop that loses its disk after a backup", () => {
  it("makes the backup while a sale waits for its card, and loses that and three more, of which one was never answered", async () => {
    await sell("before");
    const [made] = await Promise.all([run("backup", path.join(shop.folder, "other.tar.gz")), sell("during")]);
    expect(made.code).toBe(0);
    await shop.terminal.customerActs(false);
    if ((await shop.terminal.screen()).slot.card !== null) await shop.terminal.pull();
    await begin("waiting");
    await till.prompt("waiting", "INSERT_OR_TAP");
    const { code, out } = await run("backup", file);
    expect([code, out]).toEqual([
      0,
      [
        expect.stringMatching(
          /backup\.tar\.gz is written: bridge brg_[0-9a-f]{24} \(test\), made at .*, \d+ facts, the last of /,
        ),
      ],
    ]);
    expect((await run("backup", file)).code).toBe(2);
    expect((await runProgram("restore", file, "--check")).code).toBe(0);
    await shop.terminal.customerActs(true);
    expect(await till.settled("waiting")).toMatchObject({ outcome: "APPROVED", capture: "captured" });
    await sell("lost 1");
    await sell("lost 2");
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "drop-after" });
    await begin("lost 3");
    await shop.sandbox.faultsUsed();
    await shop.kill();
  });

  it("restores it with the gateway away, sells nothing, and is told by the gateway what is missing", async () => {
    fs.rmSync(shop.dataDir, { recursive: true });
    await shop.sandbox.kill();
    const restored = await run("restore", file);
    expect([restored.code, restored.err.at(-1)]).toEqual([
      1,
      expect.stringMatching(/not open: nothing is sold. When it answers: posbridge rollbacks read --config/),
    ]);
    expect(restored.err).toContain(
      `${shop.dataDir} held no tokens: tokens that were revoked since the backup are valid again`,
    );
    const started = await run("run");
    expect([started.code, started.err.join("\n")]).toEqual([
      2,
      expect.stringMatching(/was restored from a backup of .*nobody has confirmed/),
    ]);
    const early = await run("rollbacks", "confirm", "--reason", "too early");
    expect([early.code, early.err.join("\n")]).toEqual([1, expect.stringContaining("the gateway was not asked yet")]);
    await shop.sandbox.start();
    const read = await run("rollbacks", "read", "--json");
    const report = reportSchema.parse(JSON.parse(read.out.join("\n")));
    expect(report.undecided).toMatchObject([{ reference: "waiting" }]);
    expect(report.tokens.registers).toContain("register-1");
    expect(report.bookings.map(({ paymentType, is, isOwn }) => [paymentType, is, isOwn])).toEqual(
      ["PA", "CP", "PA", "CP", "PA", "CP", "PA"].map((type) => [type, "booked", true]),
    );
    const kept = await run("rollbacks", "list", "--json");
    expect(JSON.parse(kept.out.join("\n"))).toMatchObject({
      rollbacks: [{ backup: expect.any(String), lost: { bookings: report.bookings } }],
    });
    expect((await run("run")).code).toBe(2);
    const undecided = await run("rollbacks", "confirm", "--reason", "nobody looked");
    expect([undecided.code, undecided.err.join("\n")]).toEqual([
      1,
      expect.stringContaining('"waiting" of register "register-1"'),
    ]);
    const [reservation] = report.bookings;
    const said = await run(
      "resolve",
      "waiting",
      "--as",
      "approved",
      "--gateway-id",
      reservation?.id ?? "",
      "--reason",
      "the till says approved",
    );
    expect([said.code, said.err.join("\n")]).toEqual([0, expect.stringContaining("shows it booked")]);
  });

  it("sells again once that is confirmed, and takes no reference that was used since the backup", async () => {
    const booked = await shop.sandbox.ledger();
    const confirmed = await run("rollbacks", "confirm", "--reason", "disk exchanged, three sales looked at");
    expect([confirmed.code, confirmed.out.join("\n")]).toEqual([0, expect.stringContaining("let go of")]);
    const cursor = till.client.cursor();
    await shop.start();
    till = await shop.till();
    const behind = await connectRegister({ url: shop.url(), token: shop.registerToken, after: cursor });
    for (const reference of ["lost 1", "lost 2", "lost 3"]) {
      const again = behind.startPayment({
        reference,
        type: "SALE",
        terminal: "till-1",
        currency: "EUR",
        amount: "12.34",
      });
      await expect(again).rejects.toMatchObject({
        code: "reference-reused",
        message: expect.stringContaining("before the data folder was restored"),
      });
    }
    behind.close();
    expect(await shop.sandbox.ledger()).toEqual(booked);
    expect(await till.client.get({ reference: "during" })).toMatchObject({ outcome: "APPROVED" });
    expect(await till.client.get({ reference: "waiting" })).toMatchObject({ outcome: "APPROVED", capture: "captured" });
    await sell("after");
  });
});
