import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openReadOnly } from "../../../src/journal/read-only.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { runsOf } from "../../support/dose.ts";
import { freshFolder, open } from "./folder.ts";
import { factsIn } from "./image.ts";
import { startAppending } from "./other-process.ts";
import { factsOfAppend, paymentRow } from "./payment-row.ts";

/** The appends that the process said were acknowledged: number of the last fact, and which append it was. */
const acknowledged = (lines: readonly string[]) =>
  lines
    .filter((line) => line.startsWith("acknowledged "))
    .map((line) => ({ last: Number(line.split(" ")[1]), n: Number(line.split(" ")[2]) }));

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Every acknowledged append must be in the database, all of its facts, under the numbers it was told, to the letter.
 * Gives how many facts there are.
 */
function requireAll(folder: string, told: ReturnType<typeof acknowledged>): number {
  const kept = factsIn(folder);
  for (const { last, n } of told) {
    const facts = factsOfAppend(n).map((fact) => JSON.stringify(fact));
    expect(kept.slice(last - facts.length, last).map(({ fact }) => fact)).toEqual(facts);
    expect(kept[last - 1]).toMatchObject({ number: last, payment: paymentRow(n).payment });
  }
  return kept.length;
}

const SEED = Number(process.env["KILL_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const FOLDERS = runsOf(1, 5);
const LIVES = 8;

describe(`a process killed in the middle of its appends (seed ${SEED}; again with KILL_SEED)`, () => {
  it(`loses no fact that it acknowledged, in ${FOLDERS * LIVES} lives of 1 to 64 writers each`, async () => {
    const random = seededRandom(SEED);
    let appends = 0;
    for (let n = 0; n < FOLDERS; n += 1) {
      const folder = freshFolder();
      const told: ReturnType<typeof acknowledged>[number][] = [];
      for (let life = 0; life < LIVES; life += 1) {
        const other = startAppending(folder, [1, 4, 16, 64][random.below(4)] ?? 1);
        // One in four is killed while it still opens the journal that the one before left behind.
        if (random.below(4) === 0) await pause(random.below(250));
        else await other.line("acknowledged").then(() => pause(random.below(40)));
        await other.kill();
        told.push(...acknowledged(other.lines));
        if (told.length === 0) continue;
        // Sometimes the next life finds what the last one left, sometimes what a whole start in between made of it.
        if (random.below(2) === 0) await (await open(folder)).close();
        const reader = openReadOnly(folder);
        expect(requireAll(folder, told)).toBe(await reader.lastNumber());
        reader.close();
      }
      appends += told.length;
    }
    expect(appends).toBeGreaterThan(FOLDERS * LIVES);
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

  it("the second one waits for a first one that lets go within a second, as a command does that only looks", async () => {
    const folder = freshFolder();
    const other = startAppending(folder, 1);
    await other.line("acknowledged");
    // From outside: opening holds this process up until the lock is there.
    spawn("sh", ["-c", `sleep 0.3; kill -9 ${other.child.pid}`]);
    expect(await (await open(folder)).lastNumber()).toBeGreaterThan(0);
  });

  it("a second opener in the same process is refused too, again and again, and does not loosen the lock", async () => {
    const folder = freshFolder();
    const journal = await open(folder);
    for (let n = 0; n < 3; n += 1) {
      await expect(open(folder)).rejects.toMatchObject({
        problem: "in-use",
        message: `another posbridge (pid ${process.pid}) uses ${folder}; stop it first`,
      });
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
      expect(last).toBeGreaterThanOrEqual(Math.max(...told.map((one) => one.last)));
      const newest = await journal.list({ limit: 5 });
      expect(newest.rows).toHaveLength(5);
      expect(await journal.byReferenceOfAny("sale 1")).toEqual([paymentRow(1)]);
      journal.close();
      await other.line("acknowledged", other.lines.length + 20);
    }
  });
});
