import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { type OpenJournal, openJournal } from "../../../src/journal/sqlite-journal.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";

/** A fresh folder of mode 0700 that is gone after the test. */
export function freshFolder(): string {
  const folder = fs.mkdtempSync(path.join(tmpdir(), "posbridge-journal-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}

/** The journal of a folder; closed after the test when the test left it open. */
export async function open(dataDir: string, environment: "test" | "live" = "test"): Promise<OpenJournal> {
  const journal = await openJournal({ dataDir, environment, clock: systemClock, random: systemRandom });
  onTestFinished(() => journal.close());
  return journal;
}

/** What a power cut leaves of a journal that is open: its files as they are now, in a folder of their own. */
export function afterPowerCut(dataDir: string): string {
  const copy = freshFolder();
  for (const name of ["journal.db", "journal.db-wal", "journal.witness"]) {
    if (fs.existsSync(path.join(dataDir, name))) fs.copyFileSync(path.join(dataDir, name), path.join(copy, name));
  }
  const archive = path.join(dataDir, "archive");
  if (fs.existsSync(archive)) fs.cpSync(archive, path.join(copy, "archive"), { recursive: true });
  return copy;
}
