import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { JournalUnwritable } from "../../../src/engine/ports.ts";
import { openReadOnly } from "../../../src/journal/read-only.ts";
import { JournalRefused } from "../../../src/journal/refusal.ts";
import { type OpenJournal, openJournal } from "../../../src/journal/sqlite-journal.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { freshFolder } from "./folder.ts";
import { DATABASE, factsIn, type Image, INDEX, imageOf, LOG, read, WITNESS } from "./image.ts";
import { readOnly, smallDisk } from "./mounted.ts";
import { AT, factsOfAppend, paymentRow, rowIn } from "./payment-row.ts";

const MEGABYTE = 1_048_576;
const WRITERS = 8;

const open = (dataDir: string) =>
  openJournal({ dataDir, environment: "test", clock: systemClock, random: systemRandom });

/** Files of a journal put into a folder, as a process that was killed left them. */
function put(image: Image, folder: string, names: readonly string[]): void {
  for (const name of names) fs.writeFileSync(path.join(folder, name), image.files.get(name) ?? Buffer.alloc(0));
}

/** Appends with several writers at once until the disk takes no more: what was acknowledged, and what was refused. */
async function appendUntilFull(
  journal: OpenJournal,
  from: number,
): Promise<{ readonly told: ReadonlyMap<number, number>; readonly refused: readonly number[] }> {
  const told = new Map<number, number>();
  const refused: number[] = [];
  let next = from;
  const write = async (): Promise<void> => {
    for (;;) {
      const n = next;
      next += 1;
      try {
        told.set(n, (await journal.append(factsOfAppend(n), AT, paymentRow(n))).last);
      } catch (cause) {
        expect(cause).toBeInstanceOf(JournalUnwritable);
        expect(String(cause)).toMatch(/the journal cannot be written: .* \(.*journal\.db\); make room on its disk/);
        refused.push(n);
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  return { told, refused };
}

describe("a disk that is full", () => {
  it("refuses appends whole, answers questions, and takes the same appends when there is room again, time and again", async () => {
    const disk = smallDisk(3 * MEGABYTE);
    const journal = await open(disk.folder);
    onTestFinished(() => journal.close());
    const told = new Map<number, number>();
    for (let round = 0; round < 4; round += 1) {
      disk.fill(100_000 * round);
      const full = await appendUntilFull(journal, 1000 * (round + 1));
      for (const [n, last] of full.told) told.set(n, last);
      expect(full.refused).toHaveLength(WRITERS);
      const facts = [...told.keys()].reduce((sum, n) => sum + factsOfAppend(n).length, 0);
      expect(await journal.lastNumber()).toBe(facts);
      for (const n of full.refused)
        expect([await rowIn(journal, paymentRow(n)), await journal.facts(paymentRow(n).payment)]).toEqual([
          undefined,
          [],
        ]);
      await expect(journal.probe()).rejects.toThrow(JournalUnwritable);
      disk.free();
      await journal.probe();
      for (const n of full.refused) told.set(n, (await journal.append(factsOfAppend(n), AT, paymentRow(n))).last);
    }
    await journal.close();
    const kept = factsIn(disk.folder);
    expect(kept).toHaveLength([...told.keys()].reduce((sum, n) => sum + factsOfAppend(n).length, 0));
    for (const [n, last] of told)
      expect(kept[last - 1]).toMatchObject({ number: last, payment: paymentRow(n).payment });
    // Elsewhere, because on that disk there may be no room to begin.
    const elsewhere = freshFolder();
    for (const name of [DATABASE, LOG, WITNESS].filter((one) => fs.existsSync(path.join(disk.folder, one))))
      fs.copyFileSync(path.join(disk.folder, name), path.join(elsewhere, name));
    const again = await open(elsewhere);
    expect(await again.lastNumber()).toBe(kept.length);
    await again.close();
  });

  it("is no reason to call a journal damaged: it opens whole, or asks for room and changes nothing that counts, however much room there is", async () => {
    const image = await imageOf("some in the database", freshFolder(), 7);
    const disk = smallDisk(2 * MEGABYTE);
    const asked = new Set<string>();
    for (const room of [0, 4096, 8192, 16_384, 36_864, 40_960, 61_440, 98_304, 131_072]) {
      put(image, disk.folder, [DATABASE, LOG, WITNESS]);
      for (const name of [INDEX, "lock.db", "lock.pid"]) fs.rmSync(path.join(disk.folder, name), { force: true });
      disk.fill(room);
      for (const use of [async () => openReadOnly(disk.folder), () => open(disk.folder)]) {
        const opened = await use().catch((cause: unknown) => {
          if (!(cause instanceof JournalRefused || cause instanceof JournalUnwritable)) throw cause;
          expect(cause.message).toMatch(/(journal|lock)\.db/);
          expect(cause.message).toMatch(/make room on its disk/);
          expect(cause.message).not.toMatch(/damaged|backup/);
          asked.add(cause.name);
          return undefined;
        });
        if (opened !== undefined) expect(await opened.lastNumber()).toBe(image.facts.length);
        await opened?.close();
      }
      disk.free();
      expect(factsIn(disk.folder)).toEqual(image.facts);
      const journal = await open(disk.folder);
      expect(await journal.lastNumber()).toBe(image.facts.length);
      await journal.close();
    }
    expect([...asked].toSorted()).toEqual(["JournalRefused", "JournalUnwritable"]);
  });

  it("keeps a first start from half a journal: it begins anew when there is room", async () => {
    const disk = smallDisk(MEGABYTE);
    for (const room of [0, 4096, 8192, 16_384, 32_768, 49_152, 65_536, 81_920]) {
      disk.fill(room);
      const journal = await open(disk.folder).catch((cause: unknown) => {
        expect(String(cause)).toMatch(/make room on its disk/);
        return undefined;
      });
      await journal?.close();
      disk.free();
    }
    const journal = await open(disk.folder);
    expect(await journal.append([1], AT, paymentRow(1))).toEqual({ last: 1 });
    await journal.close();
  });
});

describe("a folder that cannot be written", () => {
  it("is refused by the daemon with the mend, and read by the commands where its log has an index, never called damaged", async () => {
    const image = await imageOf("all in the log", freshFolder(), 8);
    for (const names of [
      [DATABASE, LOG, WITNESS, INDEX],
      [DATABASE, LOG, WITNESS],
      [DATABASE, LOG, WITNESS, "lock.db"],
      [DATABASE, LOG, WITNESS, INDEX, "lock.db"],
    ]) {
      const folder = freshFolder();
      put(image, folder, names);
      const where = readOnly(folder);
      const refusal = await open(where).then(
        () => "opened",
        (cause: unknown) => String(cause),
      );
      expect(refusal).toMatch(/(journal|lock)\.db/);
      expect(refusal).toMatch(/let this user write in the folder, and mount its disk for writing/);
      if (names.includes(INDEX)) {
        const reader = openReadOnly(where);
        expect(await reader.lastNumber()).toBe(image.facts.length);
        reader.close();
      } else
        expect(() => openReadOnly(where)).toThrow(
          /cannot be read now .*let this user write in the folder, and mount its disk for writing, then try again/,
        );
      for (const name of [DATABASE, LOG, WITNESS])
        expect(read(folder, name).equals(image.files.get(name) ?? Buffer.alloc(0))).toBe(true);
    }
  });
});
