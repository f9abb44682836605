import fs from "node:fs";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { JournalBroken } from "../../../src/engine/ports.ts";
import { openForWriting } from "../../../src/journal/database.ts";
import { createWitness, openWitness } from "../../../src/journal/witness.ts";
import { freshFolder, open } from "./folder.ts";
import { AT, paymentRow } from "./payment-row.ts";

/*
 * No process that is killed shows whether what it wrote was synced: the kernel writes it all the same, and only a power
 * cut would lose it. So what is asked of the kernel and of
 * SQLite is looked at itself.
 */

it("a commit returns once its log is on the disk, on systems too whose disks keep a cache of their own", () => {
  const database = openForWriting(path.join(freshFolder(), "journal.db"));
  const setting = (name: string): unknown => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  const names = ["journal_mode", "synchronous", "fullfsync", "checkpoint_fullfsync"];
  expect(names.map(setting)).toEqual(["wal", FULL, 1, 1]);
  database.close();
});
/** https://sqlite.org/pragma.html#pragma_synchronous */
const FULL = 2;

it("what is witnessed is synced before it counts", () => {
  const file = path.join(freshFolder(), "journal.witness");
  const synced = vi.spyOn(fs, "fsyncSync");
  createWitness(file, { number: 0, hash: "0".repeat(64) });
  // The file itself, and the folder that names it.
  expect(synced).toHaveBeenCalledTimes(2);
  const witness = openWitness(file, 0);
  const written = vi.spyOn(fs, "fdatasyncSync");
  witness.write({ number: 1, hash: "1".repeat(64) });
  expect(written).toHaveBeenCalledTimes(1);
  witness.close();
  vi.restoreAllMocks();
});

it("an append that the disk did not take is acknowledged to nobody", async () => {
  const journal = await open(freshFolder());
  await journal.append([{ fact: "first" }], AT, paymentRow(1));
  const failing = vi.spyOn(fs, "fdatasyncSync").mockImplementation(() => {
    throw new Error("EIO: i/o error, fdatasync");
  });
  await expect(journal.append([{ fact: "second" }], AT, paymentRow(2))).rejects.toBeInstanceOf(JournalBroken);
  failing.mockRestore();
  await expect(journal.append([{ fact: "third" }], AT, paymentRow(3))).rejects.toBeInstanceOf(JournalBroken);
});
