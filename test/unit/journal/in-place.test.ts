import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { JournalBroken, JournalUnwritable } from "../../../src/engine/ports.ts";
import { openReadOnly } from "../../../src/journal/read-only.ts";
import { afterPowerCut, freshFolder, open } from "./folder.ts";
import { AT, factsOfAppend, paymentRow } from "./payment-row.ts";

const append = (n: number) => [factsOfAppend(n), AT, paymentRow(n)] as const;

/** A journal in a folder that may be moved and removed, with one payment. */
async function begun() {
  const dataDir = path.join(freshFolder(), "data");
  const journal = await open(dataDir);
  const { last } = await journal.append(...append(1));
  return { dataDir, journal, last };
}

const refusal = (what: string) =>
  expect.objectContaining({ name: "JournalUnwritable", message: expect.stringContaining(what) });

it("acknowledges nothing once its folder is removed: the next process would know nothing of it", async () => {
  const { dataDir, journal } = await begun();
  fs.rmSync(dataDir, { recursive: true });
  await expect(journal.append(...append(2))).rejects.toEqual(
    refusal(`${path.join(dataDir, "journal.db")} is not there any more; put it back as it was`),
  );
  await expect(journal.probe()).rejects.toBeInstanceOf(JournalUnwritable);
});

it("acknowledges nothing beside another journal that was put in its place, and goes on where its own is put back", async () => {
  const { dataDir, journal, last } = await begun();
  const away = `${dataDir}-away`;
  fs.renameSync(dataDir, away);
  const other = await open(dataDir);
  await expect(journal.append(...append(2))).rejects.toEqual(
    refusal("journal.db is another file than the one that was opened"),
  );
  expect(await other.append(...append(3))).toMatchObject({ last: factsOfAppend(3).length });
  await other.close();
  fs.rmSync(dataDir, { recursive: true });
  fs.renameSync(away, dataDir);
  await journal.probe();
  expect(await journal.append(...append(2))).toEqual({ last: last + factsOfAppend(2).length });
});

it("waits where its folder cannot be looked into, as on a disk that takes nothing, and goes on once it can: that is no fault of the journal's", async () => {
  const { dataDir, journal, last } = await begun();
  fs.renameSync(dataDir, `${dataDir}-away`);
  // What a parent that this user may not pass through (EACCES) or a share that went away (ESTALE) answers with is
  // another code, in the same way.
  fs.symlinkSync(dataDir, dataDir);
  const problem = refusal(`${path.join(dataDir, "journal.db")} cannot be looked at: ELOOP`);
  await expect(journal.append(...append(2))).rejects.toEqual(problem);
  await expect(journal.probe()).rejects.toEqual(problem);
  fs.unlinkSync(dataDir);
  fs.renameSync(`${dataDir}-away`, dataDir);
  expect(await journal.append(...append(2))).toEqual({ last: last + factsOfAppend(2).length });
});

it("loses nothing where its log is removed and it is stopped in an orderly way", async () => {
  const { dataDir, journal, last } = await begun();
  fs.rmSync(path.join(dataDir, "journal.db-wal"));
  await expect(journal.append(...append(2))).rejects.toEqual(
    refusal(
      "journal.db-wal is not there any more; stop posbridge in an orderly way (posbridge stop or SIGTERM, never kill -9)",
    ),
  );
  await journal.close();
  const again = await open(dataDir);
  expect(await again.lastNumber()).toBe(last);
  expect(await again.facts(paymentRow(1).payment)).toHaveLength(factsOfAppend(1).length);
});

it("acknowledges nothing where its witness was removed or replaced by a copy", async () => {
  const { dataDir, journal } = await begun();
  const witness = path.join(dataDir, "journal.witness");
  fs.copyFileSync(witness, `${witness}.copy`);
  fs.rmSync(witness);
  await expect(journal.append(...append(2))).rejects.toEqual(refusal("journal.witness is not there any more"));
  fs.renameSync(`${witness}.copy`, witness);
  await expect(journal.append(...append(2))).rejects.toEqual(
    refusal("journal.witness is another file than the one that was opened"),
  );
});

it.each(["journal.db", "journal.db-wal", "journal.witness"])(
  "acknowledges nothing once %s was cut, for good: the next process would not find what is in it",
  async (name) => {
    const { dataDir, journal } = await begun();
    // The connection still has the pages in memory, and would go on behind the end of the file.
    await journal.append(...append(2));
    fs.truncateSync(path.join(dataDir, name), 4095);
    const message = new RegExp(
      `${name} has 4095 bytes, and had [0-9]+: something else wrote in it; keep a copy of the whole folder, then start posbridge again`,
    );
    await expect(journal.append(...append(3))).rejects.toMatchObject({
      name: "JournalBroken",
      message: expect.stringMatching(message),
    });
    await expect(journal.probe()).rejects.toBeInstanceOf(JournalBroken);
  },
);

it("tells the next process that more was acknowledged, where an older copy was written over it: that one is whole in itself", async () => {
  const { dataDir, journal, last } = await begun();
  const names = ["journal.db", "journal.db-wal", "journal.witness"];
  const older = names.map((name) => fs.readFileSync(path.join(dataDir, name)));
  const { last: newest } = await journal.append(...append(2));
  for (const [at, name] of names.entries()) fs.writeFileSync(path.join(dataDir, name), older[at] ?? "");
  await expect(journal.append(...append(3))).rejects.toBeInstanceOf(JournalBroken);
  expect(() => openReadOnly(afterPowerCut(dataDir))).toThrow(`ends with fact ${last}, but ${newest} were acknowledged`);
});
