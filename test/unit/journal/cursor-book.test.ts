import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { JournalUnwritable } from "../../../src/engine/ports.ts";
import { createSchema } from "../../../src/journal/create.ts";
import { openCursorBook } from "../../../src/journal/cursor-book.ts";
import { openReadOnly } from "../../../src/journal/read-only.ts";
import { type OpenJournal, openJournal } from "../../../src/journal/sqlite-journal.ts";
import { joinCursor } from "../../../src/kit/cursor.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { freshFolder } from "./folder.ts";
import { AT, paymentRow } from "./payment-row.ts";

/*
 * Cursors are made by a folder's key: what they prove is what really happened to the folder, and nobody else can make
 * one.
 */

/** The key comes from a seed, so that no test depends on chance. */
async function open(dataDir: string, seed = 7): Promise<OpenJournal> {
  const journal = await openJournal({ dataDir, environment: "test", clock: systemClock, random: seededRandom(seed) });
  onTestFinished(() => journal.close());
  return journal;
}

/** Appends so many facts, and gives the cursor behind each. */
async function write(journal: OpenJournal, count: number, text: string): Promise<readonly string[]> {
  const cursors: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { last } = await journal.append([{ fact: "queued", text, n }], AT, paymentRow(1));
    cursors.push(journal.cursors.at(last));
  }
  return cursors;
}

/** A folder that nobody has open, as it is now. */
function copyOf(dataDir: string): string {
  const copy = freshFolder();
  for (const name of ["journal.db", "journal.witness"])
    fs.copyFileSync(path.join(dataDir, name), path.join(copy, name));
  return copy;
}

/** A folder that came to nine facts and then was put back to a copy of when it had five. */
async function putBack() {
  const dataDir = freshFolder();
  const before = await open(dataDir);
  const kept = await write(before, 5, "kept");
  await before.close();
  const copy = copyOf(dataDir);
  const later = await open(dataDir);
  const lost = await write(later, 4, "lost");
  await later.close();
  return { copy, kept, lost, folder: copyOf(copy) };
}

const is = (journal: OpenJournal, cursors: readonly string[]) =>
  cursors.map((cursor) => journal.cursors.read(cursor).is);
const all = (count: number, what: string) => Array.from({ length: count }, () => what);
const word = { at: AT, by: "anna", reason: "compared with the gateway" };
const proof = { register: "till", at: AT, last: 5, number: 8, generation: 0 };

test("every cursor that a folder has made is one of its own for ever, whatever follows and however often it is opened", async () => {
  const dataDir = freshFolder();
  const told: string[] = [];
  for (let life = 0; life < 4; life += 1) {
    const journal = await open(dataDir, life);
    told.push(journal.cursors.at(await journal.lastNumber()), ...(await write(journal, 6, `life ${life}`)));
    expect(is(journal, told)).toEqual(all(told.length, "held"));
    await journal.close();
  }
});

test("cursors of bridges that did not sign them are held as far as the journal goes, and prove nothing beyond", async () => {
  const journal = await open(freshFolder());
  await write(journal, 3, "x");
  expect(["0", "3", "4", "999999999", "x", "-1"].map((cursor) => journal.cursors.read(cursor))).toEqual([
    { is: "held", number: 0 },
    { is: "held", number: 3 },
    { is: "ahead", number: 4 },
    { is: "ahead", number: 999_999_999 },
    { is: "none" },
    { is: "none" },
  ]);
});

describe("a folder that was put back to an earlier moment", () => {
  test("is proven by every cursor of what it has lost, and by none of what it has kept", async () => {
    const { kept, lost, folder } = await putBack();
    const journal = await open(folder);
    expect(is(journal, kept)).toEqual(all(5, "held"));
    expect(lost.map((cursor) => journal.cursors.read(cursor))).toEqual(
      [6, 7, 8, 9].map((number) => ({ is: "rolled-back", number, generation: 0 })),
    );
  });

  test("is proven also once the journal has come to as many facts again", async () => {
    const { lost, folder } = await putBack();
    const journal = await open(folder);
    const again = await write(journal, 10, "another history");
    expect(is(journal, lost)).toEqual(all(4, "rolled-back"));
    expect(is(journal, again)).toEqual(all(10, "held"));
  });

  test("is noticed for the next process too; once that is confirmed the lost cursors prove nothing any more", async () => {
    const { kept, lost, folder } = await putBack();
    const journal = await open(folder);
    expect(await journal.cursors.confirm(word)).toBeUndefined();
    expect(await journal.cursors.notice(proof)).toBe(true);
    expect(await journal.cursors.notice({ ...proof, number: 7 })).toBe(false);
    expect(await journal.cursors.notice({ ...proof, register: "other", number: 9 })).toBe(true);
    await journal.close();
    const next = await open(folder);
    const shown = [8, 9].map((number, at) => ({ register: at === 0 ? "till" : "other", number, at: AT }));
    expect(next.cursors.rollbacks()).toMatchObject([{ number: 1, noticedAt: AT, last: 5, shown }]);
    expect(next.cursors.rollbacks()[0]).not.toHaveProperty("confirmed");
    expect(await next.cursors.confirm(word)).toMatchObject({ number: 1, confirmed: word });
    expect(await next.cursors.confirm(word)).toBeUndefined();
    expect(is(next, [...kept, ...lost])).toEqual([...all(5, "held"), ...all(4, "lost")]);
    await next.close();
    const reader = openReadOnly(folder);
    expect(reader.rollbacks).toMatchObject([{ number: 1, shown, confirmed: word }]);
    reader.close();
  });

  test("a second time, by the same copy or by one that was made since, is proven by what was told after the confirmation", async () => {
    const { copy, lost, folder } = await putBack();
    const first = await open(folder);
    await first.cursors.notice(proof);
    await first.cursors.confirm(word);
    const since = await write(first, 2, "since");
    await first.close();
    const newer = copyOf(folder);
    const second = await open(folder);
    const latest = await write(second, 2, "latest");
    await second.close();
    const byOld = await open(copyOf(copy));
    expect(is(byOld, [...since, ...latest])).toEqual(all(4, "rolled-back"));
    expect(byOld.cursors.read(since[0] ?? "")).toMatchObject({ generation: 1 });
    const byNew = await open(newer);
    expect(is(byNew, [...since, ...latest, ...lost])).toEqual([
      ...all(2, "held"),
      ...all(2, "rolled-back"),
      ...all(4, "lost"),
    ]);
    await byOld.cursors.notice({ ...proof, generation: 1 });
    await byOld.cursors.confirm(word);
    expect(is(byOld, [...since, ...latest, ...lost])).toEqual(all(8, "lost"));
  });
});

describe("a cursor that this folder never made", () => {
  test("proves nothing, whatever its last digits", async () => {
    const journal = await open(freshFolder());
    await write(journal, 3, "x");
    const random = seededRandom(3);
    const invented = Array.from({ length: 5_000 }, () =>
      joinCursor(1 + random.below(2_000), String(random.below(1_000_000_000)).padStart(9, "0")),
    );
    expect(new Set(is(journal, invented))).toEqual(new Set(["foreign"]));
  });

  test("is known for another folder's, of as many facts or more", async () => {
    const [mine, other] = [await open(freshFolder(), 1), await open(freshFolder(), 2)];
    await write(mine, 3, "x");
    expect(is(mine, await write(other, 6, "x"))).toEqual(all(6, "foreign"));
  });
});

test("what was noticed holds also where it cannot be written, and is written once it is shown again", async () => {
  const database = new DatabaseSync(":memory:");
  const stamp = { bridge: "brg_000000000000000000000000", environment: "test", createdAt: AT } as const;
  createSchema(database, stamp);
  let isFull = false;
  const write = (run: () => void): void => {
    if (isFull) throw new JournalUnwritable("the disk is full");
    run();
  };
  const on = { database, stamp, random: seededRandom(1), archive: { hashOf: () => undefined }, write };
  const book = openCursorBook(on);
  isFull = true;
  await expect(book.notice(proof)).rejects.toThrow(JournalUnwritable);
  expect(book.rollbacks()).toHaveLength(1);
  expect(openCursorBook(on).rollbacks()).toEqual([]);
  await expect(book.confirm(word)).rejects.toThrow(JournalUnwritable);
  expect(book.rollbacks()[0]).not.toHaveProperty("confirmed");
  isFull = false;
  expect(await book.notice(proof)).toBe(false);
  expect(openCursorBook(on).rollbacks()).toHaveLength(1);
});

describe("what is kept of it", () => {
  async function kept(change: string) {
    const { folder } = await putBack();
    const journal = await open(folder);
    await journal.cursors.notice(proof);
    await journal.close();
    const database = new DatabaseSync(path.join(folder, "journal.db"));
    database.exec(change);
    database.close();
    return folder;
  }

  test.each([
    ["UPDATE cursor_key SET key = lower(key)", "the key of its cursors was changed"],
    ["UPDATE cursor_key SET seal = 'x'", "the key of its cursors was changed"],
    ["UPDATE rollbacks SET noticed = replace(noticed, 'till', 'desk')", "the row of rollback 1 was changed"],
    [
      `UPDATE rollbacks SET confirmed = '{"at":"2026","by":"eve","reason":"x","generation":1}'`,
      "the row of rollback 1 was changed",
    ],
    ["UPDATE rollbacks SET number = 2", "the row of rollback 2 was changed"],
  ])("refuses to open after %s", async (change, flaw) => {
    const folder = await kept(change);
    const message = `${path.join(folder, "journal.db")}: ${flaw}; restore the last backup (docs/journal.md)`;
    await expect(open(folder)).rejects.toMatchObject({ problem: "view-damaged", message });
    expect(() => openReadOnly(folder)).toThrow(message);
  });

  test("never goes, and never changes once it is confirmed", async () => {
    const { folder } = await putBack();
    const journal = await open(folder);
    await journal.cursors.notice(proof);
    await journal.cursors.confirm(word);
    await journal.close();
    const database = new DatabaseSync(path.join(folder, "journal.db"));
    expect(() => database.exec("DELETE FROM rollbacks")).toThrow("rollbacks never go");
    expect(() => database.exec("UPDATE rollbacks SET seal = ''")).toThrow("confirmed rollbacks never change");
    database.close();
  });
});
