import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { storageOf } from "../../../src/journal/storage.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { freshFolder } from "./folder.ts";
import { AT, paymentRow } from "./payment-row.ts";

it("an open journal shows the bytes of its two files and of their disk, and how long each commit took to be there", async () => {
  const dataDir = freshFolder();
  const took: number[] = [];
  const journal = await openJournal({
    dataDir,
    environment: "test",
    clock: systemClock,
    random: systemRandom,
    synced: (ms) => void took.push(ms),
  });
  try {
    expect(took).toEqual([]);
    await Promise.all([1, 2].map((n) => journal.append([{ n }], AT, paymentRow(n))));
    // Both appends shared one commit.
    expect(took).toHaveLength(1);
    expect(took[0]).toBeGreaterThan(0);
    const { journal: bytes, wal, diskFree, disk } = storageOf(dataDir);
    expect({ bytes, wal }).toEqual({
      bytes: statSync(join(dataDir, "journal.db")).size,
      wal: statSync(join(dataDir, "journal.db-wal")).size,
    });
    expect(wal).toBeGreaterThan(0);
    expect(diskFree).toBeLessThanOrEqual(disk ?? 0);
    expect(diskFree).toBeGreaterThan(0);
  } finally {
    await journal.close();
  }
});

it("what is not there is not told", () => {
  expect(storageOf(join(freshFolder(), "gone"))).toEqual({
    journal: undefined,
    wal: undefined,
    diskFree: undefined,
    disk: undefined,
  });
});
