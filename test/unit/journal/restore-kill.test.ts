import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { makeBackup } from "../../../src/journal/backup.ts";
import { restoreBackup } from "../../../src/journal/restore.ts";
import type { OpenJournal } from "../../../src/journal/sqlite-journal.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { shortOrLong } from "../../support/dose.ts";
import { freshFolder, open } from "./folder.ts";
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
      const { stdout } = spawnSync(process.execPath, [PROGRAM, backup, dataDir, String(step), before === 0 ? "" : "replace"], { encoding: "utf8" });
      isDone = stdout === "done\n";
      const isThere = fs.existsSync(dataDir) && fs.readdirSync(dataDir).some((name) => name !== "lock.db" && name !== "lock.pid" && name !== "lock.db-journal");
      const left = isThere ? await found(dataDir) : "nothing yet";
      outcomes.add(left);
      expect(isDone ? ["4 facts, restored"] : ["nothing yet", `${before} facts`, "refused", "4 facts, restored"]).toContain(left);
      await restoreBackup({ file: backup, dataDir, environment: "test", replace: isThere, clock: systemClock, random: systemRandom });
      expect(await found(dataDir)).toBe("4 facts, restored");
    }
    expect(isDone).toBe(true);
    expect(outcomes).toContain("refused");
  });
});
