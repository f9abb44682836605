import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Journal } from "../../../src/engine/ports.ts";
import { openReadOnly } from "../../../src/journal/read-only.ts";
import { freshFolder, open } from "./folder.ts";
import { startAppending } from "./other-process.ts";
import { paymentRow } from "./payment-row.ts";

const acknowledged = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith("acknowledged ")).map((line) => ({ number: Number(line.split(" ")[1]), payment: line.split(" ")[2] }));

/** The payment of every fact by its number. */
async function everyFact(journal: Journal): Promise<ReadonlyMap<number, string>> {
  const kept = new Map<number, string>();
  for (let facts = await journal.after(0, 1000); facts.length > 0; facts = await journal.after(kept.size, 1000)) {
    for (const { number, payment } of facts) kept.set(number, payment);
  }
  return kept;
}

describe("a process killed in the middle of its appends", () => {
  it.each([
    [1, 40],
    [1, 700],
    [8, 300],
    [64, 2000],
  ])("loses no fact that it acknowledged (%i writers, killed after %i facts), and the next process goes on", { timeout: 60_000 }, async (writers, after) => {
    const folder = freshFolder();
    for (let life = 1; life <= 3; life += 1) {
      const other = startAppending(folder, writers);
      await other.line("acknowledged", after);
      await other.kill();
      const journal = await open(folder);
      const told = acknowledged(other.lines);
      expect(told.length).toBeGreaterThanOrEqual(after);
      const kept = await everyFact(journal);
      expect(told.filter(({ number, payment }) => kept.get(number) !== payment)).toEqual([]);
      await journal.close();
    }
  });
});

describe("two processes and one folder", () => {
  it("the second one is refused with the first one's number, and let in when that was killed", async () => {
    const folder = freshFolder();
    const other = startAppending(folder, 1);
    await other.line("acknowledged");
    await expect(open(folder)).rejects.toMatchObject({
      problem: "in-use",
      message: `another posbridge (pid ${other.child.pid}) uses ${folder}; stop it first`,
    });
    await other.kill();
    expect(await (await open(folder)).lastNumber()).toBeGreaterThan(0);
  });

  it("a second opener in the same process is refused too, again and again, and does not loosen the lock", async () => {
    const folder = freshFolder();
    const journal = await open(folder);
    for (let n = 0; n < 3; n += 1) {
      await expect(open(folder)).rejects.toMatchObject({ problem: "in-use", message: `another posbridge (pid ${process.pid}) uses ${folder}; stop it first` });
    }
    const other = startAppending(folder, 1, '"$@" 2>&1 || echo refused');
    await other.line("refused");
    expect(other.lines.join("\n")).toContain(`another posbridge (pid ${process.pid}) uses ${folder}; stop it first`);
    await journal.close();
    expect(fs.existsSync(path.join(folder, "lock.pid"))).toBe(false);
    await open(folder);
  });

  it("a reader sees every fact that was acknowledged before it looked, while the other writes", async () => {
    const folder = freshFolder();
    const other = startAppending(folder, 4);
    await other.line("acknowledged", 100);
    for (let n = 0; n < 10; n += 1) {
      const told = acknowledged(other.lines);
      const journal = openReadOnly(folder);
      const last = await journal.lastNumber();
      expect(last).toBeGreaterThanOrEqual(Math.max(...told.map(({ number }) => number)));
      const newest = await journal.list({ limit: 5 });
      expect(newest.rows).toHaveLength(5);
      expect(await journal.byReferenceOfAny("sale 1")).toEqual([paymentRow(1)]);
      journal.close();
      await other.line("acknowledged", other.lines.length + 20);
    }
  });
});
