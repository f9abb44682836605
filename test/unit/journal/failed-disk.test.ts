import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { JournalBroken, JournalUnwritable } from "../../../src/engine/ports.ts";
import { openReadOnly } from "../../../src/journal/read-only.ts";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { failingDisk } from "./mounted.ts";
import { AT, factsOfAppend, paymentRow } from "./payment-row.ts";

const DISK_BYTES = 8 * 1_048_576;
const open = (dataDir: string) =>
  openJournal({ dataDir, environment: "test", clock: systemClock, random: systemRandom });
const reasonOf = (cause: unknown): string => String(cause);

it("a disk that the kernel makes read-only after an error refuses what follows, then a start, and has kept everything once it is checked and mounted", async () => {
  const disk = failingDisk(DISK_BYTES);
  const folder = path.join(disk.folder, "data");
  const journal = await open(folder);
  onTestFinished(() => journal.close());
  for (let n = 1; n <= 20; n += 1) await journal.append(factsOfAppend(n), AT, paymentRow(n));
  const before = await journal.lastNumber();
  disk.fail();
  const refused: unknown = await journal.append(factsOfAppend(21), AT, paymentRow(21)).catch((cause: unknown) => cause);
  // The bridge goes on and tries again: it has not lost track of what is on the disk.
  expect(refused).toBeInstanceOf(JournalUnwritable);
  expect(refused).not.toBeInstanceOf(JournalBroken);
  expect(String(refused)).toMatch(/the journal cannot be written: .*journal\.db\); .*check the disk \(dmesg\)/);
  await expect(journal.probe()).rejects.toThrow("the journal cannot be written");
  expect(await journal.lastNumber()).toBe(before);
  expect(await journal.facts(paymentRow(20).payment)).toHaveLength(factsOfAppend(20).length);
  await journal.close();
  expect(await open(folder).catch(reasonOf)).toMatch(
    /let this user write in the folder, and mount its disk for writing/,
  );
  disk.mend();
  const reader = openReadOnly(folder);
  expect(await reader.lastNumber()).toBe(before);
  reader.close();
  const again = await open(folder);
  onTestFinished(() => again.close());
  expect(await again.append(factsOfAppend(22), AT, paymentRow(22))).toMatchObject({
    last: before + factsOfAppend(22).length,
  });
});
