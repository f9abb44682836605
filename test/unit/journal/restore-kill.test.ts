import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { dropRevoked, validTokens } from "../../../src/agent/restored-tokens.ts";
import { makeBackup } from "../../../src/journal/backup.ts";
import { restoreBackup } from "../../../src/journal/restore.ts";
import { isDamage, mendOf } from "../../../src/journal/sqlite-error.ts";
import type { OpenJournal } from "../../../src/journal/sqlite-journal.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { openTokens } from "../../../src/register/tokens/tokens.ts";
import { shortOrLong } from "../../support/dose.ts";
import { afterPowerCut, freshFolder, open } from "./folder.ts";
import { factsIn } from "./image.ts";
import { AT, paymentRow } from "./payment-row.ts";

const PROGRAM = path.join(import.meta.dirname, "restoring-process.ts");
const MOST_STEPS = 40;
/** `npm test` tries three of them, of which the last one is beyond the end. */
const STEPS = shortOrLong(
  [2, 7, MOST_STEPS],
  Array.from({ length: MOST_STEPS }, (_, n) => n + 1),
);

async function folderOf(facts: number): Promise<string> {
  const dataDir = freshFolder();
  const journal = await open(dataDir);
  for (let n = 1; n <= facts; n += 1) await journal.append([{ fact: "queued", n }], AT, paymentRow(n));
  await journal.close();
  return dataDir;
}

/** In a process that is killed before that step; whether it was done before. */
function restoreUntil(step: string, backup: string, dataDir: string, replace: "replace" | ""): boolean {
  return (
    spawnSync(process.execPath, [PROGRAM, backup, dataDir, step, replace], { encoding: "utf8" }).stdout === "done\n"
  );
}

const restore = (file: string, dataDir: string, replace: boolean) =>
  restoreBackup({ file, dataDir, environment: "test", replace, dropRevoked, clock: systemClock, random: systemRandom });

/** What a start finds: the journal as it was before, the restored one, or a refusal. */
async function found(dataDir: string): Promise<string> {
  const journal: OpenJournal | undefined = await open(dataDir).catch(() => undefined);
  if (journal === undefined) return "refused";
  const isRestored = journal.cursors.rollbacks().at(-1)?.restored !== undefined;
  const facts = await journal.lastNumber();
  await journal.close();
  return `${facts} facts${isRestored ? ", restored" : ""}`;
}

describe.each([
  ["an empty folder", 0],
  ["the place of another", 9],
] as const)("a restore into %s that is killed before any of its steps", (_name, before) => {
  it("leaves what was there, all of the backup, or a folder that no bridge opens; and is done again", async () => {
    const backup = path.join(freshFolder(), "shop.tar.gz");
    await makeBackup({ dataDir: await folderOf(4), file: backup, posbridge: "0.1.0", clock: systemClock });
    const outcomes = new Set<string>();
    let isDone = false;
    for (const step of STEPS) {
      if (isDone) break;
      const dataDir = before === 0 ? path.join(freshFolder(), "data") : await folderOf(before);
      isDone = restoreUntil(String(step), backup, dataDir, before === 0 ? "" : "replace");
      const isThere =
        fs.existsSync(dataDir) &&
        fs.readdirSync(dataDir).some((name) => name !== "lock.db" && name !== "lock.pid" && name !== "lock.db-journal");
      const left = isThere ? await found(dataDir) : "nothing yet";
      outcomes.add(left);
      expect(
        isDone ? ["4 facts, restored"] : ["nothing yet", `${before} facts`, "refused", "4 facts, restored"],
      ).toContain(left);
      await restore(backup, dataDir, isThere);
      expect(await found(dataDir)).toBe("4 facts, restored");
    }
    expect(isDone).toBe(true);
    expect(outcomes).toContain("refused");
  });
});

describe("a restore into the place of a journal that was killed itself", () => {
  it.each([
    ["while it puts that journal's log aside", () => "/journal.db-wal"],
    ["before its own journal arrives", (dataDir: string) => path.join(dataDir, "journal.db")],
  ])(
    "that is killed %s and done again keeps the old journal together with its log, and a revoked token revoked",
    async (_name, stepIn) => {
      const before = freshFolder();
      const journal = await open(before);
      const tokens = openTokens({
        dataDir: before,
        clock: systemClock,
        random: systemRandom,
        disk: { isDamage, mendOf },
      });
      for (const register of ["till-1", "till-2"]) tokens.create({ register, scopes: [] });
      const backup = path.join(freshFolder(), "shop.tar.gz");
      await makeBackup({ dataDir: before, file: backup, posbridge: "0.1.0", clock: systemClock });
      tokens.revoke("till-2");
      for (let n = 1; n <= 9; n += 1) await journal.append([{ fact: "queued", n }], AT, paymentRow(n));
      tokens.close();
      const dataDir = afterPowerCut(before);
      fs.copyFileSync(path.join(before, "tokens.db"), path.join(dataDir, "tokens.db"));
      expect(fs.statSync(path.join(dataDir, "journal.db-wal")).size).toBeGreaterThan(0);
      expect(restoreUntil(stepIn(dataDir), backup, dataDir, "replace")).toBe(false);
      expect(await found(dataDir)).toBe("refused");
      await restore(backup, dataDir, true);
      const aside = fs
        .readdirSync(dataDir)
        .filter((name) => name.startsWith("replaced-") && fs.existsSync(path.join(dataDir, name, "journal.db")));
      expect(aside.map((name) => factsIn(path.join(dataDir, name)).length)).toEqual([9]);
      expect(validTokens(dataDir)).toEqual({ registers: ["till-1"] });
    },
  );
});

it("a restore that finds the half of another journal put aside overwrites none of both", async () => {
  const backup = path.join(freshFolder(), "shop.tar.gz");
  const dataDir = await folderOf(9);
  await makeBackup({ dataDir, file: backup, posbridge: "0.1.0", clock: systemClock });
  const replacing = path.join(dataDir, "replacing");
  fs.mkdirSync(replacing);
  fs.copyFileSync(path.join(await folderOf(3), "journal.db"), path.join(replacing, "journal.db"));
  await expect(restore(backup, dataDir, true)).rejects.toThrow(
    /replacing another one that a restore put aside; rename \S+replacing, then try again$/,
  );
  expect([factsIn(dataDir).length, factsIn(replacing).length]).toEqual([9, 3]);
});

it("a restore that fails after the old journal was put aside leaves a folder that no bridge opens, and can be done again", async () => {
  const backup = path.join(freshFolder(), "shop.tar.gz");
  await makeBackup({ dataDir: await folderOf(4), file: backup, posbridge: "0.1.0", clock: systemClock });
  const dataDir = await folderOf(9);
  fs.rmSync(path.join(dataDir, "journal.witness"));
  const obstacle = path.join(dataDir, "replaced-19700101T000000.000Z");
  fs.mkdirSync(path.join(obstacle, "in the way"), { recursive: true });
  const clock = { ...systemClock, now: () => 0 };
  const order = { file: backup, dataDir, replace: true, dropRevoked, clock, random: systemRandom };
  await expect(restoreBackup({ ...order, environment: "test" })).rejects.toThrow(
    /cannot be written: .*then try again$/,
  );
  expect(await found(dataDir)).toBe("refused");

  await restore(backup, dataDir, true);
  expect(await found(dataDir)).toBe("4 facts, restored");
});
