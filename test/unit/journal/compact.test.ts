import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { canShrink } from "../../../src/journal/compact.ts";
import { openReadOnly } from "../../../src/journal/read-only.ts";
import { SCHEMA_VERSION } from "../../../src/journal/schema.ts";
import { everything, everythingIn, sellClosed } from "./archived.ts";
import { freshFolder, open } from "./folder.ts";
import { DATABASE, factsIn } from "./image.ts";
import { AT, paymentRow } from "./payment-row.ts";
import { putRecorded, versionIn } from "./recorded.ts";

function isShrinkable(folder: string): boolean {
  const database = new DatabaseSync(path.join(folder, DATABASE), { readOnly: true });
  try {
    return canShrink(database);
  } finally {
    database.close();
  }
}

test("a journal that an earlier version made is written anew once, with every fact, and shrinks from then on", async () => {
  const folder = putRecorded(4, freshFolder());
  expect(isShrinkable(folder)).toBe(false);
  fs.writeFileSync(path.join(folder, `${DATABASE}.new`), "what a killed start left");
  const before = factsIn(folder);
  const journal = await open(folder);
  expect([isShrinkable(folder), factsIn(folder)]).toEqual([true, before]);
  expect(fs.statSync(path.join(folder, DATABASE)).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(folder)).not.toContain(`${DATABASE}.new`);
  await sellClosed(journal, 101, 301, "x".repeat(10_000));
  await journal.append([{ fact: "accepted" }], AT, paymentRow(301));
  const all = await everythingIn(journal, 301);
  expect((await journal.archive(everything)).pages).toBeGreaterThan(300);
  expect(await everythingIn(journal, 301)).toEqual(all);
  await journal.close();
  expect(fs.statSync(path.join(folder, DATABASE)).size).toBeLessThan(2_000_000);
});

test("it stays as it is while a command reads it, and is written anew by the next start", async () => {
  const folder = putRecorded(4, freshFolder());
  const before = factsIn(folder);
  const reader = openReadOnly(folder);
  expect(await reader.lastNumber()).toBe(44);
  await (await open(folder)).close();
  expect([isShrinkable(folder), versionIn(folder), factsIn(folder)]).toEqual([false, SCHEMA_VERSION, before]);
  expect(await reader.lastNumber()).toBe(44);
  reader.close();
  await (await open(folder)).close();
  expect([isShrinkable(folder), factsIn(folder)]).toEqual([true, before]);
});
