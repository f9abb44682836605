import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { JournalUnwritable } from "../../../src/engine/ports.ts";
import { openDeletionBook } from "../../../src/journal/deletion-book.ts";
import { JournalRefused } from "../../../src/journal/refusal.ts";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(fs.realpathSync("/tmp"), "posbridge-deletions-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

test("what was kept is there for the next process, oldest first, and only what is open goes on", async () => {
  const book = openDeletionBook(folder);
  await book.keep({ register: "till", reference: "b", open: true, job: { step: 1 } });
  await book.keep({ register: "till", reference: "a", open: true, job: { step: 2 } });
  await book.keep({ register: "other", reference: "a", open: false, job: { step: 3 } });
  await book.keep({ register: "till", reference: "b", open: true, job: { step: 4 } });
  book.close();
  const next = openDeletionBook(folder);
  expect(await next.open()).toEqual([{ step: 4 }, { step: 2 }]);
  expect(await next.find("till", "a")).toEqual({ step: 2 });
  expect(await next.find("other", "a")).toEqual({ step: 3 });
  expect(await next.find("other", "b")).toBeUndefined();
  await next.keep({ register: "till", reference: "b", open: false, job: { step: 5 } });
  expect(await next.open()).toEqual([{ step: 2 }]);
  next.close();
  expect(fs.statSync(path.join(folder, "deletions.db")).mode & 0o777).toBe(0o600);
});

test("a book that cannot be written says so, and nobody believes that the job is kept", async () => {
  const book = openDeletionBook(folder);
  book.close();
  await expect(book.keep({ register: "till", reference: "a", open: true, job: {} })).rejects.toThrow(JournalUnwritable);
});

test("a damaged file is refused with the mend", () => {
  fs.writeFileSync(
    path.join(folder, "deletions.db"),
    "no database, but as long as the head of one would be at least".repeat(40),
  );
  expect(() => openDeletionBook(folder)).toThrow(JournalRefused);
  expect(() => openDeletionBook(folder)).toThrow(/deletions\.db cannot be used .*move it away/);
});
